"""Other dice than five with six faces, on a phone of 360 x 640: each face by a tap, or the sum by its keys."""

from __future__ import annotations

import re

import pytest
from django.utils.text import slugify
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.bouncing_taps import tap_twice
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.measure import PHONE, get_box, measure
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

# The options of a contest, and a throw with its sum.
DICE: dict[str, tuple[dict[str, int | str], tuple[int, ...]]] = {
    "Five dice": ({}, (3, 1, 4, 6, 5)),
    "Ten dice": ({"dice": 10}, (3, 1, 4, 6, 5, 6, 6, 2, 1, 1)),
    "Ten faces": ({"faces": 10}, (10, 1, 10, 9, 5)),
    "Twelve faces": ({"dice": 3, "faces": 12}, (12, 11, 1)),
    "Twenty faces": ({"dice": 10, "faces": 20}, (20, 19, 1, 7, 13, 20, 20, 2, 16, 11)),
    "Three throws": ({"throws": 3, "throw_counts": "best"}, (6, 6, 4, 1, 5)),
}


@pytest.fixture(scope="module")
def ride(server: RunningServer, organiser_client: HttpClient) -> DemoRide:
    """A ride with a contest of each kind beside its own."""
    ride = server.load_ride("setup")
    organiser = Organiser(organiser_client, ride)
    for name, (options, _throw) in DICE.items():
        organiser.open("contests/new/dice-run/")
        organiser.submit(
            "Add the contest", name=name, **{f"options.{option}": str(value) for option, value in options.items()}
        )
        organiser.open(f"contests/{slugify(name)}/turns/")
        organiser.submit("Save the turns")
    return ride


@pytest.fixture
def phone(new_phone: NewPhone, ride: DemoRide) -> Page:
    """Emil's phone."""
    return new_phone(ride, "Emil", viewport=PHONE)


@pytest.fixture
def find_card(ride: DemoRide, crew_client: FindCrewClient):
    """Return the address of the first turn of a bike in the contest of this name."""
    client = crew_client(ride, "Emil").client

    def find_card(contest: str, number: str) -> str:
        group = client.get("/crew/")
        found = re.search(rf'<a[^>]* href="([^"]+)"[^>]*>\s*{contest}\s*</a>', group.text)
        assert found, group.text
        page = client.get(f"/crew/{found[1].replace('&amp;', '&')}" if found[1].startswith("?") else found[1])
        return crew.find_link(page.text, crew.BIKE, number)

    return find_card


@pytest.fixture
def open_card(phone: Page, find_card):
    """Open the first turn of a bike in the contest of this name."""

    def open_card(contest: str, number: str = "12") -> None:
        phone.goto(find_card(contest, number))
        expect(phone.locator("h1 .plate")).to_contain_text(number)
        if phone.locator(".number-pad").is_visible():  # as the test before left it
            phone.get_by_role("button", name="Dice thrown").tap()
        expect(crew.get_face_button(phone, 1)).to_be_visible()

    return open_card


def list_faults(phone: Page) -> list[str]:
    """Return what does not fit, with the bar that says what is still to be sent, and which controls are small."""
    phone.evaluate("document.getElementById('phone-bar').hidden = false")
    scrolled = phone.evaluate("document.documentElement.scrollHeight") - PHONE["height"]
    return [
        *([f"{scrolled} pixels too high"] if scrolled > 0 else []),
        *measure(phone, "small", 48),
        *measure(phone, "wide"),
    ]


def tap_faces(phone: Page, faces: tuple[int, ...]) -> None:
    for face in faces:
        crew.get_face_button(phone, face).tap()


def show_keys(phone: Page) -> None:
    phone.get_by_role("button", name="Sum of the dice").tap()
    expect(phone.locator(".number-pad__key").first).to_be_visible()


@pytest.mark.parametrize("contest", DICE)
def test_a_turn_takes_as_many_taps_as_there_are_dice_and_one_more(phone: Page, open_card, contest: str) -> None:
    _options, throw = DICE[contest]
    open_card(contest)
    assert list_faults(phone) == []

    def record() -> None:
        tap_faces(phone, throw)
        phone.locator("button[name=choose]").tap()
        expect(phone.locator(".turn-result")).to_contain_text(f"{sum(throw)} points")

    assert crew.count_taps(phone, record) == len(throw) + 1


@pytest.mark.parametrize("contest", ["Ten dice", "Twenty faces"])
def test_half_and_all_of_many_dice_fit_on_the_screen(phone: Page, open_card, contest: str) -> None:
    _options, throw = DICE[contest]
    open_card(contest, "3")
    tap_faces(phone, throw[:5])
    assert list_faults(phone) == []
    tap_faces(phone, throw[5:])
    expect(phone.locator("button.box")).to_have_count(1)
    assert list_faults(phone) == []
    assert [int(text) for text in phone.locator(".place .die").all_inner_texts()] == list(throw)


@pytest.mark.parametrize("contest", ["Five dice", "Twenty faces"])
def test_a_sum_is_entered_with_large_keys_and_the_next_bike_is_asked_for_its_sum(
    phone: Page, open_card, find_card, contest: str
) -> None:
    open_card(contest, "8")
    show_keys(phone)
    keys = phone.locator(".number-pad__key")
    assert list_faults(phone) == []
    assert all(min(get_box(key)["width"], get_box(key)["height"]) >= 56 for key in keys.all())
    number = phone.get_by_role("textbox", name="Sum of the dice")
    expect(number).to_have_attribute("inputmode", "none")

    def record() -> None:
        for digit in "25":
            phone.get_by_role("button", name=digit, exact=True).tap()
        phone.get_by_role("button", name="Record", exact=True).tap()
        expect(phone.locator(".turn-result")).to_contain_text("25 points")

    assert crew.count_taps(phone, record) == 3
    expect(phone.locator("#next")).to_contain_text("Next: 8, ")  # in another contest at the stop
    phone.goto(find_card(contest, "30"))
    expect(phone.locator(".number-pad__key").first).to_be_visible()


def test_a_wrong_sum_is_explained_and_can_be_deleted_digit_by_digit(phone: Page, open_card) -> None:
    open_card("Five dice", "30")
    show_keys(phone)
    number = phone.get_by_role("textbox", name="Sum of the dice")
    for digit in "319":
        phone.get_by_role("button", name=digit, exact=True).tap()
    expect(number).to_have_value("31")  # no sum has three digits
    phone.get_by_role("button", name="Record", exact=True).tap()
    expect(phone.locator(".field__error")).to_contain_text("Enter a whole number from 5 to 30.")
    expect(number).to_have_value("31")
    phone.get_by_role("button", name="Delete last").tap()
    expect(number).to_have_value("3")


def test_a_second_tap_on_record_undoes_nothing(phone: Page, open_card) -> None:
    open_card("Five dice", "30")
    show_keys(phone)
    for digit in "25":
        phone.get_by_role("button", name=digit, exact=True).tap()

    tap_twice(phone, phone.get_by_role("button", name="Record", exact=True), 450)

    expect(phone.locator(".turn-result")).to_contain_text("25 points Bike 30")
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()


def test_the_ten_of_a_ten_sided_die_says_that_it_is_its_nought(phone: Page, open_card) -> None:
    """DICE-21"""
    open_card("Ten faces", "3")
    expect(crew.get_face_button(phone, 10)).to_have_text(re.compile(r"10\s*0 is ten"))
