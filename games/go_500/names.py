"""Names that a contest chooses, as texts.

Our own names are marked for translation where they are defined. Any other name is in no catalogue, so it is shown as
it was written.
"""

from __future__ import annotations

from games.core.text import Text


def make_text(name: str) -> Text:
    """Return the name as a text, whatever characters it contains."""
    return Text(name.replace("%", "%%"))


def make_segment_text(name: str) -> Text:
    """Return the name of a segment of the course as a text; other games have turns of the same name."""
    return Text(name.replace("%", "%%"), context="segment of a course")
