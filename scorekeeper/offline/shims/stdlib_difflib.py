"""Instead of `difflib`: nobody on a phone is told how a name may have been meant."""

from __future__ import annotations

from typing import Any


def get_close_matches(word: str, possibilities: Any, *args: Any, **more: Any) -> list[str]:
    """Return nothing."""
    return []
