"""The big screen on walls of every size, by night and by day, with the longest names and with every band at once."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import PHONE, get_box, measure
from tests.browser.running_server import RunningServer
from tests.browser.test_screen import get_status, open_screen, rows
from tests.browser.walls import WALLS, list_wall_problems
from tests.demo_data import DemoRide

# Sixty characters each: the widest letters, words, no spaces, right to left, emoji, accents above and below.
NAMES = (
    "W" * 60,
    "Bartholomew Featherstonehaugh-Cholmondeley of Nether Wallop 2",
    "عبد الرحمن بن محمد بن عبد الله الحسيني الطرابلسي الأندلسي",
    "👩‍👩‍👧‍👦🏍️🔥 Zoë Ångström-Đorđević 🇳🇴🏁 the Unstoppable",
    "שלום בן־אברהם הכהן הגדול מירושלים ובן־ציון הלוי מצפת העתיקה",
    "葛飾北斎東洲斎写楽喜多川歌麿歌川広重" * 3,
    "gjpqy ẤỆỰ Ṩ́ " * 5,
    "Ann",
)
RENAME = """
from scorekeeper.events.models import Event
event = Event.objects.get(slug={slug!r})
event.people_shown = "names"
event.save()
for number, person in enumerate(event.players.order_by("bike__number", "name")):
    person.name = {names!r}[number % {count}][:60].strip()
    person.save()
"""


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A closed ride with a tie and with tables, whose people have long names."""
    ride = server.load_ride("closed")
    server.manage("shell", "-c", RENAME.format(slug=ride.slug, names=NAMES, count=len(NAMES)))
    server.wait_for_worker()
    return ride


@pytest.fixture
def screen(take_page: TakePage, ride: DemoRide) -> Page:
    screen = open_screen(take_page(WALLS[0]), ride)
    screen.keyboard.press("Space")
    return screen


def test_every_page_fits_on_every_wall_by_night_and_by_day(screen: Page) -> None:
    pages = int((get_status(screen).text_content() or "").rpartition(" ")[2])
    assert pages > 5
    for page in range(pages):
        expect(get_status(screen)).to_have_text(f"Page {page + 1} of {pages}")
        assert list_wall_problems(screen) == []
        screen.keyboard.press("ArrowRight")


def test_ten_rows_fit_with_messages_a_sponsor_and_a_freeze(screen: Page, desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}screen/")
    desk.get_by_label("Sponsor line").fill("Coffee, cake and dry socks by Ozweld's of the old mill road")
    desk.get_by_role("button", name="Save the screen").click()
    desk.goto(f"{ride.desk}messages/")
    desk.get_by_label("Message", exact=True).fill("Soup is ready. The red car blocks the gate: please move it.")
    for box in desk.get_by_role("checkbox").all():
        box.check()
    desk.get_by_role("button", name="Send").click()
    expect(screen.get_by_text("Soup is ready.")).to_be_visible()
    desk.goto(f"{ride.desk}screen/")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Freeze the standings").click()
    expect(screen.get_by_text("Standings frozen at")).to_be_visible()

    expect(rows(screen)).to_have_count(10)
    assert list_wall_problems(screen) == []
    screen.set_viewport_size(WALLS[0])
    assert min(row.bounding_box()["height"] for row in rows(screen).all()) >= 56  # type: ignore[index]


def test_letters_grow_with_the_wall_and_with_the_zoom_of_the_browser(screen: Page) -> None:
    sizes = []
    for wall in WALLS:
        screen.set_viewport_size(wall)
        sizes.append(screen.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)"))
    assert sizes[0] == 16
    assert sizes[1] == pytest.approx(16 * 768 / 1080, abs=0.1)
    assert sizes[2] == 32
    screen.set_viewport_size({"width": 960, "height": 540})  # 1920 by 1080 at 200 %
    assert screen.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 16


def test_without_a_theme_the_device_decides(screen: Page) -> None:
    def list_papers(scheme: Literal["light", "dark"]) -> list[str]:
        screen.emulate_media(color_scheme=scheme)
        papers: list[str] = screen.evaluate("""() => ["", "day", "night"].map((theme) => {
          document.documentElement.dataset.theme = theme;
          return getComputedStyle(document.documentElement).backgroundColor;
        })""")
        return papers

    bright, day, night = list_papers("light")
    dark, same_day, same_night = list_papers("dark")
    assert bright != dark
    assert (day, same_day) == (bright, bright)
    assert (night, same_night) == (dark, dark)


def test_the_longest_names_fit_on_a_phones_leaderboard_and_scorecard(take_page: TakePage, ride: DemoRide) -> None:
    page = take_page(PHONE)
    page.goto(ride.board)
    names = page.locator(".board-table .is-long")
    assert names.count() > 5
    assert min(get_box(name)["width"] for name in names.all()) > PHONE["width"] / 2, "not letter by letter"
    card = page.locator(".board-table tbody th a").first.get_attribute("href")

    for path in (ride.board, str(card), f"/events/{ride.slug}/"):
        page.goto(path)
        assert measure(page, "wide") == [], path
