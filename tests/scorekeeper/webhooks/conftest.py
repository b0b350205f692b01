"""A ride with a webhook, and a real receiver on this machine that answers as it is told."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_django import Settings

from scorekeeper.webhooks.deliveries import deliver
from scorekeeper.webhooks.models import CHOOSABLE, Webhook, WebhookDelivery
from scorekeeper.webhooks.services import add_webhook
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.standings.conftest import add_turn, close, desk, update_standings
from tests.scorekeeper.table_fixtures import people, pig_contest

__all__ = ["add_turn", "close", "desk", "people", "pig_contest", "update_standings"]

Answer = Callable[[BaseHTTPRequestHandler], None]


def respond(status: int, headers: dict[str, str] | None = None, body: bytes = b"") -> Answer:
    """Return an answer with this status."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@dataclass
class Receiver:
    """A receiver on a port of its own.

    Attributes:
        received: the path, the headers and the body of every request.
        answers: what it answers to the next requests; then, and if there are none, 204.
        arrived: set after each request.
    """

    port: int = 0
    scheme: str = "http"
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hook?club=1"

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _path, _headers, body in self.received]

    @property
    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """The receiver; this machine may be sent messages."""
    settings.WEBHOOKS_TO_LOOPBACK = True
    with run_receiver() as receiver:
        yield receiver


@contextmanager
def run_receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver, over HTTP or with a certificate."""
    receiver = Receiver(scheme="https" if tls else "http")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append((self.path, headers, body))
            answer = receiver.answers.pop(0) if receiver.answers else respond(204)
            receiver.arrived.set()
            answer(self)

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads, block_on_close = True, False

        def handle_error(self, *_: Any) -> None:
            """A sender that hangs up is part of these tests."""

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield receiver
        server.shutdown()
        thread.join()


@pytest.fixture
def webhook(ride: Ride, receiver: Receiver) -> Webhook:
    """A webhook of the ride that gets every kind of message, at the receiver."""
    return add_webhook(ride.event, receiver.url, list(CHOOSABLE))[0]


def deliver_due() -> int:
    """Deliver everything that is due, as the workers do; return how much it was."""
    pending = WebhookDelivery.objects.filter(state=WebhookDelivery.State.PENDING).order_by("created_at")
    return sum(deliver(pk) is not None for pk in list(pending.values_list("pk", flat=True)))


def make_all_due() -> None:
    """Let the time pass until every pending message is due, and every webhook may be tried again."""
    Webhook.objects.update(next_attempt_at=None)
    pending = WebhookDelivery.objects.filter(state=WebhookDelivery.State.PENDING)
    for delivery in pending:
        pending.filter(pk=delivery.pk).update(next_attempt_at=delivery.created_at, asked_at=None)
