"""Bikes' numbers: whole ones, and those with letters behind them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import is_bike_number, pad_number, parse_bike_number, unpad_number
from scorekeeper.bikes.selectors import find_free_number, list_bikes
from scorekeeper.bikes.services import NumberTaken, add_bike
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_visible_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("12", 12), ("007", 7), (" 57 ", 57), ("#3", 3), ("99999", 99_999), ("12A", "12A"), ("12a", "12A")),
        *(("012A", "12A"), ("#12 A", "12A"), ("12AB", "12AB"), ("12\u200bA", "12A"), ("0" * 20 + "5", 5)),
    ],
)
def test_a_number_is_read(text: str, number: int | str) -> None:
    assert parse_bike_number(text) == number
    assert is_bike_number(number)
    assert unpad_number(pad_number(number)) == number


@pytest.mark.parametrize(
    "text", ["", "0", "000", "A", "A12", "12ABC", "12Ä", "12ß", "12.5", "100000", "-1", "1" * 50, "12 (2)"]
)
def test_what_is_no_number(text: str) -> None:
    assert parse_bike_number(text) is None


@pytest.mark.parametrize("value", ["12", "12a", "012A", "", 0, 100_000, True, 1.0, None, ["12A"]])
def test_what_is_not_stored(value: object) -> None:
    assert not is_bike_number(value)


def test_numbers_sort_as_people_expect() -> None:
    numbers: list[int | str] = [100, "12B", 9, "100A", 12, "12A", "9C"]

    assert sorted(numbers, key=pad_number) == [9, "9C", 12, "12A", "12B", 100, "100A"]


def test_a_free_number_is_a_whole_one() -> None:
    assert find_free_number({1, 2}) == 3
    assert find_free_number({12}, "12A") == "12A"
    assert find_free_number({1, "12A"}, "12A") == 2


@pytest.mark.database
class TestColumn:
    def test_the_database_sorts_and_finds_them(self, event: Event) -> None:
        for number in (100, "12A", 9, 12):
            add_bike(event, number=number)

        assert [bike.number for bike in list_bikes(event)] == [9, 12, "12A", 100]
        assert [bike.label for bike in list_bikes(event)] == ["9", "12", "12A", "100"]
        assert Bike.objects.get(number="12A").number == "12A"
        assert Bike.objects.get(number=12).number == 12
        with pytest.raises(NumberTaken):
            add_bike(event, number="12A")

    @pytest.mark.parametrize("number", ["A12", 0, 100_000, "twelve", 1.5])
    def test_others_do_not_fit(self, event: Event, number: Any) -> None:
        with pytest.raises(ValidationError):
            Bike(event=event, number=number).clean_fields(exclude=["merged_into", "group"])

    def test_a_second_bike_with_such_a_number_has_a_suffix(self, event: Event) -> None:
        Bike.objects.create(event=event, number="12A")

        assert Bike(event=event, number="12A", suffix=2).label == "12A (2)"
        assert json.dumps([bike.number for bike in list_bikes(event)]) == '["12A"]'


@pytest.mark.database
class TestPhones:
    def test_a_walk_up_with_letters_is_registered_and_found(self, ride: Ride, crew_client: CrewClient) -> None:
        phone = crew_client(ride.rita)
        body = {"id": str(uuid4()), "kind": "register_bike", "bike": str(uuid4()), "number": "57A", "rider": "Ivy"}
        empty = dict.fromkeys(("passenger", "make", "model"), "")

        answer = phone.post("/api/v1/operations", {"operations": [{**body, **empty}]}, content_type="application/json")

        (receipt,) = answer.json()["receipts"]
        assert (receipt["outcome"], receipt["data"]["number"], receipt["data"]["suffix"]) == ("recorded", "57A", 1)
        for typed in ("57a", "#57A", "٥٧A"):
            assert "57A" in get_visible_text(phone.get(f"/crew/?q={quote(typed)}"))

    @pytest.mark.parametrize("number", ["57", "057A", "57a", "A57", "57ABC", "", 0])
    def test_other_texts_are_refused(self, ride: Ride, crew_client: CrewClient, number: object) -> None:
        body = {"id": str(uuid4()), "kind": "register_bike", "bike": str(uuid4()), "number": number, "rider": "Ivy"}
        empty = dict.fromkeys(("passenger", "make", "model"), "")

        answer = crew_client(ride.rita).post(
            "/api/v1/operations", {"operations": [{**body, **empty}]}, content_type="application/json"
        )

        assert "such as 12A" in answer.content.decode() or "a whole number" in answer.content.decode()
        assert not Bike.objects.filter(is_walk_up=True).exists()
