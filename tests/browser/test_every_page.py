"""Every page, found by following links, is accessible to many kinds of eyes, fingers and screen readers.

For each role a walk (`tests.browser.site_walk`) starts at home and opens one page of every linked route.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import list_page_problems
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import ROLES, list_routes_of, walk
from tests.browser.table_setup import CONTEST, SLUG, add_contest
from tests.browser.test_paired_screens import take_off_the_draw
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide


def _add_what_the_demo_lacks(server: RunningServer, client: HttpClient, ride: DemoRide) -> None:
    """Add a second organiser, a person without a bike, crew without a phone, a contest without rolls."""
    server.add_organiser("bob", "the scenic route")
    organiser = Organiser(client, ride)
    organiser.open("organisers/")
    organiser.submit("Invite", username="bob", own_password=server.organiser[1])
    bobs = Organiser.sign_in(server.url, "bob", "the scenic route")
    bob = Organiser(bobs, ride)
    bob.page = bobs.get("/desk/")
    bob.submit("Organise this event")
    organiser.open("people/new/")
    organiser.submit("Add", name="Ola")
    organiser.open("groups/")
    organiser.follow("Add crew")
    organiser.submit("Add", name="Pat", role="supervisor")
    assert "Pat has been added." in organiser.page.text
    organiser.open("contests/new/rock-yahtzee/")
    organiser.submit("Add the contest", name="Campfire")
    assert "Campfire has been created." in organiser.page.text


def _add_dice_run(client: HttpClient, ride: DemoRide) -> None:
    """Add a contest in which a bike can have several sheets, unless it is there."""
    organiser = Organiser(client, ride)
    organiser.open("contests/")
    if "Dice run" not in organiser.page.text:
        organiser.open("contests/new/dice-run/")
        organiser.submit("Add the contest", name="Dice run", sheets_max="2")
        organiser.submit("Save the turns")


def _add_empty_tables(client: HttpClient, ride: DemoRide) -> None:
    """Add a contest with two tables at which nothing is recorded yet."""
    add_contest(client, ride)
    organiser = Organiser(client, ride)
    organiser.open(f"contests/{SLUG}/tables/")
    if "Remove" not in organiser.page.text:
        for pair in (("Quin W. (bike 8)", "Pam H. (bike 3)"), ("Cal D. (bike 12)", "Lena F. (bike 17)")):
            organiser.create_table(CONTEST, *pair)


@pytest.mark.parametrize("role", ROLES)
def test_every_page_of_a_role_is_accessible(
    role: str, server: RunningServer, organiser_client: HttpClient, desk: Page, new_phone: NewPhone, page: Page
) -> None:
    routes = list_routes_of(role)
    parks, bbq, closed, published = (server.ride(until) for until in ("parks", "bbq", "closed", "published"))
    if role == "crew":
        _add_dice_run(organiser_client, parks)
        phone = new_phone(parks, "Dora")  # a road captain, who has every page that the others have
        phone.goto("/crew/")
        phone.get_by_role("navigation", name="Contests").get_by_role("link", name="Dice run", exact=True).click()
        expect(phone.get_by_role("link", name="Dice run", exact=True)).to_have_attribute("aria-current", "true")
        bike = phone.locator(".bike-row").first.get_attribute("href") or ""
        sale = bike.replace("/?", "/another-sheet/?")
        crew.show_group(phone, "BBQ")
        seen = walk(phone, ["/crew/", phone.url, f"{phone.url}&q=12", sale], routes, list_page_problems)
        seen |= walk(new_phone(bbq, "Ida"), [bbq.table, "/crew/tables/"], routes - set(seen), list_page_problems)
    elif role == "public":
        link = Organiser(organiser_client, parks).make_link("Kim")
        home = published.board.removesuffix("rock-yahtzee/")
        starts = [link, "/crew/join/", "/sign-in/", published.board]
        starts += [f"{home}rogue-at-the-campfire/", f"{home}screen", "/"]
        seen = walk(page, starts, routes, list_page_problems)
        take_off_the_draw(desk, published)
        page.goto(f"{home}screen")
        expect(page.get_by_role("table", name="R.O.C.K. Yahtzee")).to_be_visible()
        seen["live:screen"] += list_page_problems(page)
    else:
        _add_dice_run(organiser_client, parks)
        if role == "organiser setting up":
            _add_what_the_demo_lacks(server, organiser_client, parks)
        tabs = ("", "stops/", "groups/", "bikes/", "contests/", "contests/new/rock-yahtzee/", "settings/", "open/")
        finishes = [f"{ride.desk}finish/rock-yahtzee/" for ride in (parks, closed)]
        # A table in play has all its pages; an unused one can be removed.
        tables = [bbq.table.replace("/crew/", bbq.desk), f"{bbq.desk}contests/drag-rage-knock-out/tables/"]
        decided = f"{published.desk}review/"  # with a decision that can be undone
        revisions = f"{published.desk}finish/rock-yahtzee/"
        rare = [
            "/desk/copy/",
            f"{parks.desk}delete/",
            f"{parks.desk}messages/",
            f"{parks.desk}practice/restart/",
            f"{closed.desk}bikes/register/",
            f"{parks.desk}screen/preview/",  # in a frame
        ]
        starts = ["/desk/", *rare, *(f"{parks.desk}{tab}" for tab in tabs), *finishes, *tables, decided, revisions]
        seen = walk(desk, starts, routes, list_page_problems)
        sheets = Organiser(organiser_client, parks)
        sheets.open("sheets/?number=8")  # leads to the page that sells a sheet
        seen |= walk(desk, [sheets.page.url], routes - set(seen), list_page_problems)
    faults = [fault for found in seen.values() for fault in found]
    assert "\n".join(faults) == ""
    assert routes - set(seen) == set(), "no link leads to these"


def test_pages_behind_a_button_are_accessible(
    server: RunningServer, organiser_client: HttpClient, desk: Page, new_phone: NewPhone
) -> None:
    ride = server.ride("parks")
    desk.goto(f"{ride.desk}groups/")
    desk.get_by_role("link", name="Fay", exact=True).click()
    desk.get_by_role("button", name="Create a link").click()
    expect(desk.get_by_label("One-time link")).to_be_visible()
    found = list_page_problems(desk)
    desk.goto(f"{ride.desk}bikes/import/")
    desk.get_by_label("Or paste it here").fill("number,rider\n99,Somebody\n12,Cal D.\n")
    desk.get_by_role("button", name="Check the import").click()
    expect(desk.get_by_role("button", name="Import")).to_be_visible()
    found += list_page_problems(desk)
    phone = new_phone(ride, "Emil")
    crew.show_group(phone, "Parks")
    crew.find_bike(phone, "63")
    expect(phone.locator(".bike-row", has_text="Dan B.")).to_be_visible()
    found += list_page_problems(phone)
    crew.get_bike_link(phone, "63").click()
    expect(phone.get_by_role("heading", name="Another group’s bike")).to_be_visible()
    found += list_page_problems(phone)
    _add_empty_tables(organiser_client, ride)
    desk.goto(f"{ride.desk}contests/{SLUG}/tables/plan/")
    desk.get_by_role("button", name="Show the plan").click()
    desk.get_by_text("Change the order").click()
    expect(desk.locator(".ordering__one").first).to_be_visible()
    found += list_page_problems(desk)
    assert "\n".join(found) == ""


def test_the_page_that_undoes_a_merge_is_accessible(server: RunningServer, desk: Page, new_phone: NewPhone) -> None:
    ride = server.ride("parks")
    phone = new_phone(ride, "Emil")
    phone.goto("/crew/walk-up/")
    phone.get_by_label("Number").fill("8")
    phone.get_by_label("Rider").fill("Ida")
    phone.get_by_role("button", name="Add the bike").click()
    phone.get_by_role("button", name="No, another bike with the same number").click()
    expect(phone.locator("h1 .plate")).to_contain_text("8 (2)")
    desk.goto(f"{ride.desk}duplicates/")
    desk.get_by_role("link", name="Merge 8 (2)").click()
    desk.get_by_label("Is the same bike as").select_option(index=1)
    desk.get_by_label("Reason").fill("one machine")
    desk.get_by_role("button", name="Merge").click()
    desk.get_by_role("link", name="Undo the merge").click()
    expect(desk.get_by_label("Reason")).to_be_visible()
    assert list_page_problems(desk) == []
    desk.get_by_label("Reason").fill("two after all")
    desk.get_by_role("main").get_by_role("button").click()
    expect(desk.get_by_text("Bike 8 (2) is a separate bike again.")).to_be_visible()
