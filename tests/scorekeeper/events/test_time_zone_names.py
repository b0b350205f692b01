"""Time zones by the names that people type."""

from __future__ import annotations

import pytest

from scorekeeper.events.time_zone_names import find_time_zone


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *(("Berlin", "Europe/Berlin"), ("edmonton", "America/Edmonton"), ("europe/ZURICH", "Europe/Zurich")),
        *(("Zürich", "Europe/Zurich"), ("New York", "America/New_York"), ("São Paulo", "America/Sao_Paulo")),
        *(("Louisville", "America/Louisville"), ("Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC")),
        ("port-au-prince", "America/Port-au-Prince"),
    ],
)
def test_a_city_is_enough(typed: str, name: str) -> None:
    assert find_time_zone(typed) == name


@pytest.mark.parametrize("typed", ["Red Deer", "", "Europe", "/", "West"])
def test_what_is_no_time_zone_or_several_stays(typed: str) -> None:
    assert find_time_zone(typed) == typed
