"""Watches every page a test opens for errors, and counts what it has watched.

Chromium writes an error to the console for every response of 400 or more, and for every call of another host, which the
content security policy forbids. So a short run watches the console only. With FAULTS=full each request is watched as
well: of a page's time, that is a tenth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, Request, Response, WebError

from tests.faults.scale import FULL

# Chromium reports every response of 400 and more; a refused form's page explains it, and tests check its status.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")

# A phone without signal fails to load much, and answers what it cannot do with an error of its own.
UNLOADED = re.compile(
    r"Failed to load resource: |htmx:(sendError|afterRequest)\b|EventSource's response has a MIME type"
)

# Playwright logs this if a test has asked for it.
BLOCKED = "Service Worker registration blocked by Playwright"

# What a page is sending, and when its last responses came, in seconds since it was opened.
READ_STATE = """() => {
  const seconds = (time) => (time / 1000).toFixed(1);
  const sending = [...document.querySelectorAll("[aria-busy=true]")].map(({ id }) => `sending: ${id}`);
  const responses = performance.getEntriesByType("resource").slice(-5).map(
    ({ name, startTime, responseEnd }) => `${seconds(startTime)}-${seconds(responseEnd)} s: ${name}`
  );
  return [...sending, ...responses, `${seconds(performance.now())} s: now`];
}"""

# Chromium's messages about what a policy forbids differ, but all of them name it.
POLICY = "Content Security Policy"


@dataclass
class PolicyCount:
    """What the browser has loaded under our content security policy.

    Attributes:
        documents: how many pages were loaded.
        routes: the routes of these pages.
        violations: the browser's messages about what the policy forbade.
    """

    documents: int = 0
    routes: set[str] = field(default_factory=set)
    violations: list[str] = field(default_factory=list)

    def add(self, url: str) -> None:
        """Count a page."""
        self.documents += 1
        with suppress(Resolver404):  # a page that does not exist
            self.routes.add(resolve(urlsplit(url).path).view_name)


class PageMonitor:
    """Collects errors that no page may cause.

    Args:
        may_be_offline: whether the pages are on a phone that may be without signal.
        counts_documents: whether every request and response is watched, and the pages among them counted.

    Attributes:
        complaints: the errors so far, in order.
        policy_count: what all monitors of this process have watched.
    """

    policy_count: ClassVar = PolicyCount()

    def __init__(self, url: str, *, may_be_offline: bool = False, counts_documents: bool = FULL) -> None:
        self.url = url
        self.may_be_offline = may_be_offline
        self._counts_documents = counts_documents
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def describe_pages(self) -> str:
        """Return URL, state and text of every open page."""
        return "\n\n".join(_describe(page) for context in self.contexts for page in context.pages)

    def follow(self, context: BrowserContext, *, is_policy_ignored: bool = False) -> None:
        """Watch all pages of the browser, now and later.

        Args:
            is_policy_ignored: whether the browser ignores the content security policy.
        """
        self.contexts.append(context)
        for event, handle in self._list_handlers(is_policy_ignored=is_policy_ignored):
            context.on(event, handle)  # type: ignore[call-overload]

    def leave(self, context: BrowserContext) -> None:
        """Stop watching the pages of a browser that other tests use again, and whose policy is not ignored."""
        for event, handle in self._list_handlers():
            context.remove_listener(event, handle)

    def _list_handlers(self, *, is_policy_ignored: bool = False) -> list[tuple[str, Callable[[Any], None]]]:
        handlers: list[tuple[str, Callable[[Any], None]]] = [
            ("console", self._on_console),
            ("weberror", self._on_error),
        ]
        if self._counts_documents or is_policy_ignored:
            handlers.append(("request", self._on_request))
        if self._counts_documents:
            handlers.append(("response", self._on_response))
            if not is_policy_ignored:
                handlers.append(("response", self._count_document))
        return handlers

    def _on_error(self, fault: WebError) -> None:
        self.complaints.append(f"script: {fault.error}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if message.text == BLOCKED or (self.may_be_offline and UNLOADED.match(message.text)):
            return
        if POLICY in message.text:
            self.policy_count.violations.append(message.text)
        is_page = "/static/" not in message.location["url"]
        if not (is_page and REFUSED.match(message.text)):
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "blob:")):
            self.complaints.append(f"calls another host: {request.url}")

    def _count_document(self, response: Response) -> None:
        if response.request.resource_type == "document" and response.status < 300:
            self.policy_count.add(response.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= 500 and not self.may_be_offline:
            self.complaints.append(f"{response.status}: {response.url}")


def _describe(page: Page) -> str:
    """Return the URL of the page, the forms that it is sending, its last requests, and its text."""
    try:
        text = page.locator("body").inner_text(timeout=1_000)
        state = page.evaluate(READ_STATE)  # has no time limit of its own, but the page has just responded
    except Error as error:
        return f"{page.url}\ncannot be read: {error.message.splitlines()[0]}"
    return "\n".join([page.url, *state, text])
