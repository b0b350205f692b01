"""Renders a rule book, written in Markdown, as the HTML of its page.

Terms: a *clause* begins with `<a id="TABLE-1"></a>**TABLE-1**`, so that the file has anchors wherever it is read. On
the page its number is the anchor and links to itself, so that its URL can be copied. A *mention* is the number of a
clause anywhere else; it links to the clause if the page has it. A *section* is the text below a heading.

Invariant: that anchor is the only HTML a rule book may contain. Any other tag is shown as text, and a URL that does
not lead to a page (`javascript:`, `data:`) is not made a link.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

CLAUSE = re.compile(r'<a id="([A-Z]+-\d+)"></a>\*\*\1\*\*')
MENTION = re.compile(r"\b[A-Z]+-\d+\b")

Env = MutableMapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleBookSection:
    """A heading of the page, for its table of contents."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class RuleBookPage:
    """The content of a rule book's page below its title.

    Attributes:
        clauses: the numbers of its clauses, in order; each is the id of an element.
    """

    html: SafeString
    sections: tuple[RuleBookSection, ...]
    clauses: tuple[str, ...]


def render_page(own: str, shared: str) -> RuleBookPage:
    """Return the page of a rule book.

    Args:
        own: the game's rule book. Its title, the first heading, is omitted; the page's template shows it.
        shared: the clauses that apply to every game, which become the last section.
    """
    parser = _make_parser()
    tokens = [*_strip_title(parser.parse(own)), *_demote_headings(parser.parse(shared))]
    sections = _number_sections(tokens)
    _prepare_tables(tokens)
    inline = [child for token in tokens for child in token.children or ()]
    clauses = tuple(child.content for child in inline if child.type == "clause")
    html = parser.renderer.render(tokens, parser.options, {"clauses": frozenset(clauses)})
    return RuleBookPage(mark_safe(html), sections, clauses)  # noqa: S308 -- the parser lets no HTML of the text through


@cache
def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.inline.ruler.before("escape", "clause", _parse_clause)
    parser.add_render_rule("clause", _render_clause)
    parser.add_render_rule("text", _render_text)
    parser.add_render_rule("table_open", _render_table_open)
    parser.add_render_rule("table_close", _render_table_close)
    return parser


def _parse_clause(state: StateInline, silent: bool) -> bool:
    found = CLAUSE.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("clause", "a", 0).content = found[1]
    state.pos = found.end()
    return True


def _render_clause(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    rule = tokens[index].content
    return f'<a class="clause" id="{rule}" href="#{rule}">{rule}</a>'


def _render_text(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    def link(mention: re.Match[str]) -> str:
        rule = mention[0]
        return f'<a class="mention" href="#{rule}">{rule}</a>' if rule in env["clauses"] else rule

    return MENTION.sub(link, escapeHtml(tokens[index].content))


def _render_table_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    """Wrap a table so that it scrolls by itself, also by keyboard, with its headings as the accessible name."""
    name = escapeHtml(", ".join(filter(None, tokens[index].meta["headings"])))
    return f'<div class="table-wrap" role="group" tabindex="0" aria-label="{name}"><table class="table">\n'


def _render_table_close(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    return "</table></div>\n"


def _strip_title(tokens: list[Token]) -> list[Token]:
    """Return the tokens without the heading at their start, which is three tokens: opening, text and closing."""
    return tokens[3:] if tokens and tokens[0].type == "heading_open" else tokens


def _demote_headings(tokens: list[Token]) -> list[Token]:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1:]) + 1}"
    return tokens


def _number_sections(tokens: list[Token]) -> tuple[RuleBookSection, ...]:
    """Give the second-level headings numbered ids, which no clause and no other part of the page uses."""
    sections: list[RuleBookSection] = []
    for opening, words in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            section = RuleBookSection(f"section-{len(sections) + 1}", _get_text(words))
            opening.attrSet("id", section.id)
            sections.append(section)
    return tuple(sections)


def _prepare_tables(tokens: list[Token]) -> None:
    """Give each table its headings as its name, and each cell its own heading, for screens too narrow for columns.

    The first cell of a row is the row's heading. Right-aligned columns get a class, since the security policy blocks
    inline styles.
    """
    headings: list[str] = []
    column = 0
    for token, words in pairwise(tokens):
        if token.type == "table_open":
            headings = token.meta["headings"] = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            headings.append(_get_text(words))
            token.attrSet("scope", "col")
        elif token.type == "td_open":
            token.attrSet("data-label", headings[column])
            if column == 0:
                token.tag = "th"
                token.attrSet("scope", "row")
            column += 1
        elif token.type == "td_close" and column == 1:
            token.tag = "th"
        if "right" in str(token.attrs.pop("style", "")):
            token.attrSet("class", "num")


def _get_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())
