"""Creating, changing and deleting contests.

Invariants:
- Once a contest is frozen (it has its first entry, sold its first further sheet, or was closed), its game, options,
  seats, sheets and `odds_shown` never change.
- While a contest is closed, its log says how groups are compared, and that does not change.
- `Contest.prizes` is not set here: it follows from the prizes of the event (`scorekeeper.prizes`).
- Once turns are assigned to stops, the option that is derived from them is never written here. Before that, a new
  contest may have it, which says for how many turns its options are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max, ProtectedError
from django.utils.text import slugify

from games.core.game import Game
from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.group_setting import NOT_COMPARED, GroupSetting, get_group_setting
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.events.services.events import EventArchived, lock_event

# Other pages of an event have these words where a contest has its slug, such as /contests/new/ and /screen. A test
# finds them in the addresses.
RESERVED_SLUGS = frozenset(
    {"new", "poster", "prints", "prize-logos", "route", "screen", "screen-stream", "sign-up", "stream"}
)


class ContestFrozen(Exception):
    """The contest has entries, so what they were recorded for can no longer change."""


class StandingsFrozen(Exception):
    """The event's standings are frozen: the announcements of a prize giving count the steps of every contest."""


class GroupsFixed(Exception):
    """The contest is closed, so its log says how groups are compared."""


def make_contest_slug(event: Event, name: str) -> str:
    """Return a slug that neither another contest nor another page of the event uses."""
    readable = slugify(name)[:70].strip("-") or "contest"
    taken = RESERVED_SLUGS.union(event.contests.values_list("slug", flat=True))
    slug, number = readable, 2
    while slug in taken:
        slug, number = f"{readable}-{number}", number + 1
    return slug


def rename_reserved_slugs(event: Event) -> None:
    """Give contests with a reserved slug, which come from elsewhere, the slug that a new one would get."""
    for contest in event.contests.filter(slug__in=RESERVED_SLUGS):
        contest.slug = make_contest_slug(event, contest.name)
        contest.save(update_fields=["slug"])


@transaction.atomic
def create_contest(
    event: Event,
    game: Game[Any],
    *,
    name: str,
    seats_are: str,
    options: Mapping[str, Any],
    groups: GroupSetting = NOT_COMPARED,
    asks_agreement: bool = False,
    odds_shown: str = Contest.OddsShown.OFF,
    sheets_for: str = Contest.SheetsFor.BIKE,
    sheets_max: int = 1,
) -> Contest:
    """Return a new contest, the last in order.

    Args:
        event: the event at which it is played.
        game: the game that is played.
        name: its name on the leaderboards.
        seats_are: whether bikes or players play, as `Contest.SeatsAre`.
        options: the options that differ from the rule book, as JSON.
        groups: how groups are compared.
        asks_agreement: whether publishing needs a reason while a card is not agreed.
        odds_shown: which odds are shown during play, as `Contest.OddsShown`.
        sheets_for: who has a scorecard at the stops, as `Contest.SheetsFor`.
        sheets_max: how many scorecards each of them can have.

    Raises:
        Malformed: the rule book does not allow the options.
        EventArchived: the event is in the archive, where no contest is open.
    """
    game.ruleset(dict(options))
    if lock_event(event).archived_at is not None:  # also so that the slug and the ordinal are still free
        raise EventArchived(event.pk)
    last = event.contests.aggregate(last=Max("ordinal"))["last"] or 0
    return Contest.objects.create(
        event=event,
        name=name,
        slug=make_contest_slug(event, name),
        ordinal=last + 1,
        game_key=game.key,
        rules_version=game.version,
        options=dict(options),
        seats_are=seats_are,
        groups_by=groups.by,
        group_best=groups.best,
        asks_agreement=asks_agreement,
        odds_shown=odds_shown,
        sheets_for=sheets_for,
        sheets_max=sheets_max,
    )


@transaction.atomic
def rename_contest(contest: Contest, *, name: str, groups: GroupSetting, asks_agreement: bool | None = None) -> None:
    """Change the name, and how groups are compared. The slug stays, because people have shared its URL.

    Args:
        asks_agreement: None leaves that as it is.

    Raises:
        GroupsFixed: the comparison of groups would change, and the contest is closed.
    """
    current = Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    _check_groups(current, groups)
    contest.name = name
    contest.groups_by, contest.group_best = groups
    changed = ["name", "groups_by", "group_best"]
    if asks_agreement is not None:
        contest.asks_agreement = asks_agreement
        changed.append("asks_agreement")
    contest.save(update_fields=changed)
    publish_change(contest.pk)


@transaction.atomic
def update_contest(
    contest: Contest,
    *,
    name: str,
    seats_are: str,
    options: Mapping[str, Any],
    groups: GroupSetting,
    asks_agreement: bool | None = None,
    odds_shown: str | None = None,
    sheets_for: str | None = None,
    sheets_max: int | None = None,
) -> None:
    """Change a contest that has no entries yet.

    Args:
        asks_agreement: None leaves that as it is.
        odds_shown: which odds are shown during play; None leaves that as it is.
        sheets_for, sheets_max: who has a scorecard at the stops, and how many; None leaves that as it is.

    Raises:
        ContestFrozen: it has an entry, perhaps a very recent one.
        GroupsFixed: the comparison of groups would change, and the contest is closed.
        Malformed: the rule book does not allow the options.
    """
    current = lock_unfrozen_contest(contest)
    _check_groups(current, groups)
    current.name, current.seats_are = name, seats_are
    current.groups_by, current.group_best = groups
    if asks_agreement is not None:
        current.asks_agreement = asks_agreement
    if odds_shown is not None:
        current.odds_shown = odds_shown
    if sheets_for is not None:
        current.sheets_for = sheets_for
    if sheets_max is not None:
        current.sheets_max = sheets_max
    current.options = {**options, **current.options_from_slots}
    current.game.ruleset(current.options)
    fields = ["name", "seats_are", "options", "groups_by", "group_best", "asks_agreement", "odds_shown"]
    fields += ["sheets_for", "sheets_max"]
    current.save(update_fields=fields)


@transaction.atomic
def delete_contest(contest: Contest) -> None:
    """Delete a contest that was never played.

    Raises:
        ContestFrozen: it has been played or closed.
        StandingsFrozen: the event's standings are frozen, and may be announced now.
    """
    locked = lock_unfrozen_contest(contest)
    if get_freeze(contest.event) is not None:
        raise StandingsFrozen
    try:
        locked.delete()
    except ProtectedError as error:
        raise ContestFrozen from error


def _check_groups(current: Contest, groups: GroupSetting) -> None:
    if current.status != Contest.Status.OPEN and groups != get_group_setting(current):
        raise GroupsFixed


def lock_unfrozen_contest(contest: Contest) -> Contest:
    """Return the contest's current state, locked until the end of the transaction.

    Raises:
        ContestFrozen: it has entries, or was closed.
    """
    current = Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    if current.frozen_at is not None:
        raise ContestFrozen
    return current
