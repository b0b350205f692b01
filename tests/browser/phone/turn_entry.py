"""What the crew records on a phone, with signal or without: by its forms, page by page, as a thumb does."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone.phone import Phone

FIRST_NUMBER = 500  # neither this number nor any after it is in the roster


def open_group(page: Page, stop: str = "") -> None:
    """Show the group at a stop, by default the one that is due.

    If the page has a link, follow it: opening a page from scratch starts the engine, which takes seconds.
    """
    if stop and page.get_by_role("navigation", name="Stops").count():
        go_to_stop(page, stop)
        return
    link = page.get_by_role("link", name="All bikes")
    if link.count():
        link.last.click()
    else:
        page.goto("/crew/")
    expect(page.get_by_role("navigation", name="Stops")).to_be_visible()
    if stop:
        go_to_stop(page, stop)


def go_to_stop(page: Page, stop: str) -> None:
    """Go from the group at one stop to the group at another."""
    page.get_by_role("navigation", name="Stops").get_by_role("link", name=stop).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(stop)


def go_back_to_group(page: Page) -> None:
    """Go from a bike's page to its group."""
    page.get_by_role("link", name="All bikes").last.click()
    expect(page.get_by_role("navigation", name="Stops")).to_be_visible()


def open_bike(page: Page, number: str) -> None:
    """Go from the group to the scorecard of a bike, where dice can be tapped."""
    crew.open_bike(page, number)
    expect(crew.get_face_button(page, 1)).to_be_visible()


def register(page: Page, number: str) -> None:
    """Go from the group to the form for a walk-up bike, and to its scorecard."""
    page.get_by_role("link", name="Add a walk-up bike").last.click()
    # The list has a number field as well.
    expect(page.get_by_role("heading", name="Add a walk-up bike")).to_be_visible()
    page.get_by_label("Number").fill(number)
    page.get_by_label("Rider").fill(f"Rider {number}")
    page.get_by_role("button", name="Add the bike").click()
    expect(page.locator("h1 .plate")).to_contain_text(number)


def register_walk_ups(phone: Phone, count: int, first: int = FIRST_NUMBER) -> list[str]:
    """Register walk-up bikes, one after the other, numbered from the first; return the ids of the operations."""
    open_group(phone.page)
    before = len(phone.read("operations"))
    for number in range(first, first + count):
        register(phone.page, str(number))
        go_back_to_group(phone.page)
    return [one["id"] for one in phone.read("operations")[before:]]


def record_turn(page: Page, number: str, dice: str, box: str, stop: str = "") -> None:
    """Record a turn from any page, by default at the stop that is due."""
    open_group(page, stop)
    open_bike(page, number)
    crew.record_turn(page, dice, box)


def record_turn_offline(phone: Phone, number: str, dice: str, box: str) -> str:
    """Record a turn from the group's page, on the phone alone; return the id of its operation."""
    open_bike(phone.page, number)
    crew.record_turn(phone.page, dice, box)
    expect(phone.page.locator(".turn-result .sync-line__waiting")).to_be_visible()
    operation: str = phone.read("operations")[-1]["id"]
    return operation
