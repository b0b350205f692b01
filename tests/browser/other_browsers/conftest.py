"""Phones with other browsers, and the program at a URL that it keeps while it is offline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.browser.organiser import Organiser
from tests.browser.other_browsers.firefox import Firefox
from tests.browser.other_browsers.other_browser import OtherBrowser
from tests.browser.other_browsers.webkit import WebKit
from tests.browser.phone.site import Site
from tests.cluster.ports import find_port
from tests.demo_data import copy_data

POINTS = ("parks", "bbq")  # as for the phones with Chromium, so that both are made from one folder
OPTIONS: dict[str, Any] = {"options.target": 20, "options.war_at": 1000}


class RideDay(NamedTuple):
    """A ride at its second stop, with a table of Rogue, restored for each test.

    Attributes:
        data: a data folder that no program uses.
    """

    site: Site
    organiser: Organiser
    data: Path


@pytest.fixture(scope="session")
def ride_day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RideDay]:
    """The ride, prepared once."""
    folder = tmp_path_factory.mktemp("other-browsers")
    loaded = copy_data(folder / "served", POINTS)
    copy_data(folder / "data")
    [ride] = loaded.rides["parks"]
    with Site(folder / "served", find_port()) as site:
        site.slug = ride.slug
        site.go_online()
        organiser = Organiser(Organiser.sign_in(site.url, *loaded.organiser), ride)
        organiser.open("contests/new/rogue/")
        organiser.submit("Add the contest", name="Rogue till dawn", **OPTIONS)
        organiser.create_table("Rogue till dawn", "Pam H. (bike 3)", "Quin W. (bike 8)")
        site.save(folder / "data")
        yield RideDay(site, organiser, folder / "data")


@pytest.fixture(
    params=[
        pytest.param(Firefox, marks=pytest.mark.firefox, id="Firefox"),
        pytest.param(WebKit, marks=pytest.mark.webkit, id="WebKit"),
    ]
)
def phone(request: pytest.FixtureRequest, ride_day: RideDay, tmp_path: Path) -> Iterator[OtherBrowser]:
    """A crew member’s phone, fresh, while the program is online."""
    make: Callable[[str, Path], OtherBrowser] = request.param
    ride_day.site.restore(ride_day.data)
    ride_day.site.go_online()
    with make(ride_day.site.url, tmp_path / "profile") as opened:
        yield opened
