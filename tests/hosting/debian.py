"""Debian 12 in a folder: made with debootstrap, and entered or started with systemd-nspawn. Needs the user root.

Terms: a *root* is such a folder. It has what a rented server has: the base system, systemd and Python. Everything
runs in namespaces of its own, and nothing that was started outlives its command or context.

Programs in a root have no network, except during `Root.run(..., network=True)`. Python packages are downloaded
beforehand, with this machine's configuration of pip; pip in a root installs them from a folder and checks their hashes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.programs import ROOT
from tests.services import get_program

SUITE = "bookworm"
# A rented server has systemd, and the image of the Containerfile has Python.
PACKAGES = ("ca-certificates", "dbus", "python3", "python3-venv", "systemd", "systemd-sysv")
WHEELS = "/var/cache/wheels"  # in a root
TIMEOUT_SECONDS = 240
# The variables of the program are those that a test sets, and pip is configured by files.
CLEAN_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
}


def run(*command: str | Path) -> str:
    """Run a command of this machine, and return its output."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


class Root(NamedTuple):
    """A Debian in a folder."""

    path: Path

    def outside(self, inside: str | Path) -> Path:
        """Return where this machine finds an absolute path of the root."""
        return self.path / str(inside).lstrip("/")

    def copy(self, name: str) -> Root:
        """Copy the root into a folder of this name beside it."""
        other = self.path.with_name(name)
        run("cp", "--archive", "--reflink=auto", self.path, other)
        return Root(other)

    def write(self, inside: str, text: str) -> None:
        """Write a file that everyone in the root can read."""
        path = self.outside(inside)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o644)

    def copy_in(self, source: Path, target: str) -> None:
        """Copy a file or the content of a folder, with folders above it as needed; root owns the copies."""
        inside = self.outside(target)
        if source.is_dir():
            run("mkdir", "--parents", inside)
            options = ("--owner=0", "--group=0", "--exclude=__pycache__")
            with subprocess.Popen(["tar", "-C", source, *options, "-cf", "-", "."], stdout=subprocess.PIPE) as packed:
                subprocess.run(["tar", "-C", inside, "-xf", "-"], stdin=packed.stdout, check=True)
            assert packed.returncode == 0
        else:
            run("install", "-D", "-m", "755" if os.access(source, os.X_OK) else "644", source, inside)

    def enter(self, *options: str) -> list[str]:
        """Return the command line that enters the root; a command and its arguments can follow it."""
        nspawn = (get_program("systemd-nspawn"), "--quiet", "--register=no", "--keep-unit", f"--directory={self.path}")
        # The variable keeps the folder's own /tmp, which steps may leave files in.
        return ["env", "SYSTEMD_NSPAWN_TMPFS_TMP=0", *nspawn, "--timezone=off", "--link-journal=no", *options]

    def run(
        self,
        *command: str,
        environment: Mapping[str, str] | None = None,
        folder: str = "/root",
        network: bool = False,
    ) -> str:
        """Run a command in the root, as its user root, and return what it printed.

        Args:
            command: the program and its arguments.
            environment: all variables it gets besides `CLEAN_ENVIRONMENT`.
            folder: the working directory.
            network: whether it can reach this machine's network.
        """
        variables = CLEAN_ENVIRONMENT | dict(environment or {})
        reach = ("--resolv-conf=copy-host",) if network else ("--resolv-conf=off", "--private-network")
        entered = self.enter("--as-pid2", "--console=pipe", *reach)
        words = ["/usr/bin/env", "-i", f"--chdir={folder}", *(f"{k}={v}" for k, v in variables.items()), *command]
        # Killed, systemd-nspawn would leave what it started; asked to end, it does not.
        limit = ["timeout", "--kill-after=10", str(TIMEOUT_SECONDS)]
        done = subprocess.run([*limit, *entered, *words], capture_output=True, text=True)
        assert done.returncode == 0, f"{command} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    @contextmanager
    def started(self) -> Iterator[Machine]:
        """Start the root like a machine, with systemd as its first process, and stop it at the end."""
        command = self.enter("--boot", "--private-network", "--resolv-conf=off", "--console=read-only")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        machine = Machine(self, process)
        try:
            machine.wait_until_started()
            yield machine
        finally:
            machine.stop()


