"""What whoever watches learns of recording and of the standings."""

from __future__ import annotations

from uuid import uuid4

from prometheus_client import REGISTRY

from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_an_operation_is_counted_by_its_outcome_and_a_copy_is_not(ride: Ride, add_turn) -> None:
    def recorded() -> float:
        return sum(
            sample.value
            for family in REGISTRY.collect()
            for sample in family.samples
            if sample.name == "tailgunner_operations_total" and sample.labels["outcome"] == "recorded"
        )

    before = recorded()
    operation = uuid4()
    for _ in range(2):
        add_turn(1, 1, make_final_turn([2, 2, 2, 3, 3], "full_house"), operation=operation)

    assert recorded() == before + 1


def test_what_the_standings_have_not_taken_in_is_told_with_its_age(ride: Ride, add_turn) -> None:
    refresh_standings(ride.contest.pk)
    assert (value("tailgunner_outdated"), value("tailgunner_standings_lag_seconds")) == (0, 0)

    add_turn(1, 1, make_final_turn([2, 2, 2, 3, 3], "full_house"))
    first = value("tailgunner_standings_lag_seconds")
    assert value("tailgunner_outdated") == 1
    assert 0 < first < value("tailgunner_standings_lag_seconds")

    refresh_standings(ride.contest.pk)
    assert (value("tailgunner_outdated"), value("tailgunner_standings_lag_seconds")) == (0, 0)
    assert value("tailgunner_database_up") == 1
