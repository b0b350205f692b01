"""The page of an event in a browser: an invitation on phones and on paper, and its forms with scripts and without."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, StorageState, expect
from pypdf import PdfReader

from tests.browser.conftest import TakePage
from tests.browser.measure import DESK, PHONE, list_page_problems
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.demo_data import DemoRide
from tests.scorekeeper.picture_files import draw, make_photo, make_png

FORTY_MEGABYTES = 40 * 2**20
GPX = (
    b'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">'
    b'<wpt lat="51.19" lon="-114.46"><name>Ozweld\'s</name></wpt><wpt lat="50.9" lon="-114.5"><name>Fuel</name></wpt>'
    b'<trk><trkseg><trkpt lat="51.19" lon="-114.46"/><trkpt lat="50.9" lon="-114.5"/></trkseg></trk></gpx>'
)


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("setup")


def add_poster(page: Page, ride: DemoRide, content: bytes) -> None:
    page.goto(f"{ride.desk}page/poster/")
    page.set_input_files("input[name=poster]", {"name": "poster.png", "mimeType": "image/png", "buffer": content})
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The poster has been saved.")).to_be_visible()


def look_at_gpx(page: Page, ride: DemoRide) -> None:
    page.goto(f"{ride.desk}page/route/gpx/")
    page.set_input_files("input[name=file]", {"name": "ride.gpx", "mimeType": "application/gpx+xml", "buffer": GPX})
    page.get_by_role("button", name="Look at the file").click()


def test_the_invitation_with_a_poster_is_fine_on_phones_in_the_dark_and_fits_on_one_sheet(
    take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState
) -> None:
    page = take_page(PHONE, organiser_cookies)
    add_poster(page, ride, make_png(draw((800, 1130))))

    page.goto(f"/events/{ride.slug}/")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".invite__poster img")).to_be_visible()
    assert list_page_problems(page) == []
    page.set_viewport_size(DESK)
    sheets = PdfReader(BytesIO(page.pdf(format="A4"))).pages
    assert len(sheets) == 1
    text = sheets[0].extract_text()
    for words in ("Sign-on and coffee", "143.7 km", "Rain gear", "Dot at the club", "Foothills Brewing"):
        assert words in text


@pytest.mark.parametrize("part", ["", "poster/", "programme/", "route/", "route/gpx/", "sponsors/", "preview/"])
def test_the_organisers_pages_are_fine(
    take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState, part: str
) -> None:
    page = take_page(DESK, organiser_cookies)
    page.goto(f"{ride.desk}page/{part}")
    assert list_page_problems(page) == []


def test_a_poster_of_forty_megabytes_is_refused_before_it_is_sent_and_the_rest_is_kept(
    take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState, tmp_path: Path
) -> None:
    file = tmp_path / "poster.jpg"
    with file.open("wb") as stream:
        stream.write(make_photo((100, 100)))
        stream.truncate(FORTY_MEGABYTES)
    page = take_page(PHONE, organiser_cookies)
    page.goto(f"{ride.desk}page/poster/")
    page.get_by_label("What the poster shows").fill("A tail-light at night")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.set_input_files("input[name=poster]", file)
    expect(page.get_by_role("alert")).to_contain_text("This picture has 40 MB, and it can have 10 MB.")
    page.get_by_role("button", name="Save").click()

    expect(page.locator("input[name=poster]")).to_be_focused()
    expect(page.get_by_label("What the poster shows")).to_have_value("A tail-light at night")
    assert "POST" not in sent
    page.set_input_files("input[name=poster]", {"name": "small.png", "mimeType": "image/png", "buffer": make_png()})
    expect(page.get_by_role("alert")).to_have_count(0)


def test_without_scripts_a_programme_and_a_gpx_file_come_in(
    new_context: Callable[..., BrowserContext], ride: DemoRide, organiser_cookies: StorageState
) -> None:
    context = new_context(viewport=PHONE, storage_state=organiser_cookies, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{ride.desk}page/programme/")
    row = page.locator(".programme-row").last
    row.get_by_label("Time").fill("23:30")
    row.get_by_label("What happens").fill("Fireworks")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The programme has been saved.")).to_be_visible()

    look_at_gpx(page, ride)
    first = page.get_by_role("group", name="Ozweld's")
    expect(first.get_by_label("Take this place over")).to_be_checked()
    expect(page.get_by_role("group", name="Fuel").get_by_label("Take this place over")).not_to_be_checked()
    page.get_by_role("button", name="Take over what is ticked").click()
    expect(page.get_by_text("What you chose has been taken over from the file.")).to_be_visible()

    page.goto(f"/events/{ride.slug}/")
    expect(page.get_by_text("Fireworks")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Route as GPX").click()
    assert b"<trkpt" in download.value.path().read_bytes()


def test_a_track_is_deleted_after_a_question(
    take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState
) -> None:
    page = take_page(DESK, organiser_cookies)
    look_at_gpx(page, ride)
    page.get_by_role("button", name="Take over what is ticked").click()
    page.get_by_role("link", name="Delete the track").click()
    expect(page.get_by_role("heading", level=1, name="Delete the track")).to_be_visible()
    assert list_page_problems(page) == []
    assert {get_route(urlsplit(page.url).path)} == MEASURED_BY["test_event_page.py"]

    page.get_by_role("button", name="Delete the track").click()
    expect(page.get_by_text("The track has been deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="Delete the track")).to_have_count(0)
