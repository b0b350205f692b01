"""What every answer tells the browser, errors too."""

import gzip

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client


@pytest.mark.parametrize("path", ["/healthz", "/no-such-page/", "/static/no-such-file.css"])
def test_every_answer_carries_the_content_policy_and_its_companions(client: Client, path: str) -> None:
    headers = client.get(path).headers

    policy = {part.strip() for part in headers["Content-Security-Policy"].split(";")}
    assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= policy
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()"


@pytest.mark.django_db  # to close an answer looks after the connection of whatever was tested before
def test_static_files_are_served_under_a_name_that_changes_with_them(client: Client) -> None:
    url = staticfiles_storage.url("css/base.css")

    answer = client.get(url)

    assert url != "/static/css/base.css"
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    answer.close()


def test_pages_are_packed_for_whoever_takes_them_so(client: Client) -> None:
    plain = client.get("/rules/rock-yahtzee/")
    packed = client.get("/rules/rock-yahtzee/", headers={"Accept-Encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 2
