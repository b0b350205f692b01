"""Instead of `difflib`: a phone suggests no similar names."""

from __future__ import annotations

from typing import Any


def get_close_matches(word: str, possibilities: Any, *args: Any, **more: Any) -> list[str]:
    """Return nothing."""
    return []
