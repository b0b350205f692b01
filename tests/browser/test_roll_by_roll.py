"""Entering a turn roll by roll on a phone of 360 x 640: which roll it is, what is kept, and how many taps it takes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import get_box
from tests.browser.running_server import RunningServer

HEIGHT = 640


@pytest.fixture
def phone(new_phone: NewPhone, server: RunningServer) -> Page:
    """Emil's phone with the pad of bike 3, which has a turn to record."""
    phone = new_phone(server.load_ride("bbq"), "Emil")
    crew.show_bike(phone, "Finale", "3")
    return phone


def _keep(phone: Page, *places: int) -> None:
    for place in places:
        phone.locator(".place--toggle").nth(place).click()


def _is_on_screen(phone: Page) -> bool:
    phone.evaluate("document.getElementById('phone-bar').hidden = false")
    button = get_box(crew.get_again_button(phone))
    return button["y"] + button["height"] <= HEIGHT


def test_three_rolls_and_a_box_take_sixteen_taps_and_the_page_says_which_roll_it_is(phone: Page) -> None:
    crew.choose_input_method(phone, "Roll by roll")
    expect(phone.locator("#hint")).to_have_text("Roll 1 of 3: tap the 5 dice rolled")

    def play() -> None:
        crew.tap_dice(phone, "12346")
        expect(crew.get_again_button(phone)).to_contain_text("Throw 5 dice again")
        expect(crew.get_again_button(phone)).to_contain_text("Roll 1 of 3")
        assert _is_on_screen(phone)
        _keep(phone, 2, 3)
        expect(crew.get_again_button(phone)).to_contain_text("Throw 3 dice again")
        crew.get_again_button(phone).click()
        expect(phone.locator("#hint")).to_have_text("Roll 2 of 3: tap the 3 dice rolled")
        expect(phone.locator(".place--held .die")).to_have_text(["3", "4"])
        crew.tap_dice(phone, "553")
        expect(crew.get_again_button(phone)).to_contain_text("Throw 3 dice again")
        expect(crew.get_again_button(phone)).to_contain_text("Roll 2 of 3")
        crew.get_again_button(phone).click()
        expect(phone.locator("#hint")).to_have_text("Roll 3 of 3: tap the 3 dice rolled")
        crew.tap_dice(phone, "256")
        crew.record_in_box(phone, "Yahtzee")

    # Each tap on a die to keep is counted twice: the browser clicks the box in the label too.
    assert crew.count_taps(phone, play) - 2 <= 16
    expect(phone.locator(".turn-result")).to_contain_text("Yahtzee 0 points")


def test_the_next_bikes_are_entered_the_same_way(phone: Page) -> None:
    crew.choose_input_method(phone, "Roll by roll")
    phone.get_by_role("link", name="All bikes").click()
    crew.open_bike(phone, "8")
    expect(phone.get_by_role("button", name="Roll by roll")).to_have_attribute("aria-pressed", "true")
    crew.tap_dice(phone, "12346")
    crew.record_in_box(phone, "Chance")
    phone.locator("#next").click()
    expect(phone.get_by_role("button", name="Roll by roll")).to_have_attribute("aria-pressed", "true")


def test_a_step_back_keeps_the_dice_that_were_marked(phone: Page) -> None:
    crew.choose_input_method(phone, "Roll by roll")
    crew.tap_dice(phone, "12346")
    _keep(phone, 2, 3)
    crew.get_again_button(phone).click()
    expect(phone.locator("#hint")).to_contain_text("Roll 2 of 3")
    phone.get_by_role("button", name="Delete last").click()
    expect(phone.locator(".place--toggle input:checked")).to_have_count(2)
    expect(crew.get_again_button(phone)).to_contain_text("Throw 3 dice again")


def test_dice_that_undo_brought_back_stay_with_their_bike(phone: Page) -> None:
    crew.tap_dice(phone, "33311")
    crew.record_in_box(phone, "Full house")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator(".place .die")).to_have_text(["3", "3", "3", "1", "1"])
    phone.get_by_role("link", name="All bikes").click()
    crew.open_bike(phone, "8")
    expect(phone.locator(".place .die")).to_have_count(0)
    phone.get_by_role("link", name="All bikes").click()
    crew.open_bike(phone, "3")
    expect(phone.locator(".place .die")).to_have_text(["3", "3", "3", "1", "1"])
    crew.record_in_box(phone, "Full house")
    phone.locator("#next").click()
    expect(phone.locator(".place .die")).to_have_count(0)
