"""What every name of a person or thing looks like, wherever it was typed, pasted or imported.

Two names that look the same are the same text: composed (NFC), with single spaces, and without characters that nobody
sees or that change the direction of the text around them. Otherwise one group would be two, and a name could show as
another one.

Invariant: cleaning a clean name changes nothing. What a phone has signed stays as it was sent; names that are shown are
made from it with `clean_name`.
"""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import get_language

MAX_MARKS = 30  # on one letter, as Unicode's Stream-Safe Text Format has it; no language has as many
ZWNJ, ZWJ = "\u200c", "\u200d"  # they join and separate letters in Persian, Hindi and others, and parts of emoji
# The flags of England, Scotland and Wales: a black flag, then what it stands for, spelled in invisible tags.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
# Letters and marks that show nothing (Default_Ignorable_Code_Point in DerivedCoreProperties.txt), and the blank of
# Braille. Variation selectors stay: they choose between a text and an emoji.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u2800\ufffc")
_VARIATIONS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_NOT_COMPARED = dict.fromkeys(map(ord, (ZWNJ, ZWJ, *_VARIATIONS)))


def drop_double_stop(sentence: str) -> str:
    """Return a sentence that ends with a name without its own full stop, if the name ends with one: "Quin W."."""
    return sentence[:-1] if sentence.endswith("..") and not sentence.endswith("...") else sentence


def clean_name(text: str) -> str:
    """Return the name as it is stored and shown; "" if there is nothing to see in it.

    Args:
        text: as it was typed.
    """
    kept: list[str] = []
    base = "Zs"  # the category of the last character that is no mark
    composed = _compose(text)
    in_flags = {index for flag in _FLAG.finditer(composed) for index in range(*flag.span())}
    for index, char in enumerate(composed):
        category = unicodedata.category(char)
        if char.isspace() or category in ("Zl", "Zp"):
            kept.append(" ")
        elif char in (ZWJ, ZWNJ):
            # Within a word, once.
            if kept and kept[-1] not in (" ", ZWJ, ZWNJ):
                kept.append(char)
        elif char in _VARIATIONS:
            if kept and _is_variable(kept[-1], base):
                kept.append(char)
        elif not _is_never_shown(char, category, is_in_flag=index in in_flags):
            kept.append(char)
            base = base if category[0] == "M" else category
    # Without what was between them, a letter and its accent may now be neighbours.
    words = (word.strip(ZWJ + ZWNJ) for word in "".join(kept).split())
    name = _compose(" ".join(filter(None, words)))
    return name if any(unicodedata.category(char)[0] not in "ZM" for char in name) else ""


def _compose(text: str) -> str:
    """Return the text in NFC, with at most `MAX_MARKS` on one letter: the time to sort them grows with their square."""
    return _limit_marks(unicodedata.normalize("NFC", _limit_marks(text)))


def _limit_marks(text: str) -> str:
    kept: list[str] = []
    count = 0
    for char in text:
        count = count + 1 if unicodedata.combining(char) else 0
        if count <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_variable(char: str, base: str) -> bool:
    """Return whether a variation selector behind a character can change what is shown.

    It cannot behind letters that have capitals, as in Latin, Greek and Cyrillic.

    Args:
        base: the category of the last character that is no mark, of which this may be one.
    """
    return char not in (" ", ZWJ, ZWNJ) and char not in _VARIATIONS and base not in ("Lu", "Ll", "Lt", "Lm")


def _is_never_shown(char: str, category: str, *, is_in_flag: bool) -> bool:
    """Return whether nobody sees a character, or it changes the direction of the text around it."""
    if category != "Cn":
        return category in ("Cc", "Cs") or char in _INVISIBLE or (category == "Cf" and not is_in_flag)
    # What Python does not know stays, if it may be a letter or an emoji of a newer Unicode version.
    code = ord(char)
    is_no_character = 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
    return is_no_character or code == 0x2065 or 0xFFF0 <= code <= 0xFFF8 or 0xE0000 <= code <= 0xE0FFF


def fold_name(text: str) -> str:
    """Return what two names have in common that are the same to people: clean, in lower case, and without joiners."""
    return clean_name(text).translate(_NOT_COMPARED).casefold()


def make_sort_key(text: str) -> tuple[str, str]:
    """Return the key by which pages sort names in the reader's language.

    Letters with accents stand with those without, so that "Änne" is beside "Anne"; in Spanish, ñ follows n.
    """
    folded = fold_name(text)
    letters = folded.replace("ñ", "n\uffff") if (get_language() or "").startswith("es") else folded
    plain = "".join(char for char in unicodedata.normalize("NFKD", letters) if not unicodedata.combining(char))
    return plain, folded
