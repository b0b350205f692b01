"""What people do at a table, tap by tap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.table_setup import add_contest, create_tables_for_everyone
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide


def create_tables_for_roster(
    organiser: HttpClient, phone: HttpClient, ride: DemoRide, game: str, **plan: Any
) -> list[str]:
    """Add a contest of the game, create tables for the whole roster, and return their URLs."""
    name = f"Everyone at {game}"
    add_contest(organiser, ride, game, name)
    create_tables_for_everyone(organiser, ride, name, **plan)
    return re.findall(r'<a class="bike-row[^"]*" href="([^"]+)"', read_tables(phone, name))


def read_tables(phone: HttpClient, contest: str) -> str:
    """Return the HTML of the tables of a contest on the crew's list."""
    return phone.get("/crew/tables/").text.partition(f">{contest}</h2>")[2].partition("</section>")[0]


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
