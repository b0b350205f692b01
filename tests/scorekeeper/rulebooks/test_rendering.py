"""`render_page`: a rule book in Markdown becomes HTML, without any HTML of its own."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from scorekeeper.rulebooks.page_renderer import render_page

SHARED = '# What holds in every game\n\n- <a id="TABLE-1"></a>**TABLE-1** Seats act in order.\n'


ALLOWED = {"p", "a", "h2", "ul", "li", "strong", "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td"}


class Tags(HTMLParser):
    """Collects the elements and attributes that a browser would create."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs


def render(own: str) -> str:
    return str(render_page(f"# Pig race\n\n{own}\n", SHARED).html)


def test_a_clause_is_an_anchor_that_links_to_itself() -> None:
    html = render('- <a id="PIG-1"></a>**PIG-1** A throw takes one die.')

    assert '<li><a class="clause" id="PIG-1" href="#PIG-1">PIG-1</a> A throw takes one die.</li>' in html


def test_a_mention_links_to_a_clause_of_the_page_or_is_plain_text() -> None:
    html = render("As TABLE-1 says, and (TABLE-9), in UTF-8, not in `TABLE-1`.")

    assert '<a class="mention" href="#TABLE-1">TABLE-1</a> says, and (TABLE-9), in UTF-8' in html
    assert "<code>TABLE-1</code>" in html


def test_the_title_is_omitted_and_the_shared_clauses_end_the_page() -> None:
    page = render_page("# Pig race\n\n## The *throw*\n\n### Of one die\n\n## The bank\n", SHARED)

    assert [section.title for section in page.sections] == ["The throw", "The bank", "What holds in every game"]
    assert "Pig race" not in page.html
    assert re.findall(r'<h2 id="([^"]+)">', page.html) == [section.id for section in page.sections]
    assert page.clauses == ("TABLE-1",)
    assert page.html.index("The bank") < page.html.index("What holds in every game")


def test_a_table_scrolls_by_itself_and_its_figures_are_right_aligned_without_inline_styles() -> None:
    html = render("| gear | dice |\n| --- | ---: |\n| first | 1 |")

    assert '<div class="table-wrap" role="group" tabindex="0" aria-label="gear, dice"><table class="table">' in html
    assert '<th scope="col">gear</th>' in html
    assert '<th data-label="gear" scope="row">first</th>' in html
    assert '<td data-label="dice" class="num">1</td>' in html
    assert "style=" not in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "Look: <img src=x onerror=alert(1)>",
        '<a id="PIG-1" onclick="alert(1)"></a>**PIG-1** Throw.',
        '<a id="PIG-1"></a>**PIG-2** Throw.',
        '<a id="pig"></a>**pig** Throw.',
        "[a link](javascript:alert(1))",
        "[a link](data:text/html,<script>alert(1)</script>)",
        "![a picture](https://elsewhere.example/track.png)",
        "<https://elsewhere.example/\"onmouseover='alert(1)'>",
        '| <b onclick="x">head</b> |\n| --- |\n| <style>* { display: none }</style> |',
        '## <svg onload="alert(1)">',
        '```"><script>\ncode\n```',
    ],
)
def test_html_in_a_rule_book_is_escaped(hostile: str) -> None:
    html = render(hostile)

    found = Tags()
    found.feed(html)
    assert found.names <= ALLOWED
    assert {name for name, _ in found.attributes} <= {
        *("id", "class", "href", "role", "tabindex", "aria-label", "scope", "data-label")
    }
    hrefs = [value or "" for name, value in found.attributes if name == "href"]
    assert [href for href in hrefs if not href.startswith(("#", "https://"))] == []
