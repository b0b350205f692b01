"""Whether a bike or player is what someone searches for: by its number, or by words of the name that is shown.

Case, accents, width and the script of digits do not matter, and neither does the order of the words. A word is found
anywhere in a name, since some scripts have no spaces between words. What was typed is only compared, never run: it is
no pattern.

`static/js/search_text.js` does the same for the rows of an open page. A test compares the two for every character.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

MAX_SEARCHED = 100  # characters that are looked at
MAX_KEPT = 200  # characters that are shown again
CACHE_SIZE = 10_000  # names: those of the leaderboards that are searched

# From 0, the best, to 3: the number itself, a number that begins with it, words that begin with what was typed, others.
Match = Literal[0, 1, 2, 3]

NUMBER_SIGNS = "#№＃"
# Letters that have no accent to remove, and two that are one letter elsewhere.
_PLAIN = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŧ": "t", "ı": "i", "ς": "σ", "æ": "ae", "œ": "oe", "þ": "th"}
)
# How letters are written on keyboards that lack them, in German and in the languages of the North.
_TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
# Accents, the vowel points of Hebrew and Arabic, the stretching of Arabic words, and variation selectors.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f"
    "\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)
_NUMBER = re.compile(r"[1-9][0-9]{0,4}[a-z]{0,2}(\([0-9]*\)?)?(/[0-9]*)?")


@dataclass(frozen=True, slots=True)
class Searched:
    """What someone searches for.

    Attributes:
        number: the number that it is, as `_make_number_key` has it; "" for others.
        words: each word in its spellings.
        raw: what it is, if it has neither letters nor digits.
    """

    number: str
    words: tuple[tuple[str, ...], ...]
    raw: str

    def match(self, number: str, name: str) -> Match | None:
        """Return how well an entrant matches; None if it does not.

        Args:
            number: as people read it, "57" or "57/2"; "" for a player.
            name: as it is shown; "" if none is.
        """
        key = _make_number_key(number)
        if self.number and key.startswith(self.number):
            return 0 if key == self.number else 1
        if not self.words:
            return 3 if self.raw and self.raw in _compose(name) else None
        shown = list_words(name)
        if all(_begins_number(key, word) or any(_begins(one, word) for one in shown) for word in self.words):
            return 2
        texts = ["".join(spelling) for spelling in _list_spellings(shown)]
        found = all(_begins_number(key, word) or _is_in(texts, word) for word in self.words)
        return 3 if found else None


def read_search(text: str) -> Searched:
    """Return what someone searches for, from the first `MAX_SEARCHED` characters of what was typed."""
    text = text[:MAX_SEARCHED]
    key = _make_number_key(text)
    words = list_words(text)
    return Searched(key if _NUMBER.fullmatch(key) else "", words, "" if words else _compose(text))


@lru_cache(maxsize=CACHE_SIZE)
def list_words(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a text, each in the spellings by which it is found: ("muller", "mueller")."""
    plain = _split(_fold(text))
    transcribed = _split(_fold(_compose(text).translate(_TRANSCRIBED)))
    return tuple((one,) if one == other else (one, other) for one, other in zip(plain, transcribed, strict=True))


def _compose(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().strip()


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", _drop_signs(text))
    # Capitals know more letters that are the same than small ones do: ß is SS. Two forms have no capital of their own.
    letters = unicodedata.normalize("NFKD", letters.lower().upper().lower())
    return _MARKS.sub("", letters).translate(_PLAIN)


def _split(folded: str) -> list[str]:
    chars = []
    for char in folded:
        category = unicodedata.category(char)
        if category != "Cf":
            chars.append(" " if category[0] in "ZP" or category in ("Cc", "Sk") else char)
    return [_read_digits(word) for word in "".join(chars).split(" ") if word]


def _make_number_key(text: str) -> str:
    """Return a number without what people write in different ways: "#017 a" and "１７A" are "17a"."""
    letters = _read_digits(unicodedata.normalize("NFKC", _drop_signs(text))).lower()
    return "".join(letters.split()).lstrip("0")


def _drop_signs(text: str) -> str:
    return "".join(" " if char in NUMBER_SIGNS else char for char in text)


def _read_digits(text: str) -> str:
    return text if text.isascii() else "".join(str(unicodedata.decimal(char, char)) for char in text)


def _list_spellings(words: tuple[tuple[str, ...], ...]) -> tuple[list[str], list[str]]:
    return [word[0] for word in words], [word[-1] for word in words]


def _begins_number(key: str, word: tuple[str, ...]) -> bool:
    return bool(key) and key.startswith(word[0].lstrip("0") or word[0])


def _begins(shown: tuple[str, ...], word: tuple[str, ...]) -> bool:
    return any(one.startswith(spelling) for one in shown for spelling in word)


def _is_in(texts: list[str], word: tuple[str, ...]) -> bool:
    return any(spelling in text for text in texts for spelling in word)
