"""Printed pages name their ride, a scorecard fits on one sheet, and a large document opens when it is made."""

from __future__ import annotations

import datetime as dt
import re
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.print_jobs import add_print_job
from tests.browser.running_server import RunningServer

RIDE = re.compile(r"^Tail Light Run, \d+ \w+ \d{4}$")
PAGE = re.compile(rb"/Type\s*/Page\b")


def test_a_scorecard_fits_on_one_sheet_that_names_its_ride(page: Page, server: RunningServer) -> None:
    home = server.ride("published").board.removesuffix("rock-yahtzee/")
    for contest in ("rock-yahtzee", "rogue-at-the-campfire", "go-500-wet", "grand-prix-solo"):
        page.goto(f"{home}{contest}/")
        page.locator("#board-rows a").first.click()
        expect(page.locator(".scorecard").first).to_be_visible()
        sheets = {size: len(PAGE.findall(page.pdf(format=size))) for size in ("A4", "Letter")}
        assert sheets == {"A4": 1, "Letter": 1}, contest
    expect(page.locator(".print-only")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".print-only")).to_have_text(RIDE)


@pytest.mark.parametrize("printed", ["bikes/", "bikes/codes/"])
def test_the_roster_and_the_codes_print_the_name_and_the_day_of_their_ride(
    desk: Page, server: RunningServer, printed: str
) -> None:
    desk.goto(f"{server.ride('parks').desk}{printed}")
    expect(desk.get_by_text("Pam H.").first).to_be_visible()
    desk.emulate_media(media="print")
    expect(desk.locator(".print-only")).to_have_text(RIDE)
    expect(desk.locator(".print-only")).to_be_visible()
    expect(desk.get_by_role("navigation")).to_have_count(0)


def test_a_large_document_whose_message_was_lost_is_made_and_opens_by_itself(desk: Page, server: RunningServer) -> None:
    """The page that waits asks for the task again, the worker makes the file, and the browser gets it."""
    ride, job = server.ride("published"), uuid4().hex
    add_print_job(server.data, ride.slug, job, is_public=False, age=dt.timedelta(hours=1))

    with desk.expect_download(timeout=60_000) as download:
        desk.goto(f"{ride.desk}prints/jobs/{UUID(job)}/")

    assert download.value.suggested_filename == f"practice-{ride.slug}-rock-yahtzee-scorecards-a4.pdf"
    assert len(PdfReader(download.value.path()).pages) == 25
