"""The pages of a screen for a browser without a script: one a request, the next one by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.live.reveal import ROWS_PER_PAGE


@dataclass(frozen=True, slots=True)
class ScreenPaging:
    """Which page is shown.

    Attributes:
        page: from 1.
        board: the position of the contest on it.
        start, end: the rows of it that are shown, counted from 0; the last is not among them.
    """

    page: int
    last: int
    board: int
    start: int
    end: int

    @classmethod
    def from_counts(cls, counts: Sequence[int], asked: str) -> ScreenPaging:
        """Return the page that was asked for, or the first.

        Args:
            counts: how many rows each contest has.
        """
        pages = [
            (board, start) for board, count in enumerate(counts) for start in range(0, max(count, 1), ROWS_PER_PAGE)
        ]
        number = int(asked) if asked.isdecimal() and len(asked) < 6 else 1
        page = number if 1 <= number <= len(pages) else 1
        board, start = pages[page - 1] if pages else (0, 0)
        return cls(page, max(len(pages), 1), board, start, start + ROWS_PER_PAGE)

    @property
    def next(self) -> int:
        """The page after this one; after the last comes the first."""
        return self.page % self.last + 1
