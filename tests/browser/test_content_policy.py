"""The tests of this folder notice what the content security policy forbids, and count the pages that they watch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.page_monitor import PageMonitor, PolicyCount

ADD_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.hasRun = true";
  document.body.append(script);
  return window.hasRun === true;
}"""


@pytest.fixture
def policy_count(monkeypatch: pytest.MonkeyPatch) -> PolicyCount:
    """A count of this test only: it causes a violation, which no page does."""
    count = PolicyCount()
    monkeypatch.setattr(PageMonitor, "policy_count", count)
    return count


def test_a_violation_is_a_complaint_and_is_counted(
    page: Page, page_monitor: PageMonitor, policy_count: PolicyCount
) -> None:
    page.goto("/")
    assert (policy_count.documents, policy_count.violations) == (1, [])

    with page.expect_console_message(lambda message: message.type == "error"):
        assert page.evaluate(ADD_SCRIPT) is False

    assert len(policy_count.violations) == 1
    assert "script-src" in policy_count.violations[0]
    assert len(page_monitor.complaints) == 1
    page_monitor.complaints.clear()
