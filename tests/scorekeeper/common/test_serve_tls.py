"""`manage.py serve --tls`, run for real: pages over HTTPS, and plain HTTP for phones that do not trust it yet."""

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
from tests.demo_data import copy_data
from tests.programs import TIMEOUT_SECONDS, run_manage
from tests.scorekeeper.common.test_serve import Served

pytestmark = pytest.mark.program


class TlsServer:
    """A running server that is requested by its names, and its port without TLS."""

    def __init__(self, data: Path) -> None:
        self.running = Served(data, "--tls")
        self.url = self.running.url
        assert self.url.startswith("https://127.0.0.1:")
        self.plain_url = self.running.wait_for(
            r"To make a phone trust it, open (http://127\.0\.0\.1:\d+)/trust/ on the phone"
        )[1]
        self.fingerprint = self.running.wait_for(r"Its fingerprint is ([0-9A-F ]{95})$")[1]
        self.authority = data / "tls" / "ca.pem"
        self.context = ssl.create_default_context(cafile=str(self.authority))

    def request(
        self, path: str, name: str = "127.0.0.1", form: dict[str, str] | None = None, **headers: str
    ) -> Response:
        """Send a request over TLS, as a client that trusts only the server's authority."""
        port = urlsplit(self.url).port
        connection = http.client.HTTPSConnection(name, port, timeout=TIMEOUT_SECONDS, context=self.context)
        return _request(connection, path, form, headers)

    def request_plain(self, path: str) -> Response:
        """Send a request to the port without TLS."""
        address = urlsplit(self.plain_url)
        return _request(
            http.client.HTTPConnection(str(address.hostname), address.port, timeout=TIMEOUT_SECONDS), path, None, {}
        )


class Response:
    """A response, read to its end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()


def _request(
    connection: http.client.HTTPConnection, path: str, form: dict[str, str] | None, headers: dict[str, str]
) -> Response:
    if form is None:
        connection.request("GET", path, headers=headers)
    else:
        sent = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        connection.request("POST", path, urlencode(form), sent)
    try:
        return Response(connection.getresponse())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServer]:
    serving = TlsServer(tmp_path_factory.mktemp("tls"))
    yield serving
    serving.running.end()


def test_a_client_that_trusts_the_authority_gets_no_warning(tls: TlsServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert tls.request("/healthz", name).body == b"ok\n"
    assert tls.fingerprint == get_fingerprint(tls.authority.read_text())


def test_a_client_that_does_not_trust_the_authority_refuses(tls: TlsServer) -> None:
    port = urlsplit(tls.url).port
    stranger = http.client.HTTPSConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)

    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/healthz")


def test_forms_work_under_every_name_and_cookies_are_sent_only_over_tls(tls: TlsServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        page = tls.request("/sign-in/", name)
        cookies = SimpleCookie("; ".join(page.headers.get_all("Set-Cookie") or []))
        cookie = cookies["__Host-csrftoken"]
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
        assert token
        form = {"csrfmiddlewaretoken": token[1].decode(), "username": "nobody", "password": "nothing"}
        origin = f"https://{name}:{urlsplit(tls.url).port}"
        sent = {"Cookie": f"__Host-csrftoken={cookie.value}", "Origin": origin}

        assert all(name.startswith("__Host-") and one["secure"] for name, one in cookies.items())
        assert tls.request("/sign-in/", name, form, **sent).status == 422
        assert tls.request("/sign-in/", name, form, **{**sent, "Origin": "https://example.org"}).status == 403


def test_hsts_is_not_sent(tls: TlsServer) -> None:
    assert "Strict-Transport-Security" not in tls.request("/healthz").headers


def test_the_authority_can_be_downloaded_with_and_without_tls(tls: TlsServer) -> None:
    for request in (tls.request, tls.request_plain):
        handed_out, page = request("/tailgunner-ca.crt"), request("/trust/")
        assert handed_out.status == page.status == 200
        assert handed_out.headers["Content-Type"] == "application/x-x509-ca-cert"
        assert handed_out.body == tls.authority.read_bytes()
        assert b"PRIVATE KEY" not in handed_out.body
        assert tls.fingerprint in page.body.decode()
        assert f'href="{tls.url}/"' in page.body.decode()
        style = re.search(r'href="(/static/\S+\.css)"', page.body.decode())
        assert style
        assert request(style[1]).status == 200


@pytest.mark.parametrize("path", ["/", "/crew/", "/sign-in/", "/trust/x"])
def test_everything_else_without_tls_redirects_to_https(tls: TlsServer, path: str) -> None:
    response = tls.request_plain(path)

    assert response.status == 301
    assert response.headers["Location"] == tls.url + path
    assert "Set-Cookie" not in response.headers


def test_a_base_url_without_tls_is_refused(tmp_path: Path) -> None:
    copy_data(tmp_path)

    refused = run_manage(tmp_path, "serve", "--tls", "--port", "0", BASE_URL="http://rides.example.org")

    assert refused.returncode == 1
    assert "BASE_URL is http://rides.example.org. With --tls it must start with https://" in refused.stderr


def test_there_is_no_trust_page_without_a_local_certificate(client: Client) -> None:
    assert client.get("/trust/").status_code == 404
    assert client.get("/tailgunner-ca.crt").status_code == 404
