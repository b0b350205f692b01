"""The threat model names tests that exist, and every threat names a test."""

from __future__ import annotations

import re

from tests.programs import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
PATH = re.compile(r"`((?:tests|docs|scorekeeper)/[^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")


def test_every_file_that_it_names_is_there() -> None:
    missing = {path for path in PATH.findall(PAGE) if not (ROOT / path).exists()}
    missing |= {link for link in LINK.findall(PAGE) if not (ROOT / "docs" / link).exists()}
    assert not missing


def test_every_threat_names_a_test_that_shows_what_stops_it() -> None:
    stopped, _heading, _left = PAGE.partition("## What is not stopped")
    sections = stopped.split("\n## ")[1:]
    rows = [
        line for line in stopped.splitlines() if line.startswith("| ") and not line.startswith(("| attempt", "| ---"))
    ]
    assert len(sections) >= 7
    assert [part.splitlines()[0] for part in [*sections, *rows] if not PATH.search(part)] == []
