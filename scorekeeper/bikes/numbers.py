"""The number of a bike: a whole number, or one with letters behind it, such as 12A.

A whole number is an int, in rows, operations, logs and bundles, as it always was; any other is a text. The database has
texts with five digits each, so that they sort as people expect: 9, 12, 12A, 12B, 100.
"""

from __future__ import annotations

import re

from scorekeeper.common.names import clean_name

BikeNumber = int | str

MAX_NUMBER = 99_999
MAX_LETTERS = 2
MAX_TYPED = 40  # characters that are looked at; leading zeros do not count
NUMBER_SIGNS = "#№＃"
_DIGITS = len(str(MAX_NUMBER))
COLUMN_LENGTH = _DIGITS + MAX_LETTERS
_NUMBER = re.compile(rf"0*([1-9][0-9]{{0,{_DIGITS - 1}}}) ?([A-Z]{{0,{MAX_LETTERS}}})")


def parse_bike_number(text: str) -> BikeNumber | None:
    """Return the number that a text is, perhaps with a number sign, leading zeros or small letters; None for others."""
    cleaned = clean_name(text[:MAX_TYPED]).lstrip(NUMBER_SIGNS).strip()
    is_read = cleaned.isascii() and len(text) <= MAX_TYPED  # some other letters are two in capitals
    match = _NUMBER.fullmatch(cleaned.upper()) if is_read else None
    if match is None:
        return None
    return f"{int(match[1])}{match[2]}" if match[2] else int(match[1])


def is_bike_number(value: object) -> bool:
    """Return whether a value is a number as it is stored: an int from 1 to 99999, or a text such as "12A"."""
    if isinstance(value, str):
        return isinstance(parse_bike_number(value), str) and parse_bike_number(value) == value
    return type(value) is int and 1 <= value <= MAX_NUMBER


def pad_number(number: BikeNumber) -> str:
    """Return the text by which numbers sort: "00012" for 12, "00012A" for "12A"."""
    digits = str(number).rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return f"{digits:>0{_DIGITS}}{str(number)[len(digits) :]}"


def unpad_number(text: str) -> BikeNumber:
    """Return the number that is stored as this text."""
    return int(text) if text.isdecimal() else text.lstrip("0")
