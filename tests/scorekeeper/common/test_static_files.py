"""Collecting the static files, and what an interrupted collection leaves behind."""

from __future__ import annotations

import hashlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile

from scorekeeper.common import static_files
from scorekeeper.common.whole_files import UNFINISHED_SUFFIX, write_whole
from tests.demo_data import copy_static
from tests.faults.scale import FULL
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment, run_manage

pytestmark = pytest.mark.program

FILES = 150  # after which a collection is killed
ROOM = 20_000  # bytes; every collection contains a larger file
SERVE_THEM = "from scorekeeper.common.static_files import collect_static_files; collect_static_files()"


def read_files(data: Path) -> dict[str, bytes]:
    static = data / "static"
    return {str(path.relative_to(static)): path.read_bytes() for path in static.rglob("*") if path.is_file()}


def collect_without_room(data: Path) -> None:
    """Collect with a limit on the size of files, as on a full disk."""
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    limit = (resource.RLIMIT_FSIZE, (ROOM, ROOM))
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=make_environment(data),
        preexec_fn=lambda: resource.setrlimit(*limit),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode != 0
    assert "File too large" in done.stderr


def is_finished(path: Path) -> bool:
    return path.is_file() and not path.name.endswith(UNFINISHED_SUFFIX)


def kill_while_collecting(data: Path, files: int) -> None:
    """Kill a collection once it has finished this many files."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", SERVE_THEM]
    environment = make_environment(data)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as collecting:
        last = time.monotonic() + TIMEOUT_SECONDS
        while sum(map(is_finished, (data / "static").rglob("*"))) < files:
            assert collecting.poll() is None, "it ended before"
            assert time.monotonic() < last
        collecting.kill()
    assert collecting.returncode == -signal.SIGKILL


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All files of a complete collection."""
    data = tmp_path_factory.mktemp("complete")
    copy_static(data)
    return read_files(data)


def test_a_full_disk_and_a_kill_while_collecting_leave_no_truncated_file(
    tmp_path: Path, complete: dict[str, bytes]
) -> None:
    collect_without_room(tmp_path)

    left = read_files(tmp_path)
    assert 0 < len(left) < FILES
    assert {name: content for name, content in left.items() if content != complete.get(name)} == {}
    if FULL:  # a kill leaves more to be done
        assert run_manage(tmp_path, "collectstatic", "--no-input", "--verbosity", "0").returncode == 0
        assert read_files(tmp_path) == complete
        shutil.rmtree(tmp_path / "static")
        (tmp_path / "static.digest").unlink(missing_ok=True)

    kill_while_collecting(tmp_path, FILES)

    left = read_files(tmp_path)
    finished = {name: content for name, content in left.items() if not name.endswith(UNFINISHED_SUFFIX)}
    assert len(finished) >= FILES
    assert finished != complete
    # A script that imports others is also written under names that are removed at the end, with their content's hash.
    others = {name: content for name, content in finished.items() if content != complete.get(name)}
    assert [name for name, content in others.items() if hashlib.md5(content).hexdigest()[:12] not in name] == []

    done = run_manage(tmp_path, "shell", "--no-imports", "-c", SERVE_THEM)

    assert done.returncode == 0, done.stderr
    assert read_files(tmp_path) == complete


def test_files_truncated_by_an_earlier_version_are_collected_again(tmp_path: Path, complete: dict[str, bytes]) -> None:
    for name, content in complete.items():
        path = tmp_path / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[: len(content) // 2])

    done = run_manage(tmp_path, "shell", "--no-imports", "-c", SERVE_THEM)

    assert done.returncode == 0, done.stderr
    assert read_files(tmp_path) == complete


def test_only_our_own_files_are_collected_and_their_scripts_import_each_other_by_hashed_names(
    complete: dict[str, bytes],
) -> None:
    sources = {path.name for folder in settings.STATICFILES_DIRS for path in Path(folder).iterdir()}
    assert {name.partition("/")[0] for name in complete} == {*sources, "staticfiles.json"}

    imports = {
        name: found
        for name, content in complete.items()
        if re.search(r"\.[0-9a-f]{12}\.js$", name)
        if (found := re.findall(r"^(?:import|export)\b[^;]*?[\"'](\.[^\"']+)[\"'];", content.decode(), re.MULTILINE))
    }
    assert len(imports) > 10
    assert [one for found in imports.values() for one in found if not re.search(r"\.[0-9a-f]{12}\.js$", one)] == []


def test_django_and_whitenoise_write_every_file_by_our_methods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade of either: a file that they write themselves may be truncated."""
    written: set[Path] = set()

    def write(path: Path, *args: Any, **options: Any) -> None:
        written.add(path)
        write_whole(path, *args, **options)

    monkeypatch.setattr(static_files, "write_whole", write)
    storage = static_files.AtomicStaticFilesStorage(location=tmp_path, base_url="/static/")
    storage.save("one.js", ContentFile(b"export const one = 1;\n" * 100))
    storage.save("two.js", ContentFile(b'import { one } from "./one.js";\n' * 100))

    processed = list(storage.post_process({name: (storage, name) for name in ("one.js", "two.js")}))

    assert [one for one in processed if isinstance(one[2], Exception)] == []
    names = {path.name for path in tmp_path.iterdir()}
    assert {path.name for path in written} == names
    assert {"staticfiles.json", "one.js.gz", "two.js.gz"} <= names
