"""Services and selectors of bikes."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from django.db import connection

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike, list_bikes, list_group_bikes
from scorekeeper.bikes.services import NumberFixed, NumberTaken, add_bike, update_bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event

pytestmark = pytest.mark.database


def test_organisers_can_use_a_number_only_once(bikes: Mapping[int, Bike], event: Event) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    with pytest.raises(NumberTaken):
        add_bike(event, number=3)
    with pytest.raises(NumberTaken):
        update_bike(bikes[4], number=3, make="", model="", group=None)

    assert [bike.label for bike in list_bikes(event)] == [str(number) for number in range(1, 9)]


@pytest.mark.django_db(transaction=True)
def test_only_one_of_several_simultaneous_bikes_gets_a_number(event: Event) -> None:
    start = threading.Barrier(6)
    outcomes: list[str] = []

    def add() -> None:
        start.wait()
        try:
            add_bike(event, number=57)
            outcomes.append("added")
        except NumberTaken:
            outcomes.append("taken")
        finally:
            connection.close()

    threads = [threading.Thread(target=add) for _thread in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["added"] + ["taken"] * 5
    assert Bike.objects.count() == 1


def test_a_number_taken_after_the_check_is_rejected(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    add_bike(event, number=57)
    # What the slower request saw before the faster one had written.
    monkeypatch.setattr("scorekeeper.bikes.services.list_bikes_by_number", lambda *_: Bike.objects.none())

    with pytest.raises(NumberTaken):
        add_bike(event, number=57)

    assert Bike.objects.count() == 1


def test_numbers_are_unique_per_event(bikes: Mapping[int, Bike], other_event: Event) -> None:
    assert add_bike(other_event, number=3).label == "3"


def test_a_bike_that_shares_its_number_can_get_another(bikes: Mapping[int, Bike], event: Event) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    second = Bike.objects.create(event=event, number=3, suffix=2)

    update_bike(second, number=3, make="Honda", model="", group=None)
    assert second.label == "3 (2)"

    update_bike(second, number=57, make="Honda", model="", group=None)
    second.refresh_from_db()
    assert second.label == "57"

    Event.objects.update(state=Event.State.OPEN)
    update_bike(second, number=57, make="BMW", model="", group=None)
    with pytest.raises(NumberFixed):
        update_bike(second, number=58, make="BMW", model="", group=None)


def test_a_merged_bike_leads_to_the_bike_it_was_merged_into(bikes: Mapping[int, Bike], event: Event) -> None:
    Bike.objects.filter(pk=bikes[1].pk).update(merged_into=bikes[2])
    Bike.objects.filter(pk=bikes[2].pk).update(merged_into=bikes[5])

    assert [get_bike(event, bikes[number].pk).number for number in (1, 2, 5)] == [5, 5, 5]


def test_a_merged_bike_is_not_listed_and_its_number_is_free(
    bikes: Mapping[int, Bike], event: Event, group_one: Group
) -> None:
    Bike.objects.filter(pk=bikes[1].pk).update(merged_into=bikes[2])

    assert [bike.number for bike in list_bikes(event)] == [2, 3, 4, 5, 6, 7, 8]
    assert [bike.number for bike in list_group_bikes(group_one)] == [2, 3, 4]
    assert add_bike(event, number=1).label == "1"


def test_a_bike_of_another_event_is_not_found(bikes: Mapping[int, Bike], other_event: Event) -> None:
    with pytest.raises(Bike.DoesNotExist):
        get_bike(other_event, bikes[1].pk)
