"""`manage.py serve --tls`, really started: pages over HTTPS, and a port beside for phones that do not trust it yet."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django.test import Client

from scorekeeper.common.certificate_views import get_fingerprint
from tests.programs import TIMEOUT_SECONDS, run_manage
from tests.scorekeeper.common.test_serve import Served

pytestmark = pytest.mark.program


class Tls:
    """A running server, asked by its names, and the port beside it."""

    def __init__(self, data: Path) -> None:
        self.running = Served(data, "--tls")
        self.url = self.running.url
        assert self.url.startswith("https://127.0.0.1:")
        self.beside = self.running.wait_for(
            r"To make a phone trust it, open (http://127 on the phone\.0\.0\.1:\d+)/trust/"
        )[1]
        self.fingerprint = self.running.wait_for(r"Its fingerprint is ([0-9A-F ]{95})$")[1]
        self.authority = data / "tls" / "ca.pem"
        self.context = ssl.create_default_context(cafile=str(self.authority))

    def ask(self, path: str, name: str = "127.0.0.1", form: dict[str, str] | None = None, **headers: str) -> Answer:
        """Ask the server with TLS; whoever asks trusts its authority alone."""
        port = urlsplit(self.url).port
        connection = http.client.HTTPSConnection(name, port, timeout=TIMEOUT_SECONDS, context=self.context)
        return _ask(connection, path, form, headers)

    def ask_beside(self, path: str) -> Answer:
        """Ask the port without TLS."""
        there = urlsplit(self.beside)
        return _ask(
            http.client.HTTPConnection(str(there.hostname), there.port, timeout=TIMEOUT_SECONDS), path, None, {}
        )


class Answer:
    """An answer, read to its end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()


def _ask(
    connection: http.client.HTTPConnection, path: str, form: dict[str, str] | None, headers: dict[str, str]
) -> Answer:
    if form is None:
        connection.request("GET", path, headers=headers)
    else:
        sent = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        connection.request("POST", path, urlencode(form), sent)
    try:
        return Answer(connection.getresponse())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tls]:
    serving = Tls(tmp_path_factory.mktemp("tls"))
    yield serving
    serving.running.end()


def test_whoever_trusts_the_authority_is_answered_without_a_warning(tls: Tls) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert tls.ask("/healthz", name).body == b"ok\n"
    assert tls.fingerprint == get_fingerprint(tls.authority.read_text())


def test_nobody_else_does(tls: Tls) -> None:
    port = urlsplit(tls.url).port
    stranger = http.client.HTTPSConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)

    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/healthz")


def test_a_form_is_taken_by_every_name_and_its_cookies_travel_by_tls_alone(tls: Tls) -> None:
    for name in ("127.0.0.1", "localhost"):
        page = tls.ask("/sign-in/", name)
        cookies = SimpleCookie("; ".join(page.headers.get_all("Set-Cookie") or []))
        cookie = cookies["__Host-csrftoken"]
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
        assert token
        form = {"csrfmiddlewaretoken": token[1].decode(), "username": "nobody", "password": "nothing"}
        origin = f"https://{name}:{urlsplit(tls.url).port}"
        sent = {"Cookie": f"__Host-csrftoken={cookie.value}", "Origin": origin}

        assert all(name.startswith("__Host-") and one["secure"] for name, one in cookies.items())
        assert tls.ask("/sign-in/", name, form, **sent).status == 422
        assert tls.ask("/sign-in/", name, form, **{**sent, "Origin": "https://example.org"}).status == 403


def test_no_promise_is_made_for_a_year(tls: Tls) -> None:
    assert "Strict-Transport-Security" not in tls.ask("/healthz").headers


def test_a_phone_gets_what_it_has_to_trust_with_and_without_tls(tls: Tls) -> None:
    for ask in (tls.ask, tls.ask_beside):
        handed_out, page = ask("/tailgunner-ca.crt"), ask("/trust/")
        assert handed_out.status == page.status == 200
        assert handed_out.headers["Content-Type"] == "application/x-x509-ca-cert"
        assert handed_out.body == tls.authority.read_bytes()
        assert b"PRIVATE KEY" not in handed_out.body
        assert tls.fingerprint in page.body.decode()
        assert f'href="{tls.url}/"' in page.body.decode()
        style = re.search(r'href="(/static/\S+\.css)"', page.body.decode())
        assert style
        assert ask(style[1]).status == 200


@pytest.mark.parametrize("path", ["/", "/crew/", "/sign-in/", "/trust/x"])
def test_everything_else_without_tls_leads_to_the_address_with_it(tls: Tls, path: str) -> None:
    answer = tls.ask_beside(path)

    assert answer.status == 301
    assert answer.headers["Location"] == tls.url + path
    assert "Set-Cookie" not in answer.headers


def test_an_address_without_tls_does_not_go_with_it(tmp_path: Path) -> None:
    refused = run_manage(tmp_path, "serve", "--tls", "--port", "0", BASE_URL="http://rides.example.org")

    assert refused.returncode == 1
    assert "BASE_URL is http://rides.example.org. With --tls it must start with https://" in refused.stderr


def test_there_is_nothing_to_trust_where_no_certificate_is_made(client: Client) -> None:
    assert client.get("/trust/").status_code == 404
    assert client.get("/tailgunner-ca.crt").status_code == 404
