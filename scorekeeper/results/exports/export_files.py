"""The names of the export files, which are the last part of their URLs."""

from __future__ import annotations

GROUPS_FILE = "groups.csv"  # only of contests whose groups are compared
STOPS_FILE = "stops.csv"  # only of contests with turns at stops
LUCK_FILE = "luck.csv"  # only of closed contests, in games with odds
PUBLIC_FILES = (
    "export.csv",
    "cards.csv",
    GROUPS_FILE,
    STOPS_FILE,
    LUCK_FILE,
    "prizes.csv",
    "export.xlsx",
    "export.json",
)
# With full names and the log.
ORGANISER_FILES = (*PUBLIC_FILES, "log.csv")


class FileConverter:
    """A URL converter for the name of an export file."""

    regex = "|".join(name.replace(".", r"\.") for name in ORGANISER_FILES)

    def to_python(self, value: str) -> str:
        """Return the name unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name unchanged."""
        return value