class Machine:
    """A root that runs systemd."""

    def __init__(self, root: Root, process: subprocess.Popen[bytes]) -> None:
        self._root = root
        self._process = process
        self._first = ""

    def run(self, script: str, folder: str = "/root") -> str:
        """Run a script in a new shell of root, and return what it printed; it ends at the first error."""
        done = self._try("/bin/bash", "-euo", "pipefail", "-c", f"cd {folder}\n{script}")
        assert done.returncode == 0, f"{script}\nfailed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    def receive(self, source: Path, target: str) -> None:
        """Copy a file or the content of a folder to the machine, as `scp` would."""
        self._root.copy_in(source, target)

    def _try(self, *command: str) -> subprocess.CompletedProcess[str]:
        clean = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in CLEAN_ENVIRONMENT.items())]
        entered = ["nsenter", f"--target={self._first}", "--all", "--root", "--wd", "--"]
        return subprocess.run([*entered, *clean, *command], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)

    def wait_until_started(self) -> None:
        until = time.monotonic() + 60
        state = ""
        while time.monotonic() < until:
            assert self._process.poll() is None, "systemd-nspawn ended; can this machine create namespaces?"
            self._first = self._first or _find_first_process(self._process.pid)
            if self._first:
                # It waits by itself, as soon as systemd answers at all.
                state = self._try("systemctl", "is-system-running", "--wait").stdout.strip()
            if state in ("running", "degraded"):
                return
            time.sleep(0.1)
        raise AssertionError(f"the machine has not started: {state or 'no answer'}")

    def stop(self) -> None:
        if self._process.poll() is None and self._first:
            self._try("systemctl", "poweroff", "--no-block")
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            run("kill", "-KILL", self._first or str(self._process.pid))
            self._process.wait(10)


def _find_first_process(nspawn: int) -> str:
    """Return the process of this machine that is the first in the root, or an empty string if there is none yet."""
    below = [str(nspawn)]
    for number in below:
        status = Path("/proc", number, "status")
        for line in status.read_text().splitlines() if status.exists() else ():
            # The number in each nested namespace of processes, outermost first.
            if line.startswith("NSpid:") and line.split()[1:][1:] == ["1"]:
                return number
        below += _list_children(number)
    return ""


def _list_children(number: str) -> list[str]:
    done = subprocess.run(["pgrep", "--parent", number], capture_output=True, text=True)
    return done.stdout.split()


def make_root(folder: Path) -> Root:
    """Make a Debian 12 in a new folder, from the mirror that this machine's apt uses, with wheels for its pip."""
    root = Root(folder / "debian")
    # Nothing here must survive a crash, and nobody reads the manuals.
    root.write(
        "/etc/dpkg/dpkg.cfg.d/quick", "force-unsafe-io\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/doc/*\n"
    )
    include = f"--include={','.join(PACKAGES)}"
    run(get_program("debootstrap"), "--variant=minbase", include, SUITE, root.path, *_find_mirror())
    # As the base image of the Containerfile, which calls it `python`.
    run("ln", "--symbolic", "/usr/bin/python3", root.outside("/usr/local/bin/python"))
    with tempfile.TemporaryDirectory() as wheels:
        download_wheels(Path(wheels))
        root.copy_in(Path(wheels), WHEELS)
    root.write("/etc/pip.conf", f"[global]\nno-index = true\nfind-links = {WHEELS}\ndisable-pip-version-check = true\n")
    return root


def _find_mirror() -> list[str]:
    """Return this machine's mirror of Debian 12; nothing if it has none, as debootstrap then uses its own default."""
    if shutil.which("apt-get") is None:
        return []
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)"], capture_output=True, text=True
    )
    lines = [line.split() for line in listed.stdout.splitlines()]
    return [line[0] for line in lines if line[1:] == [SUITE, "main"]][:1]


def download_wheels(folder: Path) -> None:
    """Download what the image and the guide install with pip, for Debian's Python and with the locked hashes."""
    options = ("--quiet", "--require-hashes", "--no-deps", "--only-binary=:all:", "--python-version=3.11")
    files = ("--requirement", "requirements/base.txt", "--requirement", "requirements/node.txt")
    command = [sys.executable, "-m", "pip", "download", *options, *files, "--dest", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
