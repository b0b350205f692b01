"""Standing: where one seat stands, in a form that ranking can compare without knowing the game.

`key` is a tuple of whole numbers, of one length within a game; larger is better, and equal keys are level. A
seat that retired ranks below every other (TABLE-3); that is added here, so that no game can forget it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Status = Literal["playing", "done", "retired"]


class Standing(NamedTuple):
    """A seat's total as the scoreboard shows it, its key, and whether it still plays."""

    total: int
    key: tuple[int, ...]
    status: Status = "playing"

    @property
    def order(self) -> tuple[int, ...]:
        """The key with TABLE-3 in front: what ranking compares."""
        return (0 if self.status == "retired" else 1, *self.key)


class Reach(NamedTuple):
    """The best and the worst standing that a seat can still come to by legal play; the same once it is at its end.

    Retiring is left aside: whoever is still in it can always throw it away.
    """

    best: Standing
    worst: Standing


def order_key(order: tuple[int, ...]) -> bytes:
    """Return the byte form of an order: byte strings compare as the tuples do, and equal means level.

    Each number is written as a head byte, 0x80 plus or minus its length in bytes, and its digits, so whole
    numbers of up to 127 bytes keep their order. A database can then sort by one indexed column.
    """
    return b"".join(_number_key(number) for number in order)


def _number_key(number: int) -> bytes:
    if number >= 0:
        length = (number.bit_length() + 7) // 8
        return bytes([0x80 + length]) + number.to_bytes(length, "big")
    length = ((-number).bit_length() + 7) // 8
    digits = (-number).to_bytes(length, "big")
    return bytes([0x80 - length]) + bytes(0xFF - digit for digit in digits)
