"""Practice events, which are copies of a ride in which the crew rehearses, and playing them up to a stop.

- A ride has at most one practice event at a time. It is open from the start.
- Starting over deletes the practice event with its log and its phones, and copies the ride again. Phones of the former
  practice are told; their members switch to the new one from the ride.

Terms: a *run* fills in what is missing with random legal rolls. It plays one *unit* after another, a bike's card in a
contest or a table, for some seconds at a time.

- Every turn and action is recorded by the services that the pages use, in the name of the organiser who asked for it.
- It is refused for every event that is not a practice event, when it is asked for and again at every step.
- What is there already stays. So a run can be interrupted and repeated; a message that was lost costs nothing but time.
- The same seed gives the same rolls, in a practice that was started over too: they depend on the seed, the contest,
  the bike's number and the turn, and on nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.game import Ruleset
from scorekeeper.bikes.models import Bike
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.event_dates import get_nearest_event_date
from scorekeeper.desk.models import PracticeRun
from scorekeeper.desk.random_actions import MAX_TABLE_ACTIONS, draw_table_action, draw_turn
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.selectors import get_practice_event
from scorekeeper.events.services.events import EventArchived, lock_event, open_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.selectors.cards import get_card, list_contests_at_stops, list_slots
from scorekeeper.scorecards.selectors.tables import fold_tables, list_table_contests, number_tables
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.turns import TurnInput, record_turn_on
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.tables.seating_plan import get_seat_limits, make_seating_plan
from scorekeeper.tables.selectors import list_candidates
from scorekeeper.tables.services import MAX_TABLES_AT_ONCE, create_tables

MAX_NAME_LENGTH = 120
STEP_SECONDS = 5.0
TABLE_SIZE = 4
MAX_DRAWS = 50  # of a turn that has to fit between others; after that it stays missing
SHARES = {
    PracticeRun.Tables.NONE: 0.0,
    PracticeRun.Tables.CREATED: 0.0,
    PracticeRun.Tables.HALF: 0.5,
    PracticeRun.Tables.FINISHED: 1.0,
}


class NotPractice(Exception):
    """The event is a ride, and this is only done to practice events."""


class NoRideToPractise(Exception):
    """The event is a practice event itself, or the practice event has no ride to copy."""


@transaction.atomic
def start_practice(ride: Event, user: User) -> Event:
    """Return the open practice event of a ride: the one that it has, or else a new copy with the roster.

    Raises:
        NoRideToPractise: the event is a practice event itself.
        EventArchived: the ride is in the archive.
    """
    if ride.is_practice:
        raise NoRideToPractise(ride.pk)
    if lock_event(ride).archived_at is not None:
        raise EventArchived(ride.pk)
    practice = get_practice_event(ride)
    if practice is not None:
        return practice
    ending = _("%(name)s (practice)") % {"name": ""}
    name = _("%(name)s (practice)") % {"name": ride.name[: MAX_NAME_LENGTH - len(ending)]}
    date = get_nearest_event_date(ride.date)
    practice = copy_event(ride, user, name=name, date=date, with_roster=True, is_practice=True)
    open_event(practice)
    return practice


@transaction.atomic
def restart_practice(practice: Event, user: User) -> Event:
    """Delete a practice event with its log and its phones. Return a new copy of its ride.

    Raises:
        NotPractice: the event is a ride.
        NoRideToPractise: it was not copied from a ride, as the demo.
        EventArchived: the ride is in the archive.
    """
    if not practice.is_practice:
        raise NotPractice(practice.pk)
    ride = practice.practice_of
    if ride is None:
        raise NoRideToPractise(practice.pk)
    # Two organisers may start over at the same moment: the second gets what the first has made.
    lock_event(ride)
    if Event.objects.filter(pk=practice.pk).exists():
        delete_event(practice)
    return start_practice(ride, user)


class PracticeUnit(NamedTuple):
    """A card to play: a bike in a contest at the stops, or a table; the other is None."""

    contest: Contest
    bike: Bike | None
    table_id: UUID | None


@transaction.atomic
def start_run(organiser: Organiser, event: Event, stop: Stop | None, tables: str, seed: str) -> PracticeRun:
    """Begin to play a practice event; a run that is under way is replaced.

    Args:
        stop: the last stop that is played; None for no turns at stops.
        tables: how far the tables are played, one of `PracticeRun.Tables`.
        seed: what the rolls follow from.

    Raises:
        NotPractice: the event is a ride.
    """
    _check_practice(event)
    values = {
        "id": uuid4(),
        "organiser": organiser,
        "stop": stop,
        "tables": tables,
        "seed": seed,
        "done": 0,
        "total": 0,
        "started_at": timezone.now(),
        "finished_at": None,
    }
    PracticeRun.objects.filter(event=event).delete()
    run = PracticeRun.objects.create(event=event, **values)
    after_commit("desk.play", run_id=str(run.pk))
    return run


def continue_run(run_id: UUID, seconds: float = STEP_SECONDS) -> PracticeRun | None:
    """Play on for some seconds, and ask for the next step if something is left.

    Returns:
        The run; None if it has finished or was replaced, or its event was deleted.

    Raises:
        NotPractice: the event is a ride.
    """
    runs = PracticeRun.objects.select_related("event", "organiser", "stop")
    run = runs.filter(pk=run_id, finished_at=None).first()
    if run is None:
        return None
    _check_practice(run.event)
    deadline = time.monotonic() + seconds
    _create_missing_tables(run)
    units = list(_list_units(run))
    run.total = len(units)
    for unit in units[run.done :]:
        _play_unit(run, unit)
        run.done += 1
        if time.monotonic() > deadline:
            break
    if run.done >= run.total:
        run.finished_at = timezone.now()
    with transaction.atomic():
        # Not `save`: if the run has been replaced meanwhile, this row must not come back.
        PracticeRun.objects.filter(pk=run.pk).update(done=run.done, total=run.total, finished_at=run.finished_at)
        if run.finished_at is None:
            after_commit("desk.play", run_id=str(run.pk))
    return run


def _check_practice(event: Event) -> None:
    # Read again: nothing that a caller holds in memory may let random rolls into a ride.
    if not Event.objects.filter(pk=event.pk, is_practice=True).exists():
        raise NotPractice(event.pk)


def _list_units(run: PracticeRun) -> Iterator[PracticeUnit]:
    if run.stop is not None:
        bikes = list(run.event.bikes.filter(merged_into=None, did_not_start=False).order_by("number", "suffix"))
        for contest in list_contests_at_stops(run.event):
            if contest.status == Contest.Status.OPEN:
                yield from (PracticeUnit(contest, bike, None) for bike in bikes)
    if SHARES[PracticeRun.Tables(run.tables)]:
        for contest in list_table_contests(run.event):
            if contest.status == Contest.Status.OPEN:
                yield from (PracticeUnit(contest, None, table) for table in number_tables(contest.pk))


def _play_unit(run: PracticeRun, unit: PracticeUnit) -> None:
    actor = Actor.from_organiser(run.organiser)
    if unit.bike is not None:
        _play_card(run, actor, unit.contest, unit.bike)
    elif unit.table_id is not None:
        _play_table(run, actor, unit.contest, unit.table_id)


# At the stops


def _play_card(run: PracticeRun, actor: Actor, contest: Contest, bike: Bike) -> None:
    assert run.stop is not None
    slots = list_slots(contest)
    card: BikeCard | None = get_card(contest, slots, bike)
    for slot in slots:
        if card is None or card.damaged_from is not None:
            return
        if slot.stop.ordinal > run.stop.ordinal or card.get_turn(slot.pk) is not None:
            continue
        actions = _draw_fitting_turn(run, contest, card, slot)
        if actions is None:
            continue
        turn = TurnInput(contest.pk, bike.pk, slot.pk, actions)
        _receipt, card = record_turn_on(card, actor, uuid4(), turn)


def _draw_fitting_turn(run: PracticeRun, contest: Contest, card: BikeCard, slot: Slot) -> list[dict[str, Any]] | None:
    """Return a turn that also leaves the turns after it legal; None if none was found, or the card can play none."""
    rng = Random(f"{run.seed}/{contest.slug}/{card.bike.label}/{slot.ordinal}")
    before = card.get_state_before(slot.pk)
    for _attempt in range(MAX_DRAWS):
        actions = draw_turn(contest.ruleset, before, rng)
        if actions is None:
            return None
        if not card.judge_turn(uuid4(), tuple(actions), slot.pk).problems:
            return actions
    return None


# At the tables


def _create_missing_tables(run: PracticeRun) -> None:
    """Create tables in the contests that have none."""
    if run.tables == PracticeRun.Tables.NONE:
        return
    for contest in list_table_contests(run.event):
        if contest.status == Contest.Status.OPEN and not number_tables(contest.pk):
            limits = get_seat_limits(contest.game)
            people = [candidate.id for candidate in list_candidates(contest)]
            # The last grouping makes the fewest tables.
            plan = make_seating_plan(limits.groupings[-1], people, limits, TABLE_SIZE)
            if plan.tables:
                create_tables(
                    Actor.from_organiser(run.organiser), uuid4(), contest.pk, plan.tables[:MAX_TABLES_AT_ONCE]
                )


def _play_table(run: PracticeRun, actor: Actor, contest: Contest, card_id: UUID) -> None:
    tables = fold_tables(get_contest_rules(contest.pk), [card_id])
    table = tables[0] if tables else None
    if table is None or table.damaged_from is not None or table.invalid_action is not None:
        return
    rest = _draw_rest(contest.ruleset, table.state, f"{run.seed}/{contest.slug}/{number_tables(contest.pk)[card_id]}")
    played = len(table.turns)
    wanted = ceil((played + len(rest)) * SHARES[PracticeRun.Tables(run.tables)]) - played
    for position, action in enumerate(rest[: max(0, wanted)]):
        receipt = record_action(actor, uuid4(), NewAction(card_id, table.length + position, [action]))
        if not receipt.is_applied:
            return  # someone else records at this table


def _draw_rest(ruleset: Ruleset, state: Any, seed: str) -> list[dict[str, Any]]:
    """Return the actions that lead a table to the end of its game."""
    rng = Random(seed)
    actions: list[dict[str, Any]] = []
    while len(actions) < MAX_TABLE_ACTIONS:
        action = draw_table_action(ruleset, state, rng)
        if action is None:
            break
        state = ruleset.game.play(state, ruleset.read_action(action, ruleset.game.seats(state)))
        actions.append(action)
    return actions
