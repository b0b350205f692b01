"""Classes during and after a ride: who is in them, corrections, cuts, freezes, revisions, and verification."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.audience.services import freeze_standings
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired
from scorekeeper.players.class_members import list_class_members
from scorekeeper.players.class_settings import ClassesFixed, add_class, give_classes
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.players.services import update_bike
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.standings.class_ranking import make_class_board
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.class_history import list_class_corrections
from scorekeeper.standings.selectors.leaderboard import get_current_report, get_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.card_cuts import correct_class_cut, record_class_cut, record_cut
from scorekeeper.standings.services.class_corrections import ClassesChanged, correct_classes
from scorekeeper.standings.services.contest_chain import InvalidCut
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.database

WITNESS = "Wim Watcher"


@pytest.fixture
def ladies(ride: Ride) -> EventClass:
    """Bikes 2, 3 and 4 are in it."""
    made = add_class(ride.event, "Ladies")
    for number in (2, 3, 4):
        give_classes(ride.bikes[number], [made.pk])
    return made


def list_places(contest: Contest, event_class: EventClass) -> list[tuple[str, str]]:
    contest.refresh_from_db()
    board = get_leaderboard(contest)
    found = board.find_class(event_class.pk)
    assert found is not None
    return [(row.rank_label, row.number) for row in make_class_board(board, found).rows if row.is_ranked]


def change(bike: Bike, before: Iterable[EventClass], after: Iterable[EventClass]) -> ClassChange:
    return ClassChange("bike", bike.pk, frozenset(one.pk for one in before), frozenset(one.pk for one in after))


def list_damage_texts(ride: Ride) -> list[str]:
    return [f"{damage.location}: {damage.description}" for damage in list_damage(ride.event)]


def add_class_prize(ride: Ride, desk: Actor, event_class: EventClass, place: int = 1) -> Prize:
    prize_id = uuid4()
    settings = PrizeSettings(ride.contest, "", "", "place", place=place, event_class_id=event_class.pk)
    add_prize(desk, ride.event, prize_id, settings)
    return Prize.objects.get(pk=prize_id)


def make_class_cut(ride: Ride, desk: Actor, event_class: EventClass, cards: dict[int, str | None]) -> Receipt:
    by_id = {ride.bikes[number].pk: card for number, card in cards.items()}
    return record_class_cut(desk, uuid4(), ride.contest.pk, event_class.pk, by_id, WITNESS)


def test_a_scorecard_is_in_the_classes_of_the_bike_and_of_its_rider_and_not_of_a_passenger(
    ride: Ride, ladies: EventClass
) -> None:
    bike = ride.bikes[1]
    bike.players.all().delete()
    rider = Player.objects.create(event=ride.event, bike=bike, name="Ann", role="rider")
    passenger = Player.objects.create(event=ride.event, bike=bike, name="Bo", role="passenger")
    novices = add_class(ride.event, "Novices")
    give_classes(passenger, [ladies.pk])
    give_classes(rider, [novices.pk])

    members = list_class_members(ride.contest)

    assert members[novices.pk] == (bike.pk,)
    assert bike.pk not in members[ladies.pk]


def test_the_places_of_a_class_are_counted_among_its_members(
    ride: Ride, ladies: EventClass, tied_bikes: None, update_standings: Callable[[], bool]
) -> None:
    update_standings()
    assert list_places(ride.contest, ladies) == [("1=", "2"), ("1=", "3"), ("3", "4")]


def test_once_anything_is_recorded_a_change_is_a_correction(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, update_standings: Callable[[], bool]
) -> None:
    with pytest.raises(ClassesFixed):
        give_classes(ride.bikes[1], [ladies.pk])
    with pytest.raises(ReasonRequired):
        correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], " ")

    receipt = correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], "she rides it today")

    update_standings()
    assert receipt.outcome == "recorded"
    assert [number for _place, number in list_places(ride.contest, ladies)] == ["1", "2", "3", "4"]
    corrections = list_class_corrections(ride.event)
    assert [(one.before, one.after, one.actor, one.reason) for one in corrections] == [
        ([], ["Ladies"], "alice", "she rides it today")
    ]
    assert "1" in corrections[0].subject
    assert list_damage_texts(ride) == []


def test_equal_corrections_are_one_and_one_that_was_overtaken_is_refused(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor
) -> None:
    novices = add_class(ride.event, "Novices")
    correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], "once")

    assert correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], "twice").outcome == "merged"
    with pytest.raises(ClassesChanged):
        correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [novices])], "an old page")
    with pytest.raises(NotAllowed):
        correct_classes(make_actor(ride.rita), uuid4(), [change(ride.bikes[1], [ladies], [])], "as crew")


def test_another_rider_must_not_change_a_class_by_the_way(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor
) -> None:
    bike = ride.bikes[5]
    bike.players.all().delete()
    ann = Player.objects.create(event=ride.event, bike=bike, name="Ann", role="rider")
    Player.objects.create(event=ride.event, bike=bike, name="Bo", role="passenger")
    correct_classes(
        desk, uuid4(), [ClassChange("player", ann.pk, frozenset(), frozenset([ladies.pk]))], "she came in person"
    )
    details: dict[str, Any] = {"number": bike.number, "make": "", "model": "", "group": bike.group}

    with pytest.raises(ClassesFixed):
        update_bike(bike, **details, rider="Bo", passengers=["Ann"])

    update_bike(bike, **details, rider="Ann", passengers=["Bo", "Cy"])
    assert bike.pk in list_class_members(ride.contest)[ladies.pk]
    assert list_damage_texts(ride) == []


def test_a_tie_that_only_matters_in_a_class_is_cut_for_its_board_alone(
    ride: Ride, ladies: EventClass, tied_bikes: None, add_turn: Any, desk: Actor, close: Any, update_standings: Any
) -> None:
    add_turn(5, 1, make_paper_turn("chance", 30), by=desk, reason="from the paper card")
    prize = add_class_prize(ride, desk, ladies)
    close()
    update_standings()
    ride.contest.refresh_from_db()
    checklist = get_checklist(ride.contest)
    assert checklist.ties == ()
    assert [(tie.rank, [row.number for row in tie.rows], tie.next_step) for tie in checklist.class_ties] == [
        (1, ["2", "3"], "cut")
    ]
    assert [(award["prize"], award["outcome"]) for award in checklist.awards] == [(str(prize.pk), "to_cut")]
    with pytest.raises(InvalidCut):
        make_class_cut(ride, desk, ladies, {1: "QS", 2: "2S", 3: "9D"})

    make_class_cut(ride, desk, ladies, {2: "9S", 3: "QD"})

    update_standings()
    assert list_places(ride.contest, ladies) == [("1", "3"), ("2", "2"), ("3", "4")]
    whole = {row.number: row.rank_label for row in get_leaderboard(ride.contest).rows if row.is_ranked}
    assert whole == {"5": "1", "1": "2=", "2": "2=", "3": "2=", "4": "5"}
    checklist = get_checklist(ride.contest)
    assert checklist.all_ties == ()
    assert [winner["number"] for award in checklist.awards for winner in award["winners"]] == ["3"]
    assert [entry.kind for entry in Entry.objects.filter(chain=ride.contest.pk)] == ["close", "class_cut"]

    seq = Entry.objects.get(chain=ride.contest.pk, kind="class_cut").seq
    cards: dict[Any, str | None] = {ride.bikes[2].pk: "AS", ride.bikes[3].pk: "QD"}
    correct_class_cut(desk, uuid4(), ride.contest.pk, ladies.pk, seq, cards, WITNESS, "misread the ace")
    update_standings()
    assert list_places(ride.contest, ladies)[:2] == [("1", "2"), ("2", "3")]
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    assert list_damage_texts(ride) == []


def test_who_has_to_cut_for_the_whole_contest_does_that_first_and_it_decides_in_the_class_too(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, close: Any, update_standings: Any
) -> None:
    add_class_prize(ride, desk, ladies)
    close()
    ride.contest.refresh_from_db()
    assert [[row.number for row in tie.rows] for tie in get_checklist(ride.contest).all_ties] == [["1", "2", "3"]]

    cards: dict[Any, str | None] = {ride.bikes[n].pk: card for n, card in ((1, "AS"), (2, "2S"), (3, "9D"))}
    record_cut(desk, uuid4(), ride.contest.pk, cards, WITNESS)

    update_standings()
    assert get_checklist(ride.contest).all_ties == ()
    assert list_places(ride.contest, ladies) == [("1", "3"), ("2", "2"), ("3", "4")]


def test_a_cut_of_a_class_no_longer_counts_once_others_are_tied(
    ride: Ride, ladies: EventClass, tied_bikes: None, add_turn: Any, desk: Actor, close: Any, update_standings: Any
) -> None:
    add_turn(5, 1, make_paper_turn("chance", 30), by=desk, reason="from the paper card")
    add_class_prize(ride, desk, ladies)
    close()
    make_class_cut(ride, desk, ladies, {2: "9S", 3: "QD"})

    correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], "she rides it today")

    update_standings()
    ride.contest.refresh_from_db()
    checklist = get_checklist(ride.contest)
    assert len(checklist.stale_cuts) == 1
    assert [[row.number for row in tie.rows] for tie in checklist.class_ties] == [["1", "2", "3"]]


def test_a_correction_after_publishing_makes_the_next_revision_pending(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, close: Any, update_standings: Any
) -> None:
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    ride.contest.refresh_from_db()
    assert not get_leaderboard(ride.contest).needs_revision

    correct_classes(desk, uuid4(), [change(ride.bikes[2], [ladies], [])], "she swapped bikes")

    update_standings()
    board, _report = get_current_report(ride.contest)
    assert board.needs_revision
    assert [number for _place, number in list_places(ride.contest, ladies)] == ["2", "3", "4"], "as it was published"
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    assert [number for _place, number in list_places(ride.contest, ladies)] == ["3", "4"]
    assert list_damage_texts(ride) == []


def test_a_frozen_board_keeps_its_classes(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, update_standings: Any
) -> None:
    update_standings()
    freeze_standings(ride.event)
    correct_classes(desk, uuid4(), [change(ride.bikes[2], [ladies], [])], "she swapped bikes")
    update_standings()

    ride.contest.refresh_from_db()
    found = get_audience_view(ride.contest).get_leaderboard().find_class(ladies.pk)

    assert found is not None
    assert ride.bikes[2].pk in found.members
    assert list_places(ride.contest, ladies) == [("1", "3"), ("2", "4")], "organisers see the correction"


def test_closing_lists_the_members_and_an_event_without_classes_lists_none(
    ride: Ride, ladies: EventClass, tied_bikes: None, close: Any
) -> None:
    close()
    data = parse_entry_body(Entry.objects.get(chain=ride.contest.pk, kind="close"))["data"]
    assert set(data["classes"]) == {str(ladies.pk)}
    assert len(data["classes"][str(ladies.pk)]) == 3


def test_verification_finds_members_that_nobody_corrected(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, close: Any
) -> None:
    correct_classes(desk, uuid4(), [change(ride.bikes[1], [], [ladies])], "she rides it today")
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    assert list_damage_texts(ride) == []

    ClassMember.objects.filter(bike=ride.bikes[1]).delete()
    assert [text for text in list_damage_texts(ride) if "classes are not those in the log" in text]


def test_verification_finds_a_revision_with_other_members(
    ride: Ride, ladies: EventClass, tied_bikes: None, desk: Actor, close: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    close()
    ClassMember.objects.filter(bike=ride.bikes[2]).delete()  # behind the log's back
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")

    assert Revision.objects.count() == 1
    assert [text for text in list_damage_texts(ride) if "is not in the classes that the log says" in text]


def test_an_event_without_classes_has_none_of_this_in_its_log_or_revision(
    ride: Ride, tied_bikes: None, desk: Actor, close: Any
) -> None:
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")

    assert "classes" not in Revision.objects.get().standings
    assert not Entry.objects.filter(body__contains='"classes"').exists()
