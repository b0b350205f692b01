"""Words that only technicians understand are in the fold "For technicians", or on a page for them, and nowhere else.

What people create, open and copy is called an event outside of those and of rule books (`tests.event_words`).
"""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.event_words import list_rides

TECHNICAL = re.compile(r"\bSHA-?\d|\bhash(?:e[sd])?\b|\bseeds?\b|\bpython -m\b|\bmanage\.py\b", re.IGNORECASE)
FOR_TECHNICIANS = ".for-technicians"  # components/technicians.html, and the main part of pages for programmers
RULE_BOOK = ".rules__book"  # a game has words of its own for the riding
# All text of a page, also what is folded or hidden, and the texts that attributes show or read out.
READ = """leftOut => {
  const page = document.body.cloneNode(true);
  page.querySelectorAll(`script, style, ${leftOut}`).forEach((one) => one.remove());
  const said = [...page.querySelectorAll("[aria-label], [title], [alt], [placeholder]")].flatMap((one) =>
    ["aria-label", "title", "alt", "placeholder"].map((name) => one.getAttribute(name) ?? ""));
  const texts = [document.title];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  return [...texts, ...said].join(" ");
}"""


def list_technical_words(page: Page) -> list[str]:
    """Return the technical words of the open page, each with what is around it."""
    text = _read(page, FOR_TECHNICIANS)
    return [f"technical: {text[max(0, found.start() - 30) : found.end() + 30]}" for found in TECHNICAL.finditer(text)]


def list_misnamed_events(page: Page) -> list[str]:
    """Return where the open page calls an event a ride, each with what is around it."""
    return list_rides(_read(page, f"{FOR_TECHNICIANS}, {RULE_BOOK}"))


def _read(page: Page, left_out: str) -> str:
    return " ".join(page.evaluate(READ, left_out).split())
