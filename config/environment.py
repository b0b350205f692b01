"""The one place that reads the environment for the settings.

Invariant: every variable passes through `text`, `flag`, `number` or `names`, which keep its name and default in `READ`;
the table of `docs/operations.md` is held to it by a test. A variable that is set to nothing counts as not set.
"""

from __future__ import annotations

import os

VARIABLES: dict[str, str] = {}


def text(name: str, default: str = "") -> str:
    """Return the variable, or its default when it is not set."""
    VARIABLES[name] = default
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """Return whether the variable says yes.

    Raises:
        ValueError: it says neither yes nor no.
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
        ValueError: it is none.
    """
    value = text(name, str(default))
    if not value.isdecimal():
        raise ValueError(f"{name} is {value!r}; write a whole number")
    return int(value)


def names(name: str) -> list[str]:
    """Return the comma-separated parts of the variable; none when it is not set."""
    return [part.strip() for part in text(name).split(",") if part.strip()]
