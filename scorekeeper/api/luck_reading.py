"""Reading the luck of a contest through the API, with the refusals for when there is none, or none yet."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, NotFound

from scorekeeper.events.models import Contest
from scorekeeper.standings.card_luck import ContestLuck
from scorekeeper.standings.services.luck_computation import LuckNotTold, ask_for_luck

NO_LUCK = _("There is no luck to read: the contest is not closed, its result is withheld, or its game has no odds.")
SECONDS_TO_WAIT = 5


class LuckPending(APIException):
    """The luck has yet to be computed; `wait` becomes the header `Retry-After`."""

    status_code = 503
    default_code = "luck_pending"
    default_detail = _("This is being worked out. Ask again in a few seconds.")
    wait = SECONDS_TO_WAIT


def read_luck(contest: Contest, *, is_for_organisers: bool) -> ContestLuck:
    """Return the luck of a contest.

    Raises:
        NotFound: there is none that the caller may see.
        LuckPending: it has yet to be computed.
    """
    try:
        luck = ask_for_luck(contest, is_for_organisers=is_for_organisers)
    except LuckNotTold:
        raise NotFound(NO_LUCK, "luck_not_found") from None
    if luck is None:
        raise LuckPending
    return luck
