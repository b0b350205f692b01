"""Dice that Undo brought back, and what the phone has made of them since."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone


def _undo(phone: Phone) -> None:
    page = phone.page
    turn_entry.open_group(page, "BBQ")
    turn_entry.open_bike(page, "8")
    crew.record_turn(page, "34552", "Chance")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".place .die")).to_have_text(["3", "4", "5", "5", "2"])


def _delete_dice(page: Page, count: int) -> None:
    """Remove the last dice: the first of them by a tap on it, since all five are rolled."""
    page.locator(".place--change").last.click()
    for left in range(4, 5 - count, -1):
        expect(page.locator(".place .die")).to_have_count(left)
        page.get_by_role("button", name="Delete last").click()
    expect(page.locator(".place .die")).to_have_count(5 - count)


def _leave_and_come_back(page: Page) -> None:
    turn_entry.go_back_to_group(page)
    turn_entry.go_to_stop(page, "BBQ")
    crew.open_bike(page, "8")
    expect(crew.get_face_button(page, 1)).to_be_visible()


def test_newer_dice_are_shown_and_not_those_that_undo_brought_back(phone: Phone) -> None:
    page = phone.page
    _undo(phone)
    _delete_dice(page, 3)
    for face in (6, 6):
        crew.get_face_button(page, face).click()
    expect(page.locator(".place .die")).to_have_text(["3", "4", "6", "6"])

    _leave_and_come_back(page)
    expect(page.locator(".place .die")).to_have_text(["3", "4", "6", "6"])
    page.reload()
    expect(page.locator(".place .die")).to_have_text(["3", "4", "6", "6"])


def test_dice_that_were_removed_stay_away(phone: Phone) -> None:
    page = phone.page
    _undo(phone)
    _delete_dice(page, 5)

    _leave_and_come_back(page)
    expect(page.locator(".place .die")).to_have_count(0)
    page.reload()
    expect(crew.get_face_button(page, 1)).to_be_visible()
    expect(page.locator(".place .die")).to_have_count(0)
