"""Standings: the result of one seat so far, in a form that ranking can compare without knowing the game.

`key` is a tuple of whole numbers. All keys of a game have the same length; larger is better, and equal keys are tied.
A seat that has retired ranks below all others (TABLE-3). This module adds that rule, so that no game can forget it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Status = Literal["playing", "done", "retired"]


class Standing(NamedTuple):
    """A seat's total as the scoreboard shows it, its key, and whether it is still playing."""

    total: int
    key: tuple[int, ...]
    status: Status = "playing"

    @property
    def order(self) -> tuple[int, ...]:
        """What ranking compares: the key with TABLE-3 in front."""
        return (0 if self.status == "retired" else 1, *self.key)


class Reach(NamedTuple):
    """The best and the worst standing that a seat can still end with; equal once the seat is done.

    None means that there is no limit: whatever the seat reaches, it can still do better, or worse. This ignores
    retiring, which a seat that is still playing can always choose.
    """

    best: Standing | None
    worst: Standing | None


def order_key(order: tuple[int, ...]) -> bytes:
    """Return an order as bytes. The byte strings compare as the tuples do, and equal strings are tied.

    Each number becomes a head byte, which is 0x80 plus or minus the length in bytes, followed by its digits. This
    preserves the order of whole numbers of up to 127 bytes, so a database can sort by one indexed column.
    """
    return b"".join(_number_key(number) for number in order)


def read_order_key(key: bytes) -> tuple[int, ...]:
    """Return the order that `order_key` made these bytes from."""
    numbers, at = [], 0
    while at < len(key):
        length = key[at] - 0x80
        digits = key[at + 1 : at + 1 + abs(length)]
        number = int.from_bytes(digits if length >= 0 else bytes(0xFF - digit for digit in digits), "big")
        numbers.append(number if length >= 0 else -number)
        at += 1 + len(digits)
    return tuple(numbers)


def _number_key(number: int) -> bytes:
    if number >= 0:
        length = (number.bit_length() + 7) // 8
        return bytes([0x80 + length]) + number.to_bytes(length, "big")
    length = ((-number).bit_length() + 7) // 8
    digits = (-number).to_bytes(length, "big")
    return bytes([0x80 - length]) + bytes(0xFF - digit for digit in digits)
