"""Static files in front of Django: the same responses as Django's own middleware gives."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from scorekeeper.common.static_middleware import StaticFilesMiddleware
from tests import asgi_requests
from tests.loops import run_in_thread

pytestmark = pytest.mark.django_db  # closing a response checks the connection of an earlier test

FILE = "js/phone/service_worker.js"
PASSED_ON = 418

Response = tuple[int, dict[str, str], bytes]


@pytest.fixture(autouse=True)
def _as_in_production(settings: Any) -> None:
    """Lists all files at the start, which the settings of the tests leave out."""
    settings.WHITENOISE_AUTOREFRESH = False


def serve(path: str, method: str = "GET", scheme: str = "http", **headers: str) -> Response:
    """Send a request to the middleware, behind which everything has status 418."""

    async def pass_on(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": PASSED_ON, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    application = StaticFilesMiddleware(pass_on)
    sent = run_in_thread(asgi_requests.request(application, path, method=method, scheme=scheme, headers=headers))
    start, body = sent
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body["body"]


def serve_by_django(client: Client, path: str, method: str, **headers: str) -> Response:
    """Send the same request through Django's middleware."""
    response = client.generic(method, path, headers=headers)
    body = b"".join(response) if response.streaming else response.content
    return response.status_code, {name.lower(): value for name, value in response.headers.items()}, body


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("GET", {"Accept_Encoding": "gzip, br"}, 200),
        ("GET", {"Range": "bytes=2-9"}, 206),
        ("GET", {"Range": "bytes=99999999-"}, 416),
        ("HEAD", {}, 200),
        ("POST", {}, 405),
    ],
)
def test_a_file_is_served_as_by_django(client: Client, method: str, headers: dict[str, str], status: int) -> None:
    url = staticfiles_storage.url(FILE)

    found, sent, body = serve(url, method, **headers)

    expected = serve_by_django(client, url, method, **{name.replace("_", "-"): headers[name] for name in headers})
    assert found == expected[0] == status
    assert body == expected[2]
    assert sent.items() <= expected[1].items()  # Django adds headers that every response has
    assert {"content-length", "etag", "cache-control"} <= sent.keys() or status >= 400


def test_a_file_that_the_browser_has_is_not_sent_again() -> None:
    url = staticfiles_storage.url(FILE)
    _status, headers, body = serve(url)

    assert body
    assert "immutable" in headers["cache-control"]
    assert serve(url, If_None_Match=headers["etag"])[::2] == (304, b"")


def test_everything_else_is_passed_on(settings: Any) -> None:
    assert serve("/static/no-such-file.css")[0] == PASSED_ON
    assert serve("/crew/")[0] == PASSED_ON

    settings.SECURE_SSL_REDIRECT = True
    assert serve(staticfiles_storage.url(FILE))[0] == PASSED_ON
    assert serve(staticfiles_storage.url(FILE), scheme="https")[0] == 200


def test_while_files_may_change_django_serves_them(settings: Any) -> None:
    url = staticfiles_storage.url(FILE)
    settings.DEBUG = True

    assert serve(url)[0] == PASSED_ON
