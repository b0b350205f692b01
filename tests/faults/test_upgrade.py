"""Web processes are restarted one after the other, as in an upgrade, and no user notices."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from threading import Event

from tests.cluster.cluster import Cluster
from tests.cluster.http_client import HttpClient
from tests.cluster.program import TIMEOUT_SECONDS
from tests.cluster.ride import ClusterRide
from tests.faults.scale import scaled

PHONES = scaled(4, 2)
SEVERAL = 5  # requests
REQUEST = '"event": "request"'


class Caller:
    """A caller that talks to a web process directly, without a proxy, and sends a form in two halves."""

    HEAD = b"POST /sign-in/ HTTP/1.1\r\nHost: rides.test\r\nX-Forwarded-Proto: https\r\nContent-Length: 4\r\n\r\n"

    def __init__(self, port: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)

    def begin(self) -> None:
        """Send the first half."""
        self._line.sendall(self.HEAD + b"a=")

    def go_on(self) -> str:
        """Send the second half and return the response, up to the end of the connection."""
        with self._line:
            self._line.sendall(b"42")
            answer = b"".join(iter(lambda: self._line.recv(65_536), b""))
        return answer.decode()


@contextmanager
def keep_doing(*what: Callable[[], list[int]]) -> Iterator[list[int]]:
    """Repeat these actions in threads; afterwards the list contains the responses."""
    over, codes = Event(), list[int]()

    def repeat(do: Callable[[], list[int]]) -> list[int]:
        seen = do()
        while not over.is_set():
            seen += do()
        return seen

    with ThreadPoolExecutor(len(what)) as pool:
        doing = [pool.submit(repeat, do) for do in what]
        try:
            yield codes
        finally:
            over.set()
        for one in doing:
            codes += one.result()


def send_form(visitor: HttpClient, path: str, form: int = 0, **pressed: str) -> list[int]:
    """Open a page and send its form; return both statuses. Without the page there is no form to send."""
    page = visitor.get(path)
    if page.status_code != 200:
        return [page.status_code]
    return [page.status_code, visitor.press(page, form=form, **pressed).status_code]


def tap_dice(ride: ClusterRide, bike: str) -> Callable[[], list[int]]:
    """Open a scorecard and tap a die."""
    return partial(send_form, ride.phone.copy(), bike, face="2")


def add_bikes(ride: ClusterRide) -> Callable[[], list[int]]:
    """Add a bike with an unused number: a second copy would be refused."""
    desk, numbers = ride.organiser.copy(), count(500)
    return lambda: send_form(desk, f"{ride.desk}bikes/new/", form=1, number=str(next(numbers)))


def set_up_screen(ride: ClusterRide) -> Callable[[], list[int]]:
    """Change the line at the foot of the big screen."""
    return partial(send_form, ride.organiser.copy(), f"{ride.desk}screen/", form=3, sponsor="Harvey's garage")


def test_nobody_is_refused_while_one_process_after_the_other_is_restarted(cluster: Cluster, ride: ClusterRide) -> None:
    phones = [tap_dice(ride, bike) for bike in ride.bikes[:PHONES]]
    with keep_doing(*phones, add_bikes(ride), set_up_screen(ride)) as codes:
        for name in scaled(10, 1) * ("web-1", "web-2"):
            cluster[name].stop()
            seen = len(cluster[name].lines)
            cluster[name].start()
            # The proxy skips a process that refused it, then tries it with one request a second until there is a
            # response. After that the other process may be restarted. Several responses show it; one or two may
            # both have been such tries, whose responses are still on their way.
            for _ in range(SEVERAL):
                cluster[name].wait_for(REQUEST, seen)
                seen = 1 + next(number for number in count(seen) if REQUEST in cluster[name].lines[number])

    assert len(codes) > 10 * PHONES
    assert set(codes) == {200}, cluster.read_proxy_log()
    bikes = cluster.query(
        "SELECT number FROM bikes_bike AS bike JOIN events_event AS event ON event.id = bike.event_id "
        "WHERE event.slug = %s AND number >= '00500' ORDER BY number",
        ride.slug,
    )
    assert [int(number) for (number,) in bikes] == list(range(500, 500 + len(bikes)))
    assert bikes


def test_a_stopping_process_answers_accepted_requests_and_refuses_new_ones(cluster: Cluster) -> None:
    web, port = cluster["web-1"], cluster.ports["web-1"]
    first = Caller(port)
    first.begin()
    web.ask_to_end()

    answers = []
    with suppress(ConnectionRefusedError):
        while True:
            another = Caller(port)
            another.begin()
            answers.append(another.go_on())
    assert web.is_running, "a request has not been answered yet"
    answers.append(first.go_on())
    web.end()

    assert {answer.split("\r\n")[0] for answer in answers} == {"HTTP/1.1 403 Forbidden"}, "there is no token"
    assert all("\r\nConnection: close\r\n" in answer for answer in answers)
