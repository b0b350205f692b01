"""One attempt over real HTTP: what is sent, and what becomes of receivers that do not behave."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from scorekeeper.common.certificates import Certificates, ensure_certificates
from scorekeeper.webhooks import receiver_connection
from scorekeeper.webhooks.models import DeliveryAttempt
from scorekeeper.webhooks.receiver_connection import MAX_RESPONSE, AttemptResult, send_message
from tests.scorekeeper.webhooks.conftest import Receiver, respond, run_receiver

Problem = DeliveryAttempt.Problem
LIMIT = 0.5  # seconds, in place of ten
Resolve = Callable[..., Sequence[Any]]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time limit, so that tests of it are quick."""
    monkeypatch.setattr(receiver_connection, "MAX_SECONDS", LIMIT)


def send(url: str) -> AttemptResult:
    return send_message(url, {"X-Test": "yes"}, b'{"a":1}')


def waits(end: threading.Event) -> None:
    end.wait(10)


def resolve_to(*addresses: str) -> Resolve:
    """Return a resolver that gives every name these addresses."""
    return lambda _host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]


def test_the_receiver_gets_the_body_the_headers_and_the_query(receiver: Receiver) -> None:
    result = send(receiver.url)

    ((path, headers, body),) = receiver.received
    assert (result.status_code, result.problem) == (204, None)
    assert (path, headers["x-test"], body) == ("/hook?club=1", "yes", b'{"a":1}')
    assert headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize(
    ("status", "problem"),
    [(200, None), (202, None), (299, None), (404, Problem.STATUS), (410, Problem.STATUS), (500, Problem.STATUS)],
)
def test_only_a_status_from_200_to_299_accepts_it(receiver: Receiver, status: int, problem: Problem | None) -> None:
    receiver.answers = [respond(status)]
    result = send(receiver.url)

    assert (result.status_code, result.problem) == (status, problem)


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [respond(302, {"Location": receiver.url})]

    result = send(receiver.url)

    assert (result.status_code, result.problem) == (302, Problem.REDIRECT)
    assert len(receiver.received) == 1


def test_of_a_huge_response_only_the_beginning_is_read(receiver: Receiver) -> None:
    sent: list[int] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while len(sent) < 10_000:  # a gigabyte
            handler.wfile.write(bytes(100_000))
            sent.append(100_000)

    receiver.answers = [answer]
    result = send(receiver.url)

    assert result.problem is None
    assert result.seconds < 5
    assert sum(sent) < 50_000_000, "what the system buffers; nothing has read it"
    assert MAX_RESPONSE == 4096


def test_a_receiver_that_does_not_answer_is_given_up_in_time(receiver: Receiver, short: None) -> None:
    end = threading.Event()
    receiver.answers = [lambda _handler: waits(end)]

    result = send(receiver.url)
    end.set()

    assert (result.status_code, result.problem) == (None, Problem.TIMEOUT)
    assert LIMIT <= result.seconds < LIMIT + 2


def test_a_receiver_that_sends_byte_by_byte_is_given_up_in_time(receiver: Receiver, short: None) -> None:
    end = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 ")
        while not end.wait(0.05):
            handler.wfile.write(b"K")

    receiver.answers = [answer]
    result = send(receiver.url)
    end.set()

    assert (result.status_code, result.problem) == (None, Problem.TIMEOUT)
    assert result.seconds < LIMIT + 2


@contextmanager
def run_drip(first: bytes) -> Iterator[str]:
    """Run a server that answers a connection with these bytes and then one more every 50 ms; yield its address."""
    end = threading.Event()

    def serve() -> None:
        with listener.accept()[0] as line, suppress(OSError):
            line.sendall(first)
            while not end.wait(0.05):
                line.sendall(b"\0")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            end.set()
            thread.join(10)


