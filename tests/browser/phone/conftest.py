"""A phone whose browser is really killed, and a server that is really stopped.

Terms: a *site* is the program on data of its own, at an address that stays its own while it is down; a *phone* is a
Chromium whose profile lies on the disk, as an installed app's does. The data are made once, with links for two of the
crew, and copied for each test. Phones are watched as every browser is, but for what they cannot load without signal.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.desk import make_link, sign_in
from tests.browser.measure import DESK
from tests.browser.phone.phone import PATIENCE, Phone
from tests.browser.phone.site import Site
from tests.browser.served import Ride, serve
from tests.browser.watch import Watch
from tests.cluster.ports import find_port

MakeLink = Callable[..., str]


class Prepared(NamedTuple):
    """A ride at its second stop and Emil's phone, ready for it: copied for each test.

    Attributes:
        port: where the ride was served when the phone joined it; a phone knows it by no other address.
    """

    data: Path
    profile: Path
    port: int
    ride: Ride
    organiser: tuple[str, str]


@pytest.fixture(autouse=True)
def _patient() -> Iterator[None]:
    """Wait for what is looked at as long as an engine may take to start."""
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Prepared:
    data = tmp_path_factory.mktemp("prepared")
    with ExitStack() as stack:
        port = find_port()
        served = stack.enter_context(serve(data, port))
        context = stack.enter_context(browser.new_context(base_url=served.url, service_workers="block"))
        ride = served.load_ride("parks")
        served.wait_for_worker()
        desk = context.new_page()
        sign_in(desk, *served.organiser)
        link = make_link(desk, ride.desk, "Emil").removeprefix(served.url)
        profile = tmp_path_factory.mktemp("phone") / "profile"
        # Chromium writes cookies to the disk late; a browser that is closed has written them.
        with Phone(browser.browser_type, served.url, profile) as phone:
            phone.open()
            phone.join(link)
            phone.expect_ready()
        return Prepared(data, profile, port, ride, served.organiser)


@pytest.fixture
def site(prepared: Prepared, tmp_path: Path) -> Iterator[Site]:
    """The program on a copy of these data, running."""
    shutil.copytree(prepared.data, tmp_path / "data", ignore=shutil.ignore_patterns("*.lock", "celery"))
    with Site(tmp_path / "data", prepared.port) as site:
        site.start()
        yield site


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    """What must not happen on any phone of the test, with signal or without."""
    watching = Watch(site.url, may_be_alone=True)
    yield watching
    assert not watching.complaints, "\n".join(watching.complaints)


@pytest.fixture
def desk(browser: Browser, site: Site, prepared: Prepared) -> Iterator[Page]:
    """A page of the organiser."""
    with browser.new_context(base_url=site.url, viewport=DESK, service_workers="block") as context:
        page = context.new_page()
        sign_in(page, *prepared.organiser)
        yield page


@pytest.fixture
def new_link(desk: Page, site: Site, prepared: Prepared) -> MakeLink:
    """Return another link, as the organiser makes it for whoever asks for one: Emil, or `new_link("Fay")`."""
    return lambda name="Emil": make_link(desk, prepared.ride.desk, name).removeprefix(site.url)


@pytest.fixture
def phone(browser: Browser, site: Site, prepared: Prepared, watch: Watch, tmp_path: Path) -> Iterator[Phone]:
    """Emil's phone, ready for the ride."""
    shutil.copytree(prepared.profile, tmp_path / "profile", symlinks=True, ignore=shutil.ignore_patterns("Singleton*"))
    with Phone(browser.browser_type, site.url, tmp_path / "profile", watch) as phone:
        phone.open()
        yield phone


@pytest.fixture
def other(browser: Browser, site: Site, new_link: MakeLink, watch: Watch, tmp_path: Path) -> Iterator[Phone]:
    """The phone of another of Emil's group, ready for the ride and to swap."""
    with Phone(browser.browser_type, site.url, tmp_path / "other", watch) as phone:
        phone.open()
        phone.join(new_link("Fay"))
        phone.expect_able_to_swap()
        yield phone
