"""What people do at a table, tap by tap."""

from __future__ import annotations

from itertools import count

from django.utils.text import slugify
from playwright.sync_api import Locator, Page, expect

from tests.demo_data import Ride

NUMBERS = count(1)  # a contest for each table, so that nobody has a second card


def sit_down(phone: Page, desk: Page, ride: Ride, game: str, seats: int) -> str:
    """Add a contest of the game, draw up a scorecard for the first of the roster, and return its table's address."""
    name = f"Table {next(NUMBERS)}"
    desk.goto(f"{ride.desk}contests/new/{game}/")
    desk.get_by_label("Name", exact=True).first.fill(name)
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text(f"{name} is made.")).to_be_visible()
    phone.goto(f"/crew/tables/new/{slugify(name)}/")
    if seats == 1:
        phone.get_by_role("checkbox").first.check()
    else:
        for seat in range(1, seats + 1):
            phone.get_by_label(f"Seat {seat}").select_option(index=seat)
    phone.get_by_role("button", name="Draw up").click()
    expect(phone.locator("#table")).to_be_visible()
    return phone.url


def face(phone: Page, field: str, value: object) -> Locator:
    """Return the button of a die face of a field, such as "roll:dice"."""
    return phone.locator(f'button[name="tap:{field}"][value="{value}"]')


def tap(phone: Page, field: str, dice: str) -> None:
    """Tap faces one after the other."""
    for value in dice:
        face(phone, field, value).click()


def choose(phone: Page, field: str, value: str) -> None:
    """Tap one of the values or faces of which a field takes one."""
    phone.locator(f'label:has(input[name="{field}"][value="{value}"])').click()


def tapped(phone: Page, field: str) -> str:
    """Return the dice that the form would send."""
    values = phone.locator(f'input[name="{field}"]').evaluate_all("all => all.map(one => one.value)")
    return "".join(values)


def note(phone: Page, label: str) -> None:
    """Press the button that notes."""
    phone.get_by_role("button", name=label, exact=True).click()


def expect_told(phone: Page, text: str) -> None:
    """Wait until the page tells what was noted last."""
    expect(phone.locator("#last")).to_contain_text(text)
