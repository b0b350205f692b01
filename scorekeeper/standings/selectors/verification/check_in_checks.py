"""Checks of what is ticked on the check-in list against the event's log.

Items may be renamed and, while nothing is ticked, deleted. So only what is ticked is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Q

from scorekeeper.check_in.models import BikeCheck
from scorekeeper.events.models import Event
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.selectors.verification.event_source import list_event_entries


def check_bike_checks(event: Event) -> Iterator[LogDamage]:
    """Compare what is ticked with the last entry about each box."""
    logged: dict[tuple[UUID, UUID], int] = {}
    for entry in list_event_entries(event, "check"):
        box = UUID(entry.data["item"]), UUID(entry.data["bike"])
        logged.pop(box, None)
        if entry.data["checked"]:
            logged[box] = entry.seq
    of_event = BikeCheck.objects.filter(Q(item__event=event) | Q(bike__event=event)).order_by("pk")
    for pk, item, bike, seq in of_event.values_list("pk", "item", "bike", "seq"):
        expected = logged.pop((item, bike), None)
        name = f"Tick of {item} for bike {bike}"
        if expected is None:
            yield damage_in(BikeCheck, pk, name, "the log does not say that it is ticked")
        elif expected != seq:
            yield damage_in(BikeCheck, pk, name, f"it names entry {seq}, but the log says {expected}", "seq")
    for item, bike in sorted(logged):
        yield damage_in(BikeCheck, "", f"Tick of {item} for bike {bike}", "it is missing, but it is in the log")
