"""Finds the services that some tests need: PostgreSQL, Redis, browsers, Node, and the programs of a cluster.

Each is found by an environment variable or at its usual place. `python -m tests.services` prints a line for each kind
of test that is skipped, with the reason; with REQUIRE_ALL=1 that is a failure. The exit status of
`python -m tests.services redis` says whether Redis was found.
"""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psycopg
import redis

from tools.phone_engine import node

DEVICE_TYPEFACES = ("DejaVu Sans", "Liberation Sans", "Noto Sans")


@cache
def find_postgres() -> str | None:
    """Return the URL of a server on which databases can be created, or None."""
    user = getpass.getuser()
    usual = [
        "postgresql:///postgres",
        f"postgresql://{user}@127.0.0.1:5432/postgres",
        "postgresql://postgres@127.0.0.1:5432/postgres",
    ]
    given = os.environ.get("TEST_DATABASE_URL")
    for url in [given] if given else usual:
        try:
            with psycopg.connect(url, connect_timeout=2) as connection:
                row = connection.execute("SELECT rolcreatedb FROM pg_roles WHERE rolname = current_user").fetchone()
        except psycopg.OperationalError:
            continue
        if row and row[0]:
            return url
    return None


@cache
def find_redis() -> str | None:
    """Return the URL of a database that tests may empty, or None; by default that is number 15."""
    url = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/15"
    with redis.Redis.from_url(url, socket_connect_timeout=2) as client:
        try:
            client.ping()
        except redis.RedisError:
            return None
    return url


@cache
def find_browser() -> str | None:
    """Return the path of Chromium, or None."""
    return shutil.which(os.environ.get("CHROMIUM") or "chromium")


@cache
def find_headless_shell() -> str | None:
    """Return the path of the headless Chromium, or else of Chromium, or None.

    The headless shell renders pages in half the time. It forgets cookies and other data when it ends.
    """
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else shutil.which("chromium-headless-shell") or find_browser()


@cache
def find_firefox() -> str | None:
    """Return the path of Firefox, or None."""
    named = os.environ.get("FIREFOX")
    return shutil.which(named) if named else shutil.which("firefox-esr") or shutil.which("firefox")


class WebKitPrograms(NamedTuple):
    """The paths of WebKit's browser, of the program that drives it, and of what gives it a screen and a message bus."""

    browser: str
    driver: str
    xvfb_run: str
    dbus_run_session: str


