"""The headers of every response, errors included."""

import gzip

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client


@pytest.mark.parametrize("path", ["/healthz", "/no-such-page/", "/static/no-such-file.css"])
def test_every_response_has_the_content_policy_and_the_other_security_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers

    policy = {part.strip() for part in headers["Content-Security-Policy"].split(";")}
    assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= policy
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()"


@pytest.mark.django_db  # closing a response checks the connection of an earlier test
def test_static_files_are_served_under_a_name_with_a_hash(client: Client) -> None:
    url = staticfiles_storage.url("css/base.css")

    response = client.get(url)

    assert url != "/static/css/base.css"
    assert response.status_code == 200
    assert "immutable" in response.headers["Cache-Control"]
    response.close()


def test_pages_are_compressed_for_clients_that_accept_gzip(client: Client) -> None:
    plain = client.get("/rules/rock-yahtzee/")
    compressed = client.get("/rules/rock-yahtzee/", headers={"Accept-Encoding": "gzip"})

    assert compressed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in compressed.headers["Vary"]
    assert gzip.decompress(compressed.content) == plain.content
    assert len(compressed.content) < len(plain.content) / 2
