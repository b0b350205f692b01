"""The text of an event: Markdown, of which nothing runs, loads or leads astray."""

from __future__ import annotations

import re
import time

import pytest

from scorekeeper.event_page.links import complete_web_address, is_web_address
from scorekeeper.event_page.markdown_text import render_text, summarise_text
from scorekeeper.event_page.models import MAX_TEXT
from tests.browser.injections import INJECTIONS

ALLOWED = {
    *("p", "br", "hr", "strong", "em", "code", "pre", "a", "ul", "ol", "li", "blockquote"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}


def list_tags(html: str) -> set[str]:
    return set(re.findall(r"<([a-z0-9]+)", html))


def test_paragraphs_lists_links_and_tables_are_shown() -> None:
    html = render_text("Come **all**.\n\n- one\n- two\n\n[Club](https://club.example/a?b=1)\n\n|a|b|\n|-|-|\n|1|2|")

    assert "<strong>all</strong>" in html
    assert "<li>one</li>" in html
    assert '<a href="https://club.example/a?b=1" rel="nofollow ugc noopener">Club</a>' in html
    assert '<table class="table">' in html
    assert list_tags(html) <= ALLOWED


@pytest.mark.parametrize("injection", INJECTIONS)
def test_no_tag_of_the_text_becomes_a_tag_of_the_page(injection: str) -> None:
    for text in (
        injection,
        f"**{injection}**",
        f"# {injection}",
        f"[{injection}](https://a.example)",
        f"`{injection}`",
    ):
        html = render_text(text)
        assert list_tags(html) <= ALLOWED, html
        assert not re.search(r"<[^>]*\son\w+=", html), html


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#x73;cript:alert(1)",
        "&#106;avascript:alert(1)",
        "java%0ascript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,<script>1</script>",
        "data:image/png;base64,AAAA",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example/x",
        "/desk/",
        "../x",
        "#id",
        "https://user:password@club.example/",
        "https://club.example@evil.example/",
        "http://localhost/",
        "https://",
        "https:club.example",
        "https://a.example:x/",
    ],
)
def test_only_addresses_on_the_web_mail_and_phone_numbers_become_links(target: str) -> None:
    for text in (f"[x]({target})", f"[x](<{target}>)", f"<{target}>", f"[x][1]\n\n[1]: {target}"):
        assert "href" not in render_text(text), text


@pytest.mark.parametrize(
    "target", ["https://club.example", "http://club.example:8080/x#y", "mailto:a@b.example", "tel:+1403"]
)
def test_the_others_do(target: str) -> None:
    assert f'href="{target}"' in render_text(f"[x]({target})")


def test_a_picture_on_another_host_is_never_fetched() -> None:
    html = render_text("![tracker](https://evil.example/pixel.png)")
    assert "<img" not in html
    assert "src=" not in html


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("# A\n\n## B\n\n### C", ["h2", "h3", "h4"]),
        ("### A\n\n###### B\n\n# C\n\n### D", ["h2", "h3", "h2", "h3"]),
        ("###### A\n\n# B", ["h2", "h2"]),
        ("# A\n\n#### B\n\n## C\n\n### D\n\n#### E\n\n##### F\n\n###### G", ["h2", "h3", "h3", "h4", "h5", "h6", "h6"]),
    ],
)
def test_headings_continue_the_outline_of_the_page_and_skip_no_level(typed: str, shown: list[str]) -> None:
    assert re.findall(r"<(h\d)>", render_text(typed)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "[" * MAX_TEXT,
        "*a_" * (MAX_TEXT // 3),
        "![[" * (MAX_TEXT // 3),
        "> " * (MAX_TEXT // 2),
        "[x](" * (MAX_TEXT // 4),
    ],
)
def test_the_worst_text_is_rendered_in_bounded_time(text: str) -> None:
    start = time.process_time()
    render_text(text)
    assert time.process_time() - start < 5


def test_a_short_text_does_not_become_a_large_page() -> None:
    text = f"[a]: https://example.org '{'&' * 10_000}'\n\n{'[a] ' * 2_400}"
    assert len(render_text(text)) < 10 * MAX_TEXT


def test_the_summary_has_words_only_and_ends_between_them() -> None:
    text = "# Welcome\n\nBring **friends**, and [come](https://a.example) early.\nTwice.\n\n" + "many words " * 40

    summary = summarise_text(text)

    assert summary.startswith("Welcome Bring friends, and come early. Twice. many")
    assert len(summary) <= 160
    assert summary.endswith((" words…", " many…"))
    assert summarise_text("<b>x</b>") == "<b>x</b>", "it is text, which pages escape"


def test_a_website_is_completed_and_checked() -> None:
    assert complete_web_address(" garage.example/x ") == "https://garage.example/x"
    assert complete_web_address("http://garage.example") == "http://garage.example"
    assert not is_web_address(complete_web_address("javascript:alert(1)"))
    assert not is_web_address(complete_web_address("//garage.example"))
