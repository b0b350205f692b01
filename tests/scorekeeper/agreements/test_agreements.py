"""Agreeing to a card: who may, that it counts once, what undoes it, and that the log has it."""

from __future__ import annotations

import threading
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.db import connection

from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors import get_card_agreement
from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import ContestFrozen, delete_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.players.services import BikeInUse, delete_bike
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, withdraw_bike
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.agreements.conftest import AddTurn, AgreeTo, get_agreement, get_digest, list_agreed
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import Actions, make_actor, make_paper_turn

pytestmark = pytest.mark.database


def list_logged(event: Event) -> int:
    return Entry.objects.filter(chain_id=event.pk, kind="agree").count()


def is_agreed(ride: Ride, number: int) -> bool:
    return get_agreement(ride, number).current is not None


def correct(ride: Ride, desk: Actor, turn_id: UUID, points: int | None) -> None:
    """Correct a turn of bike 1 to these points, or void it."""
    turn = Turn.objects.get(pk=turn_id)
    actions = None if points is None else make_paper_turn("chance", points)
    target = CorrectionTarget(turn_id, turn.seq, actions)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")


def test_an_agreement_is_an_entry_of_the_events_log_and_can_be_taken_back(
    ride: Ride, rolled: UUID, agree_to: AgreeTo
) -> None:
    heads = dict(Chain.objects.filter(kind=Chain.Kind.CARD).values_list("pk", "head"))
    assert agree_to(1).outcome == "recorded"
    assert is_agreed(ride, 1)
    assert agree_to(1, is_agreed=False).outcome == "recorded"
    assert not is_agreed(ride, 1)
    assert agree_to(1).outcome == "recorded"

    assert list_logged(ride.event) == 3
    assert Agreement.objects.get().seq == 3
    assert dict(Chain.objects.filter(kind=Chain.Kind.CARD).values_list("pk", "head")) == heads, "no card has changed"
    assert list(list_damage(ride.event)) == []


def test_equal_agreements_on_two_phones_are_one(ride: Ride, rolled: UUID, agree_to: AgreeTo) -> None:
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)

    assert [agree_to(1, on=tom).outcome, agree_to(1, on=rita, by="captain").outcome] == ["recorded", "merged"]
    assert agree_to(2, on=tom, is_agreed=False).outcome == "merged", "nobody had agreed"

    assert list_agreed() == {(1, "rider")}
    assert list_logged(ride.event) == 1


def test_a_second_tap_with_the_same_id_counts_once(ride: Ride, rolled: UUID, desk: Actor) -> None:
    operation, seen = uuid4(), SeenCard(ride.contest.pk, ride.bikes[1].pk, get_digest(ride, 1))

    first, again = agree(desk, operation, seen), agree(desk, operation, seen)

    assert (first.outcome, again.outcome, again.is_duplicate) == ("recorded", "recorded", True)
    assert list_logged(ride.event) == 1
    with pytest.raises(IdReused):
        agree(desk, operation, replace(seen, digest="0" * 64))


def test_a_correction_undoes_it_and_the_same_figures_bring_it_back(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, desk: Actor
) -> None:
    agree_to(1)
    correct(ride, desk, rolled, 20)
    agreement = get_agreement(ride, 1)
    assert agreement.current is None
    assert agreement.earlier == Agreement.objects.get()

    correct(ride, desk, rolled, 24)
    assert is_agreed(ride, 1)
    assert list(list_damage(ride.event)) == []


def test_a_later_turn_a_void_and_a_move_undo_it(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, add_turn: AddTurn, desk: Actor
) -> None:
    agree_to(1)
    agree_to(2)
    agree_to(3)
    add_turn(2, 2, make_paper_turn("aces", 3))
    assert not is_agreed(ride, 2)

    seq = Turn.objects.get(pk=rolled).seq
    move_turn(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, ride.bikes[3].pk, rolled, seq, "the wrong bike")
    assert not is_agreed(ride, 1)
    assert not is_agreed(ride, 3)

    agree_to(2)
    turn = Turn.objects.get(card_id=derive_card_id(ride.contest.pk, ride.bikes[2].pk), slot__ordinal=1)
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "not rolled"
    )
    assert not is_agreed(ride, 2)


def test_dice_are_part_of_what_is_agreed_to(ride: Ride, agree_to: AgreeTo, add_turn: AddTurn, desk: Actor) -> None:
    operation = uuid4()
    add_turn(
        1, 1, [{"type": "result", "dice": [1, 2, 3, 4, 6]}, {"type": "score", "box": "chance"}], operation=operation
    )
    agree_to(1)
    other_dice: Actions = [{"type": "result", "dice": [1, 1, 4, 4, 6]}, {"type": "score", "box": "chance"}]
    target = CorrectionTarget(operation, 1, other_dice)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")
    assert not is_agreed(ride, 1)


def test_missed_turns_leave_it_alone_so_closing_does(ride: Ride, rolled: UUID, agree_to: AgreeTo, desk: Actor) -> None:
    agree_to(1)
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")
    assert Turn.objects.filter(how="missed").exists()
    assert is_agreed(ride, 1)
    assert agree_to(2).outcome == "recorded", "a closed contest's cards are agreed to as well"
    assert list(list_damage(ride.event)) == []


