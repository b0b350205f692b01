"""Reads environment variables for the settings; nothing else does.

Invariants:
- Every variable is read with `text`, `flag`, `number` or `names`, which add its name and default to `VARIABLES`. A test
  compares that with the table in `docs/operations.md`.
- An empty variable counts as not set.
"""

from __future__ import annotations

import os

VARIABLES: dict[str, str] = {}


def text(name: str, default: str = "") -> str:
    """Return the variable, or its default if it is not set."""
    VARIABLES[name] = default
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """Return the variable as a boolean.

    Raises:
        ValueError: it is neither yes nor no.
    """
    value = text(name, "yes" if default else "no").lower()
    if value in ("1", "yes", "true", "on"):
        return True
    if value in ("0", "no", "false", "off"):
        return False
    raise ValueError(f"{name} is {value!r}; write yes or no")


def number(name: str, default: int) -> int:
    """Return the variable as a whole number.

    Raises:
        ValueError: it is not a whole number.
    """
    value = text(name, str(default))
    if not value.isdecimal():
        raise ValueError(f"{name} is {value!r}; write a whole number")
    return int(value)


def names(name: str, default: str = "") -> list[str]:
    """Return the comma-separated parts of the variable, or of its default if it is not set."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]
