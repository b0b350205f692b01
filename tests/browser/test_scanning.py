"""Scanning the code on a bike with a phone's camera, and working without a camera.

Chromium shows a file instead of the camera: here a picture of a code, in a loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.bikes.codes import make_code
from tests.browser import crew
from tests.browser.conftest import AS_ROOT, TIMEOUT_MS, FindCrewClient, NewPhone
from tests.browser.film import film
from tests.browser.measure import LOCALE, PHONE, list_page_problems
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.running_server import RunningServer
from tests.browser.sessions import read_storage_state
from tests.browser.waits import wait_until
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide
from tests.services import find_browser

OLD_HOST = "https://rides.example.org"  # codes stay valid when the program moves to another address
TO_DO = re.compile(r'bike-row--todo" href="/crew/bikes/([0-9a-f-]{36})/(?:(?!</a>).)*?<bdi>(\d+)</bdi>', re.DOTALL)

URL_OF_CARD = re.compile(r'href="/crew/bikes/([0-9a-f-]{36})/\?contest=([0-9a-f-]{36})')

OpenWithCamera = Callable[..., Page]


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A ride at its second stop."""
    return server.ride("parks")


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The video that the camera shows; Chromium opens it whenever the camera is switched on."""
    return film("", tmp_path_factory.mktemp("film") / "code.y4m")


@pytest.fixture(scope="module")
def browser_with_camera(browser: Browser, filmed: Path) -> Iterator[Browser]:
    """A Chromium with a camera."""
    camera = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={filmed}"]
    chromium = browser.browser_type.launch(executable_path=find_browser(), args=[*camera, *AS_ROOT])
    yield chromium
    chromium.close()


@pytest.fixture
def open_with_camera(
    browser_with_camera: Browser,
    filmed: Path,
    server: RunningServer,
    page_monitor: PageMonitor,
    crew_client: FindCrewClient,
    ride: DemoRide,
) -> Iterator[OpenWithCamera]:
    """Return Emil's phone with a camera that shows the code of a text: `open_with_camera(text, may_use=True)`."""
    with ExitStack() as stack:

        def make(text: str, *, may_use: bool, has_app: bool = False, has_joined: bool = True) -> Page:
            joined = read_storage_state(crew_client(ride, "Emil").client) if has_joined else None
            film(text, filmed)
            context = browser_with_camera.new_context(
                base_url=server.url,
                viewport=PHONE,
                has_touch=True,
                locale=LOCALE,
                storage_state=joined,
                permissions=["camera"] if may_use else [],
                service_workers="allow" if has_app else "block",
            )
            stack.enter_context(context)
            context.set_default_timeout(TIMEOUT_MS)
            page_monitor.follow(context)
            phone = context.new_page()
            if has_joined:
                crew.go_to_stop(phone, "BBQ")
            else:
                phone.goto("/crew/")
            return phone

        yield make


@pytest.fixture
def bike(crew_client: FindCrewClient, ride: DemoRide) -> tuple[str, str]:
    """A bike of Emil's group that has not rolled at the barbecue: its number and its code."""
    found = TO_DO.search(crew_client(ride, "Emil").open_group("BBQ").text)
    assert found
    return found[2], make_code(UUID(found[1]))


def test_the_code_on_a_bike_leads_to_its_scorecard(open_with_camera: OpenWithCamera, bike: tuple[str, str]) -> None:
    number, code = bike
    phone = open_with_camera(f"{OLD_HOST}/b/{code}/", may_use=True)

    phone.get_by_role("button", name="Scan a bike").click()

    expect(phone.locator("h1 .plate")).to_contain_text(number)
    expect(phone).to_have_url(re.compile(r"/crew/bikes/.*[?&]stop="))


def test_a_foreign_code_is_reported_and_scanning_continues(
    open_with_camera: OpenWithCamera, bike: tuple[str, str]
) -> None:
    _number, code = bike
    phone = open_with_camera(f"{OLD_HOST}/somewhere/{code}/", may_use=True)

    phone.get_by_role("button", name="Scan a bike").click()

    scanner = phone.get_by_role("dialog", name="Point the camera at the code on the bike")
    expect(scanner.get_by_role("status")).to_contain_text("This is not a bike’s code.")
    assert list_page_problems(phone) == []
    scanner.get_by_role("button", name="Cancel").click()
    expect(scanner).to_be_hidden()
    wait_until(phone, "document.querySelector('#scanner video').srcObject === null")
    expect(phone.locator("#no-camera")).to_be_hidden()


