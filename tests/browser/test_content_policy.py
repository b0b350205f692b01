"""The tests of this folder notice what no page may do, and count the pages that they watch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page_monitor import PageMonitor, PolicyCount
from tests.browser.running_server import RunningServer

ADD_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.hasRun = true";
  document.body.append(script);
  return window.hasRun === true;
}"""
CALLS = {
    "an image": "new Image().src = 'http://127.0.0.2:9/pixel.png'",
    "a request": "fetch('http://127.0.0.2:9/').catch(() => 0)",
    "another port": "fetch('http://127.0.0.1:9/').catch(() => 0)",
}


@pytest.fixture
def policy_count(monkeypatch: pytest.MonkeyPatch) -> PolicyCount:
    """A count of this test only: it causes a violation, which no page does."""
    count = PolicyCount()
    monkeypatch.setattr(PageMonitor, "policy_count", count)
    return count


def test_a_violation_is_a_complaint_and_pages_are_counted_in_a_full_run(
    browser: Browser, server: RunningServer, policy_count: PolicyCount
) -> None:
    monitor = PageMonitor(server.url, counts_documents=True)
    with browser.new_context(base_url=server.url, service_workers="block") as context:
        monitor.follow(context)
        page = context.new_page()
        page.goto("/")
        assert (policy_count.documents, policy_count.violations) == (1, [])

        with page.expect_console_message(lambda message: message.type == "error"):
            assert page.evaluate(ADD_SCRIPT) is False

    assert len(policy_count.violations) == 1
    assert "script-src" in policy_count.violations[0]
    assert len(monitor.complaints) == 1


@pytest.mark.parametrize("may_be_offline", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_another_host_is_a_complaint(
    call: str, may_be_offline: bool, page: Page, page_monitor: PageMonitor, policy_count: PolicyCount
) -> None:
    page_monitor.may_be_offline = may_be_offline
    page.goto("/")

    with page.expect_console_message(lambda message: message.type == "error"):
        page.evaluate(CALLS[call])

    assert len(policy_count.violations) >= 1
    assert page_monitor.complaints
    page_monitor.complaints.clear()


@pytest.mark.parametrize("kind", ["page", "plain_page"])
def test_an_error_of_the_server_is_a_complaint(
    kind: str, request: pytest.FixtureRequest, page_monitor: PageMonitor
) -> None:
    page: Page = request.getfixturevalue(kind)
    page.route("**/broken/", lambda route: route.fulfill(status=500, body="<p>broken", content_type="text/html"))

    with page.expect_console_message(lambda message: message.type == "error"):
        page.goto("/broken/")

    assert "500" in page_monitor.complaints[0]
    page_monitor.complaints.clear()
