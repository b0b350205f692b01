"""Metrics about recording and about the lag of the standings."""

from __future__ import annotations

from uuid import uuid4

import pytest
from prometheus_client import REGISTRY

from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn

pytestmark = pytest.mark.database


def get_value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_an_operation_is_counted_by_its_outcome_and_a_duplicate_is_not(ride: Ride, add_turn) -> None:
    def count_recorded() -> float:
        return sum(
            sample.value
            for family in REGISTRY.collect()
            for sample in family.samples
            if sample.name == "tailgunner_operations_total" and sample.labels["outcome"] == "recorded"
        )

    before = count_recorded()
    operation = uuid4()
    for _ in range(2):
        add_turn(1, 1, make_final_turn([2, 2, 2, 3, 3], "full_house"), operation=operation)

    assert count_recorded() == before + 1


def test_the_number_and_the_age_of_stale_cards_are_measured(ride: Ride, add_turn) -> None:
    refresh_standings(ride.contest.pk)
    assert (get_value("tailgunner_outdated"), get_value("tailgunner_standings_lag_seconds")) == (0, 0)

    add_turn(1, 1, make_final_turn([2, 2, 2, 3, 3], "full_house"))
    first = get_value("tailgunner_standings_lag_seconds")
    assert get_value("tailgunner_outdated") == 1
    assert 0 < first < get_value("tailgunner_standings_lag_seconds")

    refresh_standings(ride.contest.pk)
    assert (get_value("tailgunner_outdated"), get_value("tailgunner_standings_lag_seconds")) == (0, 0)
    assert get_value("tailgunner_database_up") == 1
