"""Organisers and crew who are signed in over HTTP: for browsers that begin signed in, and to do what others then see.

Signing in, joining and recording have browser tests of their own (`test_whole_ride.py`, `test_without_javascript.py`,
`test_two_phones.py`). A page that follows what others record cannot tell how they did it.
"""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from playwright.sync_api import StorageState

from tests.browser.crew import BIKE, STOP, find_link
from tests.browser.organiser import Organiser
from tests.cluster.http_client import HttpAnswer, HttpClient
from tests.demo_data import DemoRide


class CrewClient:
    """Somebody of the crew of a ride, on a phone that has joined.

    Attributes:
        client: the phone.
    """

    def __init__(self, organiser: HttpClient, ride: DemoRide, name: str) -> None:
        """Args: organiser: a client that is signed in, and makes the link by which the phone joins."""
        self.client = HttpClient(organiser.url)
        link = Organiser(organiser, ride).make_link(name)
        answer = self.client.press(self.client.get(link), mine="yes")
        assert urlsplit(answer.url).path == "/crew/ready/", answer.text

    def open_group(self, stop: str) -> HttpAnswer:
        """Return the page of the group at a stop."""
        page = self.client.get("/crew/")
        return self.client.get(urljoin(page.url, find_link(page.text, STOP, stop)))

    def record_turn(self, stop: str, number: str, dice: str, box: str) -> None:
        """Record a turn by its final dice, in a box by its key."""
        form = self.client.get(find_link(self.open_group(stop).text, BIKE, number))
        answer = self.client.press(form, dice=list(dice), choose=f"score:{box}")
        assert 'class="turn-result' in answer.text, answer.text


def read_storage_state(client: HttpClient) -> StorageState:
    """Return the client's cookies as a browser takes them."""
    cookies = [
        {
            "name": cookie.name,
            "value": cookie.value or "",
            "domain": cookie.domain,
            "path": cookie.path,
            "expires": float(cookie.expires or -1),
            "httpOnly": cookie.has_nonstandard_attr("HttpOnly"),
            "secure": cookie.secure,
            "sameSite": "Lax",
        }
        for cookie in client.list_cookies()
    ]
    return StorageState(cookies=cookies, origins=[])  # type: ignore[typeddict-item]
