"""What the error summary lists besides the problems of an action.

What is about the reason leads there and is said there too; what no field can mend is said in the summary alone.
"""

from __future__ import annotations

from collections.abc import Iterable


def make_page_errors(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return what stands in the way and no field can mend."""
    return [{"field_id": "", "text": text} for text in texts]


def make_reason_errors(error: str) -> list[dict[str, str]]:
    """Return what is wrong with the reason; nothing where that is ""."""
    return [{"field_id": "reason", "text": error}] if error else []
