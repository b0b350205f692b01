"""Waits for what no locator tells of."""

from __future__ import annotations

import time

from playwright.sync_api import Page

TIMEOUT_SECONDS = 10  # seconds


def wait_until(page: Page, condition: str) -> None:
    """Wait until an expression is true on the page.

    Playwright's own waiting asks again from inside the page, where the content policy forbids it to read a text as
    code: it works only for what is true already.
    """
    last = time.monotonic() + TIMEOUT_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < last, condition
        page.wait_for_timeout(50)
