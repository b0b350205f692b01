"""A game at a table: the organiser sets up a contest and creates a table, a phone navigates to it, and at the end the
leaderboard is opened. Each step uses links and buttons, from page to page, save where it says that it uses HTTP."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils.text import slugify
from playwright.sync_api import Page, expect

from tests.browser.measure import measure_all
from tests.browser.organiser import Organiser
from tests.browser.results import TIMEOUT_SECONDS
from tests.browser.tables import read_tables
from tests.browser.typefaces import show_in_each_typeface
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

MIN_TOUCH_PX = 48  # CSS pixels of the smallest target


class BoardLine(NamedTuple):
    """A row of the leaderboard of a contest that people play."""

    place: str
    name: str
    total: str


def add_contest(
    desk: Page, ride: DemoRide, game: str, contest: str, choose: Callable[[Page], None] | None = None
) -> None:
    """Add a contest for people, with the options that `choose` fills in."""
    desk.goto(f"{ride.desk}contests/new/")
    desk.get_by_role("main").get_by_role("link", name=f"Choose {game}").click()
    desk.get_by_label("Name", exact=True).first.fill(contest)
    desk.get_by_label("Players").check()
    if choose is not None:
        choose(desk)
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text(f"{contest} has been created.")).to_be_visible()


def create_tables(desk: Page, ride: DemoRide, contest: str, *names: str) -> None:
    """Create a table for these people, or one for each of them if the game is played alone."""
    desk.goto(f"{ride.desk}contests/")
    desk.get_by_role("row", name=contest).get_by_role("link", name="No tables yet").click()
    desk.get_by_role("link", name="Create one table").click()
    # Whether it has boxes or lists is known only once the page is there.
    expect(desk.get_by_role("button", name="Create", exact=True)).to_be_visible()
    for seat, name in enumerate(names, 1):
        box = desk.get_by_role("checkbox", name=name)
        if box.count():
            box.check()
        else:
            listed = desk.get_by_label(f"Seat {seat}")
            listed.select_option(listed.locator("option", has_text=name).get_attribute("value"))
    desk.get_by_role("button", name="Create", exact=True).click()
    expect(desk.get_by_role("alert")).to_have_count(0)


def create_tables_over_http(client: HttpClient, ride: DemoRide, contest: str, *names: str) -> None:
    """Create a table for these people, or one for each of them if the game is played alone."""
    organiser = Organiser(client, ride)
    organiser.open(f"contests/{slugify(contest)}/tables/new/")
    alone = [re.search(rf'name="who" value="([^"]+)"[^>]*>\s*{re.escape(name)}', organiser.page.text) for name in names]
    if all(alone):
        organiser.submit("Create", who=[found[1] for found in alone if found])
    else:
        players = [re.search(rf"{re.escape(name)} \(bike \d+\)", organiser.page.text) for name in names]
        organiser.create_table(contest, *(found[0] for found in players if found))


def find_table(client: HttpClient, contest: str, name: str) -> str:
    """Return the address of a player's table in a contest, over HTTP."""
    section = read_tables(client, contest)
    found = re.search(rf'<a class="bike-row[^"]*" href="([^"]+)"(?:(?!</a>).)*{re.escape(name)}', section, re.DOTALL)
    assert found, section
    return found[1]


def play_over_http(client: HttpClient, phone: Page, *buttons: str) -> None:
    """Press these buttons of the table that the phone shows over HTTP, by how their texts begin, and load it again."""
    table = Organiser(client, DemoRide(urlsplit(phone.url).path, ""))
    table.open("")
    for button in buttons:
        table.submit(button)
    phone.reload()


def open_table(phone: Page, contest: str, name: str) -> None:
    """Go from the crew's first page to a player's table in a contest."""
    phone.goto("/crew/")
    go_to_table(phone, contest, name)


def go_to_table(phone: Page, contest: str, name: str) -> None:
    """Go from the group's page to a player's table in a contest."""
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name="Tables", exact=True).click()
    open_listed_table(phone, contest, name)


def open_listed_table(phone: Page, contest: str, name: str) -> None:
    """Go from the list of tables to a player's table in a contest."""
    tables = phone.locator("section", has=phone.get_by_role("heading", name=contest, exact=True))
    tables.locator(".bike-row", has_text=name).click()
    expect(phone.locator("#table")).to_be_visible()


def expect_totals(phone: Page, **totals: int) -> None:
    """Wait until the players at the table have these totals."""
    for name, total in totals.items():
        expect(phone.locator(".seat", has_text=name).locator(".seat__total")).to_have_text(re.compile(rf"\D {total}$"))


def expect_turn(phone: Page, name: str) -> None:
    """Wait until it is this player's turn, and nobody else's."""
    expect(phone.locator(".seat", has_text="to play")).to_have_count(1)
    expect(phone.locator(".seat", has_text="to play")).to_contain_text(name)


def expect_clause(phone: Page, text: str, clause: str) -> None:
    """Wait until the page shows a refusal with a link to the clause."""
    said = phone.locator("li", has_text=text).first
    expect(said).to_be_visible()
    expect(said.locator("a.clause")).to_have_attribute("href", re.compile(rf"^/rules/.+#{clause}$"))


def expect_fit(phone: Page) -> None:
    """Expect in all typefaces that nothing overflows, no labels overlap, and a thumb can hit everything."""
    for typeface in show_in_each_typeface(phone):
        wide, spilled, overlapping, small = measure_all(
            phone, ("wide",), ("spilled",), ("overlapping",), ("small", MIN_TOUCH_PX)
        )
        assert [*wide, *spilled, *overlapping, *small] == [], typeface


def undo(phone: Page, what: str) -> None:
    """Undo the last entry."""
    phone.get_by_role("button", name="Undo").click()
    expect(phone.get_by_text(re.compile(f"Undone: .*{re.escape(what)}"))).to_be_visible()


def correct(phone: Page, number: int) -> None:
    """Open the form that corrects an action."""
    phone.locator("#last a").click()
    phone.get_by_role("link", name=f"Correct {number}", exact=True).click()
    phone.locator(".reasons__choice", has_text="Other…").click()
    expect(phone.get_by_label("Reason")).to_be_visible()


def expect_board(phone: Page, *places: BoardLine) -> None:
    """Follow the link to the leaderboard and expect these rows, once its JSON file has them: the worker is behind."""
    phone.get_by_role("link", name="Leaderboard").click()
    expect(phone.locator("#board")).to_be_visible()
    last = time.monotonic() + TIMEOUT_SECONDS
    while (published := _request_board(phone)) != list(places):
        assert time.monotonic() < last, published
    while (shown := _read_board(phone)) != list(places) and time.monotonic() < last:
        phone.reload()
    assert shown == list(places)


def _request_board(phone: Page) -> list[BoardLine]:
    rows = phone.request.get(f"{phone.url}export.json").json()["standings"]
    return [BoardLine(row["place"], row["name"], str(row["total"])) for row in rows]


def _read_board(phone: Page) -> list[BoardLine]:
    lines = phone.locator("#board-rows tr").all()
    cells = ("td >> nth=0", "th a", "td >> nth=-1")
    return [BoardLine(*(line.locator(cell).inner_text().strip() for cell in cells)) for line in lines]
