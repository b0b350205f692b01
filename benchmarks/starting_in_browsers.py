"""The phone's engine in three browsers: ``python benchmarks/starting_in_browsers.py``.

The browsers take turns, alone and beside a busy loop on one core. In each round a fresh phone joins a demo ride, which
downloads the app and starts the engine for the first time. Then the page is opened again, as the script measures:

- the time from then until the page says that the phone is ready, with an engine from its snapshot;
- the CPU time of the page's process meanwhile, which depends less on what else the machine does;
- the memory of that process (PSS), some seconds later and with another page opened in between.

The medians of three rounds are compared. The script exits with status 1 if Firefox or WebKit takes more than twice
Chromium's time, or the memory is more than 250 MB in Chromium or 350 MB in WebKit.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True)
os.environ |= {"DATA_DIR": DATA_FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings"}

import django  # noqa: E402 - the path and the settings are set above
from playwright.sync_api import sync_playwright  # noqa: E402

django.setup()

from tests.browser.measure import PHONE  # noqa: E402
from tests.browser.organiser import Organiser  # noqa: E402
from tests.browser.other_browsers.firefox import Firefox  # noqa: E402
from tests.browser.other_browsers.other_browser import TIMEOUT_SECONDS, OtherBrowser  # noqa: E402
from tests.browser.other_browsers.webkit import WebKit  # noqa: E402
from tests.browser.running_server import serve  # noqa: E402
from tests.demo_data import copy_data  # noqa: E402
from tests.services import find_headless_shell  # noqa: E402
from tests.shared_folder import open_shared_folder  # noqa: E402

ROUNDS = 3
SETTLED = 15  # seconds
TIMES = 2
GOALS_MB = {"Chromium": 250, "WebKit": 350}
READY = "/crew/ready/"
# How the command line of a process that pages run in looks, in each browser.
IS_PAGE: dict[str, Callable[[bytes], bool]] = {
    "Chromium": lambda line: b"--type=renderer" in line,
    "Firefox": lambda line: line.rstrip(b"\0").endswith(b" tab"),
    "WebKit": lambda line: b"WebKitWebProcess" in line,
}
BUSY = "while True: pass"


class Chromium(OtherBrowser):
    """Chromium, with the methods of the other two."""

    def open(self) -> None:
        self._stack = ExitStack()
        playwright = self._stack.enter_context(sync_playwright())
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_headless_shell(), args=options)
        self._page = browser.new_page(viewport=PHONE)
        self._page.set_default_timeout(TIMEOUT_SECONDS * 1000)
        self._stack.callback(browser.close)

    def close(self) -> None:
        self._stack.close()

    def wait_for(self, selector: str, text: str = "") -> str:
        self._page.locator(selector, has_text=text or None).first.wait_for()
        return selector

    def tap(self, selector: str, text: str = "") -> None:
        self._page.locator(selector, has_text=text or None).first.click()

    def _navigate(self, url: str) -> None:
        self._page.goto(url)

    def _execute(self, script: str, args: list[Any]) -> Any:
        raise NotImplementedError

    def _click(self, element: str) -> None:
        raise NotImplementedError


class Start(NamedTuple):
    """One start of the engine in an opened page: seconds until it is ready, CPU seconds, and megabytes."""

    seconds: float
    cpu: float
    megabytes: float


def list_page_processes(name: str) -> list[int]:
    """Return this program's descendants in which a browser's pages run."""
    parents: dict[int, int] = {}
    lines: dict[int, bytes] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(folder.name)] = (folder / "cmdline").read_bytes()
    ours = {os.getpid()}
    for _ in range(len(parents)):
        found = {pid for pid, parent in parents.items() if parent in ours} - ours
        if not found:
            break
        ours |= found
    return [pid for pid in ours & lines.keys() if IS_PAGE[name](lines[pid])]


def measure_pss(pid: int) -> float:
    """Return the megabytes of a process, with its share of what it has in common with others."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / 1e6
    return 0


def sum_cpu_seconds(name: str) -> float:
    """Return the CPU time of a browser's pages so far."""
    total = 0.0
    for pid in list_page_processes(name):
        with suppress(OSError):
            user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
            total += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return total


def measure(name: str, make: Callable[[str, Path], OtherBrowser], url: str, link: str) -> tuple[float, Start]:
    """Join, and open the page again; return the seconds until the first start was ready, and the other start."""
    with tempfile.TemporaryDirectory() as folder, make(url, Path(folder, "profile")) as browser:
        browser.goto(link)
        browser.tap("button", "This is my phone")
        begun = time.monotonic()
        browser.wait_for("[data-ready='yes']")
        first = time.monotonic() - begun
        time.sleep(SETTLED / 3)  # the snapshot is stored
        browser.goto("/crew/")
        time.sleep(SETTLED)
        before, begun = sum_cpu_seconds(name), time.monotonic()
        browser.goto(READY)
        browser.wait_for("[data-ready='yes']")
        seconds, cpu = time.monotonic() - begun, sum_cpu_seconds(name) - before
        time.sleep(SETTLED)
        return first, Start(seconds, cpu, max(map(measure_pss, list_page_processes(name))))


@contextmanager
def busy_loop(is_wanted: bool) -> Iterator[None]:
    """Keep one core busy."""
    if not is_wanted:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", BUSY]) as loop:
        os.sched_setaffinity(loop.pid, {min(os.sched_getaffinity(0))})
        try:
            yield
        finally:
            loop.kill()


def main() -> int:
    open_shared_folder()
    browsers: dict[str, Callable[[str, Path], OtherBrowser]] = {
        "Chromium": lambda url, _profile: Chromium(url),
        "Firefox": Firefox,
        "WebKit": WebKit,
    }
    is_missed = False
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        loaded = copy_data(data, ("parks",))
        with serve(data) as running:
            organiser = Organiser(Organiser.sign_in(running.url, *loaded.organiser), loaded.rides["parks"][0])
            for is_busy in (False, True):
                firsts: dict[str, list[float]] = {name: [] for name in browsers}
                starts: dict[str, list[Start]] = {name: [] for name in browsers}
                for _ in range(ROUNDS):
                    for name, make in browsers.items():
                        with busy_loop(is_busy):
                            first, start = measure(name, make, running.url, organiser.make_link("Emil"))
                        firsts[name].append(first)
                        starts[name].append(start)
                load = os.getloadavg()[0]
                print(f"{'beside a busy loop' if is_busy else 'alone'}, at a load of {load:.0f}:")
                slowest = TIMES * median(start.seconds for start in starts["Chromium"])
                for name, measured in starts.items():
                    seconds, cpu, megabytes = (median(values) for values in zip(*measured, strict=True))
                    taken = [start.seconds for start in measured]
                    print(
                        f"{name:9} first ready {median(firsts[name]):6.1f} s, then {seconds:5.1f} s "
                        f"({min(taken):.1f} to {max(taken):.1f}), {cpu:5.1f} s of CPU time, {megabytes:4.0f} MB"
                    )
                    is_missed |= seconds > slowest or megabytes > GOALS_MB.get(name, megabytes)
    print(
        f"goals: {TIMES} times Chromium's time, " + ", ".join(f"{goal} MB in {name}" for name, goal in GOALS_MB.items())
    )
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
