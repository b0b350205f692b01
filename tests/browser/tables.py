"""What people do at a table, tap by tap."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.text import slugify
from playwright.sync_api import Locator, Page, expect

from tests.demo_data import DemoRide


def create_tables_for_roster(phone: Page, desk: Page, ride: DemoRide, game: str, seats: int) -> list[str]:
    """Add a contest of the game, create tables for the whole roster, and return their URLs."""
    name = f"Everyone at {game}"
    desk.goto(f"{ride.desk}contests/new/{game}/")
    desk.get_by_label("Name", exact=True).first.fill(name)
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text(f"{name} has been created.")).to_be_visible()
    desk.goto(f"{ride.desk}contests/{slugify(name)}/tables/plan/")
    if seats > 1:
        desk.get_by_label("At one table, at most").select_option(str(seats))
    desk.get_by_role("button", name="Show the plan").click()
    desk.get_by_role("button", name=re.compile(r"^Create \d+ tables?$")).click()
    expect(desk.get_by_text("tables have been created.")).to_be_visible()
    phone.goto("/crew/tables/")
    listed = phone.locator("section", has=phone.get_by_role("heading", name=name, exact=True)).locator("a.bike-row")
    addresses: list[str] = listed.evaluate_all("all => all.map(one => one.pathname)")
    return addresses


def get_face_button(phone: Page, field: str, value: object) -> Locator:
    """Return the button of a die face in a field, such as "roll:dice"."""
    return phone.locator(f'button[name="tap:{field}"][value="{value}"]')


def tap(phone: Page, field: str, dice: str) -> None:
    """Tap faces one after the other."""
    for value in dice:
        get_face_button(phone, field, value).click()


def choose(phone: Page, field: str, value: str) -> None:
    """Tap a value or face in a field that accepts one."""
    phone.locator(f'label:has(input[name="{field}"][value="{value}"])').click()


def expect_tapped_dice(phone: Page, field: str, dice: Sequence[str]) -> None:
    """Wait until these are the dice that the form would send."""
    sent = phone.locator(f'input[name="{field}"]')
    expect(sent).to_have_count(len(dice))
    for place, value in enumerate(dice):
        expect(sent.nth(place)).to_have_value(value)


def press_record(phone: Page, label: str) -> None:
    """Press the button that records."""
    phone.get_by_role("button", name=label, exact=True).click()


def expect_last_entry(phone: Page, text: str) -> None:
    """Wait until the page shows this as the last entry."""
    expect(phone.locator("#last")).to_contain_text(text)
