"""What the tables of an event are called."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.selectors.samples import TABLE
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.card_kinds import get_kind


def label_tables(event: Event, audit: DiceAudit) -> Mapping[tuple[str, str], str]:
    """Return the name of every table, if the count has any, by its source and id."""
    if not any(sample["source"] == TABLE for sample in audit.samples):
        return {}
    return {
        (TABLE, str(card)): _("%(contest)s, table %(number)s") % {"contest": contest.name, "number": number}
        for contest in list_contests(event)
        for card, number in get_kind(contest.game).number_cards(contest.pk).items()
    }
