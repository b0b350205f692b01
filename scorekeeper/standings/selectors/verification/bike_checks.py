"""Checks of bikes against the log: which were registered at the ride, withdrawn or merged, and which did not start.

The log contains the number of a bike that was registered or renumbered at the ride, and the number of a bike in the
first entry of its card. Closing a contest lists every bike of the event with its number. While a contest is closed,
only an operation adds, removes or renumbers a bike, so every bike is compared. While all contests are open, organisers
still edit the roster, and bikes without a card are not compared. Nor are they in logs of older versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog


def check_bikes(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare every bike of the event with the log, and report missing bikes."""
    merged, roster = log.list_merged(), log.get_roster()
    registered = {UUID(entry.data["bike"]) for entry in log.list_entries(event.pk, "register_bike")}
    withdrawn = {UUID(entry.data["bike"]) for entry in log.list_entries(event.pk, "withdraw_bike")}
    known = registered | merged.keys() | (roster or {}).keys()
    marked = {UUID(bike) for bike, value in _list_marks(event, log).items() if value}
    missing = (known | marked) - withdrawn
    columns = ("pk", "merged_into", "is_walk_up", "did_not_start", "number", "suffix")
    for pk, merged_into, is_walk_up, did_not_start, *number in event.bikes.order_by("pk").values_list(*columns):
        missing.discard(pk)
        pairs: dict[str, tuple[object, object]] = {
            "merged_into": (merged_into, merged.get(pk)),
            "is_walk_up": (is_walk_up, pk in registered),
            "did_not_start": (did_not_start, pk in marked),
            "number or suffix": (_can_have_number(tuple(number), log.list_numbers(pk)), True),
            "is withdrawn": (False, pk in withdrawn),
        }
        yield from report_differences(f"Bike {pk}", pairs, Bike, pk)
        if roster is not None and pk not in known:
            text = "it was added after a contest was closed, and the log does not say by whom"
            yield damage_in(Bike, pk, f"Bike {pk}", text)
    for pk in sorted(missing):
        yield damage_in(Bike, pk, f"Bike {pk}", "it is missing, but it is in the log")


def _list_marks(event: Event, log: EventLog) -> Mapping[str, bool]:
    """Return, for every bike that was ever marked as not started, whether it still is."""
    return {entry.data["bike"]: entry.data["value"] for entry in log.list_entries(event.pk, "did_not_start")}


def _can_have_number(number: tuple[int, ...], logged: Collection[tuple[int, ...]]) -> bool:
    return not logged or number in logged
