"""Waits for conditions that no locator can express."""

from __future__ import annotations

import time

from playwright.sync_api import Page

TIMEOUT_SECONDS = 10  # seconds


def wait_until(page: Page, condition: str) -> None:
    """Wait until an expression is true on the page.

    Playwright's own waiting evaluates text as code inside the page, which the content security policy forbids. It works
    only for conditions that are already true.
    """
    last = time.monotonic() + TIMEOUT_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < last, condition
        page.wait_for_timeout(50)
