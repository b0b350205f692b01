"""Correcting and voiding on a phone of 360 x 640 by tapping alone: dice, box and reason."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import get_box, list_outdoor_problems
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

HEIGHT = 640
MAIN = ".button--main, .box, .dice-pad__face, .reasons__choice"


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, since entries of it are changed."""
    return server.load_ride("bbq")


@pytest.fixture
def phone(new_phone: NewPhone, ride: DemoRide) -> Page:
    """Emil's phone with the history of bike 8, of which a full house has just been recorded at the last stop."""
    phone = new_phone(ride, "Emil")
    crew.show_bike(phone, "Finale", "8")
    crew.record_turn(phone, "33311", "Yahtzee")
    phone.goto(phone.url)
    _open_history(phone)
    return phone


def _open_history(phone: Page) -> None:
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name="History and corrections").click()
    expect(phone.get_by_role("heading", name="Current entries")).to_be_visible()


def _open_correction(phone: Page) -> None:
    phone.get_by_role("link", name=re.compile("^Correct Finale")).click()
    expect(phone.get_by_text("Recorded: Yahtzee, 0 points")).to_be_visible()


def _choose_reason(phone: Page, name: str) -> None:
    phone.locator(".reasons__choice", has_text=name).click()


def test_a_die_and_the_box_are_corrected_in_five_taps_without_a_keyboard(phone: Page) -> None:
    _open_correction(phone)
    expect(phone.get_by_text("Tap the wrong die, or the right box")).to_be_visible()
    expect(phone.locator("main input:visible")).to_have_count(0)
    assert list_outdoor_problems(phone, MAIN) == []

    def correct() -> None:
        phone.locator(".place--change").last.click()
        crew.get_face_button(phone, 3).click()
        crew.get_box_button(phone, "Chance").click()
        expect(phone.locator(".turn-result__box")).to_have_text("Chance, 13 points")
        expect(phone.locator("main input[type=text]:visible")).to_have_count(0)
        assert list_outdoor_problems(phone, MAIN) == []
        button = get_box(phone.get_by_role("button", name="Correct", exact=True))
        assert button["y"] + button["height"] <= HEIGHT, "nothing has to be scrolled"

    assert crew.count_taps(phone, correct) + len(["Misread", "Correct"]) == 5
    _choose_reason(phone, "Misread")
    phone.get_by_role("button", name="Correct", exact=True).click()
    expect(phone.get_by_text("Corrected: Bike 8")).to_be_visible()
    expect(phone.locator(".turn", has_text="Finale")).to_contain_text("Chance, 13 points")
    expect(phone.locator("main")).to_contain_text("Misread")


def test_closed_boxes_say_why_and_the_box_being_corrected_stays_open(phone: Page) -> None:
    _open_correction(phone)
    expect(crew.get_box_button(phone, "Yahtzee")).to_be_visible()
    phone.locator("details.fold summary").click()
    expect(phone.locator(".closed-boxes li").first).to_contain_text(re.compile("already been used"))


def test_the_pad_comes_back_with_the_dice_and_any_other_reason_can_be_typed(phone: Page) -> None:
    _open_correction(phone)
    crew.get_box_button(phone, "Chance").click()
    phone.get_by_role("button", name="Change dice or box").click()
    expect(phone.locator(".place .die")).to_have_text(["3", "3", "3", "1", "1"])
    crew.get_box_button(phone, "Chance").click()
    phone.get_by_role("button", name="Correct", exact=True).click()
    expect(phone.locator(".error-summary")).to_contain_text("Enter a reason.")
    _choose_reason(phone, "Other…")
    phone.get_by_label("Reason").fill("the rider preferred it")
    phone.get_by_role("button", name="Correct", exact=True).click()
    expect(phone.locator("main")).to_contain_text("the rider preferred it")


def test_the_wrong_bike_leads_to_the_page_that_moves_the_turn(phone: Page) -> None:
    _open_correction(phone)
    crew.get_box_button(phone, "Chance").click()
    phone.get_by_role("link", name="Wrong bike").click()
    expect(phone.get_by_role("heading", name="Which bike was it?")).to_be_visible()


def test_several_turns_and_turns_without_dice_are_typed_with_reasons_to_tap(phone: Page) -> None:
    _open_correction(phone)
    phone.get_by_role("link", name="Other changes").click()
    phone.get_by_role("radio", name="Turn missed").check()
    _choose_reason(phone, "Wrong box")
    phone.get_by_role("button", name="Correct", exact=True).click()
    expect(phone.locator(".turn", has_text="Finale")).to_contain_text("Missed")
    phone.get_by_role("link", name="Correct several turns at once").click()
    expect(phone.get_by_label("Box", exact=True)).to_have_count(4)


def test_a_turn_is_voided_with_a_reason_to_tap(phone: Page) -> None:
    phone.get_by_role("link", name=re.compile("^Void Finale")).click()
    expect(phone.get_by_role("group", name="Why?")).to_be_visible()
    expect(phone.locator("main input[type=text]:visible")).to_have_count(0)
    assert list_outdoor_problems(phone, MAIN) == []
    _choose_reason(phone, "Misread")
    phone.get_by_role("button", name="Void", exact=True).click()
    expect(phone.get_by_text(re.compile("^Voided: Finale.*: Yahtzee, 0 points.$"))).to_be_visible()
