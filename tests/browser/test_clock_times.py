"""Times are those of the ride, with am and pm or in 24 hours as the phone has it, wherever the phone is."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

AMERICAN, BRITISH = "en-US", "en-GB"
FORMATS = {AMERICAN: ("%I:%M %p", r"\d{1,2}:\d\d(:\d\d)? [ap]m"), BRITISH: ("%H:%M", r"\d\d:\d\d(:\d\d)?")}
ELSEWHERE = "Asia/Tokyo"
locales = pytest.mark.parametrize("locale", [AMERICAN, BRITISH])


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A ride at its second stop."""
    return server.ride("parks")


def read_offset(page: Page) -> dt.timezone:
    """Return the ride's offset from UTC, from a page with its standings."""
    seconds = page.locator("[data-fresh]").first.get_attribute("data-offset")
    assert seconds is not None
    return dt.timezone(dt.timedelta(seconds=int(seconds)))


def expect_now(shown: str, locale: str, zone: dt.timezone) -> None:
    """Check that a time is now in the ride's time zone, as the locale writes it."""
    written, pattern = FORMATS[locale]
    assert re.fullmatch(pattern, shown), shown
    without_seconds = re.sub(r"(:\d\d):\d\d", r"\1", shown)
    now = dt.datetime.now(zone)
    recent = [(now - dt.timedelta(minutes=minutes)).strftime(written).lower().lstrip("0") for minutes in range(-1, 4)]
    assert without_seconds.lstrip("0") in recent, (shown, recent)


def expect_every_time(page: Page, locale: str) -> None:
    texts = [text for text in page.locator("time").all_text_contents() if text]
    assert texts
    assert [text for text in texts if not re.fullmatch(FORMATS[locale][1], text)] == []


@locales
def test_the_public_pages_show_times_as_the_phone_writes_them(
    new_context: Callable[..., BrowserContext], ride: DemoRide, locale: str
) -> None:
    page = new_context(locale=locale, timezone_id=ELSEWHERE).new_page()

    page.goto(ride.board)

    as_of = page.locator("[data-as-of]")
    expect_now(as_of.inner_text(), locale, read_offset(page))
    expect_every_time(page, locale)
    page.evaluate(
        "document.querySelector('[data-as-of]').insertAdjacentHTML('afterend', '<time id=swapped>00:05</time>')"
    )
    expect(page.locator("#swapped")).to_have_text("12:05 am" if locale == AMERICAN else "00:05")


@locales
def test_the_crews_pages_show_times_as_the_phone_writes_them(new_phone: NewPhone, ride: DemoRide, locale: str) -> None:
    phone = new_phone(ride, "Emil", locale=locale, timezone_id=ELSEWHERE, service_workers="allow")
    phone.goto(ride.board)
    zone = read_offset(phone)

    phone.goto("/crew/ready/")

    downloaded = phone.locator("[data-check='ride'].check--yes [data-check-what]")
    expect(downloaded).to_contain_text("Downloaded")
    expect_now(downloaded.inner_text().removeprefix("Downloaded "), locale, zone)
    crew.go_to_stop(phone, "Ozweld")
    phone.locator("a.bike-row--done").first.click()
    phone.get_by_text("Recorded by").first.wait_for()
    expect_every_time(phone, locale)
