"""Watches every page a test opens for errors."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, Request, Response

# Chromium reports every response of 400 and more; a refused form's page explains it, and tests check its status.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")

# A phone without signal fails to load much, and answers what it cannot do with an error of its own.
UNLOADED = re.compile(
    r"Failed to load resource: |htmx:(sendError|afterRequest)\b|EventSource's response has a MIME type"
)

# Playwright logs this if a test has asked for it.
BLOCKED = "Service Worker registration blocked by Playwright"


class PageMonitor:
    """Collects errors that no page may cause.

    Args:
        may_be_offline: whether the pages are on a phone that may be without signal.

    Attributes:
        complaints: the errors so far, in order.
    """

    def __init__(self, url: str, *, may_be_offline: bool = False) -> None:
        self.url = url
        self.may_be_offline = may_be_offline
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def describe_pages(self) -> str:
        """Return the URL and the text of every open page."""
        pages = [page for context in self.contexts for page in context.pages]
        return "\n\n".join(f"{page.url}\n{_read_text(page)}" for page in pages)

    def follow(self, context: BrowserContext) -> None:
        """Watch all pages of the browser, now and later."""
        self.contexts.append(context)
        context.on("console", self._on_console)
        context.on("weberror", lambda fault: self.complaints.append(f"script: {fault.error}"))
        context.on("request", self._on_request)
        context.on("response", self._on_response)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if message.text == BLOCKED or (self.may_be_offline and UNLOADED.match(message.text)):
            return
        is_page = "/static/" not in message.location["url"]
        if not (is_page and REFUSED.match(message.text)):
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "blob:")):
            self.complaints.append(f"calls another host: {request.url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500 and not self.may_be_offline:
            self.complaints.append(f"{response.status}: {response.url}")


def _read_text(page: Page) -> str:
    try:
        return page.locator("body").inner_text(timeout=1_000)
    except Error as error:
        return f"cannot be read: {error.message.splitlines()[0]}"
