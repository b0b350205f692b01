"""Canonical JSON, which the log and its hashes are made of, and what any database can store of untrusted data."""

from __future__ import annotations

import re

from games.core.canonical import canonical_json, sha256

__all__ = [
    "HASH_LENGTH",
    "MAX_CHARACTERS",
    "canonical_json",
    "is_storable",
    "is_storable_text",
    "replace_unstorable",
    "sha256",
]

HASH_LENGTH = 64  # characters of a SHA-256 in hexadecimal
MAX_CHARACTERS = 32_768  # of canonical JSON; a whole turn takes some 500
MAX_DEPTH = 12  # of nested lists and objects
MAX_NUMBER = 2**53  # the largest that every JSON parser can represent
UNSTORABLE_CHARACTERS = re.compile(r"[\x00\ud800-\udfff]")  # NUL and surrogates


def is_storable_text(text: str) -> bool:
    """Whether every database can store a text, and every response can be encoded with it."""
    return UNSTORABLE_CHARACTERS.search(text) is None


def replace_unstorable(text: str) -> str:
    """Return untrusted text in a form that a response can show: characters that cannot be encoded are replaced."""
    return UNSTORABLE_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)


def is_storable(data: object, most: int = MAX_CHARACTERS) -> bool:
    """Whether any database can store the data unchanged, and any page can show it again.

    Args:
        most: how many characters of canonical JSON it may have.

    Not storable are: values that JSON cannot represent, text that no database accepts (NUL, half of a surrogate pair),
    numbers that not every parser can represent, and data that is too long or nested too deeply for a person to have
    entered it.
    """
    return _is_storable(data, MAX_DEPTH) and len(canonical_json(data)) <= most


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
