"""This version reads what earlier versions recorded, with the same hashes, standings and receipts.

A recording is a folder named after its date. `database.sql.xz` is a database with demo rides, `queue.json` has the
entries that a phone on one of those rides had not sent yet, and `expected.json` is the output of
`tests.compatibility.replay` in the version of that date. Recordings are never regenerated: their results must not
change. Where a rule book has changed since, `rule_changes.json` says which clause changed the standings of which
contests, and what they are now.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.demo_data import DATABASE
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

RECORDINGS = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.json"))

pytestmark = pytest.mark.program


def test_there_is_a_recording() -> None:
    assert RECORDINGS


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_what_an_earlier_version_recorded_means_the_same(recording: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.executescript(lzma.decompress((recording / "database.sql.xz").read_bytes()).decode())

    done = subprocess.run(
        [sys.executable, "-m", "tests.compatibility.replay", recording / "queue.json"],
        cwd=ROOT,
        env=make_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == apply_rule_changes(recording)


def apply_rule_changes(recording: Path) -> dict[str, Any]:
    """Return the expected output, with the standings that a change of the rules has changed."""
    expected: dict[str, Any] = json.loads((recording / "expected.json").read_text("utf-8"))
    for change in json.loads((recording / "rule_changes.json").read_text("utf-8")):
        for moment in ("before", "after"):
            standings = expected[moment]["standings"]
            for contest, rows in change["standings"].items():
                assert standings[contest] != rows, f"{change['clause']} changes nothing there"
                standings[contest] = rows
    return expected
