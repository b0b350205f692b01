"""Texts for people are typeset alike."""

from __future__ import annotations

import re

from scorekeeper.common.user_strings import list_user_strings
from tests.programs import ROOT

STRAIGHT_APOSTROPHE = re.compile(r"[^\W\d_]'[^\W\d_]")


def test_apostrophes_in_texts_are_typographic() -> None:
    strings = list_user_strings(ROOT)
    assert len(strings) > 2_000, "the search must find the texts"
    assert [string for string in strings if STRAIGHT_APOSTROPHE.search(string.text)] == []
