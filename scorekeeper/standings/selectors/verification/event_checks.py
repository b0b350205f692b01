"""Checks of what an event is against its log: the first entry of every chain names the event, and says whether it is
a practice event. Logs that began in older versions say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json
from scorekeeper.ledger.services.operation_context import IDENTITY_VERSION, make_identity_data
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.selectors.verification.event_log import EventLog


def check_identity(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare the event with what the first entries of its chains say about it."""
    has_identity = event.log_version >= IDENTITY_VERSION
    expected = make_identity_data(event.pk, event.is_practice)["event"] if has_identity else None
    kind = "a practice event" if event.is_practice else "not a practice event"
    for identity, chain in log.identities.items():
        if identity != canonical_json(expected):
            text = f"it is {kind}, with version {event.log_version} of the log, but chain {chain} says {identity}"
            yield damage_in(Event, event.pk, f"Event {event.pk}", text, "id, is_practice, log_version")
