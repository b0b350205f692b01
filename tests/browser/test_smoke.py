"""The main job, once, as a newcomer meets it: `make run`'s program, a crew phone, six taps, the leaderboard, a file.

Marked `smoke`, so that `make test` runs it. It needs no engine: the phone has signal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import crew
from tests.browser.measure import DESK, PHONE
from tests.browser.page_monitor import PageMonitor
from tests.browser.results import read_board, read_csv
from tests.browser.running_server import RunningServer, serve_demo
from tests.demo_data import ADDRESS

pytestmark = pytest.mark.smoke

TIMEOUT_MS = 30_000  # milliseconds: the board asks again every 20 seconds if a stream has been missed

NewPage = Callable[..., Page]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[RunningServer]:
    """The program on an empty data folder, into which it loads the demo."""
    data = tmp_path / "data"
    data.mkdir()
    with serve_demo(data) as running:
        yield running


@pytest.fixture
def new_page(demo: RunningServer, browser: Browser) -> Iterator[NewPage]:
    """Return a page of a fresh browser of the given size; no page may cause an error."""
    monitor = PageMonitor(demo.url)

    def make(**options: object) -> Page:
        context = browser.new_context(base_url=demo.url, service_workers="block", **options)  # type: ignore[arg-type]
        monitor.follow(context)
        return context.new_page()

    yield make
    for context in monitor.contexts:
        context.close()
    assert not monitor.complaints


def test_a_phone_joins_and_six_taps_put_a_turn_on_the_leaderboard_and_into_the_file(
    demo: RunningServer, new_page: NewPage
) -> None:
    printed = dict(ADDRESS.findall("".join(demo.lines)))
    phone, board = new_page(viewport=PHONE, has_touch=True), new_page(viewport=DESK)

    phone.goto(printed["Crew"])
    phone.get_by_role("button", name="This is my phone").click()
    expect(phone).to_have_url("/crew/ready/")
    phone.goto("/crew/")
    bike = phone.locator(".bike-row").first
    number = bike.locator("bdi").first.inner_text()
    board.goto(printed["Leaderboard"])
    (before,) = [row for row in read_board(board) if row.bike == number]

    bike.click()
    expect(phone.locator("h1 .plate")).to_contain_text(number)
    crew.tap_dice(phone, "33366")
    box = phone.locator("button.box").first
    points = int(re.findall(r"\d+", box.inner_text())[-1])
    box.click()
    expect(phone.locator(".turn-result")).to_contain_text(f"{points} points")

    total = str(int(before.total) + points)
    of_bike = board.locator("#board-rows tr").filter(has=board.get_by_text(number, exact=True))
    expect(of_bike.locator("td").last).to_have_text(total, timeout=TIMEOUT_MS)
    file = board.request.get(board.get_by_role("link", name="CSV").first.get_attribute("href") or "")
    assert read_csv(file.text()) == read_board(board)
