"""The odds of one hand: the chance of each category for the hand in the end, and of beating other hands.

Nothing is said of a value, since what a better hand is worth depends on the others. More cards never make a hand worse
for its goal (POKER-7, POKER-19), so all cards on sale are taken to be bought, unless the seat stands now. No turn is
taken to be missed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.core.odds import Aim, Choice, Method, Node, Odds, Wanted
from games.core.time_limit import OutOfTime, TimeLimit
from games.poker_run.actions import Draw, Extra, Stand
from games.poker_run.hands import WORDS, make_number_key
from games.poker_run.odds.counting import Hands, add_up_categories, count_hands
from games.poker_run.odds.future import Future, get_future
from games.poker_run.odds.sampling import compute_margins, sample_completions
from games.poker_run.odds.table import find_in_table
from games.poker_run.state import Hand, Setup, get_hand_number, is_drawing, list_cards

MAX_COMPLETIONS = 2_000_000  # that are counted; of more, some are drawn at random

CATEGORIES, BEAT = "categories", "beat"  # the names of the chances


class Chances(NamedTuple):
    """The chance of each category and of beating each hand that was asked for, in the order of the question."""

    categories: tuple[float, ...]
    beat: tuple[float, ...] = ()
    method: Method = "exact"

    def make_choice(self, action: Mapping[str, Any]) -> Choice:
        """Return them as those of a choice."""
        return Choice(action, margins=self.margins, chances=self.by_name)

    @property
    def by_name(self) -> Mapping[str, tuple[float, ...]]:
        """The chances, with those of beating hands only where these were asked for."""
        return {CATEGORIES: self.categories, **({BEAT: self.beat} if self.beat else {})}

    @property
    def margins(self) -> Mapping[str, tuple[float, ...]]:
        """How far sampled ones may be off, by the same names; none where they are exact."""
        if self.method == "exact":
            return {}
        return {name: compute_margins(chances) for name, chances in self.by_name.items()}


def get_odds(setup: Setup, hand: Hand, wanted: Wanted) -> Odds:
    """Return the odds of a hand that is not done."""
    aim: Aim = "low" if setup.is_low else "high"
    actions: list[Mapping[str, Any]] = (
        [{"type": Draw.type}] if is_drawing(setup, hand) else [{"type": Extra.type}, {"type": Stand.type}]
    )
    node: Node = "chance" if len(actions) == 1 else "choice"
    try:
        chances = compute_chances(get_future(setup, hand), wanted.limit, wanted.beat)
    except OutOfTime:
        choices = tuple(map(Choice, actions))
        return Odds(node, "hand", aim, "none", choices=choices, why="seconds")
    by_action = [chances, get_chances_of_done(setup, hand, wanted.beat)]
    return Odds(
        node,
        "hand",
        aim,
        chances.method,
        choices=tuple(found.make_choice(action) for action, found in zip(actions, by_action, strict=False)),
        chances=chances.by_name,
        margins=chances.margins,
    )


def get_odds_of_done(setup: Setup, hand: Hand, wanted: Wanted) -> Odds:
    """Return the odds of a hand to which nothing is added."""
    chances = get_chances_of_done(setup, hand, wanted.beat)
    return Odds("done", "hand", "low" if setup.is_low else "high", chances=chances.by_name)


def get_chances_of_done(setup: Setup, hand: Hand, beat: Sequence[int] = ()) -> Chances:
    """Return the chances of a hand as it is; without cards, it is of no category."""
    if not list_cards(hand):
        return Chances((0.0,) * len(WORDS), (0.0,) * len(beat))
    return _make_chances({get_hand_number(setup, hand): 1}, beat, is_low=setup.is_low)


def compute_chances(future: Future, limit: TimeLimit, beat: Sequence[int] = ()) -> Chances:
    """Return the chances of the hand in the end.

    Args:
        limit: when to give up.
        beat: the numbers of hands to beat.

    Raises:
        OutOfTime: it took too long.
    """
    counts = None if beat else find_in_table(future)
    if counts is not None:
        return Chances(tuple(count / sum(counts) for count in counts))
    if future.completions > MAX_COMPLETIONS:
        return _make_chances(sample_completions(future, limit), beat, "sampled", is_low=future.is_low)
    return _make_chances(count_hands(future, limit), beat, is_low=future.is_low)


def _make_chances(hands: Hands, beat: Sequence[int], method: Method = "exact", *, is_low: bool) -> Chances:
    total = sum(hands.values())
    keys = {make_number_key(number, is_low): ways for number, ways in hands.items()}
    better = (sum(ways for key, ways in keys.items() if key > make_number_key(other, is_low)) for other in beat)
    return Chances(
        tuple(count / total for count in add_up_categories(hands)), tuple(ways / total for ways in better), method
    )
