"""`/events/<slug>/<contest>/stream`, from a real web server to real connections.

Tests that neither limit nor stop the server share one; it has no viewers when a test begins.
"""

from __future__ import annotations

import re
import signal
import socket
import time
from collections.abc import Iterator, Sequence

import pytest
from django.db import connection
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import StaleCard
from scorekeeper.players.models import Player
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.live.stream_server import StreamReader, StreamServer, serve, wait_until
from tests.scorekeeper.scorecards.conftest import add_turn, make_paper_turn
from tests.scorekeeper.standings.conftest import update_standings

__all__ = ["add_turn", "update_standings"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.program]


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("live:board", args=[ride.event.slug, ride.contest.slug])


@pytest.fixture(scope="module")
def running_server(django_db_setup: None) -> Iterator[StreamServer]:
    with serve() as running:
        yield running


@pytest.fixture
def server(running_server: StreamServer, transactional_db: None) -> Iterator[StreamServer]:
    yield running_server
    running_server.reset()


def test_a_turn_reaches_viewers_and_those_that_reconnect(
    server: StreamServer, url: str, add_turn, update_standings
) -> None:
    watcher = server.open_stream(url)
    (name, board), beat = watcher.read(), watcher.read()
    assert name == "rows"
    assert board.startswith('<section class="board" id="board" hx-swap-oob="true"')
    assert beat[0] == "beat"
    assert abs(int(beat[1]) / 1000 - time.time()) < 60
    first = watcher.last_id

    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()
    changed = watcher.read_until("Cleo")[-1][1]
    assert "Bike 3 is now 1st" in changed
    assert "Ann" not in changed
    assert re.search(r'<div class="stack" id="board-head" hx-swap-oob="true">', changed)

    # After a short gap: only the missed changes.
    missed = server.open_stream(url, first)
    assert missed.read() == ("rows", changed)
    assert missed.read()[0] == "beat"
    # As the page does it.
    assert server.open_stream(f"{url}?last={watcher.last_id}").read()[0] == "beat"
    # A viewer that was away for too long.
    assert server.open_stream(url, "0" * 64).read()[1].startswith('<section class="board" id="board"')


def test_a_freeze_reaches_viewers_and_nothing_newer_does_until_it_is_lifted(
    server: StreamServer, ride: Ride, url: str, add_turn, update_standings
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    watcher = server.open_stream(url)
    watcher.read_until("Ann")
    live = watcher.last_id
    freeze_standings(ride.event)
    watcher.read_until("the result is announced at the finale")
    frozen = watcher.last_id

    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()
    for last_id in (live, frozen, "", "0" * 64):
        viewer = server.open_stream(url, last_id)
        received = [viewer.read()]
        while received[-1][0] != "beat":
            received.append(viewer.read())
        assert ">24<" not in str(received)
        assert viewer.last_id in ("", frozen)

    lift_freeze(ride.event)
    events = watcher.read_until("Bike 3 is now 1st")
    assert [name for name, data in events if ">24<" in data] == ["rows"], "only what lifting it has sent"
    assert "announced at the finale" not in events[-1][1]


def test_a_page_that_is_current_gets_nothing_again(server: StreamServer, ride: Ride, url: str) -> None:
    page = server.request(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])).read().decode()
    connect = re.search(r'sse-connect="([^"]+)"', page)
    assert connect

    assert server.open_stream(connect[1]).read()[0] == "beat"


def test_the_response_is_neither_cached_nor_buffered_and_has_its_headers(server: StreamServer, url: str) -> None:
    headers = server.request(url, X_Request_ID="from-the-proxy").headers

    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Accel-Buffering"] == "no"
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Request-ID"] == "from-the-proxy"


def test_requests_without_a_stream_are_answered_like_any_page(server: StreamServer, ride: Ride, url: str) -> None:
    assert server.request(url.replace(ride.contest.slug, "no-such")).status == 404
    assert server.request(url, "POST").status == 403, "without a token"
    assert server.request(url, "HEAD").status == 204
    assert server.request(url, Host="elsewhere.example").status == 400
    Event.objects.update(state=Event.State.DRAFT)
    assert server.request(url).status == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_pages_of_other_sites_get_no_stream(server: StreamServer, url: str, headers: dict[str, str]) -> None:
    refused = server.request(url, **headers)

    assert refused.status == 403
    assert refused.headers["X-Content-Type-Options"] == "nosniff"
    assert refused.headers["X-Request-ID"]


