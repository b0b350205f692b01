"""The boxed game of Yahtzee, whose best play is known to bring 254.587729 points on average, for `solving_odds`.

Thirteen turns, 35 points for 63 in the upper section, 100 for each Yahtzee after one of 50, and jokers, which must go
to their upper box while it is open. R.O.C.K. Yahtzee has neither of the last two (ROCK-14, ROCK-23), so the boxes are
here; dice are kept and thrown by `games.rock_yahtzee.odds`, which is what the known figure checks.
"""

from __future__ import annotations

from typing import NamedTuple

from games.rock_yahtzee.boxes import BOXES, COLUMN, UPPER, YAHTZEE
from games.rock_yahtzee.odds.future import POINTS
from games.rock_yahtzee.odds.throws import FINAL
from games.rock_yahtzee.odds.values import Figures, Turn

YAHTZEE_COLUMN = COLUMN[YAHTZEE]
THRESHOLD, BONUS, MORE_YAHTZEES = 63, 35, 100
JOKER = {COLUMN["full_house"]: 25, COLUMN["small_straight"]: 30, COLUMN["large_straight"]: 40}
ALIKE = {number: dice[0] - 1 for number, dice in enumerate(FINAL) if dice[0] == dice[-1]}  # to the upper column
NEVER = -1e9  # the value of what is forbidden


class Sheet(NamedTuple):
    """A card before a turn: its open boxes by column, the points the bonus still wants, and whether 50 were scored."""

    columns: tuple[int, ...]
    wanted: int = THRESHOLD
    has_yahtzee: bool = False


FRESH = Sheet(tuple(range(len(BOXES))))


class BoxedValues:
    """The points that best play still brings on average."""

    def __init__(self) -> None:
        self._values: dict[Sheet, float] = {}

    def get(self, sheet: Sheet) -> float:
        """Return the value of a card before its next turn."""
        if not sheet.columns:
            return 0.0
        value = self._values.get(sheet)
        if value is None:
            boxes = {column: self._list_values(sheet, column) for column in sheet.columns}
            value = self._values[sheet] = Turn.from_boxes(boxes).value
        return value

    def _list_values(self, sheet: Sheet, column: int) -> Figures:
        """Return the value of scoring each five dice in a box."""
        values = {points: self._score(sheet, column, points) for points in set(POINTS[column])}
        found = [values[points] for points in POINTS[column]]
        if YAHTZEE_COLUMN not in sheet.columns:
            for dice, own in ALIKE.items():
                found[dice] = self._score_joker(sheet, column, dice, own)
        return found

    def _score_joker(self, sheet: Sheet, column: int, dice: int, own: int) -> float:
        """Return the value of scoring five alike in a box when that of Yahtzee is used; `own` is their upper box."""
        more = MORE_YAHTZEES if sheet.has_yahtzee else 0
        points = POINTS[column][dice]
        if own not in sheet.columns:
            has_lower = any(other >= len(UPPER) for other in sheet.columns)
            if column < len(UPPER) and has_lower:
                return NEVER
            points = JOKER.get(column, points)
        elif column != own:
            return NEVER
        return more + self._score(sheet, column, points)

    def _score(self, sheet: Sheet, column: int, points: int) -> float:
        others = tuple(other for other in sheet.columns if other != column)
        wanted = sheet.wanted
        earned = points
        if wanted and column < len(UPPER):
            earned += BONUS if points >= wanted else 0
            wanted = max(wanted - points, 0)
        if wanted > 5 * sum(other + 1 for other in others if other < len(UPPER)):
            wanted = 0
        has_yahtzee = sheet.has_yahtzee or (column == YAHTZEE_COLUMN and points > 0)
        return earned + self.get(Sheet(others, wanted, has_yahtzee))
