"""A second tap at the place of the first never undoes what the first recorded, nor records anything else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import crew, tables
from tests.browser.bouncing_taps import PAUSES_MS, find_box_at, overlaps, tap_twice
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.measure import PHONE, get_box
from tests.browser.running_server import RunningServer
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

BIKES = ("3", "8", "12", "30")
UNDO_Y = 370  # CSS pixels from the top: where Undo was when it came below the result
LANDSCAPE: ViewportSize = {"width": 640, "height": 360}


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, since turns are recorded in it."""
    return server.load_ride("setup")


@pytest.fixture
def phone(new_phone: NewPhone, server: RunningServer) -> Page:
    """Emil's phone."""
    return new_phone(server.load_ride("parks"), "Emil", viewport=PHONE)


def test_a_second_tap_on_a_box_undoes_nothing(phone: Page) -> None:
    for number, pause in zip(BIKES, PAUSES_MS, strict=True):
        crew.show_bike(phone, "Finale", number)
        crew.tap_dice(phone, "33311")
        expect(phone.locator("button.box").first).to_be_visible()
        boxes = [get_box(box) for box in phone.locator("button.box").all()]

        tap_twice(phone, find_box_at(phone, UNDO_Y), pause)

        expect(phone.locator(".turn-result")).to_contain_text(f"Bike {number}")
        undo = phone.get_by_role("button", name="Undo")
        expect(undo).to_be_visible()
        assert not overlaps(undo, boxes)


def test_undo_can_be_tapped_and_pressed_once_it_is_there(phone: Page) -> None:
    for press in ("tap", "keyboard"):
        crew.show_bike(phone, "Finale", "17")
        if press == "tap":  # Undo brings the dice back
            crew.tap_dice(phone, "33311")
        crew.record_in_box(phone, "Chance")
        undo = phone.get_by_role("button", name="Undo")
        if press == "tap":
            undo.tap()
        else:
            expect(undo).to_be_visible()
            phone.keyboard.press("Tab")
            expect(undo).to_be_focused()
            phone.keyboard.press("Enter")
        expect(phone.get_by_text("Undone")).to_be_visible()


def test_undo_waits_as_long_where_motion_is_reduced(phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    crew.show_bike(phone, "Finale", "17")
    crew.tap_dice(phone, "33311")
    crew.record_in_box(phone, "Chance")

    name = "getComputedStyle(document.querySelector('[data-undo] .button')).animationDuration"
    assert phone.evaluate(name) == "0.7s"


def test_a_second_tap_at_a_table_undoes_nothing(
    new_phone: NewPhone, organiser_client: HttpClient, crew_client: FindCrewClient, ride: DemoRide
) -> None:
    urls = tables.create_tables_for_roster(organiser_client, crew_client(ride, "Emil").client, ride, "rogue", size=2)
    phone = new_phone(ride, "Emil", viewport=PHONE)
    phone.set_viewport_size(LANDSCAPE)
    for pause in PAUSES_MS:
        phone.goto(urls.pop())
        tables.tap(phone, "roll:dice", "C22456")
        record = phone.get_by_role("button", name="Record roll", exact=True)
        # The page jumps to its start, and puts Undo there.
        phone.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        phone.evaluate("(y) => window.scrollBy(0, y - 150)", get_box(record)["y"])

        tap_twice(phone, record, pause)

        tables.expect_last_entry(phone, "Rolled C 2 2 4 5 6")
        expect(phone.get_by_role("button", name="Undo")).to_be_visible()
        expect(phone.get_by_text(re.compile("Undone"))).to_have_count(0)
