"""Where a run keeps its data."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import memory_folder
from tests.memory_folder import move_to_memory
from tests.programs import ROOT, TIMEOUT_SECONDS

# Moves, says where to, and waits to be killed.
RUN = """
import sys
from pathlib import Path
from tests import memory_folder
memory_folder.NEEDED = 0
print(memory_folder.move_to_memory(Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _no_tmpdir(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "")  # so that it is restored after the test, also if it was not set
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    monkeypatch.setattr(memory_folder, "NEEDED", 0)


def test_temporary_folders_are_created_there(tmp_path: Path) -> None:
    folder = move_to_memory(tmp_path)

    assert folder is not None
    assert folder.parent == tmp_path
    assert Path(tempfile.mkdtemp()).parent == folder
    assert os.environ["TMPDIR"] == str(folder)


def test_the_disk_is_used_if_memory_is_short_or_another_place_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_folder, "NEEDED", 2**60)
    assert move_to_memory(tmp_path) is None
    monkeypatch.setattr(memory_folder, "NEEDED", 0)
    assert move_to_memory(tmp_path / "missing") is None
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert move_to_memory(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_deleted_and_a_running_one_keeps_its_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)],
        cwd=ROOT,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    left = Path(run.stdout.readline().strip())
    with run:
        move_to_memory(tmp_path)
        assert left.is_dir()
        run.kill()
        run.wait(TIMEOUT_SECONDS)
    monkeypatch.delenv("TMPDIR")

    move_to_memory(tmp_path)

    assert not left.exists()
