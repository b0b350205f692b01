"""`make screenshots`: takes the pictures of the README from the running demo. They are not edited.

Each picture is one function of the same name; the pictures are in `docs/screenshots`. Those that a phone shows before
it installs the app are in `static/img/screenshots`, from a ride that is no practice.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser import crew, desk
from tests.browser.running_server import RunningServer, serve
from tests.programs import ROOT
from tests.services import find_browser
from tests.shared_folder import open_shared_folder

PICTURES = ROOT / "docs" / "screenshots"
APP_PICTURES = ROOT / "static" / "img" / "screenshots"
LARGEST = 200_000  # bytes
PAUSE = 450  # milliseconds between two taps that are not a double tap
LOCALE = "en-GB"
PHONE: ViewportSize = {"width": 360, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 960}
TABLET: ViewportSize = {"width": 1024, "height": 768}
WALL: ViewportSize = {"width": 1920, "height": 1080}


class Studio:
    """A browser, the program, and the cookies of signed-in people."""

    def __init__(self, browser: Browser, served: RunningServer) -> None:
        self.browser = browser
        self.server = served
        self.organiser = self.open(DESK)
        served.ride("parks")
        desk.sign_in(self.organiser, *served.organiser)
        self.phone = self.open(PHONE)
        crew.join(self.phone, self.organiser, served.ride("parks").desk, "Emil")

    def open(self, size: ViewportSize) -> Page:
        """Open a page of a fresh browser, which does not install the app: that would replace pages at any moment."""
        return self.browser.new_context(
            base_url=self.server.url, viewport=size, has_touch=size == PHONE, locale=LOCALE, service_workers="block"
        ).new_page()


def pad(studio: Studio) -> Page:
    """The pad with three dice tapped."""
    crew.go_to_stop(studio.phone, "BBQ")
    crew.open_bike(studio.phone, "12")
    crew.tap_dice(studio.phone, "222")
    return studio.phone


def boxes(studio: Studio) -> Page:
    """The open boxes with the points they would give."""
    crew.go_to_stop(studio.phone, "BBQ")
    crew.open_bike(studio.phone, "17")
    crew.tap_dice(studio.phone, "22266")
    expect(studio.phone.locator("button.box").first).to_be_visible()
    return studio.phone


def group(studio: Studio) -> Page:
    """The group's list at a stop, where two bikes have rolled."""
    for bike, dice, box in (("17", "22266", "Full house"), ("21", "66613", "Chance")):
        crew.show_bike(studio.phone, "BBQ", bike)
        crew.record_turn(studio.phone, dice, box)
    crew.show_group(studio.phone, "BBQ")
    return studio.phone


def leaderboard(studio: Studio) -> Page:
    """The official results, as on the big screen."""
    page = studio.open(WALL)
    page.goto(studio.server.ride("published").board)
    return page


def live(studio: Studio) -> Page:
    """The live desk: every bike at every stop."""
    studio.organiser.goto(f"{studio.server.ride('parks').desk}live/")
    expect(studio.organiser.locator(".grid-table")).to_be_visible()
    return studio.organiser


def table(studio: Studio) -> Page:
    """A table in the middle of a turn."""
    phone = studio.open(PHONE)
    ride = studio.server.ride("bbq")
    crew.join(phone, studio.organiser, ride.desk, "Ida")
    phone.goto(ride.table)
    return phone


def contest(studio: Studio) -> Page:
    """The form that sets up a contest, made of the game's options."""
    studio.organiser.goto(f"{studio.server.ride('parks').desk}contests/go-500-wet/settings/")
    expect(studio.organiser.get_by_label("Rerolls")).to_be_visible()
    return studio.organiser


def microphone(studio: Studio) -> Page:
    """The page at the microphone, with the winner on it."""
    page = studio.organiser
    page.set_viewport_size(TABLET)
    page.goto(f"{studio.server.ride('published').desk}microphone/")
    page.get_by_role("button", name="Start the reveal").click()
    expect(page.locator("[data-status]")).to_have_text("The screens follow.")
    while not page.get_by_role("heading", name="1st place").is_visible():
        page.wait_for_timeout(PAUSE)
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator("[data-status]")).to_have_text("The screens follow.")
    return page


def event(studio: Studio) -> Page:
    """All contests of a ride, as a rider sees them."""
    page = studio.open(PHONE)
    page.goto(studio.server.ride("bbq").board.removesuffix("rock-yahtzee/"))
    return page


PICTURE_FUNCTIONS: tuple[Callable[[Studio], Page], ...] = (
    live,
    pad,
    boxes,
    leaderboard,
    table,
    contest,
    event,
    microphone,
)
APP_PICTURE_FUNCTIONS: tuple[Callable[[Studio], Page], ...] = (pad, boxes, group)


def main() -> int:
    """Take all pictures and return the exit status."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    shared = open_shared_folder()
    try:
        _take_pictures(as_root)
    finally:
        shutil.rmtree(shared)
    return 0


def _take_pictures(as_root: list[str]) -> None:
    with tempfile.TemporaryDirectory() as data, serve(Path(data)) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=as_root)
        studio = Studio(browser, served)
        for picture in PICTURE_FUNCTIONS:
            _take(studio, picture, PICTURES)
        served.change("UPDATE events_event SET is_practice = 0")
        for picture in APP_PICTURE_FUNCTIONS:
            _take(studio, picture, APP_PICTURES)
        browser.close()


def _take(studio: Studio, picture: Callable[[Studio], Page], folder: Path) -> None:
    place = folder / f"{picture.__name__}.png"
    picture(studio).screenshot(path=place, animations="disabled", caret="hide")
    size = place.stat().st_size
    sys.stdout.write(f"{place.relative_to(ROOT)}  {size // 1000} kB\n")
    assert size <= LARGEST, f"{place.name} is larger than {LARGEST // 1000} kB"


if __name__ == "__main__":
    sys.exit(main())
