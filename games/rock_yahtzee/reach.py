"""What a card can still come to at best and at worst, exactly.

Terms: a turn is *fixed* once its final dice are noted (ROCK-31). Before that any dice can still come, whatever was
rolled: final dice may replace the rolls. Points are never taken away, so at worst every turn that has no dice yet is
missed (ROCK-26).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from games.core.standing import Reach, Standing
from games.rock_yahtzee.actions import Score
from games.rock_yahtzee.boxes import BOXES, COLUMN, UPPER_WORDS, YAHTZEE
from games.rock_yahtzee.rules import APPLY
from games.rock_yahtzee.scoring import PAPER_POINTS, ROWS
from games.rock_yahtzee.state import Card, Setup, find_closing_rule, get_entries, get_total, get_upper

# What each box gives at most and at least for five dice; of Yahtzee's most a ruleset has its own list.
MAX_POINTS = {box.word: PAPER_POINTS[box.word][-1] for box in BOXES}
MIN_POINTS = {box.word: min(row[COLUMN[box.word]] for row in ROWS.values()) for box in BOXES}


def get_reach(setup: Setup, card: Card) -> Reach:
    """Return the best and the worst that a card can still come to."""
    if not card.is_final:
        return Reach(_make_done_standing(_get_max_total(setup, card)), _make_done_standing(_get_min_total(setup, card)))
    scored = [APPLY[Score](setup, card, Score(0, word)) for word in _list_open_boxes(setup, card)]
    most = max(_get_max_total(setup, after) for after in scored)
    return Reach(_make_done_standing(most), _make_done_standing(min(get_total(setup, after) for after in scored)))


def _make_done_standing(total: int) -> Standing:
    return Standing(total, (total,), "done")


def _list_open_boxes(setup: Setup, card: Card) -> list[str]:
    return [box.word for box in BOXES if find_closing_rule(setup, card, box.word) is None]


def _get_min_total(setup: Setup, card: Card) -> int:
    """Return the total when the turn that has dice brings as little as can be, and no other is played."""
    total = get_total(setup, card)
    return total + min(MIN_POINTS[word] for word in _list_open_boxes(setup, card)) if card.dice else total


def _get_max_total(setup: Setup, card: Card) -> int:
    """Return the total when every turn that is left brings as much as can be."""
    is_open = _list_open_boxes(setup, card)
    upper = sorted((MAX_POINTS[word] for word in is_open if word in UPPER_WORDS), reverse=True)
    lower = sorted((MAX_POINTS[word] for word in is_open if word not in UPPER_WORDS and word != YAHTZEE), reverse=True)
    # One after the other, in the order of the list (ROCK-14).
    yahtzees = setup.yahtzee_points[len(get_entries(card, YAHTZEE)) :] if YAHTZEE in is_open else ()
    short = setup.threshold - get_upper(card)
    # A bonus that is reached already is in the total.
    bonus = setup.bonus if short > 0 else 0
    left = setup.turns - len(card.turns)
    return get_total(setup, card) + _get_max_gain(left, tuple(upper), tuple(lower), tuple(yahtzees), short, bonus)


@lru_cache(maxsize=4096)
def _get_max_gain(
    turns: int, upper: Sequence[int], lower: Sequence[int], yahtzees: Sequence[int], short: int, bonus: int
) -> int:
    """Return the most that so many turns can bring: so many of each kind of box, the best of each kind first.

    Args:
        short: how many points of the upper section the bonus asks for.
    """
    above, below, fives = (list(accumulate(points, initial=0)) for points in (upper, lower, yahtzees))
    return max(
        above[ups] + fives[alike] + below[min(turns - ups - alike, len(lower))] + (bonus if above[ups] >= short else 0)
        for ups in range(min(turns, len(upper)) + 1)
        for alike in range(min(turns - ups, len(yahtzees)) + 1)
    )
