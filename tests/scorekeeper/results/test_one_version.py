"""While worker and sweeper are down, all that is shown of a contest comes from one version of its standings.

Every page, stream, file and API answer with a figure is read, each of them first, after a turn that no worker has
included. As soon as one shows the turn, all do, and none shows it before the standings have it.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.ledger.models import StaleCard
from scorekeeper.live.sources import LeaderboardSource, find_screen_source
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.print_kinds import KINDS
from scorekeeper.prints.print_source import PrintSource
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.standings.models import StandingsState
from scorekeeper.standings.services import reading
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.test_exports import read_sheets
from tests.scorekeeper.scorecards.conftest import add_turn, make_paper_turn
from tests.scorekeeper.standings.conftest import update_standings
from tests.scorekeeper.table_fixtures import organiser

__all__ = ["add_turn", "organiser", "update_standings"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]

BEFORE, AFTER = 20, 20 + 17  # the total of bike 1
Read = Callable[[Client, Ride], int]


def get(client: Client, ride: Ride, route: str, *more: object) -> Any:
    response: Any = client.get(reverse(route, args=[ride.event.slug, ride.contest.slug, *more]))
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content) if response.streaming else response.content


def find(content: bytes | str) -> int:
    """Return the total in a page: only one of the two is there."""
    text = re.sub(r"<[^>]+>", " ", content.decode() if isinstance(content, bytes) else content)
    found = {total for total in (BEFORE, AFTER) if re.search(rf"(?<![\d:#])\b{total}\b(?![:\d])", text)}
    # A card with both turns shows the points of the first one, too.
    assert found in ({BEFORE}, {AFTER}, {BEFORE, AFTER}), text
    return max(found)


def read_api(client: Client, ride: Ride, path: str) -> Any:
    response = client.get(f"/api/v1/events/{ride.event.slug}/contests/{ride.contest.slug}/{path}")
    assert response.status_code == 200, response.content
    return response.json()


def pick(rows: list[dict[str, Any]], ride: Ride) -> int:
    (row,) = [row for row in rows if row["holder"] == str(ride.bikes[1].pk)]
    total: int = row["total"]
    return total


def read_json(client: Client, ride: Ride) -> Any:
    return json.loads(get(client, ride, "results:export", "export.json"))


def read_csv(client: Client, ride: Ride) -> int:
    rows = csv.DictReader(io.StringIO(get(client, ride, "results:export", "export.csv").decode("utf-8-sig")))
    return next(int(row["Total"]) for row in rows if row["Bike"] == "1")


def read_xlsx(client: Client, ride: Ride) -> int:
    sheet = read_sheets(get(client, ride, "results:export", "export.xlsx"))["Standings"]
    return int(next(row[3] for row in sheet[1:] if row[1] == 1))


def read_print(kind: str) -> Read:
    def read(client: Client, ride: Ride) -> int:
        draft: Any = KINDS[kind].make(PrintSource(ride.event, ride.contest, Paper.A4, is_public=True))
        return find(json.dumps(draft.body, default=str))

    return read


def read_snapshot(client: Client, ride: Ride) -> int:
    snapshot = LeaderboardSource(ride.contest).take_snapshot()
    assert snapshot is not None
    return find(snapshot.parts[f"row-{ride.bikes[1].pk}"].html)


def read_screen(client: Client, ride: Ride) -> int:
    source = find_screen_source(ride.event.slug)
    assert source is not None
    snapshot = source.take_snapshot()
    assert snapshot is not None
    return find(snapshot.parts[f"row-{ride.contest.pk}-{ride.bikes[1].pk}"].html)


READERS: Mapping[str, Read] = {
    "board": lambda client, ride: find(get(client, ride, "results:leaderboard").decode().split("<tbody")[1]),
    "stream": read_snapshot,
    "screen": read_screen,
    "event": lambda client, ride: find(client.get(reverse("results:event", args=[ride.event.slug])).content),
    "bike": lambda client, ride: find(get(client, ride, "results:bike", ride.bikes[1].pk)),
    "csv": read_csv,
    "xlsx": read_xlsx,
    "json": lambda client, ride: pick(
        json.loads(get(client, ride, "results:export", "export.json"))["standings"], ride
    ),
    "cards": lambda client, ride: find(get(client, ride, "results:export", "cards.csv")),
    "api standings": lambda client, ride: pick(read_api(client, ride, "standings")["standings"], ride),
    "api results": lambda client, ride: pick(read_api(client, ride, "results")["standings"], ride),
    "api scorecard": lambda client, ride: read_api(
        client, ride, f"scorecards/{derive_card_id(ride.contest.pk, ride.bikes[1].pk)}"
    )["seats"][0]["total"],
    "print of standings": read_print("standings"),
    "print of scorecards": read_print("scorecards"),
}
# These are folded from the log; the others show the stored standings.
FROM_LOG = {"bike", "csv", "xlsx", "json", "cards", "api results", "api scorecard", "print of scorecards"}


@pytest.mark.parametrize("first", READERS)
def test_whoever_is_first_to_show_a_turn_shows_it_everywhere(
    first: str, ride: Ride, client: Client, add_turn: Callable[..., Any], update_standings: Callable[[], bool]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", BEFORE))
    update_standings()
    add_turn(1, 2, make_paper_turn("sixes", 12))
    add_turn(1, 3, make_paper_turn("fives", 5))
    version = StandingsState.objects.get().version
    others = [name for name in READERS if name not in FROM_LOG and name != first]

    shown = READERS[first](client, ride)

    assert shown == (AFTER if first in FROM_LOG else BEFORE)
    assert {name: READERS[name](client, ride) for name in others} == dict.fromkeys(others, shown)
    assert (StandingsState.objects.get().version > version) == (first in FROM_LOG)
    everything = {name: READERS[name](client, ride) for name in sorted(READERS, key=lambda name: name not in FROM_LOG)}
    assert everything == dict.fromkeys(READERS, AFTER)
    assert not StaleCard.objects.exists()


def test_leaderboards_are_refreshed_by_their_readers_once_no_worker_has_done_so_for_a_while(
    ride: Ride,
    client: Client,
    add_turn: Callable[..., Any],
    update_standings: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also for a program that already has an answer."""
    path = f"/api/v1/events/{ride.event.slug}/contests/{ride.contest.slug}/standings"
    add_turn(1, 1, make_paper_turn("chance", BEFORE))
    update_standings()
    add_turn(1, 2, make_paper_turn("sixes", 12))
    add_turn(1, 3, make_paper_turn("fives", 5))
    etag = client.get(path).headers["ETag"]
    assert READERS["board"](client, ride) == BEFORE

    monkeypatch.setattr(reading, "OVERDUE", dt.timedelta(0))

    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200
    assert {READERS[name](client, ride) for name in READERS} == {AFTER}


def test_the_organisers_pages_agree_with_the_leaderboard(
    ride: Ride, client: Client, organiser: Client, add_turn: Callable[..., Any], update_standings: Callable[[], bool]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", BEFORE))
    update_standings()
    add_turn(1, 2, make_paper_turn("sixes", 12))
    add_turn(1, 3, make_paper_turn("fives", 5))

    organiser.get(reverse("desk:finish", args=[ride.event.slug, ride.contest.slug]))

    assert READERS["board"](client, ride) == AFTER
