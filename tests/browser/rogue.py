"""What people do at a table of Rogue, tap by tap."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser import tables


def roll(phone: Page, dice: str) -> None:
    """Record a roll."""
    tables.tap(phone, "roll:dice", dice)
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, f"Rolled {' '.join(dice)}")


def set_aside(phone: Page, points: int) -> None:
    """Set aside the dice that give these points."""
    phone.locator("button.box", has=phone.get_by_text(str(points), exact=True)).first.click()
    tables.expect_last_entry(phone, "Set aside")


def end_turn(phone: Page) -> None:
    """End the current turn."""
    tables.press_record(phone, "End turn")
    tables.expect_last_entry(phone, "Turn ended")
