"""The files there are, by the last part of their address."""

from __future__ import annotations

PUBLIC_FILES = ("export.csv", "cards.csv", "export.xlsx", "export.json")
# With full names, and the log.
ORGANISER_FILES = (*PUBLIC_FILES, "log.csv")


class FileConverter:
    """A file's name in an address."""

    regex = "|".join(name.replace(".", r"\.") for name in ORGANISER_FILES)

    def to_python(self, value: str) -> str:
        """Return the name as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name as it stands."""
        return value
