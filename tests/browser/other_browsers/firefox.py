"""Firefox, driven over Marionette, its own protocol for WebDriver's commands.

Debian has no geckodriver, which would do nothing but translate HTTP into this. A message is the length of a JSON list,
a colon, and the list.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.browser.other_browsers.other_browser import (
    HEIGHT,
    PAUSE_SECONDS,
    TIMEOUT_SECONDS,
    WIDTH,
    CommandError,
    OtherBrowser,
)
from tests.services import find_firefox

PREFERENCES = {
    "marionette.port": 0,  # any free one; the profile says which
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
PORT = "MarionetteActivePort"
# The window itself cannot be as narrow as a phone.
NARROW = f"gBrowser.selectedBrowser.style.cssText = 'min-width: 0; max-width: {WIDTH}px'"


class Firefox(OtherBrowser):
    """Firefox with a profile on the disk, as an installed app's is."""

    def __init__(self, url: str, profile: Path) -> None:
        """Args: url: as for every browser; profile: a folder, which is created unless it exists."""
        super().__init__(url)
        self._profile = profile
        self._program: subprocess.Popen[bytes] | None = None
        self._count = 0

    def open(self) -> None:
        self._profile.mkdir(exist_ok=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (self._profile / "user.js").write_text("\n".join(lines), "utf-8")
        port = self._profile / PORT
        port.unlink(missing_ok=True)
        firefox = find_firefox()
        assert firefox is not None
        options = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        sizes = {"MOZ_HEADLESS_WIDTH": str(WIDTH), "MOZ_HEADLESS_HEIGHT": str(HEIGHT)}
        self._program = subprocess.Popen(
            [firefox, *options, "--profile", str(self._profile)],
            env={**os.environ, **sizes},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        last = time.monotonic() + TIMEOUT_SECONDS
        while not port.exists() or not port.read_text():
            assert time.monotonic() < last, "Firefox does not start"
            time.sleep(PAUSE_SECONDS)
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self._replies = self._socket.makefile("rb")
        self._read()
        self._send("WebDriver:NewSession")
        self._send("WebDriver:SetTimeouts", script=TIMEOUT_SECONDS * 1000)
        self._send("Marionette:SetContext", value="chrome")
        self._send("WebDriver:ExecuteScript", script=NARROW, args=[])
        self._send("Marionette:SetContext", value="content")

    def close(self) -> None:
        if self._program is None:
            return
        with suppress(OSError, CommandError):
            self._send("Marionette:Quit", flags=["eAttemptQuit"])
        try:
            self._program.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._program.kill()
            raise
        finally:
            self._replies.close()
            self._socket.close()
            self._program = None

    def _navigate(self, url: str) -> None:
        self._send("WebDriver:Navigate", url=url)

    def _execute(self, script: str, args: list[Any]) -> Any:
        return self._send("WebDriver:ExecuteAsyncScript", script=script, args=args)["value"]

    def _click(self, element: str) -> None:
        self._send("WebDriver:ElementClick", id=element)

    def _send(self, command: str, **parameters: Any) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, _number, error, result = self._read()
        if error:
            raise CommandError(error["error"], error["message"])
        return result

    def _read(self) -> Any:
        length = b""
        while (byte := self._replies.read(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox has closed the connection")
            length += byte
        return json.loads(self._replies.read(int(length)))
