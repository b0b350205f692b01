"""Things in a row in a sentence: "Ann, Ben and Cleo", "the road captain or the tail-gunner".

Where a language changes the conjunction before certain sounds, it is done here, so names and other texts that are
filled into a sentence come through these functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from django.utils.text import get_text_list
from django.utils.translation import get_language
from django.utils.translation import gettext as _

Conjunction = Literal["and", "or"]
# By language: before which words a conjunction becomes another one. In Spanish, “y” is “e” before the sound i (“Ann e
# Isabel”, but “nieve y hielo”), and “o” is “u” before the sound o (“siete u ocho”, “7 u 8”).
_BEFORE_SOUNDS: Mapping[str, Mapping[Conjunction, tuple[re.Pattern[str], str]]] = {
    "es": {
        "and": (re.compile(r"\W*(?:h?[ií](?![aeou])|y(?![aeiouáéíóú]))", re.IGNORECASE), "e"),
        "or": (re.compile(r"\W*(?:h?[oó]|8|11(?!\d))", re.IGNORECASE), "u"),
    }
}


def join_and(items: Iterable[object]) -> str:
    """Return the things with commas, and "and" before the last one."""
    return _join("and", items)


def join_or(items: Iterable[object]) -> str:
    """Return the things with commas, and "or" before the last one."""
    return _join("or", items)


def _join(conjunction: Conjunction, items: Iterable[object]) -> str:
    texts = [str(item) for item in items]
    word = _("and") if conjunction == "and" else _("or")
    special = _BEFORE_SOUNDS.get((get_language() or "").partition("-")[0])
    if special and len(texts) > 1:
        pattern, instead = special[conjunction]
        word = instead if pattern.match(texts[-1]) else word
    return str(get_text_list(texts, word))
