"""A calculation of odds without shortcuts: every throw, every choice and every card by the rules themselves.

It shares nothing with `games.rock_yahtzee.odds` but the rules, so it is slow: use it with one or two turns left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations, product

from games.core.odds import SAME
from games.rock_yahtzee.actions import Score
from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.rules import APPLY, PROBLEMS
from games.rock_yahtzee.state import Card, Setup, get_total, is_done

Dice = tuple[int, ...]
ROLLS = 3


@cache
def throw(count: int) -> tuple[tuple[Dice, float], ...]:
    """Return every throw of so many dice, sorted, with its chance."""
    thrown = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    return tuple((dice, times / 6**count) for dice, times in thrown.items())


class PlainOdds:
    """Play of one ruleset that makes the best choice everywhere, for what `aim` says that a final total is worth.

    Args:
        setup: the options.
        aim: what a final total is worth.
    """

    def __init__(self, setup: Setup, aim: Callable[[int], float]):
        self.setup = setup
        self.aim = aim
        self.get_worth = lru_cache(maxsize=None)(self._get_worth)
        self.keep = lru_cache(maxsize=None)(self._keep)

    def _get_worth(self, card: Card) -> float:
        """Return what best play comes to."""
        if is_done(self.setup, card):
            return self.aim(get_total(self.setup, card))
        if not card.dice:
            return sum(chance * self.get_worth(self.show(card, dice, 1)) for dice, chance in throw(5))
        return max(worth for worth, _ in self.list_choices(card))

    def list_choices(self, card: Card) -> list[tuple[float, str | Dice]]:
        """Return what each choice comes to, and the box or the dice kept, in the order that settles ties."""
        choices: list[tuple[float, str | Dice]] = []
        for box in BOXES:
            action = Score(0, box.word)
            if not PROBLEMS[Score](self.setup, card, action):
                choices.append((self.get_worth(APPLY[Score](self.setup, card, action)), box.word))
        if not card.is_final and card.rolls < ROLLS:
            for size in range(4, -1, -1):
                for kept in sorted(set(combinations(sorted(card.dice), size))):
                    choices.append((self.keep(card._replace(dice=()), kept), kept))
        return choices

    def _keep(self, card: Card, kept: Dice) -> float:
        """Return what keeping these dice comes to; the card shows none, so that equal dice share the result."""
        thrown = throw(5 - len(kept))
        return sum(chance * self.get_worth(self.show(card, kept + dice, card.rolls + 1)) for dice, chance in thrown)

    def show(self, card: Card, dice: Dice, rolls: int) -> Card:
        """Return the card with these dice showing."""
        return Card(card.turns, tuple(sorted(dice)), rolls)


class PlainPlay:
    """The totals that play by value ends with.

    Args:
        values: the odds whose aim is the total itself.
    """

    def __init__(self, values: PlainOdds):
        self.values = values
        self.get_totals = lru_cache(maxsize=None)(self._get_totals)

    def _get_totals(self, card: Card) -> Counter[int]:
        """Return the chance of each final total."""
        setup = self.values.setup
        if is_done(setup, card):
            return Counter({get_total(setup, card): 1})
        if not card.dice:
            return self._mix(card, (), 1)
        choices = self.values.list_choices(card)
        best = max(worth for worth, _ in choices)
        return self.follow(card, next(choice for worth, choice in choices if worth >= best - SAME))

    def follow(self, card: Card, choice: str | Dice) -> Counter[int]:
        """Return the chance of each final total after a choice."""
        if isinstance(choice, str):
            return self.get_totals(APPLY[Score](self.values.setup, card, Score(0, choice)))
        return self._mix(card, choice, card.rolls + 1)

    def _mix(self, card: Card, kept: Dice, rolls: int) -> Counter[int]:
        mixed: Counter[int] = Counter()
        for dice, chance in throw(5 - len(kept)):
            for total, part in self.get_totals(self.values.show(card, kept + dice, rolls)).items():
                mixed[total] += chance * part  # type: ignore[assignment]
        return mixed
