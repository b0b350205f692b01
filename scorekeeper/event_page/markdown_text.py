"""Makes HTML of the text that organisers type for their event's page: Markdown, and nothing of HTML.

Invariants:
- A tag in the text is shown as text. So no script, style, frame or event handler can come from it.
- There are no pictures: one on another host would tell that host who reads the page.
- A link leads to the web, a mail address or a phone number (`links`). It gives its target no credit with search engines
  and no hold on our page.
- Headings continue the outline of the page: the first is one below the heading above the text, and none skips a level.
- Time and size are bounded: the text has at most `MAX_TEXT` characters, nesting is limited, and a link has its address
  beside it, since one that is defined once and used a thousand times would make megabytes of a short text.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from functools import cache, lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from scorekeeper.event_page.links import is_text_link

FIRST_LEVEL, LAST_LEVEL = 2, 6  # of headings
MAX_NESTING = 12
REL = "nofollow ugc noopener"
Env = MutableMapping[str, Any]


@lru_cache(maxsize=128)
def render_text(text: str) -> SafeString:
    """Return the text as HTML; "" for a text without anything to see."""
    parser = _make_parser()
    tokens = parser.parse(text)
    _nest_headings(tokens)
    for token in _list_all(tokens):
        if token.type == "link_open":
            token.attrSet("rel", REL)
        elif token.type == "table_open":
            token.attrSet("class", "table")
    html = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html.strip())  # noqa: S308 -- the parser lets no HTML of the text through


@lru_cache(maxsize=128)
def summarise_text(text: str, most: int = 160) -> str:
    """Return the beginning of the text without its markup, for search results and previews of links.

    Args:
        most: characters.
    """
    blocks = (token for token in _make_parser().parse(text) if token.type == "inline")
    plain = " ".join("".join(_list_words(token.children or ())) for token in blocks)
    words = " ".join(plain.split())
    return words if len(words) <= most else f"{words[: most - 1].rsplit(' ', 1)[0].rstrip(' ,.;:')}…"


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return is_text_link(url)


@cache
def _make_parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": MAX_NESTING, "breaks": True}
    parser = _Parser("commonmark", options).enable("table").disable(["image", "reference"])
    parser.add_render_rule("fence", _render_fence)
    return parser


def _render_fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    """Leave out the language after the fence of a code block, which would become a class."""
    return f"<pre><code>{escapeHtml(tokens[index].content)}</code></pre>\n"


def _nest_headings(tokens: Sequence[Token]) -> None:
    """Give the headings the levels of the page's outline, each at most one below the heading that it is under."""
    above: list[int] = []  # the levels, as they were typed, of the headings that the current one is under
    for token in tokens:
        if token.type == "heading_open":
            typed = int(token.tag[1:])
            above = [*(level for level in above if level < typed), typed]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(FIRST_LEVEL + len(above) - 1, LAST_LEVEL)}"


def _list_all(tokens: Iterable[Token]) -> Iterable[Token]:
    for token in tokens:
        yield token
        yield from _list_all(token.children or ())


def _list_words(tokens: Iterable[Token]) -> Iterable[str]:
    return (
        token.content if token.content else " "
        for token in tokens
        if token.type in ("text", "code_inline", "softbreak")
    )
