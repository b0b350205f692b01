"""Bundles that take longer to make than a page may: an app above this one makes them, and shows how far it is.

Term: the *key* of a bundle is a digest of everything that it says, which is found without making it. Most of a bundle
is the log, and the log has its head.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Count, Max

from games.core.bundle.layout import write_json
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.selectors.bundle_lines import list_setup_lines
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.standings.selectors.log_head import get_current_head

MAX_AT_ONCE = 1_000  # entries of the log of a bundle that is made while the browser waits: well under a second
FORMAT = 1  # increase it when the same event is written in another way

StartMaking = Callable[[Event, Roster, bool], str]

_starters: list[StartMaking] = []


def set_starter(start: StartMaking) -> None:
    """Register what makes large bundles. Called when Django starts.

    Args:
        start: asks for the bundle of an event with a roster, for everyone or for organisers; returns the address that
            shows how far it is, or has the file.
    """
    _starters[:] = [start]


def is_large(event: Event) -> bool:
    """Whether the bundle of an event takes longer to make than a page may."""
    return Entry.objects.filter(chain__event=event)[: MAX_AT_ONCE + 1].count() > MAX_AT_ONCE


def start_making(event: Event, roster: Roster, *, is_public: bool) -> str:
    """Ask for a large bundle; return the address at which it is, or will be."""
    (start,) = _starters
    return start(event, roster, is_public)


def compute_key(event: Event, roster: Roster) -> str:
    """Return the key of a bundle. Operations are never changed, and only erasing changes a digest of one."""
    freeze = get_freeze(event)
    operations = Operation.objects.filter(event=event).aggregate(count=Count("pk"), last=Max("received_at"))
    parts = [
        FORMAT,
        roster,
        get_current_head(event.pk),
        operations["count"],
        str(operations["last"]),
        None if freeze is None else [str(freeze.at), freeze.step, freeze.version],
        [[section, data] for section, data in list_setup_lines(event, roster)],
    ]
    return sha256(write_json(parts))
