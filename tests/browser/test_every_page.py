"""Every page there is, found by following its links, works for eyes, fingers and readers of many kinds.

Terms: a page is known by its *route*, the pattern of its address. For each role a walk starts at home and opens one
page of every route that a link leads to; routes that no link leads to are declared, with how they are reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.desk import make_link
from tests.browser.drawing_up import SLUG, add_contest, draw_up
from tests.browser.measure import audit
from tests.browser.served import Served
from tests.demo_data import Ride

LINKS = "all => all.map(one => one.getAttribute('href'))"

# Answers to a form's button only: they have no page, or their page is in a test of its own.
FORMS_ONLY = {
    "crew:invite",
    "crew:move_group",
    "desk:settle",
    "events:sign_out",
    "live:steer",
    "scorecards:undo",
    "stops:move",
    "tables:desk_undo",
    "tables:undo",
}
NO_PAGE = {
    *("healthz", "readyz", "metrics", "api:operations", "api:schema", "api:key", "api:carried", "offline:ride"),
    *("live:board", "live:event", "live:screen_stream", "players:sample", "results:export", "results:desk_export"),
    *("scorecards:scanned", "trust", "authority"),
    # What the crew's pages are kept by on a phone; the shell stands for any page there, and is empty before.
    *("offline:service_worker", "offline:engine_worker", "offline:manifest", "offline:shell"),
}
# Pages that lead to other places for each thing they are about; a walk opens all of them.
VARIED = {"crew:member", "desk:finish", "events:edit_contest", "results:leaderboard"}


def _list_routes(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterable[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            namespace = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _list_routes(pattern.url_patterns, prefix + namespace)
        else:
            yield f"{prefix}{pattern.name}"


def _route(path: str) -> str | None:
    try:
        return resolve(path).view_name
    except Resolver404:
        return None


def _role_of(route: str) -> str:
    room, _colon, page = route.partition(":")
    if route in ("crew:sign_out", "offline:ready", "offline:swap") or (
        room in ("scorecards", "tables") and not page.startswith("desk_")
    ):
        return "crew"
    if room in ("results", "rulebooks") or route in ("events:sign_in", "crew:join", "live:screen"):
        return "public"
    return "organiser at the desk" if room in ("desk", "live", "scorecards", "tables") else "organiser setting up"


def _add_what_the_demo_lacks(served: Served, desk: Page, ride: Ride) -> None:
    """Add a second organiser, somebody on no bike, crew without a phone, a contest nobody rolled for."""
    served.add_organiser("bob", "the scenic route")
    desk.goto(f"{ride.desk}organisers/")
    desk.get_by_label("Name they sign in with").fill("bob")
    desk.get_by_role("button", name="Add").click()
    desk.goto(f"{ride.desk}people/new/")
    desk.get_by_label("Name", exact=True).fill("Ola")
    desk.get_by_role("main").get_by_role("button").click()
    desk.goto(f"{ride.desk}groups/")
    desk.get_by_role("link", name="Add crew").first.click()
    desk.get_by_label("Name", exact=True).fill("Pat")
    desk.get_by_label("Supervisor").check()
    desk.get_by_role("button", name="Add", exact=True).click()
    expect(desk.get_by_text("Pat is added.")).to_be_visible()
    desk.goto(f"{ride.desk}contests/new/rock-yahtzee/")
    desk.get_by_label("Name", exact=True).fill("Campfire")
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.get_by_text("Campfire is made.")).to_be_visible()


def _lay_a_table(desk: Page, ride: Ride) -> None:
    """Have a contest with two tables at which nothing is noted yet."""
    add_contest(desk, ride)
    tables = f"{ride.desk}contests/{SLUG}/tables/"
    desk.goto(tables)
    if not desk.get_by_role("link", name="Withdraw").count():
        for pair in (("Quin W. (bike 8)", "Pam H. (bike 3)"), ("Cal D. (bike 12)", "Lena F. (bike 17)")):
            desk.goto(f"{tables}new/")
            draw_up(desk, *pair)


def _walk(page: Page, starts: Iterable[str], routes: set[str]) -> dict[str, list[str]]:
    """Open one page of every route that links lead to; return by route what is wrong with it."""
    seen: dict[str, list[str]] = {}
    opened: set[str] = set()
    ahead = list(starts)
    while ahead:
        path = ahead.pop(0)
        route = _route(urlsplit(path).path)
        if route not in routes or path in opened or (route in seen and route not in VARIED):
            continue
        opened.add(path)
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path} is linked to and answers {answer.status}"
        hrefs = page.locator("a[href]").evaluate_all(LINKS)
        ahead += [urljoin(path, href) for href in hrefs if not href.startswith(("#", "http"))]
        if route not in seen:
            seen[route] = [f"{route}: {what}" for what in audit(page)]
    return seen


@pytest.mark.parametrize("role", ["organiser setting up", "organiser at the desk", "crew", "public"])
def test_every_page_of_a_role_is_open_to_everybody(
    role: str, served: Served, desk: Page, new_phone: NewPhone, page: Page
) -> None:
    pages = set(_list_routes(get_resolver().url_patterns)) - FORMS_ONLY - NO_PAGE
    routes = {route for route in pages if _role_of(route) == role}
    parks, bbq, closed, published = (served.ride(until) for until in ("parks", "bbq", "closed", "published"))
    if role == "crew":
        phone = new_phone(parks, "Emil")
        crew.go_to_stop(phone, "BBQ")
        seen = _walk(phone, ["/crew/", phone.url, f"{phone.url}&q=12"], routes)
        seen |= _walk(new_phone(bbq, "Ida"), [bbq.table, "/crew/tables/"], routes - set(seen))
    elif role == "public":
        link = make_link(desk, parks.desk, "Kim").removeprefix(served.url)
        home = published.board.removesuffix("rock-yahtzee/")
        starts = [link, "/sign-in/", published.board, f"{home}rogue-at-the-campfire/", f"{home}screen", "/"]
        seen = _walk(page, starts, routes)
    else:
        if role == "organiser setting up":
            _add_what_the_demo_lacks(served, desk, parks)
        tabs = ("", "stops/", "groups/", "bikes/", "contests/", "contests/new/rock-yahtzee/", "settings/", "open/")
        finishes = [f"{ride.desk}finish/rock-yahtzee/" for ride in (parks, closed)]
        # A table in play has all its pages; what nobody began can be withdrawn.
        tables = [bbq.table.replace("/crew/", bbq.desk), f"{bbq.desk}contests/drag-rage-knock-out/tables/"]
        seen = _walk(desk, ["/desk/", *(f"{parks.desk}{tab}" for tab in tabs), *finishes, *tables], routes)
    faults = [fault for found in seen.values() for fault in found]
    assert "\n".join(faults) == ""
    assert routes - set(seen) == set(), "no link leads to these"


def test_pages_that_answer_a_button_are_open_to_everybody(served: Served, desk: Page, new_phone: NewPhone) -> None:
    ride = served.ride("parks")
    desk.goto(f"{ride.desk}groups/")
    desk.get_by_role("link", name="Fay", exact=True).click()
    desk.get_by_role("button", name="Make a link").click()
    expect(desk.get_by_label("One-time link")).to_be_visible()
    found = audit(desk)
    desk.goto(f"{ride.desk}bikes/import/")
    desk.get_by_label("Or paste it here").fill("number,rider\n99,Somebody\n12,Cal D.\n")
    desk.get_by_role("button", name="Show what would happen").click()
    expect(desk.get_by_role("button", name="Import")).to_be_visible()
    found += audit(desk)
    phone = new_phone(ride, "Emil")
    crew.go_to_stop(phone, "Parks")
    phone.get_by_label("Bike number").fill("63")
    phone.get_by_role("button", name="Search").click()
    expect(phone.locator(".bike-row", has_text="Dan B.")).to_be_visible()
    found += audit(phone)
    crew.bike(phone, "63").click()
    expect(phone.get_by_role("heading", name="Another group's bike")).to_be_visible()
    found += audit(phone)
    _lay_a_table(desk, ride)
    desk.goto(f"{ride.desk}contests/{SLUG}/tables/plan/")
    desk.get_by_role("button", name="Show the plan").click()
    desk.get_by_text("Change the order").click()
    expect(desk.locator(".ordering__one").first).to_be_visible()
    found += audit(desk)
    assert "\n".join(found) == ""
