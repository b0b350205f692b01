"""Instead of `django.core.checks`: the settings were checked when the engine was built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__path__: list[str] = []  # so that submodules can be imported


class CheckMessage:
    """A message of a check; it is discarded."""

    def __init__(self, *args: Any, **more: Any) -> None:
        """Ignore the message."""


Debug = Info = Warning = Error = Critical = CheckMessage  # noqa: A001 - Django's name


class _Tags:
    def __getattr__(self, name: str) -> str:
        return name


Tags = _Tags()


def register(check: Any = None, *tags: str, **more: Any) -> Callable[..., Any]:
    """Return the check unchanged; it never runs."""
    return check if callable(check) else lambda function: function


def check_resolver(resolver: Any) -> list[CheckMessage]:
    """Report no problems with the URLs."""
    return []
