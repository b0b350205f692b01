"""Figures of odds in words."""

from __future__ import annotations

import pytest

from scorekeeper.coach.odds_presenter import format_chance, format_share


@pytest.mark.parametrize(
    ("chance", "whole", "share"),
    [
        (0.0, "0%", "0.0%"),
        (1e-9, "<\u00a01%", "<\u00a00.1%"),
        (0.004, "<\u00a01%", "0.4%"),
        (0.01, "1%", "1.0%"),
        (0.2379, "24%", "23.8%"),
        (0.99, "99%", "99.0%"),
        (0.996, ">\u00a099%", "99.6%"),
        (0.99999, ">\u00a099%", ">\u00a099.9%"),
        (1.0, "100%", "100.0%"),
    ],
)
def test_only_what_is_certain_is_shown_as_certain(chance: float, whole: str, share: str) -> None:
    assert (format_chance(chance), format_share(chance)) == (whole, share)
