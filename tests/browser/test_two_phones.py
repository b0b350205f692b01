"""Two crew members record one turn: equal entries become one, different entries go to review."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("ozwelds")


def _dice_on_both(new_phone: NewPhone, ride: DemoRide, bike: str, *dice: str) -> tuple[Page, Page]:
    phones = new_phone(ride, "Emil"), new_phone(ride, "Fay")
    for phone in phones:
        crew.show_bike(phone, "Parks", bike)
    for phone, thrown in zip(phones, dice, strict=True):
        crew.tap_dice(phone, thrown)
    return phones


def test_the_same_turn_from_two_phones_is_recorded_once(new_phone: NewPhone, desk: Page, ride: DemoRide) -> None:
    emil, fay = _dice_on_both(new_phone, ride, "3", "44466", "44466")
    crew.record_in_box(emil, "Full house")

    with fay.expect_response("**/crew/bikes/*/**") as answer:
        crew.get_box_button(fay, "Full house").click()

    assert answer.value.status == 200
    expect(fay.locator(".turn-result")).to_contain_text("Already recorded.")
    expect(fay.locator(".turn-result")).to_contain_text("Recorded by Emil")
    desk.goto(f"{ride.desk}review/")
    expect(desk.get_by_role("heading", name="Bike 3")).to_have_count(0)


def test_different_turns_from_two_phones_are_shown_and_the_organiser_decides(
    new_phone: NewPhone, desk: Page, ride: DemoRide
) -> None:
    emil, fay = _dice_on_both(new_phone, ride, "8", "44466", "44465")
    crew.record_in_box(emil, "Full house")

    with fay.expect_response("**/crew/bikes/*/**") as answer:
        crew.get_box_button(fay, "Chance").click()

    assert answer.value.status == 409
    summary = fay.locator(".error-summary")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Emil’s phone recorded Bike 8, Quin W. first: Full house, 25 points at Parks.")

    desk.goto(f"{ride.desk}review/")
    waiting = desk.locator("section.panel", has=desk.get_by_role("heading", name="Bike 8"))
    expect(waiting.locator(".sides")).to_contain_text("Emil")
    expect(waiting.locator(".sides")).to_contain_text("Fay")
    waiting.get_by_role("radio", name="Use the entry under review").check()
    waiting.get_by_label("Reason").fill("Fay read the dice from closer")
    waiting.get_by_role("button", name="Decide").click()

    crew.show_group(emil, "Parks")
    expect(emil.locator(".bike-row", has_text="Quin W.")).to_contain_text("Chance: 23")
