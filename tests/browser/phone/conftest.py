"""A phone whose browser is really killed, and a server that is really offline.

Terms: a *site* is the program on data of its own, at a URL that it keeps while it is offline; a *phone*
is a Chromium whose profile is on the disk, as an installed app's is. Data and phones are prepared once per process;
for each test the data are restored and the profiles copied. Phones are monitored like every browser, except for what
they cannot load without signal.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import TIMEOUT_MS as PAGE_TIMEOUT_MS
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.phone.phone import SMALLEST_SNAPSHOT, TIMEOUT_MS, Phone
from tests.browser.phone.site import Site
from tests.cluster.http_client import HttpClient
from tests.cluster.ports import find_port
from tests.demo_data import DemoRide, copy_data

MakeLink = Callable[..., str]

CREW = ("Emil", "Fay")
POINTS = ("parks", "bbq")  # points of the demo's day: the ride that all phones are at, and one with tables


class ReadyRide(NamedTuple):
    """A ride at its second stop with two phones that are ready for it, restored and copied for each test.

    Attributes:
        data: a data folder that no program uses.
        profiles: the phones' profiles, by owner.
        signed_in: the organiser's client.
    """

    site: Site
    data: Path
    profiles: Mapping[str, Path]
    ride: DemoRide
    signed_in: HttpClient


@pytest.fixture(autouse=True)
def _long_timeouts() -> Iterator[None]:
    """Wait for locators as long as an engine may take to start."""
    expect.set_options(timeout=TIMEOUT_MS)
    yield
    expect.set_options(timeout=PAGE_TIMEOUT_MS)


@pytest.fixture(scope="session")
def ready_ride(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[ReadyRide]:
    folder = tmp_path_factory.mktemp("prepared")
    loaded = copy_data(folder / "served", POINTS)
    copy_data(folder / "data")
    ride = loaded.rides["parks"][0]
    with Site(folder / "served", find_port()) as site:
        site.slug = ride.slug
        site.go_online()
        site.server.add_loaded_rides(loaded)
        signed_in = Organiser.sign_in(site.url, *loaded.organiser)
        links = {name: Organiser(signed_in, ride).make_link(name) for name in CREW}
        profiles = {name: folder / name for name in CREW}
        first, *others = CREW
        # Chromium writes cookies to the disk late, at the latest when it is closed.
        with Phone(browser.browser_type, site.url, profiles[first]) as phone:
            phone.open()
            _join(phone, links[first])
            phone.expect_ready()
            phone.wait_for_snapshot()
        for name in others:
            copy_profile(profiles[first], profiles[name])
            with Phone(browser.browser_type, site.url, profiles[name]) as phone:
                phone.open()
                phone.delete_data()  # so that only the installed app, with its engine, is the first phone's
                phone.leave_out_engine()
                _join(phone, links[name])
        site.save(folder / "data")
        snapshots = _describe_snapshots(profiles.values())
        assert len(snapshots) == len(CREW)
        yield ReadyRide(site, folder / "data", profiles, ride, signed_in)
        assert _describe_snapshots(profiles.values()) == snapshots, "a test has changed the snapshot of all others"


def _join(phone: Phone, link: str) -> None:
    """Join the ride, and wait until the phone has its copy of it, and the server has the phone's key."""
    phone.join(link)
    expect(phone.page.locator("[data-check='ride'].check--yes")).to_be_visible(timeout=TIMEOUT_MS)
    expect(phone.page.locator("[data-check='swap'].check--yes")).to_be_visible(timeout=TIMEOUT_MS)


def copy_profile(profile: Path, copy: Path) -> None:
    """Copy a phone’s profile; the large snapshot of its engine is only linked."""
    ignored = shutil.ignore_patterns("Singleton*")
    shutil.copytree(profile, copy, symlinks=True, ignore=ignored, copy_function=_copy_or_link)


def _copy_or_link(source: str, target: str) -> None:
    # The snapshot of an engine is most of a profile. Chromium deletes or replaces such a file, but never changes it.
    if _is_snapshot(Path(source)):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def _is_snapshot(file: Path) -> bool:
    return file.stat().st_size > SMALLEST_SNAPSHOT


def _describe_snapshots(profiles: Iterable[Path]) -> list[tuple[int, int]]:
    """Return size and time of change of the snapshots in the profiles."""
    files = [file for profile in profiles for file in profile.rglob("*") if file.is_file() and _is_snapshot(file)]
    return [(file.stat().st_size, file.stat().st_mtime_ns) for file in sorted(files)]


@pytest.fixture
def site(ready_ride: ReadyRide) -> Iterator[Site]:
    """The program with these data, online."""
    site = ready_ride.site
    site.restore(ready_ride.data)
    site.go_online()
    yield site
    site.go_offline()


@pytest.fixture
def page_monitor(site: Site) -> Iterator[PageMonitor]:
    """Collects what must not happen on any phone of the test, with signal or without."""
    watching = PageMonitor(site.url, may_be_offline=True)
    yield watching
    assert not watching.complaints, "\n".join(watching.complaints)


@pytest.fixture
def organiser(site: Site, ready_ride: ReadyRide) -> Organiser:
    """The organiser, signed in."""
    return Organiser(ready_ride.signed_in.copy(), ready_ride.ride)


@pytest.fixture
def new_link(organiser: Organiser) -> MakeLink:
    """Return another link, made by the organiser for a crew member: Emil, or `new_link("Fay")`."""
    return lambda name="Emil": organiser.make_link(name)


@pytest.fixture
def phone(
    browser: Browser, site: Site, ready_ride: ReadyRide, page_monitor: PageMonitor, tmp_path: Path
) -> Iterator[Phone]:
    """Emil's phone, ready for the ride."""
    copy_profile(ready_ride.profiles["Emil"], tmp_path / "profile")
    with Phone(browser.browser_type, site.url, tmp_path / "profile", page_monitor) as phone:
        phone.open()
        yield phone


@pytest.fixture
def other_phone(
    browser: Browser, site: Site, ready_ride: ReadyRide, page_monitor: PageMonitor, tmp_path: Path
) -> Iterator[Phone]:
    """The phone of another member of Emil's group, ready for the ride."""
    copy_profile(ready_ride.profiles["Fay"], tmp_path / "other")
    with Phone(browser.browser_type, site.url, tmp_path / "other", page_monitor) as phone:
        phone.open()
        yield phone
