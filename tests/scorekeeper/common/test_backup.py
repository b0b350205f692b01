"""Backups of SQLite: made by `manage.py backup`, restored, rotated, and refused in words."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scorekeeper.common.sqlite_backup import BackupFailed, back_up, list_backups
from tests.demo_data import DATABASE, copy_data
from tests.faults.scale import FULL, STAGE
from tests.programs import run_manage

pytestmark = pytest.mark.program


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a ride, in a full run an official one."""
    folder = tmp_path / "data"
    copy_data(folder, [STAGE])
    return folder


def make_backups(data: Path, folder: Path, *keep: str) -> str:
    """Run the command, and return what it printed."""
    done = run_manage(data, "backup", str(folder), *keep)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_restored_backup_has_the_same_heads_and_passes_verification(data: Path, tmp_path: Path) -> None:
    original = run_manage(data, "verify")
    assert "all in order, head" in original.stdout

    make_backups(data, tmp_path / "backups")
    assert stat.S_IMODE((tmp_path / "backups").stat().st_mode) == 0o700, "only the owner can read it"
    # Later changes are not in the backup.
    with closing(sqlite3.connect(data / DATABASE)) as lost:
        lost.execute("DROP TABLE scorecards_entry")
    there = tmp_path / "there"
    there.mkdir()
    (backup,) = list_backups(tmp_path / "backups")
    backup.rename(there / DATABASE)

    assert run_manage(there, "verify").stdout == original.stdout
    if FULL:  # the copy has every table, or it could not be verified
        assert "No migrations to apply" in run_manage(there, "migrate").stdout


def test_a_backup_is_private_and_complete_and_replaces_only_the_oldest(data: Path, tmp_path: Path) -> None:
    """It has what was committed a moment ago, and not what is still being written."""
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [f"tailgunner-2026070{day}T031500Z.sqlite3" for day in (1, 2, 3)]
    others = ["tailgunner.sqlite3", "tailgunner-20260701T031500Z.sqlite3.gpg", "notes.txt"]
    for name in [*old, *others]:
        (folder / name).touch()
    (folder / "unfinished-backup").write_bytes(b"half")
    assert [path.name for path in list_backups(folder)] == old, "what a killed backup left is none"

    with closing(sqlite3.connect(data / DATABASE, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE page (line TEXT)")
        writer.execute("INSERT INTO page VALUES ('committed')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO page VALUES ('unfinished')")
        printed = make_backups(data, folder, "--keep", "2")
        writer.execute("COMMIT")

    kept, new = list_backups(folder)
    assert kept.name == old[2]
    assert [name for name in old if name in printed] == old[:2]
    assert {path.name for path in folder.iterdir()} == {kept.name, new.name, *others}
    with closing(sqlite3.connect(new)) as copy:
        assert copy.execute("SELECT line FROM page").fetchall() == [("committed",)]
    assert stat.S_IMODE(new.stat().st_mode) == 0o600


def test_a_number_that_would_delete_everything_is_refused(tmp_path: Path) -> None:
    done = run_manage(tmp_path / "data", "backup", str(tmp_path / "backups"), "--keep=0")

    assert done.returncode == 2
    assert "write a number of backups, at least 1" in done.stderr
    for wrong in ("-1", "two", ""):
        with pytest.raises(CommandError, match="write a number of backups, at least 1"):
            call_command("backup", str(tmp_path / "backups"), f"--keep={wrong}")
    assert not (tmp_path / "backups").exists()


def test_a_wrong_data_folder_is_refused_and_stays_empty(tmp_path: Path) -> None:
    done = run_manage(tmp_path / "nothing", "backup", str(tmp_path / "backups"), "--keep", "1")

    assert done.returncode == 1
    assert f"There is no database in {tmp_path / 'nothing'} yet." in done.stderr
    assert not (tmp_path / "nothing" / DATABASE).exists()
    assert not (tmp_path / "backups").exists()


def test_a_folder_that_cannot_be_written_is_named(data: Path, tmp_path: Path) -> None:
    """As in every command, others who can read the data cause a warning."""
    (tmp_path / "file").touch()
    data.chmod(0o755)

    done = run_manage(data, "backup", str(tmp_path / "file" / "backups"))

    assert done.returncode == 1
    assert f"There is no new backup in {tmp_path / 'file' / 'backups'}: " in done.stderr
    assert f"Others on this machine can read {data}." in done.stderr


def test_a_damaged_database_makes_no_backup_and_deletes_none(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in (1, 2):
        (folder / f"tailgunner-2026070{day}T031500Z.sqlite3").write_bytes(b"a backup")
    before = list_backups(folder)
    assert len(before) == 2
    with (data / DATABASE).open("r+b") as file:
        file.seek(8192)
        file.write(bytes(40960))

    done = run_manage(data, "backup", str(folder), "--keep", "1")

    assert done.returncode == 1
    assert sorted(folder.iterdir()) == before
    assert {path.read_bytes() for path in before} == {b"a backup"}


@pytest.mark.postgres
@pytest.mark.django_db
def test_on_postgres_the_command_names_the_program_to_use(tmp_path: Path) -> None:
    assert connection.vendor == "postgresql"

    with pytest.raises(BackupFailed, match="use pg_dump"):
        back_up(tmp_path)

    assert list(tmp_path.iterdir()) == []
