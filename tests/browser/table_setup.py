"""Contests at tables, whose forms the organiser submits over HTTP, and a table that is created in a browser."""

from __future__ import annotations

from typing import Any

from django.utils.text import slugify
from playwright.sync_api import Page, expect

from tests.browser.organiser import Organiser
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

CONTEST = "Rogue at the campfire"
SLUG = slugify(CONTEST)


def add_contest(
    organiser: HttpClient, ride: DemoRide, game: str = "rogue", name: str = CONTEST, **options: Any
) -> None:
    """Add a contest to a ride, played by people, unless it is there."""
    page = Organiser(organiser, ride)
    page.open("contests/")
    if f">{name}<" not in page.page.text:
        page.open(f"contests/new/{game}/")
        page.submit("Add the contest", name=name, seats_are="players", **options)


def create_tables_for_everyone(organiser: HttpClient, ride: DemoRide, contest: str, **plan: Any) -> None:
    """Create tables of a contest for the whole roster, by a plan with these fields."""
    page = Organiser(organiser, ride)
    page.open(f"contests/{slugify(contest)}/tables/plan/")
    page.submit("Show the plan", **plan)
    page.submit("Create ")
    assert "tables have been created." in page.page.text


def create_table(page: Page, *names: str) -> None:
    """Choose the seats on the page that creates one table, and create it."""
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Seat {number}").select_option(label=name)
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_text("has been created.")).to_be_visible()