def test_one_that_arrives_late_is_recorded_and_does_not_replace_the_newer(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, add_turn: AddTurn
) -> None:
    old = get_digest(ride, 1)
    add_turn(1, 2, make_paper_turn("aces", 3))
    assert agree_to(1, digest=old).outcome == "recorded"
    assert get_agreement(ride, 1).earlier is not None
    agree_to(1)
    assert agree_to(1, digest="f" * 64).outcome == "recorded"

    assert is_agreed(ride, 1)
    assert Agreement.objects.count() == 3
    assert list(list_damage(ride.event)) == []


def test_one_that_arrives_before_its_turns_counts_once_they_are_there(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, add_turn: AddTurn
) -> None:
    ahead = get_digest(ride, 1)
    agree_to(5, digest=ahead)
    assert not is_agreed(ride, 5)
    add_turn(5, 1, make_paper_turn("chance", 24), by=make_actor(ride.gus))
    assert is_agreed(ride, 5)


def test_crew_do_it_for_their_group_and_only_captains_confirm(ride: Ride, rolled: UUID, agree_to: AgreeTo) -> None:
    with pytest.raises(NotAllowed):
        agree_to(5, on=make_actor(ride.tom))
    with pytest.raises(NotAllowed):
        agree_to(1, on=make_actor(ride.tom), by="captain")
    assert agree_to(1, on=make_actor(ride.tom)).outcome == "recorded"
    assert agree_to(2, on=make_actor(ride.rita), by="captain").outcome == "recorded"
    assert agree_to(3, by="captain").outcome == "recorded", "the organiser"
    assert list_agreed() == {(1, "rider"), (2, "captain"), (3, "captain")}


def test_a_phone_that_was_revoked_agrees_to_nothing(ride: Ride, rolled: UUID, agree_to: AgreeTo) -> None:
    with pytest.raises(NotAllowed):
        agree_to(1, on=replace(make_actor(ride.rita), needs_review=True))
    assert list_agreed() == set()


def test_bikes_and_contests_of_other_events_and_tables_are_refused(ride: Ride, desk: Actor, other_event: Event) -> None:
    digest = "a" * 64
    foreign_bike = Bike.objects.create(event=other_event, number=1)
    settings = {"game_key": "rock-yahtzee", "rules_version": 1}
    foreign = Contest.objects.create(event=other_event, name="X", slug="x", **settings)
    at_tables = Contest.objects.create(event=ride.event, name="Y", slug="y", game_key="rogue", rules_version=1)

    for contest, bike, error in (
        (ride.contest.pk, foreign_bike.pk, NotAllowed),
        (foreign.pk, ride.bikes[1].pk, NotAllowed),
        (at_tables.pk, ride.bikes[1].pk, UnknownTarget),
        (uuid4(), ride.bikes[1].pk, UnknownTarget),
        (ride.contest.pk, uuid4(), UnknownTarget),
    ):
        with pytest.raises(error):
            agree(desk, uuid4(), SeenCard(contest, bike, digest))
    assert Agreement.objects.count() == 0


def test_bikes_that_were_merged_share_their_agreements_and_part_with_their_own(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, desk: Actor
) -> None:
    agree_to(1)
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[3].pk, "the same bike")
    digest = get_digest(ride, 3)
    assert get_card_agreement(ride.contest.pk, ride.bikes[3].pk, digest).current is not None
    assert agree_to(3).outcome == "merged"
    assert agree_to(1, digest=digest, is_agreed=False).outcome == "recorded", "the bike's old id leads to the other"
    assert list_agreed() == set()

    agree_to(3)
    unmerge_bikes(desk, uuid4(), ride.bikes[1].pk, "two bikes")
    assert list_agreed() == {(3, "rider")}
    assert not is_agreed(ride, 1)
    assert list(list_damage(ride.event)) == []


def test_a_bike_or_contest_with_an_agreement_is_not_deleted(ride: Ride, agree_to: AgreeTo, desk: Actor) -> None:
    agree_to(1)
    with pytest.raises(BikeInUse):
        delete_bike(ride.bikes[1])
    with pytest.raises(ContestFrozen):
        delete_contest(ride.contest)
    walk_up = WalkUp(uuid4(), 57, None, "Nell")
    register_bike(desk, uuid4(), walk_up)
    agree(desk, uuid4(), SeenCard(ride.contest.pk, walk_up.id, "0" * 64))
    assert withdraw_bike(desk, uuid4(), walk_up.id).outcome == "merged"
    assert list(list_damage(ride.event)) == []


@pytest.mark.usefixtures("without_guards")
def test_verification_finds_agreements_past_the_log(ride: Ride, rolled: UUID, agree_to: AgreeTo) -> None:
    agree_to(1)
    Agreement.objects.update(by="captain")
    assert [damage.description for damage in list_damage(ride.event)] == [
        "the log says who agreed, when, or in which entry differently"
    ]
    Agreement.objects.update(digest="0" * 64)
    assert [damage.description for damage in list_damage(ride.event)] == [
        "the log does not say that it was agreed to",
        "it is missing, but it is in the log",
    ]


@pytest.mark.django_db(transaction=True)
def test_equal_agreements_at_the_same_moment_are_one_entry(ride: Ride) -> None:
    actors = [make_actor(member) for member in (ride.rita, ride.tom, ride.sue, ride.rita)]
    start, outcomes = threading.Barrier(len(actors)), []
    seen = SeenCard(ride.contest.pk, ride.bikes[1].pk, "a" * 64)

    def run(actor: Actor) -> None:
        start.wait()
        try:
            outcomes.append(agree(actor, uuid4(), seen).outcome)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[actor]) for actor in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["merged", "merged", "merged", "recorded"]
    assert list_logged(ride.event) == 1
