"""Checks of bikes against the log: which were registered at the ride, withdrawn or merged, and their numbers.

The log contains the number of a bike that was registered or renumbered at the ride. The number of any other bike is in
the first entry of its card. Logs of older versions lack most numbers; these bikes' numbers are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.scorecards.log_damage import LogDamage, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog


def check_bikes(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare every bike of the event with the log, and report missing bikes."""
    merged = log.list_merged()
    registered = {UUID(entry.data["bike"]) for entry in log.list_entries(event.pk, "register_bike")}
    withdrawn = {UUID(entry.data["bike"]) for entry in log.list_entries(event.pk, "withdraw_bike")}
    missing = (registered | merged.keys()) - withdrawn
    columns = ("pk", "merged_into", "is_walk_up", "number", "suffix")
    for pk, merged_into, is_walk_up, *number in event.bikes.order_by("pk").values_list(*columns):
        missing.discard(pk)
        numbers = log.list_numbers(pk)
        pairs: dict[str, tuple[object, object]] = {
            "merged_into": (merged_into, merged.get(pk)),
            "is_walk_up": (is_walk_up, pk in registered),
            "number or suffix": (not numbers or tuple(number) in numbers, True),
            "is withdrawn": (False, pk in withdrawn),
        }
        yield from report_differences(f"Bike {pk}", pairs)
    for pk in sorted(missing):
        yield LogDamage(f"Bike {pk}", "it is missing, but it is in the log")
