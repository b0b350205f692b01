"""Ways in which an entry of a log may be damaged so that nobody can read it: what becomes of its body."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from scorekeeper.scorecards.models import Entry

Damage = Callable[[Entry], str]


def rewrite(entry: Entry, **changes: Any) -> str:
    """Return the body of an entry with other parts."""
    return json.dumps({**json.loads(entry.body), **changes})


UNREADABLE_BODIES: dict[str, Damage] = {
    "no JSON": lambda entry: entry.body[:-1],
    "no object": lambda entry: "[]",
    "a part missing": lambda entry: entry.body.replace('"op"', '"opus"'),
    "a part of a wrong shape": lambda entry: rewrite(entry, data=[]),
    "an id that is none": lambda entry: rewrite(entry, actor=7),
}
