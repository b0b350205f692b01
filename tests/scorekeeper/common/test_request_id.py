"""The id of every request, in the log and in the response."""

from io import StringIO

import pytest
from django.test import Client

HEADER = "X-Request-ID"


def test_every_response_has_a_new_id(client: Client) -> None:
    first, second = client.get("/healthz"), client.get("/healthz")

    assert len(first.headers[HEADER]) == 32
    assert first.headers[HEADER] != second.headers[HEADER]


def test_a_valid_id_from_a_proxy_is_used(client: Client) -> None:
    assert client.get("/healthz", headers={HEADER: "edge-0042-abc"}).headers[HEADER] == "edge-0042-abc"


@pytest.mark.parametrize("given", ["short", "x" * 65, "with space", 'quote"mark'])
def test_an_invalid_id_is_replaced(client: Client, given: str) -> None:
    assert client.get("/healthz", headers={HEADER: given}).headers[HEADER] != given


def test_the_log_names_the_route_and_the_id(client: Client, log_lines: StringIO) -> None:
    request_id = client.get("/healthz").headers[HEADER]

    line = next(line for line in log_lines.getvalue().splitlines() if request_id in line)
    assert "route=healthz" in line
    assert "status=200" in line


def test_the_log_never_contains_the_path_of_a_request(client: Client, log_lines: StringIO) -> None:
    client.get("/crew/join/kJ8-very-secret/nothing-here/?token=s3cret-too")

    logged = log_lines.getvalue()
    assert "status=404" in logged
    assert "secret" not in logged
    assert "s3cret" not in logged
