"""No token and no PIN reaches a log."""

import json
import logging
import subprocess
import sys
from io import StringIO

import pytest
import structlog
from django.conf import settings
from django.test import Client

from config.logs import HIDDEN, hide_secrets
from scorekeeper.common.rights_check import list_routes


@pytest.mark.parametrize("name", ["token", "device_token", "pin", "PIN", "password", "cookie", "Authorization"])
def test_a_value_with_a_secret_name_is_hidden(name: str) -> None:
    assert hide_secrets(None, "info", {name: "1234"}) == {name: HIDDEN}


def test_words_that_only_contain_pin_are_not_hidden() -> None:
    assert hide_secrets(None, "info", {"pinned": "1234"}) == {"pinned": "1234"}


@pytest.mark.parametrize(
    "text",
    [
        "Not Found: /crew/join/hush/",
        "GET /crew/join/hush?x=1",
        "GET /welcome/hush/",
        "Not Found: /invited/hush/sign-in/",
        "POST /new-password/hush",
        "?a=1&token=hush&b=2",
        "PIN=hush",
        "password=hush",
    ],
)
def test_a_secret_inside_a_text_is_hidden(text: str) -> None:
    assert "hush" not in str(hide_secrets(None, "info", {"event": text}))


def test_the_token_of_every_route_is_hidden() -> None:
    routes = [route.pattern for route in list_routes().values() if "token" in route.pattern.converters]

    assert len(routes) > 3
    for route in routes:
        path = f"/{route}".replace("<str:token>", "hush")
        assert "hush" not in str(hide_secrets(None, "info", {"event": f"GET {path} 500"})), path


def test_structlog_and_standard_logging_both_use_the_filter(log_lines: StringIO) -> None:
    structlog.get_logger("tailgunner.test").warning("asked", token="hush-1")
    logging.getLogger("a.library").warning("Not Found: %s", "/crew/join/hush-2/")

    logged = log_lines.getvalue()
    assert "asked" in logged
    assert "Not Found: /crew/join/[hidden]/" in logged
    assert "hush" not in logged


def test_a_traceback_is_filtered_too(log_lines: StringIO) -> None:
    try:
        raise ValueError("bad link /crew/join/hush/")
    except ValueError:
        structlog.get_logger("tailgunner.test").exception("failed")

    logged = log_lines.getvalue()
    assert "ValueError: bad link /crew/join/[hidden]" in logged
    assert "hush" not in logged


@pytest.mark.django_db
def test_django_names_the_route_of_a_request_that_it_refuses(log_lines: StringIO) -> None:
    answer = Client(enforce_csrf_checks=True).post("/desk/events/an-unlisted-event/groups/")

    assert answer.headers["Location"].startswith("/sign-in/")  # what was entered shows again after that
    refused = next(line for line in log_lines.getvalue().splitlines() if "stale_form" in line)
    assert "desk/events/<slug:slug>/groups/" in refused
    assert "an-unlisted-event" not in log_lines.getvalue()


@pytest.mark.parametrize("secure", [False, True])
def test_a_wrong_host_header_is_one_line_without_a_traceback(log_lines: StringIO, secure: bool) -> None:
    answer = Client().get("/", secure=secure, HTTP_HOST="evil.example\tx" * 100)

    assert answer.status_code == 400
    # Beside the line that every request has.
    [line] = [line for line in log_lines.getvalue().splitlines() if "tailgunner.requests" not in line]
    assert "unknown_host" in line
    assert "'evil.example\\tx" in line
    assert "warning" in line
    assert len(line) < 400


def test_production_writes_one_json_object_per_line() -> None:
    program = (
        "from config import logs; logs.configure({'level': 'INFO', 'as_json': True});"
        "import logging; logging.getLogger('x').info('hello')"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )

    line = json.loads(run.stderr)
    assert line["event"] == "hello"
    assert line["level"] == "info"