def test_a_tls_handshake_that_comes_byte_by_byte_is_given_up_in_time(short: None, settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True
    # The header of a TLS record of 16 kB, whose content never ends.
    with run_drip(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc") as address:
        result = send(f"https://{address}/")

    assert (result.status_code, result.problem) == (None, Problem.TIMEOUT)
    assert LIMIT <= result.seconds < LIMIT + 2


def test_a_connection_that_is_made_as_the_time_ends_is_given_up(
    receiver: Receiver, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow resolver and a slow handshake can use up the time before there is a connection to cut off."""
    create_connection = socket.create_connection
    end = threading.Event()

    def connect_late(*arguments: Any) -> socket.socket:
        time.sleep(LIMIT + 0.1)  # the time itself is what this is about
        return create_connection(*arguments)

    def drip(handler: BaseHTTPRequestHandler) -> None:
        while not end.wait(0.05):
            handler.wfile.write(b"K")

    monkeypatch.setattr(socket, "create_connection", connect_late)
    receiver.answers = [drip]
    threading.Timer(5, end.set).start()
    result = send(receiver.url)
    end.set()

    assert (result.status_code, result.problem) == (None, Problem.TIMEOUT)
    assert result.seconds < LIMIT + 2


def test_a_receiver_that_never_ends_its_body_has_accepted_it_and_does_not_hold_the_worker(
    receiver: Receiver, short: None
) -> None:
    end = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        respond(200, {"Content-Length": "1000"}, b"x")(handler)
        end.wait(10)

    receiver.answers = [answer]
    result = send(receiver.url)
    end.set()

    assert (result.status_code, result.problem) == (200, None)
    assert result.seconds < LIMIT + 2


def test_what_is_not_http_is_named(receiver: Receiver) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH\r\n")

    receiver.answers = [answer]

    assert send(receiver.url).problem == Problem.RESPONSE


def test_a_closed_port_is_named(settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]

    assert send(f"http://127.0.0.1:{port}/").problem == Problem.CONNECTION


def test_an_unknown_host_is_named() -> None:
    assert send("https://nobody.invalid/").problem == Problem.HOST


@pytest.mark.parametrize("url", ["https://127.0.0.1/", "http://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/"])
def test_nothing_is_sent_to_a_private_address(url: str) -> None:
    assert send(url).problem == Problem.ADDRESS


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["10.0.0.1"], ["93.184.216.34", "192.168.0.1"], []])
def test_a_name_with_a_private_address_is_refused_whatever_else_it_has(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolve_to(*addresses))

    assert send("https://club.example.org/").problem == Problem.ADDRESS


def test_a_name_that_changes_between_the_check_and_the_connection_leads_nowhere_else(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    resolve = socket.getaddrinfo

    def rebind(host: str, port: int, *rest: Any, **more: Any) -> Sequence[Any]:
        if host != "localhost":
            return resolve(host, port, *rest, **more)
        asked.append(host)
        return resolve_to("127.0.0.1" if len(asked) == 1 else "10.0.0.1")(host, port)

    monkeypatch.setattr(socket, "getaddrinfo", rebind)
    result = send(f"http://localhost:{receiver.port}/")

    assert (result.status_code, asked) == (204, ["localhost"])
    assert receiver.received[0][1]["host"] == f"localhost:{receiver.port}"


def test_a_resolver_that_hangs_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    monkeypatch.setattr(receiver_connection, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: end.wait(10) and [])

    result = send("https://club.example.org/")
    end.set()

    assert result.problem == Problem.TIMEOUT
    assert result.seconds < 2


@pytest.fixture
def certificates(tmp_path: Path, settings: Settings) -> Certificates:
    """A certificate for this machine's address, of an authority that nobody trusts yet."""
    settings.WEBHOOKS_TO_LOOPBACK = True
    return ensure_certificates(tmp_path, ["127.0.0.1"])


@pytest.fixture
def server_tls(certificates: Certificates) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificates.certificate, certificates.key)
    return context


def test_a_certificate_that_nobody_vouches_for_is_refused(server_tls: ssl.SSLContext) -> None:
    with run_receiver(server_tls) as receiver:
        assert send(receiver.url).problem == Problem.TLS
        assert receiver.received == []


def test_a_certificate_for_another_name_is_refused_and_one_for_this_name_accepted(
    server_tls: ssl.SSLContext, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificates.authority))
    monkeypatch.setattr(receiver_connection, "_get_tls_context", lambda: trusting)

    with run_receiver(server_tls) as receiver:
        assert send(receiver.url.replace("127.0.0.1", "localhost")).problem == Problem.TLS
        assert send(receiver.url).problem is None
        assert len(receiver.received) == 1
