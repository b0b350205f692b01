"""A backup of SQLite, made and restored with the exact commands in docs/operations.md."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.demo_data import DATABASE, copy_data
from tests.programs import ROOT, TIMEOUT_SECONDS, run_manage

pytestmark = pytest.mark.program

OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
COMMAND = re.compile(r"^\.venv/bin/python -c .*?VACUUM INTO.*?[^\\]$", re.MULTILINE | re.DOTALL)


def backup_command(source: Path, target: Path) -> list[str]:
    """Return the documented command that does not need the `sqlite3` program, with these files."""
    written = COMMAND.search(OPERATIONS)
    assert written is not None
    _, *words, _source, _target = shlex.split(written[0].replace("\\\n", ""))
    return [sys.executable, *words, str(source), str(target)]


def test_a_restored_backup_has_the_same_heads_and_passes_verification(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    there.mkdir()
    copy_data(here, ["published"])
    original = run_manage(here, "verify")
    assert "all in order, head" in original.stdout

    made = subprocess.run(
        backup_command(here / DATABASE, there / DATABASE),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert made.returncode == 0, made.stderr
    # Later changes are not in the backup.
    with closing(sqlite3.connect(here / DATABASE)) as lost:
        lost.execute("DROP TABLE scorecards_entry")

    assert run_manage(there, "verify").stdout == original.stdout
    assert "No migrations to apply" in run_manage(there, "migrate").stdout
