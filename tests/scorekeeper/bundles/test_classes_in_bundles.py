"""Bundles of events with classes: exported, imported, and altered with right hashes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from games.core.bundle.report import check_bundle
from games.core.registry import find_games
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_members import read_own_classes
from scorekeeper.players.class_settings import add_class, give_classes
from scorekeeper.players.models import EventClass, Player
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.card_cuts import record_class_cut
from scorekeeper.standings.services.class_corrections import correct_classes
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.bundles.test_sheets_in_bundles import rewrite_log
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.sheet_rides import make_dice_run, sell

pytestmark = pytest.mark.database

Data = dict[str, Any]
CLASS_SECTIONS = {"classes", "class_members", "prize_classes"}


@pytest.fixture
def class_ride(ride: Ride, add_turn: Callable[..., Any], desk: Actor) -> Ride:
    """Bikes 2 and 3 are tied in “Ladies” and cut cards for its prize; bike 4 was added, and 57 came on the day."""
    ladies, novices = add_class(ride.event, "Ladies"), add_class(ride.event, "Novices", "First season")
    for number in (2, 3):
        give_classes(ride.bikes[number], [ladies.pk])
    give_classes(Player.objects.create(event=ride.event, name="Gwen"), [novices.pk])
    settings = PrizeSettings(ride.contest, "Cup", "", Prize.Rule.PLACE, place=1, event_class_id=ladies.pk)
    add_prize(desk, ride.event, uuid4(), settings)
    for number, points in ((1, 30), (2, 24), (3, 24), (4, 20)):
        add_turn(number, 1, make_paper_turn("chance", points))
    change = ClassChange("bike", ride.bikes[4].pk, frozenset(), frozenset([ladies.pk, novices.pk]))
    correct_classes(desk, uuid4(), [change], "she rides it today")
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk, "Ivy", class_ids=frozenset([ladies.pk]))
    register_bike(make_actor(ride.rita), uuid4(), walk_up)
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")
    refresh_standings(ride.contest.pk)
    cards = {ride.bikes[2].pk: "9S", ride.bikes[3].pk: "QD"}
    record_class_cut(desk, uuid4(), ride.contest.pk, ladies.pk, cards, "Wim")
    refresh_standings(ride.contest.pk)
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    refresh_standings(ride.contest.pk)
    ride.event.refresh_from_db()
    return ride


def list_lines(content: bytes) -> list[tuple[str, Data]]:
    return [(line["section"], line["data"]) for line in map(json.loads, content.splitlines())]


def list_findings(content: bytes) -> str:
    return "\n".join(str(finding) for finding in check_bundle(io.BytesIO(content), find_games()).findings)


@pytest.mark.parametrize("roster", ["full", "public"])
def test_an_event_with_classes_is_the_same_after_an_import(
    class_ride: Ride, import_file: Callable[..., tuple[int, str]], roster: Roster
) -> None:
    event = class_ride.event
    own = dict(read_own_classes(event.pk))
    assert len(own) == 5
    if roster == "public":  # somebody without a bike or a seat is on no public page
        del own[Player.objects.get(name="Gwen").pk]
    revision = Revision.objects.get()
    (ladies,) = (one for one in revision.standings["classes"] if one["name"] == "Ladies")
    assert len(ladies["cuts"]) == 1
    content = export(event, roster)
    assert list_lines(content)[0][1]["version"] == 5
    assert list_findings(content) == ""
    remove_event(event)
    assert not EventClass.objects.exists()

    status, printed = import_file(content)

    assert status == 0, printed
    imported = Event.objects.get()
    assert read_own_classes(imported.pk) == own
    assert [one.name for one in imported.classes.order_by("ordinal")] == ["Ladies", "Novices"]
    assert [one.note for one in imported.classes.order_by("ordinal")] == (
        ["", "First season"] if roster == "full" else ["", ""]
    )
    cup = Prize.objects.get(name="Cup")
    assert cup.event_class is not None
    assert cup.event_class.name == "Ladies"
    assert Revision.objects.get().standings == revision.standings
    assert list(list_damage(imported)) == []
    assert export(imported, roster) == content


def test_members_that_are_not_those_of_the_log_are_found_before_an_import(
    class_ride: Ride, import_file: Callable[..., tuple[int, str]]
) -> None:
    content, added = export(class_ride.event), str(class_ride.bikes[4].pk)
    remove_event(class_ride.event)

    def drop(section: str, data: Data) -> Data | None:
        return None if section == "class_members" and data["bike"] == added else data

    altered = rewrite_log(content, drop)

    assert altered != content
    assert "classes are not those in the log" in list_findings(altered)
    assert import_file(altered)[0] == 1
    assert not Event.objects.exists()


def test_a_cut_of_a_class_that_was_changed_is_found(class_ride: Ride) -> None:
    def swap(section: str, data: Data) -> Data:
        if section == "" and data["kind"] == "class_cut":
            text = json.dumps(data).replace("9S", "AS")
            return dict(json.loads(text))
        return data

    content = export(class_ride.event)
    altered = rewrite_log(content, swap)

    assert altered != content
    assert list_findings(altered) != ""


def test_a_member_of_a_class_that_the_bundle_does_not_have_is_found(class_ride: Ride) -> None:
    content, unknown = export(class_ride.event), str(uuid4())

    def move(section: str, data: Data) -> Data:
        return {**data, "class": unknown} if section == "class_members" else data

    assert unknown in list_findings(rewrite_log(content, move))


def test_a_bundle_of_version_4_is_imported_and_has_no_classes(
    ride: Ride, import_file: Callable[..., tuple[int, str]]
) -> None:
    make_dice_run(ride)
    sell(ride, make_actor(ride.rita), 2, 2)
    refresh_standings(ride.contest.pk)
    content = export(ride.event)
    lines = list_lines(content)
    assert lines[0][1]["version"] == 4
    assert not CLASS_SECTIONS & {section for section, _data in lines}
    remove_event(ride.event)

    status, printed = import_file(content)

    assert status == 0, printed
    assert not Event.objects.get().classes.exists()
    assert export(Event.objects.get()) == content
