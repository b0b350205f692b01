"""Instead of `django.core.checks`: a phone's settings were checked when it was built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__path__: list[str] = []  # so that modules below it can be named


class CheckMessage:
    """What a check would say."""

    def __init__(self, *args: Any, **more: Any) -> None:
        """Forget it."""


Debug = Info = Warning = Error = Critical = CheckMessage  # noqa: A001 - called so where it is from


class _Tags:
    def __getattr__(self, name: str) -> str:
        return name


Tags = _Tags()


def register(check: Any = None, *tags: str, **more: Any) -> Callable[..., Any]:
    """Leave a check as it is, and never run it."""
    return check if callable(check) else lambda given: given


def check_resolver(resolver: Any) -> list[CheckMessage]:
    """Find nothing wrong with the addresses."""
    return []
