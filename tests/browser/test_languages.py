"""The crew's day, the desk and the prize giving in German, French and Spanish: everything fits, and is accessible.

That nothing English is left is shown for every route in `tests/scorekeeper/rights/test_languages.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.measure import NARROW, PHONE, list_barriers, measure_all
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import list_routes_of, walk
from tests.browser.walls import SMALL_WALL

LANGUAGES = [code for code, _name in settings.LANGUAGES[1:]]
every_language = pytest.mark.parametrize("language", LANGUAGES)


def choose(page: Page, server: RunningServer, language: str) -> None:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": server.url}])


def list_misfits(page: Page) -> list[str]:
    """What is cut off or sticks out on the narrowest phone, and on a usual one at 200 %, and what axe finds."""
    before = page.viewport_size
    page.set_viewport_size(NARROW)
    found = [f"at 320: {what}" for of_one in measure_all(page, ("wide",), ("cut",), ("spilled",)) for what in of_one]
    page.set_viewport_size(PHONE)
    (enlarged,) = measure_all(page, ("enlarged", "wide", "cut"))
    found += [*(f"200 %, 360 wide: {what}" for what in enlarged), *list_barriers(page)]
    if before is not None:
        page.set_viewport_size(before)
    return found


# Asking for it has it computed, and then no page of the demo links to it any more, as other tests expect.
LUCK = {"results:luck", "results:luck_card"}


def walk_in(page: Page, language: str, starts: Iterable[str], role: str) -> int:
    """Walk through all pages that links lead to; return how many there are."""
    seen = walk(page, starts, list_routes_of(role) - LUCK, list_misfits)
    expect(page.locator("html")).to_have_attribute("lang", language)
    faults = [fault for found in seen.values() for fault in found]
    assert not faults, "\n".join(faults)
    return len(seen)


@every_language
def test_the_crews_pages(language: str, server: RunningServer, new_phone: NewPhone) -> None:
    bbq = server.ride("bbq")
    phone = new_phone(bbq, "Ida")
    choose(phone, server, language)
    assert walk_in(phone, language, ["/crew/", bbq.table, "/crew/tables/"], "crew") > 15


@every_language
def test_what_everybody_sees_of_the_prize_giving(language: str, server: RunningServer, page: Page) -> None:
    published = server.ride("published")
    choose(page, server, language)
    home = published.board.removesuffix("rock-yahtzee/")
    starts = [published.board, f"{home}rogue-at-the-campfire/", home, "/", "/sign-in/"]
    assert walk_in(page, language, starts, "public") >= 8


@every_language
@pytest.mark.parametrize("role", ["organiser setting up", "organiser at the desk"])
def test_the_organisers_pages(language: str, role: str, server: RunningServer, desk: Page) -> None:
    closed = server.ride("closed")
    choose(desk, server, language)
    tabs = ("", "stops/", "groups/", "bikes/", "contests/", "settings/", "finish/rock-yahtzee/", "review/", "live/")
    assert walk_in(desk, language, ["/desk/", *(f"{closed.desk}{tab}" for tab in tabs)], role) > 20


@every_language
def test_the_screen_on_a_television(language: str, server: RunningServer, desk: Page) -> None:
    """As the preview of its settings shows it in this language."""
    desk.goto(f"{server.ride('closed').desk}screen/")
    address = desk.locator("iframe[data-preview]").get_attribute("src") or ""
    assert "language=&" in address
    desk.set_viewport_size(SMALL_WALL)
    desk.goto(address.replace("language=&", f"language={language}&"))
    expect(desk.locator(f"#screen[lang={language}]")).to_be_visible()
    wide, cut, spilled = measure_all(desk, ("wide",), ("cut",), ("spilled",))
    assert [*wide, *cut, *spilled] == []
