"""Documents lead where they say: every local link has a target, and every decision is listed once, in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs" / "decisions"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("games/**/*.md"), *ROOT.glob("deploy/**/*.md")]
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
NOT_IN_A_LINK = re.compile(r"[^\w\- ]")


def _list_headings(document: Path) -> set[str]:
    """Return the fragments that a forge gives to a document's headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {NOT_IN_A_LINK.sub("", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_local_link_has_a_target(document: Path) -> None:
    broken = []
    for link in LINK.findall(document.read_text()):
        path, _hash, fragment = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (fragment and target.suffix == ".md" and fragment not in _list_headings(target)):
            broken.append(link)
    assert broken == []


def test_every_decision_is_listed_once_and_in_order() -> None:
    listed = re.findall(r"^(\d+)\. \[.+\]\((.+)\)$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
    pages = sorted(page.name for page in DECISIONS.glob("0*.md"))
    assert [page for _number, page in listed] == pages
    assert [f"{int(number):04}" for number, _page in listed] == [page[:4] for page in pages]


def test_the_readme_shows_every_picture() -> None:
    shown = re.findall(r"\(docs/screenshots/(\w+\.png)\)", (ROOT / "README.md").read_text())
    assert sorted(shown) == sorted(picture.name for picture in (ROOT / "docs" / "screenshots").glob("*.png"))
