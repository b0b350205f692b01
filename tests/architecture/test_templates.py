"""Every text for people in a template is marked for translation, or in an element that says that it is in English.

Every tag is recognised.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template.base import tag_re

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(
    path
    for folder in [ROOT / "templates", *ROOT.glob("games/*/templates")]
    for path in folder.rglob("*")
    if path.suffix in (".html", ".txt", ".svg")
)
READ_OUT = {
    "alt",
    "title",
    "placeholder",
    "label",
    "summary",
    "aria-label",
    "aria-description",
    "aria-roledescription",
}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES = re.compile(r"Tailgunner")  # the product has the same name in every language
# Removed in this order: marked texts, then every other tag and variable of the template language.
MARKED = [
    re.compile(r"{#.*?#}"),
    re.compile(r"{%-?\s*comment\b.*?endcomment\s*%}", re.DOTALL),
    re.compile(r"{%\s*blocktrans(?:late)?\b.*?endblocktrans(?:late)?\s*%}", re.DOTALL),
    re.compile(r"{%\s*block \w*class\s*%}.*?{%\s*endblock\b.*?%}", re.DOTALL),
    re.compile(r"{%.*?%}", re.DOTALL),
    re.compile(r"{{.*?}}", re.DOTALL),
]


def blank(text: str, pattern: re.Pattern[str]) -> str:
    """Remove all matches, but keep their line breaks, so that line numbers stay correct."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)


class Reader(HTMLParser):
    """Collects the texts for people that are not marked, with line numbers."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.unread: list[str] = []
        self.english = 0  # how many elements are open inside one that is English for every reader, itself among them
        self.found: list[str] = []

    def add_text(self, text: str | None) -> None:
        words = NAMES.sub("", text or "")
        if re.search(r"[^\W\d_]{2,}", words):
            self.found.append(f"line {self.getpos()[0]}: {' '.join(words.split())}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "code"):
            self.unread.append(tag)
        given = dict(attrs)
        if self.english or given.get("lang") == "en":
            self.english += tag not in VOID
            return
        for name in READ_OUT & given.keys():
            self.add_text(given[name])
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            self.add_text(given.get("value"))
        if tag == "meta" and given.get("name") == "description":
            self.add_text(given.get("content"))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unread:
            self.unread.remove(tag)
        self.english = max(self.english - 1, 0)

    def handle_data(self, data: str) -> None:
        if not self.unread and not self.english:
            self.add_text(data)


def list_untranslated(source: str) -> list[str]:
    """Return the texts of a template that no translation tag surrounds."""
    for pattern in MARKED:
        source = blank(source, pattern)
    reader = Reader()
    reader.feed(source)
    reader.close()
    return reader.found


def find_in_templates(find: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return what a function finds in the source of each template, without templates in which it finds nothing."""
    found = {str(path.relative_to(ROOT)): find(path.read_text()) for path in TEMPLATES}
    return {path: texts for path, texts in found.items() if texts}


def list_untrimmed(source: str) -> list[str]:
    opened = re.findall(r"{%\s*blocktrans(?:late)?\b([^%]*)%}", source)
    return [tag for tag in opened if "trimmed" not in tag.split()]


def list_broken_tags(source: str) -> list[str]:
    return re.findall(r"{[{%#].*", tag_re.sub("", source))


def test_there_are_templates_to_check() -> None:
    assert len(TEMPLATES) > 400


def test_no_text_in_a_template_is_left_unmarked() -> None:
    assert find_in_templates(list_untranslated) == {}


def test_longer_texts_are_marked_trimmed_so_that_indenting_breaks_no_translation() -> None:
    assert find_in_templates(list_untrimmed) == {}


def test_every_tag_is_on_one_line_since_django_shows_a_broken_one_as_text() -> None:
    assert find_in_templates(list_broken_tags) == {}


@pytest.mark.parametrize("source", ["{% blocktranslate %}Hi{% endblocktranslate %}", "{% blocktrans count n=n %}"])
def test_the_search_finds_texts_that_are_not_trimmed(source: str) -> None:
    assert list_untrimmed(source)
    assert list_broken_tags("<p>{% if x\n and y %}</p>")


@pytest.mark.parametrize(
    "source",
    [
        "<p>Hello there</p>",
        '<img alt="A die">',
        '<button aria-label="Close {{ name }}">×</button>',
        '<input type="submit" value="Send">',
        "{% if x %}Open{% endif %}",
        '<ul lang="en"><li>Bikes<br></li></ul><p>Hello there</p>',
        "<p>{{ count }} bikes</p>",
    ],
)
def test_the_search_finds_what_is_not_marked(source: str) -> None:
    assert list_untranslated(source)


@pytest.mark.parametrize(
    "source",
    [
        '<p>{% translate "Hello" %}</p>',
        '<ul lang="en"><li>Bikes<br><b title="Riders">and riders</b></li></ul>',
        "<p>{% blocktranslate trimmed count n=n %}one bike{% plural %}{{ n }} bikes{% endblocktranslate %}</p>",
        "{# a comment #}{% comment %}another comment{% endcomment %}<b>12 · {{ total }}</b>",
        "<p>{% block body_class %}page page--narrow{% endblock %}</p>",
        '<input type="hidden" value="word"><script src="x.js"></script><title>Tailgunner</title>',
    ],
)
def test_the_search_lets_marked_and_wordless_text_pass(source: str) -> None:
    assert list_untranslated(source) == []
