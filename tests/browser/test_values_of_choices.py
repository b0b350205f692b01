"""What choices are worth, on a phone of 360 x 640 at the stops and at a table, worked out by the real worker."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import get_box, list_outdoor_problems
from tests.browser.running_server import RunningServer
from tests.demo_data import DATABASE, DemoRide

WORKING_MS = 30_000  # the worker solves the rules once, beside everything else that runs
SENTENCE = re.compile(r"With best play, the expected final total is (\d+\.\d)\.")
MAIN = ".button--main, .box, .dice-pad__face"


def coach(database: Path, ride: DemoRide) -> None:
    """Set the contests of a ride to coach, as if that had been chosen before the first entry."""
    with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
        connection.execute(
            "UPDATE events_contest SET odds_shown = 'coach'"
            " WHERE event_id = (SELECT id FROM events_event WHERE slug = ?)",
            [ride.slug],
        )


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    ride = server.load_ride("setup")
    coach(server.data / DATABASE, ride)
    return ride


def read_value(phone: Page) -> float:
    """Return what best play comes to, once the page says it."""
    sentence = phone.locator(".odds__sentence")
    expect(sentence).to_have_text(SENTENCE, timeout=WORKING_MS)
    found = SENTENCE.search(sentence.inner_text())
    assert found is not None
    return float(found[1])


def list_choices(part: Locator) -> list[list[str]]:
    """Return the rows of the table: choice, value, cost."""
    rows = part.locator(".odds__table").first.locator("tbody tr")
    return [row.split("\t") for row in rows.all_inner_texts()]


def test_the_values_follow_the_dice_from_the_first_roll_to_the_box(
    new_phone: NewPhone, server: RunningServer, ride: DemoRide
) -> None:
    phone = new_phone(ride, "Emil")
    crew.show_bike(phone, "Ozweld's", "12")
    fresh = read_value(phone)
    pad = get_box(phone.locator("[data-dice-pad]"))
    phone.reload()
    assert get_box(phone.locator("[data-dice-pad]")) == pad, "what is tapped does not move when the values come"

    crew.choose_input_method(phone, "Roll by roll")
    crew.tap_dice(phone, "66612")
    expect(phone.locator(".odds__table").first).to_contain_text("Dice set aside 6 6 6", timeout=WORKING_MS)
    rolled = read_value(phone)
    choices = list_choices(phone.locator("#odds"))
    assert choices[0] == ["Dice set aside 6 6 6", f"{rolled}", "0.0"]
    assert [cost.startswith("−") for _text, _value, cost in choices[1:]] == [True] * 4
    assert rolled > fresh
    assert list_outdoor_problems(phone, MAIN) == []

    phone.locator(".place--toggle").first.tap()
    crew.get_again_button(phone).tap()
    expect(phone.locator(".place--held")).to_have_count(1)
    expect(phone.locator(".odds__table")).to_have_count(0)
    assert read_value(phone) < rolled, "one six was kept, and two were given away"

    crew.tap_dice(phone, "6665")
    expect(phone.locator(".odds__table").first).to_contain_text("Dice set aside 6 6 6 6", timeout=WORKING_MS)
    crew.record_in_box(phone, "Sixes")
    expect(phone.locator("#odds")).to_have_count(0)


def test_the_values_at_a_table_are_those_of_the_seat_to_act(new_phone: NewPhone, server: RunningServer) -> None:
    ride = server.load_ride("bbq")
    coach(server.data / DATABASE, ride)
    phone = new_phone(ride, "Emil")
    phone.goto(ride.table)
    expect(phone.locator("#odds .odds__sentence, #odds section p").first).to_be_visible(timeout=WORKING_MS)
    expect(phone.locator("#odds")).to_contain_text("With best play", timeout=WORKING_MS)
    assert list_outdoor_problems(phone, MAIN) == []


def test_a_page_of_a_contest_that_is_not_coached_has_nothing_of_it(new_phone: NewPhone, server: RunningServer) -> None:
    phone = new_phone(server.ride("setup"), "Emil")
    crew.show_bike(phone, "Ozweld's", "12")
    expect(phone.locator("[data-dice-pad]")).to_be_visible()
    expect(phone.locator("#odds")).to_have_count(0)
