"""What a test does in a browser that Playwright cannot drive as it is installed: Firefox and WebKit.

Terms: a *command* is one of W3C WebDriver's. Both browsers know the same ones; only the way to send them differs.
Invariant: a page is 360 pixels wide, as `measure.PHONE` is.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

TIMEOUT_SECONDS = 180  # an engine may start beside the other tests of a run
PAUSE_SECONDS = 0.1
WIDTH, HEIGHT = 360, 800
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # W3C's name of a reference to an element
# An element was replaced or covered between finding and tapping it. Nothing was tapped.
NOT_TAPPED = {"stale element reference", "element click intercepted", "element not interactable", "no such element"}

CALL_BODY = """const done = arguments[arguments.length - 1];
(async (...args) => {{ {body} }})(...Array.prototype.slice.call(arguments, 0, -1)).then(
  (value) => done({{ value }}), (error) => done({{ error: String(error) }}));"""
# A text is found as whole words, so that "8" is not found in "18".
FIND = """const [selector, text] = args;
const isFound = (found) => (` ${found.replace(/\\s+/g, " ").trim()} `).includes(text && ` ${text} `);
const visible = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
return visible.find((one) => isFound(one.textContent)) ?? null;"""

TAKES_TAPS = 'return args[0].closest("[data-guarded]") === null'


Found = TypeVar("Found")


class CommandError(Exception):
    """A browser refused a command; `code` is W3C's name of the error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class OtherBrowser(ABC):
    """One window of a browser. It is open between `with` and the end of that block."""

    def __init__(self, url: str) -> None:
        """Args: url: the URL that paths are relative to, without a slash at the end."""
        self._url = url

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @abstractmethod
    def open(self) -> None:
        """Start the browser."""

    @abstractmethod
    def close(self) -> None:
        """Close the browser; does nothing if it is closed."""

    @abstractmethod
    def _navigate(self, url: str) -> None: ...

    @abstractmethod
    def _execute(self, script: str, args: list[Any]) -> Any:
        """Run a script that calls its last argument with the result."""

    @abstractmethod
    def _click(self, element: str) -> None: ...

    def goto(self, path: str) -> None:
        """Open a page by its path, and wait until it is loaded."""
        self._navigate(f"{self._url}{path}")

    def evaluate(self, body: str, *args: Any) -> Any:
        """Return what the body of an asynchronous function returns in the page; its arguments are in `args`.

        None also stands for a page that was left meanwhile.
        """
        result = self._execute(CALL_BODY.format(body=body), list(args))
        if result is None:
            return None
        if "error" in result:
            raise AssertionError(result["error"])
        return result.get("value")

    def wait_for(self, selector: str, text: str = "") -> str:
        """Wait until a visible element contains this text; return a reference to it."""

        def find() -> str:
            found: Mapping[str, str] | None = self.evaluate(FIND, selector, text)
            return found[ELEMENT] if found else ""

        return self.wait_until(find, f"{selector} with “{text}”")

    def tap(self, selector: str, text: str = "") -> None:
        """Tap the first visible element that contains this text, as soon as there is one that takes taps.

        Right after another tap it may take none (`static/js/tap_guard.js`), which WebKit's driver does not tell.
        """

        def tap_once() -> bool:
            element = self.wait_for(selector, text)
            if not self.evaluate(TAKES_TAPS, {ELEMENT: element}):
                return False
            try:
                self._click(element)
            except CommandError as error:
                if error.code not in NOT_TAPPED:
                    raise
                return False
            return True

        self.wait_until(tap_once, f"tapping {selector} with “{text}”")

    def text(self, selector: str, text: str = "") -> str:
        """Return the whole text of the first visible element that contains this one, as soon as there is one."""
        element = self.wait_for(selector, text)
        found: str = self.evaluate("return args[0].textContent", {ELEMENT: element})
        return " ".join(found.split())

    def wait_until(self, ask: Callable[[], Found], what: str) -> Found:
        """Call a function until it returns something true; return that."""
        last = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                if found := ask():
                    return found
            except CommandError as error:
                # The page was replaced while it was asked.
                if time.monotonic() > last:
                    raise AssertionError(what) from error
            assert time.monotonic() < last, f"{what} is not there: {self.describe_page()}"
            time.sleep(PAUSE_SECONDS)

    def describe_page(self) -> str:
        """Return the path and the text of the page, for a failure's message."""
        described: str = self.evaluate("return `${location.pathname}: ${document.body.innerText}`")
        return described
