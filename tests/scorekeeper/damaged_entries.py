"""Ways to damage the body of a log entry so that it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from scorekeeper.ledger.models import Entry

Damage = Callable[[Entry], str]


def rewrite(entry: Entry, **changes: Any) -> str:
    """Return the body of an entry with some parts replaced."""
    return json.dumps({**json.loads(entry.body), **changes})


UNREADABLE_BODIES: dict[str, Damage] = {
    "invalid JSON": lambda entry: entry.body[:-1],
    "not an object": lambda entry: "[]",
    "missing part": lambda entry: entry.body.replace('"op"', '"opus"'),
    "part of the wrong type": lambda entry: rewrite(entry, data=[]),
    "invalid id": lambda entry: rewrite(entry, actor=7),
}
