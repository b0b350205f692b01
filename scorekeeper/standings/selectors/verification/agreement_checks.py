"""Checks of which cards were agreed to against the event's log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from uuid import UUID

from django.db.models import Q

from scorekeeper.agreements.models import Agreement
from scorekeeper.events.models import Event
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.selectors.verification.event_source import list_event_entries


def check_agreements(event: Event) -> Iterator[LogDamage]:
    """Compare the agreements with the last entry about each."""
    logged: dict[tuple[UUID, UUID, str], tuple[object, ...]] = {}
    for entry in list_event_entries(event, "agree"):
        seen = UUID(entry.data["contest"]), UUID(entry.data["bike"]), entry.data["digest"]
        logged.pop(seen, None)
        if entry.data["agreed"]:
            logged[seen] = entry.data["by"], dt.datetime.fromisoformat(entry.body["at"]), entry.seq
    of_event = Agreement.objects.filter(Q(contest__event=event) | Q(bike__event=event)).order_by("pk")
    columns = ("pk", "contest", "bike", "digest", "by", "at", "seq")
    for pk, contest, bike, digest, *facts in of_event.values_list(*columns):
        expected = logged.pop((contest, bike, digest), None)
        if expected is None:
            yield damage_in(Agreement, pk, _name(contest, bike), "the log does not say that it was agreed to")
        elif expected != tuple(facts):
            text = "the log says who agreed, when, or in which entry differently"
            yield damage_in(Agreement, pk, _name(contest, bike), text, "by, at, seq")
    for contest, bike, _digest in sorted(logged):
        yield damage_in(Agreement, "", _name(contest, bike), "it is missing, but it is in the log")


def _name(contest: UUID, bike: UUID) -> str:
    return f"Agreement to the card of bike {bike} in {contest}"
