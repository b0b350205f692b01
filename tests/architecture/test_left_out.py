"""A run of the tests says what it left out, and fails for it when all is required."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.programs import ROOT, TIMEOUT_SECONDS

# Nothing listens on port 1, and there is no such program.
NOTHING = {
    "TEST_DATABASE_URL": "postgresql://127.0.0.1:1/postgres",
    "TEST_REDIS_URL": "redis://127.0.0.1:1/15",
    "CHROMIUM": "no-such-browser",
    "TEST_NODE": "/no/such/folder",
    "TEST_PROGRAMS": "/no/such/folder",
}
ONE_TEST = "tests/scorekeeper/common/test_logs.py::test_words_that_only_contain_pin_are_kept"


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=kept | {"REQUIRE_ALL": "0"} | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )


@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)])
def test_one_line_each_names_what_is_missing(required: str, status: int) -> None:
    told = run("tests.services", REQUIRE_ALL=required, **NOTHING)

    assert told.returncode == status
    assert [line.split(":")[0] for line in told.stdout.splitlines()] == ["Left out"] * 6


@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)])
def test_a_run_of_pytest_says_it_too(required: str, status: int) -> None:
    told = run("pytest", ONE_TEST, REQUIRE_ALL=required, **NOTHING)

    assert told.returncode == status, told.stdout
    assert "1 passed" in told.stdout
    assert told.stdout.count("Left out: ") == 6


def test_asking_for_postgres_where_there_is_none_is_an_error() -> None:
    told = run("pytest", ONE_TEST, TEST_DATABASE="postgres", **NOTHING)

    assert told.returncode != 0
    assert "TEST_DATABASE asks for PostgreSQL" in told.stderr + told.stdout
