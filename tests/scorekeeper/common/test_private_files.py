"""Only the owner of the data can read it."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.common.private_files import make_private, make_private_file, make_private_folder
from tests.programs import run_manage


def list_rights(folder: Path) -> dict[str, str]:
    """Return the permissions of the folder and of the secret files in it."""
    secret = [folder, *folder.glob("*.sqlite3*"), *folder.glob("secret-key")]
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in secret if not path.name.endswith("-queue")}


@pytest.mark.slow
def test_the_data_folder_is_created_private_and_a_shared_one_causes_a_warning(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run_manage(data, "migrate", "contenttypes").returncode == 0
    private = {"data": "0o700", "tailgunner.sqlite3": "0o600", "secret-key": "0o600"}
    assert list_rights(data) == private

    data.chmod(0o755)
    (data / "tailgunner.sqlite3").chmod(0o644)
    result = run_manage(data, "backup", str(tmp_path / "backups"))

    assert result.returncode == 0
    assert f"Others on this machine can read {data}." in result.stderr
    assert f"chmod 700 {data}" in result.stderr
    assert list_rights(data) == {**private, "data": "0o755"}


def test_the_default_data_folder_is_made_private_again(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "var"
    make_private_folder(folder)
    folder.chmod(0o755)
    make_private_folder(folder)
    make_private(folder)
    assert list_rights(folder) == {"var": "0o700"}


def test_an_open_database_keeps_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "database"
    with closing(sqlite3.connect(path, isolation_level=None)) as ours:
        ours.execute("BEGIN EXCLUSIVE")
        make_private_file(path)
        begin = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        other = subprocess.run([sys.executable, "-c", begin, path], capture_output=True, text=True)

    assert "database is locked" in other.stderr
