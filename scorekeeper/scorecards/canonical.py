"""Canonical JSON and its hash: one spelling for one value, so that a digest stands for it."""

from __future__ import annotations

import hashlib
import json
import re

HASH_LENGTH = 64  # characters of a SHA-256 in hexadecimal
MAX_CHARACTERS = 32_768  # characters of canonical JSON; a whole turn takes some 500
MAX_DEPTH = 12  # lists and objects inside each other
MAX_NUMBER = 2**53  # what every reader of JSON can hold
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
UNSTORABLE_CHARACTERS = re.compile(r"[\x00\ud800-\udfff]")  # NUL, and halves of a pair


def canonical_json(data: object) -> str:
    """Return the one spelling of plain data: sorted keys, no spaces, no escapes that UTF-8 does not need."""
    return _ENCODER.encode(data)


def is_storable_text(text: str) -> bool:
    """Whether every database can hold a text, and every answer can be encoded with it."""
    return UNSTORABLE_CHARACTERS.search(text) is None


def replace_unstorable(text: str) -> str:
    """Return a text from outside as it can be shown in an answer: what no encoding knows is replaced."""
    return UNSTORABLE_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)


def is_storable(data: object) -> bool:
    """Whether data can be kept word for word by any database, and shown again by any page.

    Refused are what JSON has no word for, text no database takes (NUL, half of a surrogate pair), numbers beyond
    those every reader can hold, and whatever is too long or nested too deeply for a person to have entered it.
    """
    return _is_storable(data, MAX_DEPTH) and len(canonical_json(data)) <= MAX_CHARACTERS


def _is_storable(data: object, depth: int) -> bool:
    match data:
        case None | bool():
            return True
        case int() | float():
            return -MAX_NUMBER < data < MAX_NUMBER
        case str():
            return is_storable_text(data)
        case list() | tuple():
            return depth > 0 and all(_is_storable(part, depth - 1) for part in data)
        case dict():
            keys_are_text = all(isinstance(key, str) for key in data)
            parts = (*data, *data.values())
            return depth > 0 and keys_are_text and all(_is_storable(part, depth - 1) for part in parts)
    return False


def sha256(text: str) -> str:
    """Return the SHA-256 of the text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
