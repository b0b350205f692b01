"""Names that a contest gives, as texts.

The house's own names are marked for translation where they stand; any other name is found in no catalogue and is
shown as it was written.
"""

from __future__ import annotations

from games.core.text import Text


def make_text(name: str) -> Text:
    """Return the text that reads as the name, whatever characters are in it."""
    return Text(name.replace("%", "%%"))
