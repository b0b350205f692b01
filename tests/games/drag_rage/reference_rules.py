"""A second reading of the rule book, to hold the first to: where the cars stand, whose turn it is, how a heat ends.

It knows nothing of the game's code. A heat is read from its first action each time, and every way to end is looked for
at every moment, each written down from its clause alone. Terms: who has crossed is *home*; the *right* to challenge
stands right after the opponent's move.

No end is listed for an engine that blows by a move of its own player, since there is none: what the counter takes from
the unused ones it adds to the car's space, so that only the other's moves and spin-outs blow an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

DEAD_HEAT = "dead heat"
Result = Literal[0, 1, "dead heat"]


class ReferenceHeat:
    """What the actions of one heat, from its start on, have made of it."""

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
        # Who is home moves no more; but a challenge has to be answered, and so has a roll.
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

    def has_just_done(self, seat: int, what: str) -> bool:
        """Whether the last action was this seat's and of this type."""
        last = self.log[-1]
        return last["type"] == what and bool(last["seat"] == seat)

    def is_alone(self, seat: int) -> bool:
        """Whether the other is home and this seat's right to challenge that is gone (DRAG-12, DRAG-25)."""
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
    """DRAG-11: the one who drove on alone lands nearer to space 23."""
    return _won(seat) if _level_and_nearer(now, seat) and now.has_just_done(seat, "advance") else None


def nearer_as_the_first(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-11: the one who drove on alone lands farther."""
    return _won(seat) if _level_and_nearer(now, seat) and now.has_just_done(1 - seat, "advance") else None


def same_space(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-11"""
    return (
        "dead heat"
        if now.is_intact(0) and now.is_intact(1) and now.has_equal_counters() and now.places[0] == now.places[1]
        else None
    )


def equal_counters_and_not_crossed(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25: the other has played as many counters as the one who is home intact."""
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
    """DRAG-25: the other's engine is blown already, and the challenge of the crossing fails."""
    return _won(seat) if now.is_intact(seat) and _holds_against_blown(now, seat) else None


def blown_and_a_broken_chute_holds(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-14, DRAG-24, DRAG-25"""
    return _won(seat) if now.is_broken(seat) and _holds_against_blown(now, seat) else None


def blown_and_advances_behind_a_whole_car(now: ReferenceHeat, seat: int) -> Result | None:
    """DRAG-25: the other's engine is blown already, and it advances instead of challenging the crossing."""
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
    """Return every way in which the heat is over now, and what comes of it; nothing while it goes on."""
    found: dict[str, Result] = {}
    for ending in ENDINGS:
        for seat in (0, 1):
            result = ending(now, seat)
            if result is not None:
                assert found.setdefault(ending.__name__, result) == result
    return found


def _won(seat: int) -> Result:
    return 1 if seat else 0


def _level_and_nearer(now: ReferenceHeat, seat: int) -> bool:
    return (
        now.is_intact(0) and now.is_intact(1) and now.has_equal_counters() and now.places[seat] < now.places[1 - seat]
    )


def _holds_against_blown(now: ReferenceHeat, seat: int) -> bool:
    return now.has_just_done(seat, "defend") and now.is_blown(1 - seat) and bool(now.unused)


def _advances_blown(now: ReferenceHeat, seat: int) -> bool:
    return now.has_just_done(seat, "advance") and now.is_alone(seat) and now.is_blown(seat)
