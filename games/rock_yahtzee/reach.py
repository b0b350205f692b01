"""The exact best and worst total that a card can still reach.

Terms: a turn is *fixed* once its final dice are recorded (ROCK-31). Until then any dice are still possible, whatever
was rolled, because final dice may replace the rolls. Points are never lost, so in the worst case every turn without
dice is missed (ROCK-26).
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

# The most and the least that five dice score in each box. For Yahtzee, the ruleset has its own list of the most.
MAX_POINTS = {box.word: PAPER_POINTS[box.word][-1] for box in BOXES}
MIN_POINTS = {box.word: min(row[COLUMN[box.word]] for row in ROWS.values()) for box in BOXES}


def get_reach(setup: Setup, card: Card) -> Reach:
    """Return the best and the worst standing that a card can still reach."""
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
    """Return the total if the turn that has dice scores as little as possible and no other turn is played."""
    total = get_total(setup, card)
    return total + min(MIN_POINTS[word] for word in _list_open_boxes(setup, card)) if card.dice else total


def _get_max_total(setup: Setup, card: Card) -> int:
    """Return the total if every remaining turn scores as much as possible."""
    is_open = _list_open_boxes(setup, card)
    upper = sorted((MAX_POINTS[word] for word in is_open if word in UPPER_WORDS), reverse=True)
    lower = sorted((MAX_POINTS[word] for word in is_open if word not in UPPER_WORDS and word != YAHTZEE), reverse=True)
    # Yahtzees score in the order of the list (ROCK-14).
    yahtzees = setup.yahtzee_points[len(get_entries(card, YAHTZEE)) :] if YAHTZEE in is_open else ()
    short = setup.threshold - get_upper(card)
    # The total already includes a bonus that has been reached.
    bonus = setup.bonus if short > 0 else 0
    left = setup.turns - len(card.turns)
    return get_total(setup, card) + _get_max_gain(left, tuple(upper), tuple(lower), tuple(yahtzees), short, bonus)


@lru_cache(maxsize=4096)
def _get_max_gain(
    turns: int, upper: Sequence[int], lower: Sequence[int], yahtzees: Sequence[int], short: int, bonus: int
) -> int:
    """Return the most that the turns can score, trying every split over the kinds of box, each with its best first.

    Args:
        turns: the number of turns.
        upper: the most that each open upper box can score.
        lower: the most that each open lower box can score.
        yahtzees: the points of the Yahtzees that can still be scored.
        short: the points that the upper section needs for the bonus.
        bonus: the points of the bonus.
    """
    above, below, fives = (list(accumulate(points, initial=0)) for points in (upper, lower, yahtzees))
    return max(
        above[ups] + fives[alike] + below[min(turns - ups - alike, len(lower))] + (bonus if above[ups] >= short else 0)
        for ups in range(min(turns, len(upper)) + 1)
        for alike in range(min(turns - ups, len(yahtzees)) + 1)
    )
