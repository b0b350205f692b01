"""The basics of all browser tests: pages, styles and the content security policy reach a phone."""

import pytest
from playwright.sync_api import Page


@pytest.mark.parametrize("kind", ["page", "plain_page"])
def test_an_unknown_url_shows_a_styled_page_that_violates_no_policy(kind: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(kind)
    complaints: list[str] = []
    failures: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("response", lambda answer: failures.append(answer.url) if answer.status >= 400 else None)

    answer = page.goto("/no-such-page/")

    assert answer is not None
    assert answer.status == 404
    assert page.viewport_size == {"width": 360, "height": 640}
    assert page.locator("link[rel=stylesheet]").count() > 0
    assert failures == [answer.url]
    assert not [text for text in complaints if "Content Security Policy" in text]
