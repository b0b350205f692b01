"""Tables are created on a phone and by the organiser, with and without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import measure
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.browser.table_setup import CONTEST, SLUG, add_contest, create_table
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

COMPUTED_MS = 60_000  # the worker computes the odds of the rules once, beside everything else that runs


@pytest.fixture
def ride(server: RunningServer, organiser_client: HttpClient) -> DemoRide:
    """A ride of its own with a contest at tables."""
    ride = server.load_ride("setup")
    add_contest(organiser_client, ride)
    return ride


def create_table_on(phone: Page) -> None:
    phone.goto("/crew/")
    phone.locator(".menu summary").click()
    phone.get_by_role("link", name="Tables", exact=True).click()
    phone.get_by_role("link", name=f"Create a table , {CONTEST}").click()
    create_table(phone, "Quin W. (bike 8)", "Pam H. (bike 3)")
    expect(phone.locator("main")).to_contain_text("Quin W.")


def test_a_table_is_created_on_a_phone_and_is_one_tap_away_from_then_on(ride: DemoRide, new_phone: NewPhone) -> None:
    phone = new_phone(ride, "Emil")

    create_table_on(phone)
    expect(phone.locator("#odds")).to_contain_text("With best play", timeout=COMPUTED_MS)
    expect(phone.get_by_text("has been created.")).to_be_visible()  # what the choices are worth came by itself
    phone.goto("/crew/tables/")

    row = phone.locator(".bike-row")
    expect(row).to_contain_text("Quin W.")
    expect(row).to_contain_text("Nothing recorded yet")
    assert [*measure(phone, "small", 48), *measure(phone, "tiny", 18), *measure(phone, "wide")] == []
    row.click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text(CONTEST)


def test_a_phone_without_javascript_creates_a_table_too(plain_page: Page, desk: Page, ride: DemoRide) -> None:
    crew.join(plain_page, desk, ride.desk, "Ida")

    plain_page.goto(f"/crew/tables/new/{SLUG}/")
    plain_page.get_by_label("Seat 4").select_option(label="Cal D. (bike 12)")
    plain_page.get_by_role("button", name="More seats").click()
    expect(plain_page.get_by_label("Seat 8")).to_be_visible()
    expect(plain_page.get_by_label("Seat 4").locator("option:checked")).to_have_text("Cal D. (bike 12)")
    create_table(plain_page, "Quin W. (bike 8)", "Pam H. (bike 3)")


def test_the_plan_of_tables_for_everyone_is_shown_and_changed_before_it_is_confirmed(
    desk: Page, ride: DemoRide
) -> None:
    desk.set_viewport_size({"width": 360, "height": 640})
    desk.goto(f"{ride.desk}contests/")
    desk.locator("tr", has_text=CONTEST).get_by_role("link", name="No tables yet").click()
    desk.get_by_role("link", name="Create tables for everyone").click()
    desk.get_by_label("At one table, at most").select_option("8")
    desk.get_by_role("button", name="Show the plan").click()
    expect(desk.locator(".planned__table").first).to_contain_text("Pam H. (bike 3)")

    desk.get_by_text("Change the order").click()
    desk.get_by_role("button", name="Move Pam H. (bike 3) down").click()
    expect(desk.locator(".ordering__one").first).to_contain_text("Quin W.")
    desk.get_by_role("button", name="Leave Pam H. (bike 3) out").click()
    expect(desk.locator(".planned")).not_to_contain_text("Pam H.")
    expect(desk.get_by_role("button", name="Move Quin W. (bike 8) up")).to_be_in_viewport()

    desk.get_by_role("button", name=re.compile(r"^Create \d+ tables?$")).click()
    expect(desk.get_by_text("tables have been created.")).to_be_visible()
    expect(desk.locator("tbody tr").first).to_contain_text("Quin W.")


def test_a_table_created_by_mistake_is_removed(desk: Page, organiser_client: HttpClient, ride: DemoRide) -> None:
    Organiser(organiser_client, ride).create_table(CONTEST, "Quin W. (bike 8)", "Pam H. (bike 3)")
    desk.goto(f"{ride.desk}contests/{SLUG}/tables/")
    desk.get_by_role("link", name="Remove").click()
    desk.get_by_label("Reason").fill("Pam went home")
    desk.get_by_role("button", name="Remove the table").click()

    expect(desk.get_by_text("The table of Quin W. and Pam H. has been removed.")).to_be_visible()
    expect(desk.get_by_text("No tables yet").first).to_be_visible()


def test_a_missing_player_is_added_and_the_choices_are_still_there(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}contests/{SLUG}/tables/new/")
    desk.get_by_label("Seat 1").select_option(label="Quin W. (bike 8)")
    desk.get_by_role("button", name="Add a person").click()
    desk.get_by_label("Name", exact=True).fill("Uma")
    desk.get_by_role("button", name="Add the person").click()

    expect(desk.get_by_label("Seat 1").locator("option:checked")).to_have_text("Quin W. (bike 8)")
    desk.get_by_label("Seat 2").select_option(label="Uma")
    desk.get_by_role("button", name="Create", exact=True).click()
    expect(desk.get_by_text("The table of Quin W. (bike 8) and Uma has been created.")).to_be_visible()
