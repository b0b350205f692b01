"""A dice run with two sheets on a bike, from the form to the certificate; sold on two phones without signal."""

from __future__ import annotations

import re
from urllib.request import urlopen
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.servers import wait_until
from tests.programs import TIMEOUT_SECONDS

pytestmark = pytest.mark.timeout(900)

BIKE = "8"
STOP = "BBQ"


def set_up(organiser: Organiser) -> None:
    """Create the contest, with one die and one turn at each stop, and up to two sheets for a bike."""
    organiser.open("contests/new/dice-run/")
    organiser.submit("Save", name="Dice run", sheets_max="2", **{"options.dice": "1"})
    organiser.submit("Save the turns")


def show_contest(phone: Phone) -> None:
    """Show the group at the stop in the dice run."""
    phone.page.goto("/crew/")
    phone.page.get_by_role("navigation", name="Contests").get_by_role("link", name="Dice run", exact=True).click()
    expect(phone.page.get_by_role("link", name="Dice run", exact=True)).to_have_attribute("aria-current", "true")
    turn_entry.go_to_stop(phone.page, STOP)


def confirm_sale(page: Page) -> None:
    """Confirm that the bike gets its second sheet."""
    expect(page.get_by_role("heading", name=f"Another sheet for {BIKE}?")).to_be_visible()
    page.get_by_role("button", name=f"Add {BIKE}/2").click()
    expect(page.locator("h1 .plate")).to_contain_text(f"{BIKE}/2")


def roll(page: Page, total: int) -> None:
    """Record the sum of the throw on the sheet whose page is open."""
    page.locator("details.menu summary").click()
    page.locator("details.menu a[href*='way=paper']").click()
    field = page.locator("main input[name=total]")
    field.fill(str(total))
    field.press("Enter")
    expect(page.locator(".turn-result")).to_contain_text(f"{total} points")


def test_two_sheets_on_a_bike_from_set_up_to_certificate(
    site: Site, phone: Phone, other_phone: Phone, organiser: Organiser, new_link: MakeLink
) -> None:
    set_up(organiser)
    for one in (phone, other_phone):
        show_contest(one)
        one.wait_for_ride("Dice run")
    site.go_offline()

    for one in (phone, other_phone):
        crew.get_bike_link(one.page, BIKE).click()
        expect(one.page.locator("h1 .plate")).to_contain_text(BIKE)
    roll(phone.page, 3)
    phone.page.get_by_role("link", name=f"Another sheet for {BIKE}").click()
    confirm_sale(phone.page)
    roll(phone.page, 6)
    expect(phone.page.get_by_role("link", name=re.compile("^Next(:| bike)"))).to_be_visible()
    other_phone.page.locator("details.menu summary").click()
    other_phone.page.get_by_role("link", name="Another sheet").click()
    confirm_sale(other_phone.page)
    roll(other_phone.page, 6)
    expect(other_phone.page.get_by_role("link", name=f"Next sheet: {BIKE}, Dice run")).to_be_visible()
    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=3)
    other_phone.go_online()
    other_phone.wait_for_states(sent=2)

    sheets = "SELECT COUNT(*) FROM bikes_bike WHERE sheet = 2"
    assert site.query(sheets) == [(1,)], "both phones mean one sheet"
    show_contest(phone)
    expect(phone.page.get_by_text("2 sheets")).to_be_visible()
    expect(crew.get_bike_link(phone.page, f"{BIKE}/2")).to_contain_text("6")

    board = f"/events/{site.slug}/dice-run/"
    wait_until(lambda: site.read_board(board).get(f"{BIKE}/2") == 6, "both sheets are on the leaderboard")
    assert site.read_board(board)[BIKE] == 3
    organiser.open("finish/dice-run/close/")
    organiser.submit("Close the contest")
    wait_until(lambda: f"{BIKE}/2" in site.read_board(board), "the contest is closed")
    organiser.open("finish/dice-run/publish/")
    organiser.submit("Publish results")
    [(sheet,)] = site.query("SELECT id FROM bikes_bike WHERE sheet = 2")
    bike_page = organiser.read(f"{board}bikes/{UUID(sheet)}/")
    assert "Scorecards of this bike" in bike_page
    assert f"{BIKE}/2: 6" in bike_page
    with urlopen(f"{site.server.url}{board}print/certificates.pdf?of={UUID(sheet)}", timeout=TIMEOUT_SECONDS) as answer:
        assert answer.read(4) == b"%PDF"
