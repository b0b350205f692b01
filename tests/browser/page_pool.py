"""Browsers with one page that are used by one test after the other.

A new browser needs a process for its page and loads all style sheets and scripts again, which takes three times as long
as a page itself. Invariant: nothing of a test is left in a browser but its cache of static files.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Error, Page, StorageState, ViewportSize

from tests.browser.measure import LOCALE

STORE = "items => items.forEach(({ name, value }) => localStorage.setItem(name, value))"
# Scripts of pages that only wait for a person.
QUIET = (
    "htmx.min|announcer|clock_times|copy|dice|failed_requests|forms|full_page_swap|print|swap_focus|tap_guard|tap_queue"
    "|time_elements|time_zone|undo"
)
# Whether a page may do something before the next test loads another: a request is on its way, or it has another script.
# Leaving a page takes half as long as loading one, so only these are left at once.
IS_BUSY = f"""() => document.readyState !== "complete"
  || document.querySelector(".htmx-request, [hx-trigger], [hx-ext], meta[http-equiv=refresh]") !== null
  || [...document.scripts].some(({{ src }}) => !/[/]({QUIET})[.][0-9a-f]+[.]js$/.test(src))"""
HAS_OWN_CLOCK = "'__pwClock' in window"  # Playwright's, which cannot be removed


class Kind(NamedTuple):
    """Which browsers can take each other's place: those of one site, size and way of pointing."""

    url: str
    width: int
    height: int
    has_touch: bool


class PagePool:
    """Pages that no test uses at the moment."""

    def __init__(self, browser: Browser, timeout_ms: float) -> None:
        self._browser = browser
        self._timeout_ms = timeout_ms
        self._free: defaultdict[Kind, list[Page]] = defaultdict(list)

    def take(self, url: str, viewport: ViewportSize, state: StorageState | None, *, has_touch: bool) -> Page:
        """Return a page of a browser that has only these cookies and stored values."""
        kind = Kind(url, viewport["width"], viewport["height"], has_touch)
        if not self._free[kind]:
            context = self._browser.new_context(
                base_url=url,
                viewport=viewport,
                has_touch=has_touch,
                locale=LOCALE,
                service_workers="block",
                storage_state=state,
            )
            context.set_default_timeout(self._timeout_ms)
            return context.new_page()
        page = self._free[kind].pop()
        if state is not None:
            page.context.add_cookies(state["cookies"])  # type: ignore[arg-type]
            for origin in state["origins"]:
                page.evaluate(STORE, origin["localStorage"])
        return page

    def put_back(self, page: Page, url: str, viewport: ViewportSize, *, has_touch: bool) -> None:
        """Free a page for other tests, unless a test has changed its browser for good."""
        try:
            is_usable = self._clear(page, url, viewport)
        except Error:  # it is closed, or cannot leave what it shows
            is_usable = False
        if is_usable:
            self._free[Kind(url, viewport["width"], viewport["height"], has_touch)].append(page)
        else:
            page.context.close()

    def _clear(self, page: Page, url: str, viewport: ViewportSize) -> bool:
        context: BrowserContext = page.context
        if page.evaluate(HAS_OWN_CLOCK):
            return False
        for other in context.pages:
            if other is not page:
                other.close()
        page.unroute_all()
        context.unroute_all()
        page.evaluate("sessionStorage.clear()")
        if page.evaluate(IS_BUSY):
            page.goto(f"{url}/healthz")
        tools = context.new_cdp_session(page)
        tools.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
        tools.send("Page.resetNavigationHistory")
        tools.detach()
        context.clear_cookies()
        page.emulate_media(media="null", color_scheme="light", reduced_motion="null")
        page.set_viewport_size(viewport)
        return True
