"""Adding contests at tables and creating their tables, as organisers and crew do it in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.demo_data import DemoRide

CONTEST = "Rogue at the campfire"
SLUG = "rogue-at-the-campfire"


def add_contest(desk: Page, ride: DemoRide) -> None:
    """Add a contest of a game in turn order to a ride, played by people."""
    desk.goto(f"{ride.desk}contests/")
    if desk.get_by_role("link", name=CONTEST, exact=True).count():
        return
    desk.goto(f"{ride.desk}contests/new/rogue/")
    desk.get_by_label("Name", exact=True).fill(CONTEST)
    desk.get_by_label("Players").check()
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text(f"{CONTEST} has been created.")).to_be_visible()


def create_table(page: Page, *names: str) -> None:
    """Choose the seats on the page that creates one table, and create it."""
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Seat {number}").select_option(label=name)
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_text("has been created.")).to_be_visible()
