"""Every limit by address, through the proxies of deploy/ and both servers: addresses never share one.

The clients have addresses of their own in 127.0.0.0/8, and each sends a forged X-Forwarded-For that changes with every
request. Only 127.0.0.1, where the proxies are, is trusted.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest

from scorekeeper.agreements import services
from scorekeeper.events.services.sign_in_throttle import NAMES_PER_ADDRESS
from scorekeeper.live import services as live_services
from scorekeeper.players import sign_ups
from tests.cluster.ports import find_port
from tests.cluster.program import Program
from tests.demo_data import DATABASE, NO_TABLES, copy_data
from tests.deploy_proxies import SITE, running, send, wait_for_certificate, write_caddyfile, write_nginx_files
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.programs import make_environment
from tests.services import get_program

pytestmark = [pytest.mark.program, pytest.mark.deploy]

ADDRESSES = scaled(25, 5)
API_READS, PRINTS = 10, 3
STAGE = f"parks{NO_TABLES}"
SERVERS = ("gunicorn", "uvicorn")
PROXIES = ("nginx", "Caddy")
LEFT_BEHIND = (
    *("common_usecount", "live_pairingcode", "players_signup", "agreements_objection"),
    *("prints_printfile", "prints_printjob"),
)
TOKEN = "t" * 32


class Limit(NamedTuple):
    """A limit, and how to use it once.

    Attributes:
        most: for one address.
        share: how often each of many addresses uses it.
        use: `use(number)` returns a method, a path and fields, others for each number.
        accepted: the status of a use within the limit.
    """

    most: int
    share: int
    use: Callable[[int], tuple[str, str, dict[str, str]]]
    accepted: int


class Site:
    """The program's data, and its processes."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.slug = copy_data(data, [STAGE]).rides[STAGE][0].slug
        with closing(sqlite3.connect(data / DATABASE)) as database, database:
            database.execute("UPDATE events_event SET is_sign_up_open = 1, is_practice = 0")
            found = database.execute("SELECT id FROM bikes_bike WHERE merged_into_id IS NULL").fetchall()
        self.bikes = [str(UUID(row[0])) for row in found]
        variables = make_environment(
            data,
            BASE_URL=f"https://{SITE}",
            API_READS_PER_ADDRESS=str(API_READS),
            PRINTS_PER_ADDRESS=str(PRINTS),
        )
        self.ports = {server: find_port() for server in SERVERS}
        bind = f"127.0.0.1:{self.ports['gunicorn']}"
        gunicorn = ["gunicorn", "-c", "deploy/gunicorn.conf.py", "--bind", bind, "config.wsgi"]
        uvicorn = ["uvicorn", "config.asgi:application", "--port", str(self.ports["uvicorn"]), "--no-access-log"]
        self.programs = [
            Program("gunicorn", [sys.executable, "-m", *gunicorn], "Ready to answer", variables=variables),
            Program("uvicorn", [sys.executable, "-m", *uvicorn], "Uvicorn running on", variables=variables),
        ]

    def forget(self) -> None:
        """Delete what was sent, and what was counted."""
        with closing(sqlite3.connect(self.data / DATABASE, timeout=60)) as database, database:
            for table in LEFT_BEHIND:
                database.execute(f"DELETE FROM {table}")

    @property
    def limits(self) -> dict[str, Limit]:
        """Every limit by address."""
        event, contest = f"/events/{self.slug}", f"/events/{self.slug}/rock-yahtzee"

        def object_to(number: int) -> tuple[str, str, dict[str, str]]:
            bike = self.bikes[number % len(self.bikes)]
            return "POST", f"{contest}/bikes/{bike}/wrong/", {"objection": str(uuid4()), "text": "Not what I rolled."}

        def print_card(number: int) -> tuple[str, str, dict[str, str]]:
            paper = ("a4", "letter")[number // len(self.bikes)]
            query = urlencode({"of": self.bikes[number % len(self.bikes)], "paper": paper})
            return "GET", f"{contest}/print/scorecards.pdf?{query}", {}

        def sign_up(number: int) -> tuple[str, str, dict[str, str]]:
            return "POST", f"{event}/sign-up/", {"sign_up": str(uuid4()), "rider": f"Rider {number}"}

        def sign_in(number: int) -> tuple[str, str, dict[str, str]]:
            return "POST", "/sign-in/", {"username": f"rider{number}", "password": "Password1"}

        return {
            "televisions": Limit(live_services.MAX_PER_ADDRESS, 3, lambda _number: ("GET", "/screen", {}), 200),
            "sign-ups": Limit(sign_ups.PER_ADDRESS.most, 2, sign_up, 302),
            "objections": Limit(services.PER_ADDRESS.most, 1, object_to, 302),
            "names at sign-in": Limit(NAMES_PER_ADDRESS.most, 1, sign_in, 422),
            "reads by the API": Limit(
                API_READS, 4, lambda _number: ("GET", f"/api/v1{event}/contests/rock-yahtzee/standings", {}), 200
            ),
            "documents": Limit(PRINTS, 1, print_card, 200),
        }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    found = Site(tmp_path_factory.mktemp("addresses"))
    try:
        for program in found.programs:
            program.launch()
        for program in found.programs:
            program.wait_until_ready()
        yield found
    finally:
        for program in found.programs:
            program.end()


@contextmanager
def run_proxy(kind: str, folder: Path, pages: int) -> Iterator[int]:
    """Run a proxy in front of a server; yield the port for clients."""
    plain, secure = find_port(), find_port()
    if kind == "nginx":
        write_nginx_files(folder, plain, secure, pages=pages, streams=pages)
        with running(get_program("nginx"), "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf", port=secure):
            yield secure
    else:
        write_caddyfile(folder, "caddy", plain, secure, pages=pages, streams=pages)
        options = ("run", "--adapter", "caddyfile", "--config", folder / "Caddyfile")
        with running(get_program("caddy"), *options, port=secure, HOME=str(folder)):
            wait_for_certificate(secure)
            yield secure


class Clients:
    """Clients with addresses of their own, at one port."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._forged = count(1)

    def use(self, limit: Limit, number: int, source: str) -> int:
        """Use a limit once; return the status."""
        method, path, fields = limit.use(number)
        forged = f"198.51.{next(self._forged) % 250}.{number % 250}"
        headers = {"Host": SITE, "X-Forwarded-For": forged, "Forwarded": f"for={forged}", "X-Real-IP": forged}
        body = None
        if method == "POST":
            headers |= {"Origin": f"https://{SITE}", "Cookie": f"__Host-csrftoken={TOKEN}"}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**fields, "csrfmiddlewaretoken": TOKEN})
        return send(self._port, method, path, headers=headers, body=body, source=source)[0]


@pytest.mark.parametrize("proxy", PROXIES)
@pytest.mark.parametrize("server", SERVERS)
def test_addresses_never_limit_each_other_and_one_address_is_limited(
    server: str, proxy: str, site: Site, tmp_path: Path, figures: Figures
) -> None:
    site.forget()
    accepted, alone_accepted = {}, {}
    with run_proxy(proxy, tmp_path, site.ports[server]) as port:
        clients = Clients(port)
        # One client for each limit, because reading a document also counts as reading.
        for third, (name, limit) in enumerate(site.limits.items(), 2):
            numbers = count()
            shared = [
                clients.use(limit, next(numbers), f"127.0.1.{host}")
                for host in range(1, ADDRESSES + 1)
                for _share in range(limit.share)
            ]
            assert shared == [limit.accepted] * len(shared), name
            alone = [clients.use(limit, next(numbers), f"127.0.{third}.1") for _use in range(limit.most + 1)]
            assert alone == [limit.accepted] * limit.most + [429], name
            assert clients.use(limit, next(numbers), f"127.0.{third}.2") == limit.accepted, name
            accepted[name], alone_accepted[name] = len(shared), limit.most
    figures.add(
        f"40 · limits by address behind {proxy} and {server}",
        f"{ADDRESSES} addresses, with a forged header in each request: none refused ("
        + ", ".join(f"{number} {name}" for name, number in accepted.items())
        + "). One address: "
        + ", ".join(f"{number} {name}" for name, number in alone_accepted.items())
        + " accepted, the next one refused",
    )
