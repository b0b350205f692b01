"""A demo ride on a cluster, with its organiser and a crew member's phone as callers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import Answer, Visitor
from tests.demo_data import ADDRESS, read_account


@dataclass(frozen=True)
class Ride:
    """A ride, and two callers who are at home in it. Addresses are paths.

    Attributes:
        desk, board: the organiser's overview, and the leaderboard everybody sees.
        organiser: signed in.
        phone: joined as one of the crew.
        bikes: the pages on which the phone notes a turn for a bike, in the order of its list.
    """

    desk: str
    board: str
    organiser: Visitor
    phone: Visitor
    bikes: list[str]

    def note(self, bike: str, dice: str, box: str) -> Answer:
        """Note a turn as a crew does: tap the dice, then the box; return what is shown then."""
        return self.phone.press(self.tap(bike, dice), choose=f"score:{box}")

    def tap(self, bike: str, dice: str) -> Answer:
        """Tap the dice and return the page on which a box can be chosen."""
        page = self.phone.get(bike)
        for face in dice:
            page = self.phone.press(page, face=face)
        return page

    def count_turns(self, cluster: Cluster) -> int:
        """Return how many turns were recorded, as the log has it."""
        statement = (
            "SELECT count(*) FROM scorecards_entry AS entry "
            "JOIN scorecards_chain AS chain ON chain.id = entry.chain_id "
            "JOIN events_event AS event ON event.id = chain.event_id WHERE event.slug = %s AND entry.kind = 'record'"
        )
        return int(cluster.query(statement, self.slug)[0][0])

    @property
    def slug(self) -> str:
        """The name of the ride in addresses."""
        return self.desk.strip("/").rpartition("/")[2]

    def has_total(self, bike: str, total: str) -> bool:
        """Return whether the leaderboard shows those points for the bike."""
        return self.get_total(bike) == total

    def get_total(self, bike: str) -> str:
        """Return the bike's points as a stranger sees them on the leaderboard: "–" before its first turn."""
        holder = bike.split("/")[3]
        page = Visitor(self.phone.url).get(self.board).text
        row = re.search(rf'<tr id="row-{holder}"[^>]*>(?:(?!</tr>).)*<td>([^<]*)</td></tr>', page, re.DOTALL)
        return row[1] if row else "–"


def load_ride(cluster: Cluster, until: str = "setup") -> Ride:
    """Load a ride that nobody else looks at, up to a point of the day."""
    said = cluster.manage("demo", "--until", until)
    found = dict(ADDRESS.findall(said))
    name, password = read_account(said)
    organiser, phone = Visitor(cluster.url), Visitor(cluster.url)
    organiser.press(organiser.get("/sign-in/"), username=name, password=password)
    phone.press(phone.get(found["Crew"]))
    group = phone.get("/crew/").text
    bikes = [unescape(link) for link in dict.fromkeys(re.findall(r'href="(/crew/bikes/[^"]+)"', group))]
    return Ride(found["Organiser"], found["Leaderboard"], organiser, phone, bikes)
