"""Demo rides on a cluster, each with HTTP clients for its organiser and a crew member's phone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from html import unescape

from tests.cluster.cluster import Cluster
from tests.cluster.http_client import HttpAnswer, HttpClient
from tests.cluster.program import TIMEOUT_SECONDS
from tests.demo_data import ADDRESS, read_account
from tests.programs import ROOT


@dataclass(frozen=True)
class ClusterRide:
    """A ride with two clients. All URLs are paths.

    Attributes:
        desk, board: the organiser's overview, and the public leaderboard.
        organiser: a client that is signed in.
        phone: a client that has joined the crew.
        bikes: the pages on which the phone records turns, one per bike, in the order of the phone's list.
    """

    desk: str
    board: str
    organiser: HttpClient
    phone: HttpClient
    bikes: list[str]

    def record_turn(self, bike: str, dice: str, box: str) -> HttpAnswer:
        """Record a turn as a crew does: tap the dice, then the box; return the resulting page."""
        return self.phone.press(self.tap(bike, dice), choose=f"score:{box}")

    def tap(self, bike: str, dice: str) -> HttpAnswer:
        """Tap the dice and return the page on which a box can be chosen."""
        page = self.phone.get(bike)
        for face in dice:
            page = self.phone.press(page, face=face)
        return page

    def count_turns(self, cluster: Cluster) -> int:
        """Return how many turns the log contains."""
        statement = (
            "SELECT count(*) FROM scorecards_entry AS entry "
            "JOIN scorecards_chain AS chain ON chain.id = entry.chain_id "
            "JOIN events_event AS event ON event.id = chain.event_id WHERE event.slug = %s AND entry.kind = 'record'"
        )
        return int(cluster.query(statement, self.slug)[0][0])

    @property
    def slug(self) -> str:
        """The ride's slug."""
        return self.desk.strip("/").rpartition("/")[2]

    def has_total(self, bike: str, total: str) -> bool:
        """Return whether the leaderboard shows these points for the bike."""
        return self.get_total(bike) == total

    def get_total(self, bike: str) -> str:
        """Return the bike's points on the public leaderboard; "–" before its first turn."""
        entrant = bike.split("/")[3]
        page = HttpClient(self.phone.url).get(self.board).text
        row = re.search(rf'<tr id="row-{entrant}"[^>]*>(?:(?!</tr>).)*<td>([^<]*)</td></tr>', page, re.DOTALL)
        return row[1] if row else "–"


class Rides:
    """Rides that are loaded in batches and returned one by one: most of the loading time is the start of a program."""

    BATCH_SIZE = 9

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._outputs: list[str] = []

    def get_unused(self) -> ClusterRide:
        """Return a ride that no other test uses."""
        if not self._outputs:
            self._outputs = load_rides(self._cluster, ["setup"] * self.BATCH_SIZE)
        return _log_in(self._cluster, self._outputs.pop())


def load_rides(cluster: Cluster, points: list[str]) -> list[str]:
    """Load a ride up to each of these points of the day; return the command's output for each."""
    command = [sys.executable, "-m", "tests.cluster.loading", *points]
    env = cluster.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    printed: list[str] = json.loads(done.stdout)
    return printed


def _log_in(cluster: Cluster, printed: str) -> ClusterRide:
    """Sign in an organiser and a phone to a ride."""
    found = dict(ADDRESS.findall(printed))
    name, password = read_account(printed)
    organiser, phone = HttpClient(cluster.url), HttpClient(cluster.url)
    organiser.press(organiser.get("/sign-in/"), username=name, password=password)
    phone.press(phone.get(found["Crew"]))
    group = phone.get("/crew/").text
    bikes = [unescape(link) for link in dict.fromkeys(re.findall(r'href="(/crew/bikes/[^"]+)"', group))]
    return ClusterRide(found["Organiser"], found["Leaderboard"], organiser, phone, bikes)
