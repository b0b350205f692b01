"""WebKit, in GTK's MiniBrowser, driven over WebDriver's HTTP by WebKitWebDriver.

A session that WebDriver drives keeps no profile: what a page has stored is gone with the browser.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.browser.other_browsers.other_browser import (
    HEIGHT,
    PAUSE_SECONDS,
    TIMEOUT_SECONDS,
    WIDTH,
    CommandError,
    OtherBrowser,
)
from tests.cluster.ports import find_port
from tests.services import find_webkit

# The buttons of the toolbar would make the window wider than a phone.
NO_TOOLBAR = "* { padding: 0; margin: 0; min-width: 0; font-size: 4px; } image { -gtk-icon-transform: scale(0.5); }"


class WebKit(OtherBrowser):
    """WebKit on a screen of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        """Args: url: as for every browser; folder: an empty one, for the browser's own settings."""
        super().__init__(url)
        self._folder = folder
        self._program: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        programs = find_webkit()
        assert programs is not None
        theme = self._folder / "gtk-3.0" / "gtk.css"
        theme.parent.mkdir(parents=True, exist_ok=True)
        theme.write_text(NO_TOOLBAR, "utf-8")
        port = find_port()
        self._driver = f"http://127.0.0.1:{port}"
        screen = [programs.xvfb_run, "--auto-servernum", f"--server-args=-screen 0 {WIDTH}x{HEIGHT}x24"]
        folders = {f"XDG_{kind}_HOME": str(self._folder) for kind in ("CONFIG", "DATA", "CACHE")}
        sandbox = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"} if os.geteuid() == 0 else {}
        self._program = subprocess.Popen(
            [*screen, programs.dbus_run_session, "--", programs.driver, f"--port={port}"],
            env={**os.environ, "GDK_BACKEND": "x11", **folders, **sandbox},
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait_for_driver(port)
        options = {"binary": programs.browser, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"/session/{self._send('POST', '/session', wanted)['sessionId']}"
        self._send("POST", f"{self._session}/timeouts", {"script": TIMEOUT_SECONDS * 1000})
        self._send("POST", f"{self._session}/window/rect", {"width": WIDTH, "height": HEIGHT})

    def _wait_for_driver(self, port: int) -> None:
        last = time.monotonic() + TIMEOUT_SECONDS
        while True:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return
            assert time.monotonic() < last, "WebKitWebDriver does not start"
            time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        if self._program is None:
            return
        with suppress(OSError, CommandError):
            self._send("DELETE", self._session)
        # The script that starts the screen ends it once its program has ended.
        os.killpg(self._program.pid, signal.SIGTERM)
        self._program.wait(TIMEOUT_SECONDS)
        self._program = None

    def _navigate(self, url: str) -> None:
        self._send("POST", f"{self._session}/url", {"url": url})

    def _execute(self, script: str, args: list[Any]) -> Any:
        return self._send("POST", f"{self._session}/execute/async", {"script": script, "args": args})

    def _click(self, element: str) -> None:
        self._send("POST", f"{self._session}/element/{element}/click", {})

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self._driver}{path}", data, method=method), timeout=2 * TIMEOUT_SECONDS) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            told = json.load(error)["value"]
            raise CommandError(told["error"], told["message"]) from None
