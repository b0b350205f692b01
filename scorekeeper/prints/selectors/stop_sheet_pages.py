"""Stop sheets: for each group at each stop, its bikes with room for what they roll, if no phone works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.players.selectors import format_riders, list_roster
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.selectors.print_source import PrintSource
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import list_stops


def make_stop_sheets(source: PrintSource) -> PrintDocument:
    """Return the sheets of all groups: for each group one page for each of its stops."""
    event = source.event
    crews = {group.pk: ", ".join(member.name for member in group.crew.all()) for group in list_groups_with_crew(event)}
    slots = list(Slot.objects.filter(contest__event=event).select_related("contest").order_by("contest", "ordinal"))
    stops = [(stop, [slot for slot in slots if slot.stop_id == stop.pk]) for stop in list_stops(event)]
    sheets = [
        {
            **_describe_stop(stop, turns),
            "group": roster.group.name if roster.group else _("No group yet"),
            "crew": crews.get(roster.group.pk, "") if roster.group else "",
            "bikes": [{"number": bike.label, "name": format_riders(bike)} for bike in _list_starters(roster.bikes)],
        }
        for roster in list_roster(event)
        for stop, turns in stops
        if turns
    ]
    return PrintDocument(
        "stop_sheets",
        source.paper,
        source.make_plain_frame(_("Stop sheets")),
        {
            "empty": _("No turn is assigned to a stop yet, or there are no bikes."),
            "headings": [_("Bike"), _("Riders")],
            "parts": [_("Scored in"), _("Points")],
            "crew_label": _("Crew"),
            "time_label": _("Arrived, left:"),
            "sheets": [sheet for sheet in sheets if sheet["bikes"]],
        },
        "stop-sheets",
    )


def _list_starters(bikes: Sequence[Bike]) -> list[Bike]:
    return [bike for bike in bikes if not bike.did_not_start]


def _describe_stop(stop: Stop, turns: Sequence[Slot]) -> dict[str, Any]:
    contests = {slot.contest_id for slot in turns}
    return {
        "stop": stop.name,
        "about": [text for text in (stop.hours, stop.address, stop.crew_note) if text],
        "turns": [
            _("Turn %(number)s") % {"number": slot.ordinal}
            if len(contests) == 1
            else _("%(contest)s, turn %(number)s") % {"contest": slot.contest.name, "number": slot.ordinal}
            for slot in turns
        ],
    }
