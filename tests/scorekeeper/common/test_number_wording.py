"""Percentages and places in words."""

from __future__ import annotations

import pytest
from django.utils import translation

from scorekeeper.common.number_wording import format_ordinal_place, format_percentage


@pytest.mark.parametrize(
    ("rank", "text"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (10, "10th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (100, "100th"),
        (111, "111th"),
        (1001, "1001st"),
    ],
)
def test_a_place_is_an_ordinal(rank: int, text: str) -> None:
    assert format_ordinal_place(rank) == text


@pytest.mark.parametrize(
    ("percentage", "decimals", "text"), [(0, 0, "0%"), (12.4, 0, "12%"), (0.4, 1, "0.4%"), (100, 1, "100.0%")]
)
def test_a_percentage_has_the_decimals_that_are_wanted(percentage: float, decimals: int, text: str) -> None:
    assert format_percentage(percentage, decimals) == text


def test_a_percentage_has_the_decimal_sign_of_the_language() -> None:
    with translation.override("de"):
        assert format_percentage(12.5, 1).startswith("12,5")
