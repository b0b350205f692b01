"""A phone whose browser is really killed, and a server that is really stopped.

Terms: a *site* is the program on data of its own, at an address that stays its own while it is down; a *phone* is a
Chromium whose profile lies on the disk, as an installed app's does. The data are made once, with links for two of the
crew, and copied for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from tests.browser.desk import make_link, sign_in
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.browser.served import Ride, serve
from tests.cluster.ports import find_port

CREW = ("Emil", "Fay")


class Prepared(NamedTuple):
    """Data of a ride at its second stop, the paths of links nobody has used, and the organiser's account."""

    data: Path
    ride: Ride
    links: dict[str, str]
    organiser: tuple[str, str]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Prepared:
    data = tmp_path_factory.mktemp("prepared")
    with (
        serve(data, find_port()) as served,
        browser.new_context(base_url=served.url, service_workers="block") as context,
    ):
        ride = served.load_ride("parks")
        served.wait_for_worker()
        desk = context.new_page()
        sign_in(desk, *served.organiser)
        links = {name: make_link(desk, ride.desk, name).removeprefix(served.url) for name in CREW}
        return Prepared(data, ride, links, served.organiser)


@pytest.fixture
def site(prepared: Prepared, tmp_path: Path) -> Iterator[Site]:
    """The program on a copy of these data, running."""
    shutil.copytree(prepared.data, tmp_path / "data", ignore=shutil.ignore_patterns("*.lock", "celery"))
    with Site(tmp_path / "data", find_port()) as site:
        site.start()
        yield site


@pytest.fixture
def phone(browser: Browser, site: Site, prepared: Prepared, tmp_path: Path) -> Iterator[Phone]:
    """Emil's phone, ready for the ride."""
    with Phone(browser.browser_type, site.url, tmp_path / "profile") as phone:
        phone.open()
        phone.join(prepared.links["Emil"])
        # Chromium writes cookies to the disk late; a browser that is closed has written them.
        phone.close()
        phone.open()
        yield phone
