"""The basics of all browser tests: pages, styles and the content security policy reach a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.measure import list_barriers, list_page_problems
from tests.browser.plain_words import list_misnamed_events, list_technical_words


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


# A change of the sign-in page, and the rule of axe that it breaks.
BREAKS = {
    "document.querySelector('main button').textContent = ''": "button-name",
    "document.querySelector('main input[type=password]').labels[0].remove()": "label",
    "document.querySelector('main form').setAttribute('aria-hidden', 'true')": "aria-hidden-focus",
    "document.querySelector('main h1').setAttribute('role', 'checkbox')": "aria-required-attr",
    "document.querySelector('main').append(document.createElement('li'))": "listitem",
    "document.documentElement.lang = ''": "html-has-lang",
    "document.querySelector('main h1').style.color = '#999'": "color-contrast",
}


def test_a_fault_is_found_on_a_page_that_was_found_right_before(page: Page) -> None:
    page.goto("/sign-in/")
    assert list_barriers(page) == []
    for change, rule in BREAKS.items():
        page.goto("/sign-in/")
        page.evaluate(change)
        assert rule in "\n".join(list_barriers(page)), change


# A colour that no text had before, readable on the paper of the day only.
NEW_COLOUR = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`main h1 { color: #171513; } @media (prefers-color-scheme: dark) { main h1 { color: #322; } }`);
  document.adoptedStyleSheets = [sheet];
}"""


def test_a_new_look_is_judged_in_the_dark_on_a_page_that_was_measured_before(page: Page) -> None:
    page.goto("/sign-in/")
    assert list_page_problems(page) == []
    page.goto("/sign-in/")
    assert list_page_problems(page) == []
    page.evaluate(NEW_COLOUR)

    found = list_page_problems(page)

    assert [what for what in found if what.startswith("dark: color-contrast: h1")] == found
    assert found


@pytest.mark.parametrize("words", ["a hash", "hashes", "SHA-256 of", "Seed:", "python -m games", "manage.py verify"])
def test_technical_words_are_found_outside_the_fold_for_technicians_only(page: Page, words: str) -> None:
    page.set_content(f"<details><summary>More</summary><p>{words}</p></details>")
    assert len(list_technical_words(page)) == 1
    page.set_content(f'<p title="{words}">Text</p>')
    assert len(list_technical_words(page)) == 1
    page.set_content(f'<details class="for-technicians"><summary>For technicians</summary><p>{words}</p></details>')
    assert list_technical_words(page) == []
    page.set_content("<p>We shall rehash what was sown, seedless. Share it.</p>")
    assert list_technical_words(page) == []


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("Use last year’s ride", 1),
        ("Back to the ride", 1),
        ("Copy any ride, or two rides", 2),
        ("Ride day: before the ride, at the ride", 0),
        ("Ready for the ride? It rides with Parks, from https://rides.example.org. Riders override.", 0),
    ],
)
def test_ride_is_found_where_it_names_an_event(page: Page, words: str, count: int) -> None:
    page.set_content(f'<main><p>{words}</p><details class="for-technicians"><p>/api/v1/ride</p></details></main>')
    assert len(list_misnamed_events(page)) == count
