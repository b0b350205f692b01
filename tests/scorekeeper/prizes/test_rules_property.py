"""Property test: in random rides, every rule finds what a brute-force reading of the raw log finds.

The reading uses the bodies of the entries and the rules of the game only (`tests.scorekeeper.raw_log`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.core.replay import replay
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.faults.scale import scaled
from tests.scorekeeper import raw_log
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.prizes.conftest import AddPrize
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn

pytestmark = pytest.mark.database

BIKES = st.sampled_from([1, 2, 3, 5, 6])  # of both groups
SLOTS = st.integers(0, 4)
BOXES = ("chance", "fives", "sixes", "aces", "twos")
# Few different dice, so that there are many ties, and never five of a kind, which has rules of its own.
DICE = st.sampled_from([[6, 6, 1, 2, 3], [6, 6, 6, 5, 5], [1, 2, 3, 3, 5], [5, 5, 1, 1, 2]])
TURNS = st.one_of(
    st.builds(make_final_turn, DICE, st.sampled_from(BOXES)),
    st.builds(make_paper_turn, st.just("chance"), st.integers(18, 20)),
)
STEPS = st.one_of(
    st.tuples(st.just("record"), BIKES, SLOTS, TURNS),
    st.tuples(st.just("amend"), BIKES, SLOTS, TURNS),
    st.tuples(st.just("void"), BIKES, SLOTS),
    st.tuples(st.just("move"), BIKES, BIKES, SLOTS),
    st.tuples(st.just("retire"), BIKES),
)
# Some bikes roll all their turns, so that there are finished cards.
WHOLE_CARDS = st.lists(st.tuples(BIKES, st.lists(DICE, min_size=5, max_size=5), st.permutations(BOXES)), max_size=4)


@dataclass(frozen=True)
class Player:
    """Performs the steps as an organiser who gives a reason for everything; what is refused is skipped."""

    ride: Ride
    desk: Actor

    def do(self, word: str, *args: Any) -> None:
        with suppress(RecordingError, KeyError):
            getattr(self, word)(*args)

    def record(self, bike: int, slot: int, actions: list[dict[str, Any]]) -> None:
        turn = TurnInput(self.ride.contest.pk, self.ride.bikes[bike].pk, self.ride.slots[slot].pk, actions, reason="r")
        record_turn(self.desk, uuid4(), turn)

    def amend(self, bike: int, slot: int, actions: list[dict[str, Any]] | None) -> None:
        turn = self.find(bike, slot)
        target = CorrectionTarget(turn.pk, turn.seq, actions)
        amend_turns(self.desk, uuid4(), self.ride.contest.pk, self.ride.bikes[bike].pk, [target], "r")

    def void(self, bike: int, slot: int) -> None:
        self.amend(bike, slot, None)

    def move(self, bike: int, to: int, slot: int) -> None:
        turn = self.find(bike, slot)
        from_id, to_id = self.ride.bikes[bike].pk, self.ride.bikes[to].pk
        move_turn(self.desk, uuid4(), self.ride.contest.pk, from_id, to_id, turn.pk, turn.seq, "r")

    def retire(self, bike: int) -> None:
        retire_bike(self.desk, uuid4(), self.ride.contest.pk, self.ride.bikes[bike].pk, "r")

    def find(self, bike: int, slot: int) -> Turn:
        card = derive_card_id(self.ride.contest.pk, self.ride.bikes[bike].pk)
        turn = Turn.objects.filter(card_id=card, slot=self.ride.slots[slot]).first()
        if turn is None:
            raise KeyError(slot)
        return turn


@dataclass(frozen=True)
class RawTurn:
    points: int
    dice: list[int]
    is_missed: bool
    at: dt.datetime


@dataclass(frozen=True)
class RawCard:
    turns: Mapping[int, RawTurn]  # by ordinal
    is_retired: bool
    total: int


def read_cards(ride: Ride) -> tuple[dict[int, RawCard], dict[int, int]]:
    """Return every card in the ranking and every place, by bike, from the raw log."""
    chains, ordinals = raw_log.read_chains(), {str(slot.pk): slot.ordinal for slot in ride.slots}
    cards, standings = {}, {}
    for number, bike in ride.bikes.items():
        bodies = chains.get(derive_card_id(ride.contest.pk, bike.pk), [])
        standing = raw_log.fold_card(ride.contest.ruleset, bodies, ordinals)
        if standing is not None:
            standings[str(number)] = standing
            cards[number] = read_card(ride, bodies, ordinals, standing.total)
    places = raw_log.fold_contest(chains[ride.contest.pk], standings).places
    return cards, {int(number): rank for number, (rank, _total) in places.items()}


def read_card(ride: Ride, bodies: Iterable[raw_log.Body], ordinals: Mapping[str, int], total: int) -> RawCard:
    bodies = list(bodies)
    recorded = [body for body in bodies if body["actions"]]
    times = {body["data"].get("turn", body["op"]): dt.datetime.fromisoformat(body["at"]) for body in recorded}
    current = raw_log.fold_bodies(bodies)
    in_slots = sorted(
        ((ordinals[slot], actions, times[turn]) for turn, (slot, actions) in current.items() if slot),
        key=lambda turn: turn[0],
    )
    state = replay(ride.contest.ruleset, 1, [one for _, actions, _ in in_slots for one in actions]).state
    points = [turn.points for turn in ride.contest.game.turns(state, 0)]
    turns = {
        ordinal: RawTurn(own, actions[0].get("dice", []), actions[0]["type"] == "forfeit", at)
        for (ordinal, actions, at), own in zip(in_slots, points, strict=True)
    }
    return RawCard(turns, any(slot is None for slot, _ in current.values()), total)


def all_with_most(scores: Mapping[int, Any]) -> list[int]:
    return sorted(number for number, score in scores.items() if score == max(scores.values()))


def expect_place(places: Mapping[int, int], place: int) -> list[int]:
    in_order = sorted(places.values())
    return sorted(number for number, rank in places.items() if place <= len(in_order) and rank == in_order[place - 1])


def expect_best_roll(cards: Mapping[int, RawCard], ordinals: set[int], sign: int = 1) -> list[int]:
    rolled = [
        (number, sign * turn.points)
        for number, card in cards.items()
        for ordinal, turn in card.turns.items()
        if ordinal in ordinals and not turn.is_missed
    ]
    return all_with_most({number: max(own for other, own in rolled if other == number) for number, _points in rolled})


def expect_most_of(cards: Mapping[int, RawCard], face: int) -> list[int]:
    dice = {number: sum(turn.dice.count(face) for turn in card.turns.values()) for number, card in cards.items()}
    return all_with_most({number: count for number, count in dice.items() if count})


def expect_first_of(cards: Mapping[int, RawCard], tied: list[int]) -> list[int]:
    """Of those who are tied, whose last turn was recorded first."""
    times = {number: max(turn.at for turn in cards[number].turns.values()) for number in tied}
    return [number for number in tied if times[number] == min(times.values())]


def has_finished(card: RawCard) -> bool:
    return not card.is_retired and [one.is_missed for one in card.turns.values()] == [False] * 5


def expect_most_improved(cards: Mapping[int, RawCard], places: Mapping[int, int], last: int) -> list[int]:
    early = {
        number: [turn for ordinal, turn in card.turns.items() if ordinal <= last] for number, card in cards.items()
    }
    points = {
        number: sum(turn.points for turn in turns)
        for number, turns in early.items()
        if not all(turn.is_missed for turn in turns)
    }
    before = {number: 1 + sum(other > own for other in points.values()) for number, own in points.items()}
    gained = {number: before[number] - places[number] for number in before}
    return all_with_most({number: count for number, count in gained.items() if count > 0})


def expect_best_group(cards: Mapping[int, RawCard], best_of: int | None) -> list[str]:
    means = {}
    for name, numbers in (("Group one", range(1, 5)), ("Group two", range(5, 9))):
        totals = sorted((cards[number].total for number in numbers if number in cards), reverse=True)[:best_of]
        if totals and (best_of is None or len(totals) == best_of):
            means[name] = Fraction(sum(totals), len(totals))
    return sorted(name for name, mean in means.items() if mean == max(means.values()))


@pytest.mark.django_db
@settings(max_examples=scaled(30, 5), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=WHOLE_CARDS, steps=st.lists(STEPS, max_size=20))
@pytest.mark.slow
def test_every_rule_finds_what_the_raw_log_says(
    ride: Ride, desk: Actor, add: AddPrize, whole: list[Any], steps: list[Any]
) -> None:
    before = transaction.savepoint()
    try:
        check_ride(ride, desk, add, whole, steps)
    finally:
        transaction.savepoint_rollback(before)


def check_ride(ride: Ride, desk: Actor, add: AddPrize, whole: list[Any], steps: list[Any]) -> None:
    parks, finale = ride.stops[1], ride.stops[3]
    prizes: dict[str, Prize] = {
        "first": add("place", place=1),
        "third": add("place", place=3),
        "roll": add("best_roll"),
        "roll at Parks": add("best_roll", stop_id=parks.pk),
        "roll at the finale": add("best_roll", stop_id=finale.pk),
        "worst roll at Parks": add("worst_roll", stop_id=parks.pk),
        "sixes": add("most_sixes"),
        "ones": add("most_of_face", face=1),
        "first with the most ones": add("most_of_face", face=1, ties="first"),
        "lowest": add("lowest_card"),
        "highest total": add("highest_total"),
        "lowest total": add("lowest_total"),
        "number drawn": add("drawn_number", number_from=1, number_to=200, number_drawn=19),
        "improved": add("most_improved", stop_id=parks.pk),
        "group": add("best_group"),
        "best two": add("best_group", best_of=2),
        "finish": add("first_to_finish"),
    }
    player = Player(ride, desk)
    for bike, dice, boxes in whole:
        for slot in range(5):
            player.do("record", bike, slot, make_final_turn(dice[slot], boxes[slot]))
    for step in steps:
        player.do(*step)
    close_contest(desk, uuid4(), ride.contest.pk, "r")

    awards = {award.prize_id: award for award in preview_awards(ride.event)}
    found = {
        name: sorted(int(one.number) if one.number else one.name for one in awards[prize.pk].winners)
        for name, prize in prizes.items()
    }
    cards, places = read_cards(ride)
    finished = {number: card for number, card in cards.items() if has_finished(card)}
    assert found == {
        "first": expect_place(places, 1),
        "third": expect_place(places, 3),
        "roll": expect_best_roll(cards, {1, 2, 3, 4, 5}),
        "roll at Parks": expect_best_roll(cards, {2}),
        "roll at the finale": expect_best_roll(cards, {4, 5}),
        "worst roll at Parks": expect_best_roll(cards, {2}, -1),
        "sixes": expect_most_of(cards, 6),
        "ones": expect_most_of(cards, 1),
        "first with the most ones": expect_first_of(cards, expect_most_of(cards, 1)),
        "lowest": all_with_most({number: -card.total for number, card in finished.items()}),
        "highest total": all_with_most({number: card.total for number, card in cards.items() if not card.is_retired}),
        "lowest total": all_with_most({number: -card.total for number, card in finished.items()}),
        "number drawn": sorted(number for number, card in cards.items() if card.total == 19 and not card.is_retired),
        "improved": expect_most_improved(cards, places, 2),
        "group": expect_best_group(cards, None),
        "best two": expect_best_group(cards, 2),
        "finish": all_with_most(
            {number: -max(turn.at for turn in card.turns.values()).timestamp() for number, card in finished.items()}
        ),
    }
    publish_contest(desk, uuid4(), ride.contest.pk, "r")
    assert not list(list_damage(ride.event))


def test_the_brute_force_names_several_who_are_tied() -> None:
    assert all_with_most({1: 3, 2: 5, 3: 5}) == [2, 3]
    assert expect_place({1: 1, 2: 2, 5: 2, 6: 4}, 3) == [2, 5]
