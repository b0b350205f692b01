"""The template filter that keeps a row of dice on one line."""

from __future__ import annotations

import pytest
from django.template import engines


def render(text: str) -> str:
    return engines["django"].from_string("{% load dice_rows %}{{ text|dice_rows }}").render({"text": text})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 points with 6 6 1 2 3", "12 points with 6~6~1~2~3"),
        ("the dice 2 C 5, for bikes 7 and 8", "the dice 2~C~5, for bikes 7 and 8"),
        ("5 -10 15", "5~-10~15"),
        ("8 of 9 turns, 1 missed", "8 of 9 turns, 1 missed"),
        ("", ""),
        ("<b> 1 2 3", "&lt;b&gt; 1~2~3"),
    ],
)
def test_a_row_of_dice_has_no_line_break(text: str, expected: str) -> None:
    assert render(text) == expected.replace("~", "\u00a0")
