"""An independent implementation of the rule book, to check the game: the cars, whose turn it is, how a heat ends.

It shares no code with the game. It reads a heat from its first action each time, and looks for every ending at every
moment; each ending is written from its clause alone. Terms: a player has the *right* to challenge directly after the
opponent's move.

There is no ending for an engine that is blown by a move of its own player, because that is impossible: the counter adds
to the car's space what it takes from the unused counters. Only moves of the opponent and spin-outs blow an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

DEAD_HEAT = "dead heat"
Result = Literal[0, 1, "dead heat"]


class ReferenceHeat:
    """The state of one heat after the actions since its start."""

    def __init__(self, log: Sequence[dict[str, Any]]):
        self.log = log
        self.places = [1, 1]
        self.played: list[list[int]] = [[], []]
        self.nitro_used = [0, 0]
        moves = []
        for before, action in zip([None, *log], log, strict=False):
            if action["type"] == "advance":
                moves.append((action["seat"], action["counter"]))
                self.places[action["seat"]] += action["counter"]
                self.played[action["seat"]].append(action["counter"])
                if before and before["type"] == "defend" and not self.has_spun_out(before, moves[-2]):
                    self.nitro_used[action["seat"]] += 1
            if action["type"] == "defend":
                self.nitro_used[action["seat"]] += len(action["dice"]) == 3
                if self.has_spun_out(action, moves[-1]):
                    self.places[action["seat"]] -= moves[-1][1]

    @staticmethod
    def has_spun_out(defend: dict[str, Any], move: tuple[int, int]) -> bool:
        return sum(defend["dice"]) < move[1]

    @property
    def unused(self) -> set[int]:
        return set(range(2, 13)) - set(self.played[0]) - set(self.played[1])

    @property
    def to_act(self) -> int:
        last = self.log[-1]
        if last["type"] == "start_heat":
            return int(last["first"])
        seat: int = last["seat"]
        other = 1 - seat
        # A player who has crossed moves no more, but must still answer a challenge or a roll.
        return seat if last["type"] in ("advance", "pass") and self.has_crossed(other) else other

    def has_crossed(self, seat: int) -> bool:
        return self.places[seat] > 22

    def is_broken(self, seat: int) -> bool:
        return self.places[seat] > 26

    def is_intact(self, seat: int) -> bool:
        return self.has_crossed(seat) and not self.is_broken(seat)

    def is_blown(self, seat: int) -> bool:
        return not self.has_crossed(seat) and self.places[seat] + sum(self.unused) < 23

    def has_fewer_counters(self, seat: int) -> bool:
        return len(self.played[seat]) < len(self.played[1 - seat])

    def has_equal_counters(self) -> bool:
        return len(self.played[0]) == len(self.played[1])

    def has_just_done(self, seat: int, action_type: str) -> bool:
        """Return whether the last action was of this seat and of this type."""
        last = self.log[-1]
        return last["type"] == action_type and bool(last["seat"] == seat)

    def is_alone(self, seat: int) -> bool:
        """Return whether the other has crossed and this seat can no longer challenge that (DRAG-12, DRAG-25)."""
        other = 1 - seat
        is_right_open = self.has_just_done(other, "advance") or self.has_just_done(seat, "challenge")
        return self.has_crossed(other) and not self.has_crossed(seat) and not is_right_open


Ending = Callable[[ReferenceHeat, int], Result | None]


def wins_on_crossing(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-12, DRAG-21"""
    other = 1 - seat
    over = (
        now.has_just_done(seat, "advance")
        and now.is_intact(seat)
        and not now.has_crossed(other)
        and not now.has_fewer_counters(other)
    )
    return _won(seat) if over else None


