"""Copies an event: a new draft with its stops, contests, prizes, classes, groups, crew, check-in list and page.

Invariants:
- Everything in the copy has a new id. Nothing recorded, no phone, no link and no setting of the screen is copied. So
  prizes come along, and who was given one by hand does not.
- Which columns come along is in the table `scorekeeper.event_rows`. What differs in the copy is said here.
- The programme counts its days from the date of the event, so it moves to the date of the copy by itself.
- The number of statements does not depend on the size of the event.
- Nothing is read from the log, so a damaged one makes no difference.
- What cannot be copied as it is, such as a contest whose game is no longer installed, or a bike in a group of another
  event, never stops the copy. It is listed as an omission.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game
from games.core.problems import Malformed
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.event_dates import check_event_date
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS, list_games
from scorekeeper.common.names import fold_name
from scorekeeper.common.word_lists import join_and
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.event_page.models import EventPage, RouteTrack
from scorekeeper.event_rows import ROWS
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.services.events import lock_event, make_event_slug
from scorekeeper.players.models import ClassMember, Player
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.stops.models import Slot, Stop

M = TypeVar("M", bound=models.Model)
RowsById = Mapping[UUID, M]


@dataclass(frozen=True)
class EventCopy:
    """A new event that was made from another one.

    Attributes:
        event: the new event.
        omissions: a sentence for everything that could not be copied as it was.
    """

    event: Event
    omissions: list[str] = field(default_factory=list)


def copy_event(
    source: Event, user: User, *, name: str, date: dt.date, with_roster: bool, is_practice: bool = False
) -> Event:
    """Return a copy of the event, as `copy_event_with_omissions` does, without its list of omissions."""
    copy = copy_event_with_omissions(
        source, user, name=name, date=date, with_roster=with_roster, is_practice=is_practice
    )
    return copy.event


@transaction.atomic
def copy_event_with_omissions(
    source: Event, user: User, *, name: str, date: dt.date, with_roster: bool, is_practice: bool = False
) -> EventCopy:
    """Return a copy of the event, a draft, and what could not be copied.

    Args:
        source: the event to copy; nothing in it changes.
        user: the organiser of the copy. Whoever organises the event also organises its practice event.
        name: the name of the copy.
        date: its date.
        with_roster: whether its bikes and their people are copied too.
        is_practice: whether the copy is a practice event of the source. It is never listed.
    """
    check_event_date(date)
    lock_event(source)
    event = _clone(
        source,
        name=name,
        slug=make_event_slug(name),
        date=date,
        is_listed=source.is_listed and not is_practice,
        is_practice=is_practice,
        practice_of_id=source.pk if is_practice else None,
    )
    event.save(force_insert=True)
    # Who has agreed to organise a ride has agreed to its practice event. Nobody else is added to a copy.
    accepted = dict(source.organisers.values_list("user_id", "accepted_at")) if is_practice else {}
    accepted.setdefault(user.pk, timezone.now())
    stops = _clone_all(source.stops.all(), event_id=event.pk)
    groups = _clone_all(source.groups.all(), event_id=event.pk)
    crew = _clone_all(CrewMember.objects.filter(group__event=source), group_id=groups)
    if is_practice:
        for original_id, member in crew.items():
            member.mirrors_id = original_id
    contests, slots, omissions = _copy_contests(source, event, stops)
    is_used = Q(pk__in=source.prizes.values("logo")) | Q(pk__in=source.page_sponsors.values("logo"))
    logos = _clone_all(source.prize_logos.filter(is_used), event_id=event.pk)
    classes = _clone_all(source.classes.all(), event_id=event.pk)
    prizes = _clone_all(
        source.prizes.all(),
        event_id=event.pk,
        contest_id=contests,
        stop_id=stops,
        logo_id=logos,
        event_class_id=classes,
    )
    bikes, players = _copy_roster(source, event, groups, omissions) if with_roster else ({}, {})
    # One of these has no bike, or no person, which leads nowhere else; without the roster, nobody is in a class.
    members = ClassMember.objects.filter(event_class__event=source)
    given = _clone_all(members, event_class_id=classes, bike_id=bikes, player_id=players) if with_roster else {}
    PrizeLogo.objects.bulk_create(logos.values())  # pictures, which `insert_rows` does not write
    insert_rows(
        BulkInsert([Organiser(event=event, user_id=pk, accepted_at=at) for pk, at in sorted(accepted.items())]),
        BulkInsert(list(stops.values())),
        BulkInsert(list(classes.values())),
        BulkInsert(list(contests.values())),
        BulkInsert(slots),
        BulkInsert(list(prizes.values())),
        BulkInsert(list(groups.values())),
        BulkInsert(list(_clone_all(DiceSet.objects.filter(group__event=source), group_id=groups).values())),
        BulkInsert(list(crew.values())),
        BulkInsert(_copy_finale_stops(source, crew, stops, omissions)),
        BulkInsert(list(_clone_all(CheckItem.objects.filter(event=source), event_id=event.pk).values())),
        BulkInsert(list(bikes.values())),
        BulkInsert(list(players.values())),
        BulkInsert(list(given.values())),
        BulkInsert(list(_clone_all(EventPage.objects.filter(event=source), event_id=event.pk).values())),
        BulkInsert(list(_clone_all(source.programme.all(), event_id=event.pk).values())),
        BulkInsert(list(_clone_all(source.page_sponsors.all(), event_id=event.pk, logo_id=logos).values())),
        BulkInsert(list(_clone_all(RouteTrack.objects.filter(event=source), event_id=event.pk).values())),
    )
    return EventCopy(event, omissions)


def _clone(row: M, **changes: Any) -> M:
    """Return an unsaved copy of a row, with a new id and the columns that copies have (`scorekeeper.event_rows`).

    Args:
        row: the row to copy.
        changes: new values by attribute.
    """
    copied = ROWS[row._meta.label].list_copied()  # noqa: SLF001 - Django's documented way to a model's name
    return type(row)(**{field.attname: getattr(row, field.attname) for field in copied} | changes)


def _clone_all(rows: Iterable[M], **changes: Any) -> dict[UUID, M]:
    """Return unsaved copies of the rows, by the ids of the originals.

    Args:
        rows: the rows to copy.
        changes: new values by attribute. A dict of copies by their originals' ids leads a foreign key to the copy; a
            row whose key leads nowhere is left out.
    """
    clones = {}
    for row in rows:
        values = {}
        for name, change in changes.items():
            if not isinstance(change, dict):
                values[name] = change
            elif (original := getattr(row, name)) is not None:
                if original not in change:
                    break
                values[name] = change[original].pk
        else:
            clones[row.pk] = _clone(row, **values)
    return clones


def _copy_finale_stops(
    source: Event, crew: RowsById[CrewMember], stops: RowsById[Stop], omissions: list[str]
) -> list[models.Model]:
    """Return the rows that say where members record for any bike."""
    rows = list(CrewMember.any_bike_at.through.objects.filter(crewmember__group__event=source))
    if astray := {
        crew[row.crewmember_id].name for row in rows if row.crewmember_id in crew and row.stop_id not in stops
    }:
        text = ngettext(
            "A stop at which %(names)s may record for any bike was left out: it belongs to another event.",
            "A stop at which %(names)s may record for any bike was left out: it belongs to another event.",
            len(astray),
        )
        omissions.append(text % {"names": _list_names(astray)})
    return list(_clone_all(rows, crewmember_id=crew, stop_id=stops).values())


def _copy_roster(
    source: Event, event: Event, groups: RowsById[Group], omissions: list[str]
) -> tuple[dict[UUID, Bike], dict[UUID, Player]]:
    """Return the bikes and people. Bikes that were merged into others are left out; all others are in the roster."""
    own = list(source.bikes.all())
    current = [bike for bike in own if bike.merged_into_id is None]
    if astray := _detach_strays(current, "group_id", groups):
        text = ngettext(
            "Bike %(names)s has no group here, because its group belongs to another event.",
            "Bikes %(names)s have no group here, because their groups belong to another event.",
            len(astray),
        )
        omissions.append(text % {"names": _list_names(astray)})
    people = list(source.players.all())
    if astray := _detach_strays(people, "bike_id", {bike.pk for bike in own}):
        text = ngettext(
            "%(names)s has no bike here, because that bike belongs to another event.",
            "%(names)s have no bike here, because their bikes belong to another event.",
            len(astray),
        )
        omissions.append(text % {"names": _list_names(astray)})
    bikes = _clone_all(current, event_id=event.pk, group_id=groups)
    return bikes, _clone_all(people, event_id=event.pk, bike_id=bikes)


def _detach_strays(rows: Iterable[models.Model], column: str, own: Container[UUID]) -> list[str]:
    """Empty the column, in memory, of rows in which it leads to another event. Return the names of those rows."""
    astray = [row for row in rows if getattr(row, column) is not None and getattr(row, column) not in own]
    for row in astray:
        setattr(row, column, None)
    return [str(row) for row in astray]


def _list_names(names: Iterable[str]) -> str:
    return join_and(sorted(names))


def _copy_contests(
    source: Event, event: Event, stops: RowsById[Stop]
) -> tuple[dict[UUID, Contest], list[Slot], list[str]]:
    """Return the contests by the ids of the originals, with their turns at stops, and what could not be copied."""
    contests: dict[UUID, Contest] = {}
    slots: list[Slot] = []
    omissions: list[str] = []
    slots_by_contest: dict[UUID, list[Slot]] = {}
    for slot in Slot.objects.filter(contest__event=source).order_by("ordinal"):
        slots_by_contest.setdefault(slot.contest_id, []).append(slot)
    for original in source.contests.order_by("ordinal", "name"):
        game = list_games().get(original.game_key)
        if game is None:
            text = _("“%(contest)s” was left out: its game (%(game)s) is not installed here.")
            omissions.append(text % {"contest": original.name, "game": original.game_key})
            continue
        name = _find_free_name(original.name, [contest.name for contest in contests.values()])
        if name != original.name:
            text = _("There were two contests called “%(contest)s”. One of them is called “%(name)s” now.")
            omissions.append(text % {"contest": original.name, "name": name})
        assigned = slots_by_contest.get(original.pk, [])
        turns = [slot for slot in assigned if slot.stop_id in stops]
        if astray := len(assigned) - len(turns):
            text = ngettext(
                "%(count)s turn of “%(contest)s” was left out: its stop belongs to another event.",
                "%(count)s turns of “%(contest)s” were left out: their stops belong to another event.",
                astray,
            )
            omissions.append(text % {"count": astray, "contest": original.name})
        options, turns = _fit_options(original, game, turns, omissions)
        contest = _clone(original, event_id=event.pk, name=name, rules_version=game.version, options=options)
        if event.is_practice and Contest.OddsShown.COACH in contest.odds_may_be:
            contest.odds_shown = Contest.OddsShown.COACH  # practice is where people learn what a choice is worth
        contests[original.pk] = contest
        slots += [
            _clone(slot, contest_id=contest.pk, stop_id=stops[slot.stop_id].pk, ordinal=ordinal)
            for ordinal, slot in enumerate(turns, 1)
        ]
    return contests, slots, omissions


def _fit_options(
    original: Contest, game: Game[Any], turns: list[Slot], omissions: list[str]
) -> tuple[dict[str, Any], list[Slot]]:
    """Return options that the rule book allows, and the turns at stops that fit them.

    They are the contest's own if possible, else the rule book's with the same turns, else just the rule book's.
    """
    derived = {game.slot_option: len(turns)} if game.slot_option and turns else {}
    own = original.options if isinstance(original.options, dict) else {}
    try:
        game.ruleset(own | derived)
    except Malformed as malformed:
        text = _("“%(contest)s” has the usual options of its rule book. It no longer allows the old ones: %(problem)s")
        omissions.append(text % {"contest": original.name, "problem": malformed.message(ACTIVE_TRANSLATIONS)})
    else:
        return own | derived, turns
    try:
        game.ruleset(derived)
    except Malformed:
        text = _("The turns of “%(contest)s” were not assigned to stops, because its rule book does not allow so many.")
        omissions.append(text % {"contest": original.name})
        return {}, []
    return derived, turns


def _find_free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, or the first of "Rogue 2", "Rogue 3" ... that no other contest has, ignoring case."""
    folded = {fold_name(other) for other in taken}
    free, number = name, 2
    while fold_name(free) in folded:
        ending = f" {number}"
        free, number = f"{name[: 120 - len(ending)]}{ending}", number + 1
    return free