@cache
def find_webkit() -> WebKitPrograms | None:
    """Return WebKit's programs, or None unless all are installed."""
    named = os.environ.get("WEBKIT")
    browsers = (
        [named] if named else sorted(map(str, Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")), reverse=True)
    )
    browser = next(filter(None, map(shutil.which, browsers)), None)
    driver, xvfb_run, dbus_run_session = map(shutil.which, ("WebKitWebDriver", "xvfb-run", "dbus-run-session"))
    if not (browser and driver and xvfb_run and dbus_run_session and shutil.which("Xvfb") and shutil.which("xauth")):
        return None
    return WebKitPrograms(browser, driver, xvfb_run, dbus_run_session)


def find_program(name: str) -> str | None:
    """Return the path of a program, or None; server programs are often outside the PATH."""
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    usual = [os.environ.get("PATH", ""), "/usr/sbin", *map(str, newest_first)]
    return shutil.which(name, path=os.environ.get("TEST_PROGRAMS") or os.pathsep.join(usual))


def get_program(name: str) -> str:
    """Return the path of a program that must be installed."""
    path = find_program(name)
    assert path is not None, f"{name} is not installed"
    return path


@cache
def find_node() -> node.Node | None:
    """Return Node with its npm, or None."""
    return node.find_node(os.environ.get("TEST_NODE"))


def find_cluster() -> bool | None:
    """Return True if all programs of a cluster are installed, else None."""
    return all(map(find_program, ("postgres", "initdb", "pg_dump", "pg_restore", "redis-server", "nginx"))) or None


def find_deploy() -> bool | None:
    """Return True if the programs that read the files of deploy/ are installed, else None."""
    return all(map(find_program, ("nginx", "caddy", "systemd-analyze", "openssl"))) or None


def find_poppler() -> str | None:
    """Return the path of the program that draws PDF files, or None."""
    return find_program("pdftoppm")


@cache
def find_fonts() -> bool | None:
    """Return True if the typefaces in which pages are measured besides the bundled one are installed, else None."""
    fc_list = find_program("fc-list")
    if fc_list is None:
        return None
    listed = subprocess.run([fc_list, ":", "family"], capture_output=True, text=True, check=True).stdout
    families = {family for line in listed.splitlines() for family in line.split(",")}
    return families.issuperset(DEVICE_TYPEFACES) or None


@cache
def find_hosting() -> bool | None:
    """Return True if `make hosting` can make a Debian in a folder and start it, as root or with sudo, else None."""
    if not all(map(find_program, ("debootstrap", "systemd-nspawn"))):
        return None
    mount = ["unshare", "--mount", "true"]
    try:
        done = subprocess.run(mount if os.geteuid() == 0 else ["sudo", "-n", *mount], capture_output=True)
    except FileNotFoundError:
        return None
    return done.returncode == 0 or None


FINDERS: dict[str, Callable[[], object]] = {
    "postgres": find_postgres,
    "redis": find_redis,
    "browser": find_browser,
    "firefox": find_firefox,
    "webkit": find_webkit,
    "node": find_node,
    "cluster": find_cluster,
    "deploy": find_deploy,
    "poppler": find_poppler,
    "fonts": find_fonts,
    "hosting": find_hosting,
}

SKIPPED = {
    "postgres": "the tests on PostgreSQL: no server lets us create databases on the local socket or 127.0.0.1:5432, "
    "nor by TEST_DATABASE_URL",
    "redis": "the tests with Redis: nothing answers at 127.0.0.1:6379, nor by TEST_REDIS_URL",
    "browser": "the tests in a browser: no chromium in the PATH, nor by CHROMIUM",
    "firefox": "the crew's day in Firefox: no firefox-esr or firefox in the PATH, nor by FIREFOX (apt install "
    "firefox-esr)",
    "webkit": "the crew's day in WebKit, the engine of Safari: MiniBrowser is not in /usr/lib nor at WEBKIT, or "
    "WebKitWebDriver, Xvfb, xvfb-run, xauth or dbus-run-session is not in the PATH (apt install webkit2gtk-driver xvfb "
    "xauth dbus)",
    "node": "the tests of the phone's engine: no Node 20 with npm in the PATH, by TEST_NODE, nor from "
    "requirements/node.txt",
    "cluster": "the tests on many processes: PostgreSQL's programs, redis-server and nginx are not all in the PATH, "
    "/usr/lib/postgresql or TEST_PROGRAMS",
    "deploy": "the tests of the files in deploy/: nginx, caddy, systemd-analyze and openssl are not all in the PATH or "
    "TEST_PROGRAMS",
    "poppler": "the tests that draw PDF files: pdftoppm is not in the PATH or TEST_PROGRAMS",
    "fonts": "measuring pages in the typefaces of devices: fc-list does not list DejaVu Sans, Liberation Sans and Noto "
    "Sans (fonts-dejavu-core, fonts-liberation, fonts-noto-core), or is not in the PATH or TEST_PROGRAMS",
    "hosting": "the tests on a new Debian (`make hosting`): they need debootstrap and systemd-nspawn in the PATH or "
    "TEST_PROGRAMS, and a user who may mount, root or by sudo",
}


def list_skipped() -> list[str]:
    """Return one line for every kind of test that cannot be run here, with the reason."""
    return [f"Skipped: {SKIPPED[name]}." for name, find in FINDERS.items() if find() is None]


def is_all_required() -> bool:
    """Return whether skipping any tests is a failure."""
    return os.environ.get("REQUIRE_ALL", "0") not in ("", "0")


def main(arguments: list[str]) -> int:
    """Print the skipped tests; with a service name, print nothing. Return the exit status."""
    if arguments:
        return int(FINDERS[arguments[0]]() is None)
    skipped = list_skipped()
    print("\n".join(skipped) if skipped else "No tests are skipped.")
    return int(bool(skipped) and is_all_required())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
