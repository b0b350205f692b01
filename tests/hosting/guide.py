"""The commands of docs/hosting.md: its fenced blocks, under their headings."""

from __future__ import annotations

import re

from tests.programs import ROOT

GUIDE = (ROOT / "docs" / "hosting.md").read_text()
OWN_COMPUTER = "# on your own computer\n"
_HEADING_OR_BLOCK = re.compile(r"^## (?P<heading>[^\n]*)$|^```sh\n(?P<block>.*?)^```$", re.MULTILINE | re.DOTALL)


def list_blocks(heading: str | None = None) -> list[str]:
    """Return the blocks that are typed on the server, in their order: all of them, or those under a heading."""
    return [block for place, block in _read_blocks() if not block.startswith(OWN_COMPUTER) and heading in (None, place)]


def list_own_blocks() -> list[str]:
    """Return the blocks that are typed on the reader's own computer."""
    return [block for _, block in _read_blocks() if block.startswith(OWN_COMPUTER)]


def _read_blocks() -> list[tuple[str, str]]:
    heading = ""
    blocks = []
    for found in _HEADING_OR_BLOCK.finditer(GUIDE):
        if found["heading"]:
            heading = found["heading"]
        else:
            blocks.append((heading, found["block"]))
    return blocks
