"""Looks over the shoulder of every page a test opens."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response

# Chromium reports every answer of 400 and more; a refused form is told of by its page, and tests look at its status.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")

# Playwright says so, where a test has asked for it.
BLOCKED = "Service Worker registration blocked by Playwright"


class Watch:
    """Collects what no page may do.

    Attributes:
        complaints: what was seen, in the order of its coming.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def describe_pages(self) -> str:
        """Return the address and the text of every page that is open."""
        pages = [page for context in self.contexts for page in context.pages]
        return "\n\n".join(f"{page.url}\n{page.locator('body').inner_text()}" for page in pages)

    def follow(self, context: BrowserContext) -> None:
        """Look at all pages of the browser, now and later."""
        self.contexts.append(context)
        context.on("console", self._hear)
        context.on("weberror", lambda fault: self.complaints.append(f"script: {fault.error}"))
        context.on("request", self._see_request)
        context.on("response", self._see_answer)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if message.text == BLOCKED:
            return
        is_page = "/static/" not in message.location["url"]
        if not (is_page and REFUSED.match(message.text)):
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _see_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "blob:")):
            self.complaints.append(f"calls another host: {request.url}")

    def _see_answer(self, response: Response) -> None:
        if response.status >= 500:
            self.complaints.append(f"{response.status}: {response.url}")