def test_a_camera_that_is_refused_leads_to_the_number(open_with_camera: OpenWithCamera, bike: tuple[str, str]) -> None:
    number, code = bike
    phone = open_with_camera(f"{OLD_HOST}/b/{code}/", may_use=False)

    phone.get_by_role("button", name="Scan a bike").click()  # the first tap

    field = phone.get_by_label("Bike number")
    expect(field).to_be_focused()
    expect(phone.get_by_text("The camera cannot be used. Enter the number of the bike instead.")).to_be_visible()
    expect(field).to_have_accessible_description("The camera cannot be used. Enter the number of the bike instead.")
    expect(phone.get_by_role("dialog")).to_be_hidden()
    assert list_page_problems(phone) == []
    phone.keyboard.type(number)
    phone.keyboard.press("Enter")
    crew.open_bike(phone, number)


def test_the_camera_is_switched_off_with_the_page_it_was_opened_on(
    open_with_camera: OpenWithCamera, bike: tuple[str, str]
) -> None:
    _number, code = bike
    phone = open_with_camera(f"{OLD_HOST}/somewhere/{code}/", may_use=True, has_app=True)
    phone.evaluate("navigator.serviceWorker.ready")  # from now on pages change within one document
    crew.go_to_stop(phone, "BBQ")
    phone.get_by_role("button", name="Scan a bike").click()
    expect(phone.get_by_role("dialog").get_by_role("status")).to_contain_text("This is not a bike’s code.")
    phone.evaluate("window.camera = document.querySelector('#scanner video').srcObject.getTracks()[0]")

    phone.go_back()

    wait_until(phone, "window.camera.readyState === 'ended'")
    expect(phone.get_by_role("dialog")).to_be_hidden()
    expect(phone.locator("#no-camera")).to_be_hidden()


def test_an_installed_app_that_is_not_signed_in_scans_the_crew_link(
    open_with_camera: OpenWithCamera, server: RunningServer, organiser_client: HttpClient, ride: DemoRide
) -> None:
    link = server.url + Organiser(organiser_client, ride).make_link("Emil")
    phone = open_with_camera(link, may_use=True, has_joined=False)

    phone.get_by_role("button", name="Scan the QR code on your crew card").click()

    expect(phone.get_by_role("heading", name="Hello Emil")).to_be_visible()
    phone.get_by_role("button", name="This is my phone").click()
    expect(phone).to_have_url("/crew/ready/")


def test_a_bikes_code_is_not_taken_for_a_crew_link(open_with_camera: OpenWithCamera, bike: tuple[str, str]) -> None:
    _number, code = bike
    phone = open_with_camera(f"{OLD_HOST}/b/{code}/", may_use=True, has_joined=False)

    phone.get_by_role("button", name="Scan the QR code on your crew card").click()

    scanner = phone.get_by_role("dialog", name="Point the camera at the QR code on your crew card")
    expect(scanner.get_by_role("status")).to_contain_text("This is not the code of a crew link.")
    assert list_page_problems(phone) == []


def test_a_crew_link_is_pasted_where_the_camera_is_refused(open_with_camera: OpenWithCamera) -> None:
    phone = open_with_camera("", may_use=False, has_joined=False)

    phone.get_by_role("button", name="Scan the QR code on your crew card").click()

    expect(phone.get_by_text("The camera cannot be used. Paste the link instead.")).to_be_visible()
    expect(phone.get_by_label("Crew link")).to_be_focused()


# Pages of each kind by which the crew may come in, beside the page on which a phone joins.
ENTRIES = (
    *("/crew/ready/", "/crew/swap/", "/crew/switch/", "/crew/standing/", "/crew/tables/", "/b/{code}/"),
    *("/crew/bikes/{bike}/?contest={contest}", "/crew/bikes/{bike}/history/?contest={contest}"),
)


def test_the_camera_may_be_used_whichever_page_the_crew_came_in_by(
    open_with_camera: OpenWithCamera, server: RunningServer, organiser_client: HttpClient, ride: DemoRide
) -> None:
    phone = open_with_camera(f"{OLD_HOST}/somewhere/", may_use=True, has_app=True)
    group = phone.url
    card = URL_OF_CARD.search(phone.content())
    assert card
    names = {"bike": card[1], "contest": card[2], "code": "a" * 40}
    join = Organiser(organiser_client, ride).make_link("Emil")

    for entry in (join, *(path.format(**names) for path in ENTRIES)):
        phone.goto(entry)
        crew.follow_within_document(phone, group)
        crew.expect_camera_to_read(phone)


def test_a_phone_without_a_camera_is_not_offered_one(new_phone: NewPhone, ride: DemoRide) -> None:
    phone = new_phone(ride, "Emil")
    crew.go_to_stop(phone, "BBQ")
    wait_until(phone, "navigator.mediaDevices.enumerateDevices().then((all) => all.length === 0)")

    expect(phone.get_by_text("Find a bike")).to_be_visible()
    expect(phone.get_by_role("button", name="Scan a bike")).to_be_hidden()
