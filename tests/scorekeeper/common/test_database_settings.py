"""Settings of PostgreSQL connections: server processes have time limits, commands have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import run_manage
from tests.services import find_postgres

PROGRAM = """
from django.db import connection
for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name"):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        print(cursor.fetchone()[0])
connection.close_if_unusable_or_obsolete()
print(connection.connection is not None)
"""
pytestmark = pytest.mark.postgres


def get_settings(tmp_path: Path, first: str = "", **variables: str) -> list[str]:
    url = find_postgres()
    assert url is not None
    run = run_manage(tmp_path, "shell", "--no-imports", "-c", f"{first}\n{PROGRAM}", DATABASE_URL=url, **variables)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


@pytest.mark.parametrize(("entry", "is_kept"), [("config.wsgi", "True"), ("config.asgi", "False")])
def test_server_processes_limit_statements_and_keep_connections_only_with_long_lived_threads(
    tmp_path: Path, entry: str, is_kept: str
) -> None:
    assert get_settings(tmp_path, f"import {entry}") == ["20s", "10s", "30s", "tailgunner", is_kept]


def test_a_command_is_not_limited(tmp_path: Path) -> None:
    assert get_settings(tmp_path) == ["0", "0", "0", "tailgunner", "False"]


def test_a_process_can_have_an_application_name_of_its_own(tmp_path: Path) -> None:
    assert get_settings(tmp_path, PGAPPNAME="tailgunner-web")[3] == "tailgunner-web"


HANGUP = """
import config.wsgi, psycopg
from django.core.signals import request_started
from django.db import connection

def run_query():
    request_started.send("a request")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]

first, second = run_query(), run_query()
with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}) as other:
    other.execute("SELECT pg_terminate_backend(%s, 10000)", [second])
third = run_query()
print(first == second, third == second, connection.health_check_enabled)
"""


def test_a_request_has_a_working_connection_without_a_health_check_query(tmp_path: Path) -> None:
    url = find_postgres()
    assert url is not None
    run = run_manage(tmp_path, "shell", "--no-imports", "-c", HANGUP, DATABASE_URL=url)

    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["True", "False", "False"]
