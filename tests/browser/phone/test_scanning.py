"""Scanning a bike's code without signal, whichever page of the crew the phone was opened with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import crew
from tests.browser.film import film
from tests.browser.page_monitor import PageMonitor
from tests.browser.phone.conftest import ReadyRide, copy_profile
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

# The pages that are stored, a page that the engine renders, and one that it answers with an error.
ENTRIES = ("/crew/ready/", "/crew/swap/", "/crew/shell/", "/crew/standing/", "/crew/no-such-page/")


@pytest.fixture
def phone(
    browser: Browser, site: Site, ready_ride: ReadyRide, page_monitor: PageMonitor, tmp_path: Path
) -> Iterator[Phone]:
    """Emil's phone, ready for the ride, with a camera that shows a code of something else."""
    copy_profile(ready_ride.profiles["Emil"], tmp_path / "profile")
    code = film("https://rides.example.org/somewhere/", tmp_path / "code.y4m")
    with Phone(browser.browser_type, site.url, tmp_path / "profile", page_monitor, code) as phone:
        phone.open()
        yield phone


def test_the_camera_may_be_used_without_signal(site: Site, phone: Phone) -> None:
    phone.page.goto("/healthz")
    site.go_offline()

    for entry in ENTRIES:
        phone.page.goto(entry)
        expect(phone.page.locator("body.crew h1").first).to_be_visible()
        crew.follow_within_document(phone.page, f"{site.url}/crew/")
        crew.expect_camera_to_read(phone.page)
