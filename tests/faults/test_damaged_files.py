"""Every kind of file in the data folder, damaged: `serve` works, or names the file in a sentence. Never a traceback.

Files are damaged as by a power cut or a bad disk while nothing runs. What works is asked of the pages and of `/readyz`,
where the worker of every queue has to answer. A short run tries a few of all pairs of file and damage.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.demo_data import RIDES, copy_data
from tests.faults.figures import Figures
from tests.faults.scale import FULL
from tests.faults.servers import wait_until
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment, run_manage

pytestmark = [pytest.mark.program, pytest.mark.slow]

SEED = 7
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2  # <linux/prctl.h>, <linux/capability.h>
MESSAGE = "celery/queue/00000000000000000001_x.{0}.msg"

# A file of each kind. A new kind of file in the data folder fails a test here.
FILES = (
    "tailgunner.sqlite3",
    "tailgunner.sqlite3-queue",
    "tailgunner.sqlite3-wal",
    "tailgunner.sqlite3-shm",
    "secret-key",
    "serve.lock",
    "static.digest",
    "static/staticfiles.json",
    "static/css/base.css",
    MESSAGE.format("follow"),
    MESSAGE.format("slow"),
    "tls/ca.pem",
    "tls/ca.key",
    "tls/server.pem",
    "tls/server.key",
)
FOLDERS = (".", "static", "celery", "celery/queue", "tls")
OUTCOMES = Counter[str]()
# These exist only after a kill.
OPTIONAL = {"tailgunner.sqlite3-wal", "tailgunner.sqlite3-shm"}
KINDS = re.compile(
    r"tailgunner\.sqlite3(-queue|-wal|-shm)?|secret-key|serve\.lock|static\.digest|static/.+|tls/(ca|server)\.(pem|key)"
    r"|celery/queue/\w[\w-]*\.(follow|slow|webhooks)\.msg"
    rf"|{re.escape(RIDES)}"
)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _randomize(path: Path) -> None:
    path.write_bytes(random.Random(SEED).randbytes(max(64, min(path.stat().st_size, 8192))))


def _remove(path: Path) -> None:
    path.unlink()


def _make_read_only(path: Path) -> None:
    path.chmod(0o500 if path.is_dir() else 0o400)


DAMAGES: Mapping[str, Callable[[Path], None]] = {
    "empty": _empty,
    "half": _halve,
    "random": _randomize,
    "removed": _remove,
    "read-only": _make_read_only,
}
PAIRS = [(name, damage) for name in FILES for damage in DAMAGES] + [(name, "read-only") for name in FOLDERS]
# What has gone wrong at clubs, and one of each outcome.
SAMPLE = [
    ("static.digest", "random"),
    ("static/css/base.css", "half"),
    ("tailgunner.sqlite3", "random"),
    ("secret-key", "empty"),
    (MESSAGE.format("follow"), "half"),
    (".", "read-only"),
]


def give_up_root() -> None:
    """Let permissions apply to the super-user too."""
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability)


class Serve:
    """`serve` on a data folder, until it is ready or ends."""

    def __init__(self, data: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0", *options],
            cwd=ROOT,
            env=make_environment(data),
            preexec_fn=give_up_root if os.geteuid() == 0 else None,  # noqa: PLW1509 - no lock is held here
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines += iter(self.process.stdout.readline, "")

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def get(self, path: str) -> bytes:
        url = re.search(r"Tailgunner is at (https?://\S+:\d+)/", self.output)
        assert url
        context = ssl._create_unverified_context() if url[1].startswith("https") else None
        with urlopen(f"{url[1]}{path}", timeout=TIMEOUT_SECONDS, context=context) as response:
            content: bytes = response.read()
            return content

    def has_answered(self) -> bool:
        """Whether it has ended, or every page and every worker works."""
        if self.process.poll() is not None:
            return True
        if "Tailgunner is at" not in self.output:
            return False
        try:
            report = json.loads(self.get("/readyz"))
        except OSError:
            return False
        return bool(report["ready"]) and all(worker["state"] == "ok" for worker in report["workers"].values())

    def stop(self) -> int:
        """Stop it, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(TIMEOUT_SECONDS)
        self.close()
        return status

    def close(self) -> None:
        """Read what it has still printed."""
        self._reader.join(TIMEOUT_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which `serve --tls` has run and was killed, with messages that nobody has taken."""
    data = tmp_path_factory.mktemp("whole")
    copy_data(data, ["setup"])
    data.chmod(0o700)
    serve = Serve(data, "--tls")
    wait_until(serve.has_answered, "every page and worker works, or it has ended")
    assert "Traceback" not in serve.output
    children = Path(f"/proc/{serve.process.pid}/task/{serve.process.pid}/children").read_text().split()
    for pid in (serve.process.pid, *map(int, children)):
        os.kill(pid, signal.SIGKILL)
    serve.process.wait(TIMEOUT_SECONDS)
    serve.close()
    for queue in ("follow", "slow"):
        send = f"from celery import current_app; current_app.send_task('common.heartbeat_{queue}')"
        assert run_manage(data, "shell", "--no-imports", "-c", send).returncode == 0
        sent = max((data / "celery/queue").glob(f"*.{queue}.msg"), key=lambda path: path.stat().st_mtime)
        sent.rename(data / MESSAGE.format(queue))
    return data


def test_every_file_in_the_data_folder_is_of_a_kind_that_is_tried(whole: Path) -> None:
    found = {str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file()}
    assert [name for name in sorted(found) if not KINDS.fullmatch(name)] == []
    assert set(FILES) - OPTIONAL <= found
    assert {str(path.relative_to(whole)) for path in whole.iterdir() if path.is_dir()} <= set(FOLDERS)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "damage"), PAIRS if FULL else SAMPLE, ids=lambda value: value.replace("/", "-"))
def test_serve_works_or_names_the_damaged_file(
    whole: Path, tmp_path: Path, figures: Figures, name: str, damage: str
) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    path = data / name
    if not path.exists():
        assert name in OPTIONAL
        return
    DAMAGES[damage](path)
    options: Sequence[str] = ["--tls"] if name.startswith("tls") else []

    serve = Serve(data, *options)
    try:
        wait_until(serve.has_answered, "every page and worker works, or it has ended")
        if serve.process.poll() is None:
            assert b"<html" in serve.get("/")
            style = re.search(rb'href="(/static/css/base[^"]+)"', serve.get("/"))
            assert style
            assert len(serve.get(style[1].decode())) > 1000
            serve.stop()
        else:
            assert serve.stop() != 0
            assert str(path) in serve.output
            assert "docs/operations.md" in serve.output
    finally:
        serve.process.kill()
        serve.process.wait()
        data.chmod(0o700)
    assert "Traceback" not in serve.output, serve.output
    OUTCOMES["works" if serve.process.returncode == 0 else "names it"] += 1
    figures.add(
        "damaged files · each kind of file in the data folder emptied, halved, filled with random bytes, removed and "
        "made read-only, and each folder made read-only",
        f"{OUTCOMES.total()} data folders: `serve` worked {OUTCOMES['works']} times, with every page and the worker of "
        f"every queue, and named the file with a way out {OUTCOMES['names it']} times; 0 tracebacks",
    )


@pytest.mark.parametrize("command", ["verify", "sweep", "organiser"])
@pytest.mark.parametrize("damage", ["random", "half"])
def test_a_command_on_a_damaged_database_names_it(whole: Path, tmp_path: Path, command: str, damage: str) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    DAMAGES[damage](data / "tailgunner.sqlite3")
    for suffix in ("-wal", "-shm"):
        (data / f"tailgunner.sqlite3{suffix}").unlink(missing_ok=True)
    done = run_manage(data, command, *(["--set-up"] if command == "organiser" else []))

    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert f"{data / 'tailgunner.sqlite3'} is damaged" in done.stderr
    assert "Restore the newest backup" in done.stderr
