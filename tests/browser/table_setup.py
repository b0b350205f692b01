"""Contests at tables, and scorecards drawn up for them, as organisers and crew do it in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.demo_data import DemoRide

CONTEST = "Rogue at the campfire"
SLUG = "rogue-at-the-campfire"


def add_contest(desk: Page, ride: DemoRide) -> None:
    """Have a contest of a game in turn order at a ride, played by people."""
    desk.goto(f"{ride.desk}contests/")
    if desk.get_by_role("link", name=CONTEST, exact=True).count():
        return
    desk.goto(f"{ride.desk}contests/new/rogue/")
    desk.get_by_label("Name", exact=True).fill(CONTEST)
    desk.get_by_label("Players").check()
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text(f"{CONTEST} is made.")).to_be_visible()


def create_table(page: Page, *names: str) -> None:
    """Choose who sits where on the page that draws up a scorecard by hand, and draw it up."""
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Seat {number}").select_option(label=name)
    page.get_by_role("button", name="Draw up").click()
    expect(page.get_by_text("is drawn up.")).to_be_visible()
