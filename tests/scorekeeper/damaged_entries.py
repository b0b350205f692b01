"""Ways to damage the body of a log entry so that it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from scorekeeper.ledger.models import Entry
from tests.faults.scale import FULL

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


def choose_for_walks(damages: Collection[str]) -> list[str]:
    """Return the kinds of damage with which many pages are opened: in a short run, one body stands for the unreadable.

    Tests of single pages and of `verify` show for every kind that it is found and reported.
    """
    return [how for how in damages if FULL or how == "part of the wrong type" or how not in UNREADABLE_BODIES]