def fewer_counters(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-10"""
    return _won(seat) if now.is_intact(0) and now.is_intact(1) and now.has_fewer_counters(seat) else None


def nearer_as_the_second(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-11: the player who drove on alone lands nearer to space 23."""
    return _won(seat) if _has_equal_counters_and_is_nearer(now, seat) and now.has_just_done(seat, "advance") else None


def nearer_as_the_first(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-11: the player who drove on alone lands farther away."""
    return (
        _won(seat) if _has_equal_counters_and_is_nearer(now, seat) and now.has_just_done(1 - seat, "advance") else None
    )


def same_space(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-11"""
    return (
        "dead heat"
        if now.is_intact(0) and now.is_intact(1) and now.has_equal_counters() and now.places[0] == now.places[1]
        else None
    )


def equal_counters_and_not_crossed(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25: the other player has played as many counters as the player with the intact crossing."""
    other = 1 - seat
    return _won(seat) if now.is_alone(other) and now.is_intact(seat) and now.has_equal_counters() else None


def whole_after_broken(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-24"""
    return (
        _won(seat) if now.has_just_done(seat, "advance") and now.is_intact(seat) and now.is_broken(1 - seat) else None
    )


def broken_after_whole(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-14"""
    other = 1 - seat
    return _won(seat) if now.has_just_done(other, "advance") and now.is_intact(seat) and now.is_broken(other) else None


def two_broken(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-14, DRAG-24"""
    return "dead heat" if now.is_broken(0) and now.is_broken(1) else None


def two_blown_by_a_move(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-15, DRAG-23"""
    return "dead heat" if now.is_blown(0) and now.is_blown(1) and now.has_just_done(seat, "advance") else None


def two_blown_by_a_spin_out(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-15, DRAG-23"""
    return (
        "dead heat"
        if now.is_blown(0) and now.is_blown(1) and now.has_just_done(seat, "defend") and now.unused
        else None
    )


def blown_and_a_whole_car_holds(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25: the other's engine was blown before, and the challenge of the crossing fails."""
    return _won(seat) if now.is_intact(seat) and _holds_against_blown(now, seat) else None


def blown_and_a_broken_chute_holds(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-14, DRAG-24, DRAG-25"""
    return _won(seat) if now.is_broken(seat) and _holds_against_blown(now, seat) else None


def blown_and_advances_behind_a_whole_car(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25: the other's engine was blown before, and that player advances instead of challenging the crossing."""
    return _won(seat) if now.is_intact(seat) and _advances_blown(now, 1 - seat) else None


def blown_and_advances_behind_a_broken_chute(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-14, DRAG-24, DRAG-25"""
    return _won(seat) if now.is_broken(seat) and _advances_blown(now, 1 - seat) else None


def no_counter_and_passes(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-27"""
    return _won(seat) if not now.unused and now.has_just_done(1 - seat, "pass") and now.has_crossed(seat) else None


def no_counter_and_the_roll_holds(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25, DRAG-27"""
    return _won(seat) if not now.unused and now.has_just_done(seat, "defend") and now.has_crossed(seat) else None


def no_counter_and_spins_out(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-23, DRAG-27"""
    return "dead heat" if not now.unused and now.has_just_done(seat, "defend") and not now.has_crossed(seat) else None


ENDINGS: tuple[Ending, ...] = (
    wins_on_crossing,
    fewer_counters,
    nearer_as_the_second,
    nearer_as_the_first,
    same_space,
    equal_counters_and_not_crossed,
    whole_after_broken,
    broken_after_whole,
    two_broken,
    two_blown_by_a_move,
    two_blown_by_a_spin_out,
    blown_and_a_whole_car_holds,
    blown_and_a_broken_chute_holds,
    blown_and_advances_behind_a_whole_car,
    blown_and_advances_behind_a_broken_chute,
    no_counter_and_passes,
    no_counter_and_the_roll_holds,
    no_counter_and_spins_out,
)


def list_endings(now: ReferenceHeat) -> dict[str, Result]:
    """Return every ending that applies now, with its result; empty while the heat continues."""
    found: dict[str, Result] = {}
    for ending in ENDINGS:
        for seat in (0, 1):
            result = ending(now, seat)
            if result is not None:
                assert found.setdefault(ending.__name__, result) == result
    return found


def _won(seat: int) -> Result:
    return 1 if seat else 0


def _has_equal_counters_and_is_nearer(now: ReferenceHeat, seat: int) -> bool:
    return (
        now.is_intact(0) and now.is_intact(1) and now.has_equal_counters() and now.places[seat] < now.places[1 - seat]
    )


def _holds_against_blown(now: ReferenceHeat, seat: int) -> bool:
    return now.has_just_done(seat, "defend") and now.is_blown(1 - seat) and bool(now.unused)


def _advances_blown(now: ReferenceHeat, seat: int) -> bool:
    return now.has_just_done(seat, "advance") and now.is_alone(seat) and now.is_blown(seat)
