"""The values of all futures of the house rules, so that nobody has to wait for the first answer.

They are the very numbers that the recursion finds, which a test compares. They were made by `python -m
tools.odds_tables rock_yahtzee`, and take up 23 kB.
"""

from __future__ import annotations

from base64 import b85decode
from collections.abc import Mapping
from struct import Struct

from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.odds.future import Future, Worth
from games.rock_yahtzee.odds.house_values import BONUS, PACKED, YAHTZEES

HOUSE = Worth(YAHTZEES, BONUS)
ROW = Struct("<HBBd")  # turns left and open columns as bits, Yahtzees scored, points wanted for the bonus, value
COLUMNS = (1 << len(BOXES)) - 1


def read_house_values() -> dict[Future, float]:
    """Return the values by future."""
    return {_read_future(*key): value for *key, value in ROW.iter_unpack(b85decode(PACKED))}


def pack_values(values: Mapping[Future, float]) -> bytes:
    """Return values in the form that `read_house_values` reads."""
    return b"".join(ROW.pack(*_write_future(future), value) for future, value in sorted(values.items()))


def _write_future(future: Future) -> tuple[int, int, int]:
    columns = sum(1 << column for column in future.columns)
    return future.left << len(BOXES) | columns, future.scored, future.wanted


def _read_future(bits: int, scored: int, wanted: int) -> Future:
    columns = tuple(column for column in range(len(BOXES)) if bits >> column & 1)
    return Future(bits >> len(BOXES), columns, scored, wanted)
