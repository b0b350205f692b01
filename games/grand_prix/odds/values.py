"""The recursion: the expected sum of the places still to come under best play, turn by turn.

Terms: a *moment* is the position, the turns left, the last gear and the budget on one circuit. Each turn uses up time,
and each special action something of the budget, so there is an end.

What makes it small: six dice are two counts (`throws`), and the damage of earlier circuits is one sum (`budgets`), or
nothing at all where it can never pay for anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf, prod
from typing import NamedTuple

from games.core.time_limit import OutOfTime, TimeLimit
from games.grand_prix.odds.budgets import Budget, spend
from games.grand_prix.odds.throws import Table, average_kept, find_best_kept, list_counts, list_throws
from games.grand_prix.scoring import DICE, count_missed, get_place
from games.grand_prix.state import INCLUDE, REROLL, SELECT, SHIFT, Setup

MAX_VALUES = 800_000  # some 400 MB
CHECK_EVERY = 1 << 10  # new values between two looks at the clock


class Throw(NamedTuple):
    """The moment of a throw: a gear is selected, and all special actions before it are paid for.

    Attributes:
        circuit: the number of the circuit.
        position: the position of the car.
        left: how many turns are left after this one.
        gear: the gear of this turn.
        budget: the number of the budget.
        with_include: whether include applies.
    """

    circuit: int
    position: int
    left: int
    gear: int
    budget: int
    with_include: bool


class Shown(NamedTuple):
    """What the dice of a throw are worth.

    Attributes:
        mean: the value before the throw.
        table: the value by counts.
        has_equal: whether the table counts dice equal to the gear by themselves.
    """

    mean: float
    table: Table
    has_equal: bool


class SeasonValues:
    """The values of one sheet. All that were calculated once are kept, save those of throws on other circuits."""

    def __init__(self, setup: Setup):
        self.setup = setup
        self.limit = TimeLimit()
        self.budgets: list[Budget] = []
        self._numbers: dict[Budget, int] = {}
        self._spent: dict[tuple[int, int, tuple[int, ...]], int | None] = {}
        self._turns: dict[tuple[int, int, int, int, int], float] = {}
        self._throws: dict[Throw, Shown] = {}
        self._kept: dict[Throw, Table] = {}
        later = [circuit.damage for circuit in setup.circuits]
        self._damage_from = [sum(later[number:]) for number in range(len(later) + 1)]

    @property
    def size(self) -> int:
        """How many values are kept."""
        return len(self._turns) + len(self._throws)

    def number_budget(self, circuit: int, budget: Budget) -> int:
        """Return the number of a budget on a circuit. Earlier damage that can never pay for anything is left out."""
        if not self._can_ever_pay(circuit, budget):
            budget = budget._replace(earlier=0)
        number = self._numbers.get(budget)
        if number is None:
            number = self._numbers[budget] = len(self.budgets)
            self.budgets.append(budget)
        return number

    def spend(self, circuit: int, budget: int, *specials: int) -> int | None:
        """Return the number of the budget after these special actions; None if it is not enough."""
        key = circuit, budget, specials
        if key not in self._spent:
            left = spend(self.setup, self.budgets[budget], specials)
            self._spent[key] = None if left is None else self.number_budget(circuit, left)
        return self._spent[key]

    def get_start_value(self, circuit: int, earlier: int, free: tuple[int, ...]) -> float:
        """Return the value at the flag of a circuit, with the unused damage of the earlier ones."""
        if circuit == len(self.setup.circuits):
            return 0.0
        fresh = self.setup.circuits[circuit]
        budget = self.number_budget(circuit, Budget(earlier, fresh.damage, free))
        return self.get_turn_value(circuit, 0, fresh.time, 0, budget)

    def estimate_moments(self, circuit: int, position: int, left: int, budget: Budget) -> int:
        """Return about how many moments there are from here on, more rather than fewer."""
        budgets, moments, can_pay = prod(uses + 1 for uses in budget.free), 0, self._can_ever_pay(circuit, budget)
        earlier = budget.earlier
        for number, track in enumerate(self.setup.circuits[circuit:]):
            turns, distance = (track.time, track.flag) if number else (left, track.flag - position)
            positions = sum(min(DICE * turn + 1, distance) for turn in range(turns))
            moments += positions * self.setup.gears * (track.damage + 1) * (earlier + 1 if can_pay else 1) * budgets
            earlier += track.damage
        return moments

    def _can_ever_pay(self, circuit: int, budget: Budget) -> bool:
        most = budget.earlier + budget.damage + self._damage_from[circuit + 1]
        return most >= min(self.setup.costs)

    def solve_later_circuits(self, circuit: int, budget: Budget) -> None:
        """Solve the circuits after this one, the last one first, for all that the budget can still become.

        So no recursion goes beyond one circuit, and the throws of the others need not be kept.
        """
        damage = [track.damage for track in self.setup.circuits]
        for later in range(len(damage) - 1, circuit, -1):
            most = budget.earlier + budget.damage + sum(damage[circuit + 1 : later])
            for free in product(*(range(uses + 1) for uses in budget.free)):
                for earlier in range(most + 1):
                    self.limit.check()
                    self.get_start_value(later, earlier, free)
            self.forget_throws()

    def get_turn_value(self, circuit: int, position: int, left: int, last_gear: int, budget: int) -> float:
        """Return the value before a gear is selected, with so many turns left.

        Raises:
            OutOfTime: the limit is over, or there are too many values to keep.
        """
        key = circuit, position, left, last_gear, budget
        value = self._turns.get(key)
        if value is None:
            value = self._turns[key] = min(
                self.get_gear_value(circuit, position, left - 1, gear, after)
                for gear, after in self._list_gears(circuit, last_gear, budget)
            )
            if not len(self._turns) % CHECK_EVERY:
                self.limit.check()
                if self.size > MAX_VALUES:
                    raise OutOfTime
        return value

    def _list_gears(self, circuit: int, last_gear: int, budget: int) -> Iterable[tuple[int, int]]:
        """Return each gear with the budget after a shift, if it needs one (GP-3, GP-19)."""
        shifted = self.spend(circuit, budget, SHIFT) if last_gear else budget
        for gear in range(1, self.setup.gears + 1):
            if abs(gear - last_gear) == 1 or not last_gear:
                yield gear, budget
            elif gear != last_gear and shifted is not None:
                yield gear, shifted

    def get_gear_value(self, circuit: int, position: int, left: int, gear: int, budget: int) -> float:
        """Return the value once a gear is selected, before the roll, for which include can be declared (GP-18)."""
        value = self.show(Throw(circuit, position, left, gear, budget, False)).mean
        included = self.spend(circuit, budget, INCLUDE)
        if included is not None:
            value = min(value, self.show(Throw(circuit, position, left, gear, included, True)).mean)
        return value

    def list_move_values(self, circuit: int, position: int, left: int, gear: int, budget: int) -> list[float]:
        """Return the value of moving by 0 to 6 spaces (GP-4 to GP-9)."""
        track = self.setup.circuits[circuit]
        earlier, damage, free = self.budgets[budget]
        values = list[float]()
        for reached in range(position, position + DICE + 1):
            unused = damage - gear * count_missed(track, position, reached)
            place = get_place(track, reached, unused, is_time_up=not left)
            if place is None:
                after = budget if unused == damage else self.number_budget(circuit, Budget(earlier, unused, free))
                values.append(self.get_turn_value(circuit, reached, left, gear, after))
            else:
                values.append(place + self.get_start_value(circuit + 1, earlier + max(0, unused), free))
        return values

    def show(self, throw: Throw) -> Shown:
        """Return what the dice of a throw are worth, special actions after it included (GP-10)."""
        shown = self._throws.get(throw)
        if shown is None:
            shown = self._throws[throw] = self._show(throw)
        return shown

    def _show(self, throw: Throw) -> Shown:
        circuit, position, left, gear, budget, with_include = throw
        moves = self.list_move_values(circuit, position, left, gear, budget)
        again, selects = self.list_repeats(throw, REROLL), self.list_repeats(throw, SELECT)
        has_equal = not with_include and any(repeat.with_include for repeat in (*again, *selects))
        reroll = min([self.show(repeat).mean for repeat in again], default=inf)
        table = {counts: min(moves[counts[0]], reroll) for counts in list_counts(DICE, has_equal)}
        for repeat in selects:
            kept, fused = self._find_kept(repeat), repeat.with_include and not with_include
            split = self.show(repeat).has_equal
            table = {counts: min(value, kept[translate(counts, split, fused)]) for counts, value in table.items()}
        chances = list_throws(gear, with_include, has_equal)
        return Shown(sum([chances[counts] * value for counts, value in table.items()]), table, has_equal)

    def list_repeats(self, throw: Throw, special: int) -> list[Throw]:
        """Return the throws that a re-roll or select can lead to: without include, and with it from now on (GP-18)."""
        repeats = []
        alone = self.spend(throw.circuit, throw.budget, special)
        if alone is not None:
            repeats.append(throw._replace(budget=alone))
        if not throw.with_include:
            both = self.spend(throw.circuit, throw.budget, special, INCLUDE)
            if both is not None:
                repeats.append(throw._replace(budget=both, with_include=True))
        return repeats

    def list_stages(self, throw: Throw) -> list[Table]:
        """Return the mean after a throw of some of the dice, by how many are kept, and by counts."""
        _, table, has_equal = self.show(throw)
        return average_kept(table, throw.gear, throw.with_include, has_equal)

    def _find_kept(self, throw: Throw) -> Table:
        kept = self._kept.get(throw)
        if kept is None:
            kept = self._kept[throw] = find_best_kept(self.list_stages(throw))
        return kept

    def forget_throws(self) -> None:
        """Drop what only the turns of one circuit need, and keep the values of turns."""
        self._throws.clear()
        self._kept.clear()


def translate(counts: tuple[int, int], has_equal: bool, is_included: bool) -> tuple[int, int]:
    """Return the counts of the same dice in a table with or without dice that are equal, or once include applies."""
    below, equal = counts
    if is_included:
        return below + equal, 0
    return (below, equal) if has_equal else (below, 0)
