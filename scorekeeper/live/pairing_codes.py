"""The codes that televisions show: short enough to type, and never a word."""

from __future__ import annotations

import secrets
import unicodedata

from scorekeeper.live.models import CODE_LENGTH

# No characters that look alike (0 O Q D, 1 I L, 2 Z, 5 S, 8 B, U V; of 6 and G only 6), and no vowels, so no words.
ALPHABET = "34679CFHJKMNPRTWXY"


def make_code() -> str:
    """Return a random code, one of 34 million."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def normalize_code(typed: str) -> str:
    """Return a code without what people add to it: spaces, hyphens, lower case, full-width letters."""
    text = unicodedata.normalize("NFKC", typed).upper()
    return "".join(character for character in text if character.isalnum())


def split_code(code: str) -> tuple[str, str]:
    """Return the two halves of a code, in which people read it aloud."""
    return code[: CODE_LENGTH // 2], code[CODE_LENGTH // 2 :]
