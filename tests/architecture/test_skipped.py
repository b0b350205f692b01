"""A test run lists the tests that it skipped, and fails if all are required."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.faults.scale import FULL
from tests.programs import ROOT, TIMEOUT_SECONDS

# Nothing listens on port 1, and these programs do not exist.
NOTHING = {
    "TEST_DATABASE_URL": "postgresql://127.0.0.1:1/postgres",
    "TEST_REDIS_URL": "redis://127.0.0.1:1/15",
    "CHROMIUM": "no-such-browser",
    "TEST_NODE": "/no/such/folder",
    "TEST_PROGRAMS": "/no/such/folder",
}
ONE_TEST = "tests/scorekeeper/common/test_logs.py::test_words_that_only_contain_pin_are_not_hidden"


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=inherited | {"REQUIRE_ALL": "0"} | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )


@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)])
def test_a_line_names_each_kind_of_skipped_test(required: str, status: int) -> None:
    done = run("tests.services", REQUIRE_ALL=required, **NOTHING)

    assert done.returncode == status
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["Skipped"] * 9


# Whether the run fails is decided by what the line above says; a short run starts pytest where it must fail.
@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)] if FULL else [("1", 1)])
def test_a_run_of_pytest_lists_them_too(required: str, status: int) -> None:
    done = run("pytest", ONE_TEST, REQUIRE_ALL=required, **NOTHING)

    assert done.returncode == status, done.stdout
    assert "1 passed" in done.stdout
    assert done.stdout.count("Skipped: ") == 9


def test_requesting_postgres_without_a_server_is_an_error() -> None:
    done = run("pytest", ONE_TEST, TEST_DATABASE="postgres", **NOTHING)

    assert done.returncode != 0
    assert "TEST_DATABASE asks for PostgreSQL" in done.stderr + done.stdout
