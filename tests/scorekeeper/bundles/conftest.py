"""Fixtures: a ride in which nearly everything happened, its bundles, and an installation without it.

Names and private texts of the ride contain `PRIVATE`, so a test can search a file for them.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.bikes.models import Bike
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.services import make_bundle
from scorekeeper.check_in.services import add_item, check_bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.desk.services.event_deletion import purge_event
from scorekeeper.events.models import Contest, DeletedEvent, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import HASH_LENGTH
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.prizes.services import PrizeSettings, add_logo, add_prize
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import (
    WalkUp,
    merge_bikes,
    register_bike,
    renumber_bike,
    withdraw_bike,
)
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.services.card_cuts import correct_cut, record_cut
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Stop
from tests import guards
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.event_page_rows import fill_page
from tests.scorekeeper.picture_files import make_png
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_actor, make_final_turn, make_paper_turn
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    fetch_table,
    people,
    pig_contest,
    rogue_contest,
)

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "desk",
    "fetch_table",
    "people",
    "pig_contest",
    "rogue_contest",
]

PRIVATE = "Quillfeather"
TIED = {1: "QS", 3: "KH"}  # the bikes that are tied at the end, and the cards they show


def hide_names(ride: Ride) -> None:
    """Put `PRIVATE` into everything that the public never sees, and into the names of people."""
    ride.event.people_shown = Event.PeopleShown.NUMBERS
    ride.event.save(update_fields=["people_shown"])
    for player in Player.objects.filter(event=ride.event):
        player.name = f"{player.name} {PRIVATE}"
        player.save(update_fields=["name"])
    CrewMember.objects.filter(group__event=ride.event).update(name=f"Sam {PRIVATE}")
    Group.objects.filter(pk=ride.group_one.pk).update(name=f"Group {PRIVATE}")
    ride.group_one.dice_sets.filter(ordinal=1).update(name=f"Dice of {PRIVATE}")
    Bike.objects.filter(event=ride.event).update(make=f"Make {PRIVATE}", model=f"Model {PRIVATE}")
    Stop.objects.filter(pk=ride.stops[0].pk).update(crew_note=f"Ask for {PRIVATE}", latitude="47.5", opens_at="09:30")


@pytest.fixture
def played_ride(ride: Ride, add_turn: Callable[..., Any], desk: Actor) -> Ride:
    """Turns, corrections, voids, moves, merges, retirements, walk-ups, check-in and reviews; nothing is closed yet."""
    hide_names(ride)
    contest, bikes, rita = ride.contest.pk, ride.bikes, make_actor(ride.rita)
    reason = f"{PRIVATE} said so"
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 24))
    first_roll = {"type": "roll", "dice": [5, 5, 2, 3, 6]}
    add_turn(4, 1, [first_roll, {"type": "score", "box": "fives"}])
    add_turn(4, 2, make_final_turn([6, 6, 6, 1, 2], "sixes"), dice_set_id=ride.group_one.dice_sets.all()[0].pk)
    add_turn(1, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom))  # a conflict
    add_turn(1, 1, make_paper_turn("chance", 24), by=make_actor(ride.sue))  # a repeat
    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, ReviewItem.Decision.KEEP, reason)
    add_turn(2, 2, make_paper_turn("aces", 3))
    voided = Turn.objects.get(card__seats__bike=bikes[2], slot__ordinal=2)
    amend_turns(rita, uuid4(), contest, bikes[2].pk, [CorrectionTarget(voided.pk, voided.seq, None)], reason)
    add_turn(3, 2, make_paper_turn("twos", 6))
    changed = Turn.objects.get(card__seats__bike=bikes[3], slot__ordinal=2)
    correction = CorrectionTarget(changed.pk, changed.seq, make_paper_turn("twos", 4))
    amend_turns(rita, uuid4(), contest, bikes[3].pk, [correction], reason)
    moved = Turn.objects.get(pk=changed.pk)
    move_turn(desk, uuid4(), contest, bikes[3].pk, bikes[2].pk, moved.pk, moved.seq, reason)
    gus = make_actor(ride.gus)
    add_turn(5, 1, make_paper_turn("chance", 10), by=gus)
    retire_bike(gus, uuid4(), contest, bikes[5].pk, reason)
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk, rider=f"Ivy {PRIVATE}", passenger=f"Jo {PRIVATE}")
    register_bike(rita, uuid4(), walk_up)
    undone = WalkUp(uuid4(), "58B", ride.group_one.pk, rider=f"Kay {PRIVATE}")
    register_bike(rita, uuid4(), undone)
    withdraw_bike(rita, uuid4(), undone.id)
    twin = WalkUp(uuid4(), 1, ride.group_one.pk, rider=f"Lee {PRIVATE}")
    register_bike(rita, uuid4(), twin)
    merge_bikes(desk, uuid4(), twin.id, bikes[1].pk, reason)
    other_twin = WalkUp(uuid4(), 2, ride.group_one.pk)
    register_bike(rita, uuid4(), other_twin)
    merge_bikes(desk, uuid4(), other_twin.id, bikes[2].pk, reason)
    unmerge_bikes(desk, uuid4(), other_twin.id, reason)
    renumber_bike(desk, uuid4(), other_twin.id, "2A", reason)
    mark_did_not_start(desk, uuid4(), bikes[8].pk, value=True, reason=reason)
    item = add_item(ride.event, f"Paid to {PRIVATE}")
    for number, is_checked in ((1, True), (2, True), (2, False), (3, True)):
        check_bike(desk, uuid4(), bikes[number].pk, item.pk, is_checked=is_checked)
    for number, digest, is_agreed in ((1, "a", True), (1, "b", True), (1, "b", False), (2, "c", True)):
        seen = SeenCard(contest, bikes[number].pk, digest * HASH_LENGTH)
        agree(desk, uuid4(), seen, is_agreed=is_agreed)
    ride.gus.any_bike_at.set([ride.stops[3]])
    refresh_standings(contest)
    return ride


def finish(ride: Ride, desk: Actor) -> None:
    """Close, cut cards, correct the cut, publish, reopen with what closing recorded taken back, and once more."""
    contest = ride.contest.pk
    add_prizes(ride, desk)
    closing = close_contest(desk, uuid4(), contest, f"{PRIVATE} is home")
    refresh_standings(contest)
    cards = {ride.bikes[number].pk: card for number, card in TIED.items()}
    receipt = record_cut(desk, uuid4(), contest, cards, f"Wim {PRIVATE}")
    seq = receipt.entries[0]["seq"]
    refresh_standings(contest)
    swapped = dict(zip(cards, reversed(list(cards.values())), strict=True))
    correct_cut(desk, uuid4(), contest, seq, swapped, f"Wanda {PRIVATE}", f"{PRIVATE} misread it")
    refresh_standings(contest)
    publish_contest(desk, uuid4(), contest, f"{PRIVATE} agrees")
    reopen_contest(desk, uuid4(), contest, f"{PRIVATE} complained", closing.operation_id)
    close_contest(desk, uuid4(), contest, "again")
    refresh_standings(contest)
    publish_contest(desk, uuid4(), contest, "this is it")
    refresh_standings(contest)
    ride.contest.refresh_from_db()


def add_prizes(ride: Ride, desk: Actor) -> None:
    """A mirror with a logo for the first place, a prize for the best roll at the first stop."""
    fill_page(ride.event, contact=f"Dot {PRIVATE}")
    logo = add_logo(ride.event, PrizeLogo.MediaType.PNG, make_png())
    mirror = PrizeSettings(ride.contest, "Mirror", "Acme", Prize.Rule.PLACE, place=1, logo_id=logo.pk)
    add_prize(desk, ride.event, uuid4(), mirror)
    roll = PrizeSettings(ride.contest, "Roll", "", Prize.Rule.BEST_ROLL, stop_id=ride.stops[0].pk)
    add_prize(desk, ride.event, uuid4(), roll)


@pytest.fixture
def official_ride(played_ride: Ride, desk: Actor) -> Ride:
    """The same ride with its official result, in the second revision; groups are compared."""
    Contest.objects.filter(pk=played_ride.contest.pk).update(groups_by=Contest.GroupsBy.BEST, group_best=2)
    Group.objects.filter(pk=played_ride.group_one.pk).update(name="Group one")  # it is public where groups are compared
    finish(played_ride, desk)
    return played_ride


def export(event: Event, roster: Roster = "full") -> bytes:
    """The bundle of an event."""
    with make_bundle(event, roster) as bundle:
        return b"".join(bundle.read_chunks())


def remove_event(event: Event) -> None:
    """Leave an installation in which the event has never been."""
    connection.check_constraints()  # PostgreSQL changes no triggers while checks are pending
    purge_event(event)
    connection.check_constraints()
    guards.remove_guards()
    DeletedEvent.objects.all().delete()
    connection.check_constraints()
    guards.install_guards()
    clear_contest_rules_cache()


ImportResult = tuple[int, str]


@pytest.fixture
def zoe(db: None) -> User:
    """An organiser of the other installation."""
    return User.objects.create(username="zoe")


@pytest.fixture
def import_file(zoe: User, tmp_path: Path) -> Callable[..., ImportResult]:
    """Run `import_event` with these bytes; return its exit status, and everything it printed."""

    def run(content: bytes, *arguments: str) -> ImportResult:
        path = tmp_path / "an.bundle.jsonl"
        path.write_bytes(content)
        out = io.StringIO()
        try:
            call_command("import_event", str(path), "--organiser", "zoe", *arguments, stdout=out)
        except CommandError as error:
            return error.returncode, f"{out.getvalue()}{error}"
        return 0, out.getvalue()

    return run


def list_ids(event: Event) -> set[UUID]:
    """The ids of an event's people and bikes."""
    return {*event.bikes.values_list("pk", flat=True), *event.players.values_list("pk", flat=True)}