def test_a_ride_that_is_no_longer_public_ends_its_streams(
    server: StreamServer, url: str, ride: Ride, add_turn, update_standings
) -> None:
    watcher = server.open_stream(url)
    watcher.read_until("board-rows")
    Event.objects.update(state=Event.State.DRAFT)
    add_turn(3, 1, make_paper_turn("chance", 24))
    StaleCard.objects.create(contest=ride.contest)
    update_standings()

    while watcher.read()[0]:
        pass
    assert server.request(url).status == 404


def test_beyond_a_processs_capacity_the_page_has_to_poll_and_at_the_end_of_a_server_its_streams_end_in_order(
    transactional_db: None, url: str
) -> None:
    with serve(LIVE_VIEWERS="20") as server:
        watchers = [server.open_stream(url) for _ in range(20)]
        refused = server.request(url)
        assert refused.status == 503
        assert int(refused.headers["Retry-After"]) > 0

        left = watchers.pop()
        left.read_until("board-rows")
        left.close()
        server.wait_for_line(" stream ")
        watchers.append(server.open_stream(url))
        check_end(server, watchers, signal.SIGINT)


def test_one_public_address_gets_a_quarter_of_the_streams_and_then_has_to_poll(
    transactional_db: None, url: str
) -> None:
    """The address is the one that the proxy in front of the server has seen."""
    with serve(LIVE_VIEWERS="8") as server:
        flood = {"X_Forwarded_For": "203.0.114.7"}
        assert [server.request(url, **flood).status for _ in range(3)] == [200, 200, 503]
        assert server.request(url, X_Forwarded_For="198.51.101.1").status == 200
        assert [server.request(url).status for _ in range(3)] == [200] * 3, "from this machine"
        assert server.request(url, **flood).headers["Retry-After"]


def test_a_server_that_is_terminated_ends_its_streams_in_order(transactional_db: None, url: str) -> None:
    with serve() as server:
        check_end(server, [server.open_stream(url) for _ in range(20)], signal.SIGTERM)


def check_end(server: StreamServer, watchers: Sequence[StreamReader], number: signal.Signals) -> None:
    """Stop a server by this signal, and check that it ends the streams of its viewers and none is cut."""
    for watcher in watchers:
        watcher.read_until("board-rows")

    seconds = server.stop(number)

    for watcher in watchers:
        while watcher.read()[0]:  # a connection that was cut would raise
            pass
    assert seconds < 4, "it waited for its patience to end"
    assert "Cancel" not in "".join(server.lines)
    assert "Traceback" not in "".join(server.lines)


def test_two_hundred_viewers_take_no_thread_and_no_connection_each(
    server: StreamServer, url: str, add_turn, update_standings
) -> None:
    first = server.open_stream(url)
    first.read_until("board-rows")
    threads, connections = server.count_threads(), server.count_connections()
    assert connections == 1

    watchers = [server.open_stream(url) for _ in range(200)]
    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()
    for watcher in watchers:
        watcher.read_until("Bike 3 is now 1st")

    assert server.count_threads() == threads
    assert server.count_connections() == connections


def test_without_viewers_the_database_connection_is_closed(server: StreamServer, url: str) -> None:
    watcher = server.open_stream(url)
    watcher.read_until("board-rows")
    assert server.count_connections() == 1

    watcher.close()
    server.wait_for_line(" stream ")

    wait_until(lambda: server.count_connections() == 0, "the connection to be closed")

    Event.objects.update(state=Event.State.DRAFT)
    assert server.request(url).status == 404
    wait_until(lambda: server.count_connections() == 0, "the connection to be closed")


def test_a_viewer_that_does_not_read_is_dropped_and_the_others_continue(
    server: StreamServer, ride: Ride, url: str, add_turn, update_standings
) -> None:
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + number) for number in range(500)])
    names = "N" * 70
    Player.objects.bulk_create(
        [Player(event=ride.event, name=names, bike=bike) for bike in Bike.objects.filter(number__gte=100)]
    )
    quick = server.open_stream(url)
    quick.read_until("board-rows")
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(f"GET {url} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        number = 0
        while not any("slow_viewers_dropped" in line for line in server.lines):
            number += 1
            assert number < 100
            Player.objects.filter(bike__number__gte=100).update(name=f"{names} {number:03};")
            StaleCard.objects.create(contest=ride.contest)
            update_standings()
            quick.read_until(f"{number:03};")

    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()
    quick.read_until("Bike 3 is now 1st")


@pytest.mark.postgres
def test_a_lost_database_connection_is_replaced(server: StreamServer, url: str, add_turn, update_standings) -> None:
    watcher = server.open_stream(url)
    watcher.read_until("board-rows")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()

    watcher.read_until("Bike 3 is now 1st")
