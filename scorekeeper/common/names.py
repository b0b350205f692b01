"""What every name of a person or thing looks like, wherever it was typed, pasted or imported.

Two names that look the same are the same text: composed (NFC), with single spaces, and without characters that nobody
sees or that change the direction of the text around them. Otherwise one group would be two, and a name could show as
another one.

Invariant: cleaning a clean name changes nothing. What a phone has signed stays as it was sent; names that are shown are
made from it with `clean_name`.
"""

from __future__ import annotations

import unicodedata

ZWNJ, ZWJ = "\u200c", "\u200d"  # they join and separate letters in Persian, Hindi and others, and parts of emoji
_BLACK_FLAG = "\U0001f3f4"  # begins the flags of England, Scotland and Wales, which are spelled in invisible tags
_TAGS = range(0xE0020, 0xE0080)
# Letters and marks that show nothing (Default_Ignorable_Code_Point in DerivedCoreProperties.txt), and the blank of
# Braille. Variation selectors stay: they choose between a text and an emoji.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u2800\ufffc")
_VARIATIONS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def clean_name(text: str) -> str:
    """Return the name as it is stored and shown; "" if there is nothing to see in it.

    Args:
        text: as it was typed.
    """
    kept: list[str] = []
    is_in_flag = False
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        is_in_flag = char == _BLACK_FLAG or (is_in_flag and ord(char) in _TAGS)
        if char.isspace() or category in ("Zl", "Zp"):
            kept.append(" ")
        elif char in (ZWJ, ZWNJ):
            # Within a word, once.
            if kept and kept[-1] not in (" ", ZWJ, ZWNJ):
                kept.append(char)
        elif char in _VARIATIONS:
            if kept and kept[-1] not in (" ", ZWJ, ZWNJ):
                kept.append(char)
        elif category in ("Cc", "Cs", "Cn") or char in _INVISIBLE or (category == "Cf" and not is_in_flag):
            continue
        else:
            kept.append(char)
    # Without what was between them, a letter and its accent may now be neighbours.
    words = (word.strip(ZWJ + ZWNJ) for word in "".join(kept).split())
    name = unicodedata.normalize("NFC", " ".join(filter(None, words)))
    return name if any(unicodedata.category(char)[0] not in "ZM" for char in name) else ""


def fold_name(text: str) -> str:
    """Return what two names have in common that are the same to people: clean, and in lower case."""
    return clean_name(text).casefold()
