"""Importing a crew list.

Invariants:
- Either the whole list is imported, or nothing.
- Repeating an import changes nothing.
- Exactly the changes that the user saw before confirming are made.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from scorekeeper.crew.crew_import_plan import CrewImportPlan, plan_crew_import
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.groups import add_group
from scorekeeper.crew.services.members import update_member
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event


class StaleCrewImport(Exception):
    """The import would not do what was confirmed: the text, its columns or the crew have changed since then."""


def import_crew(event: Event, text: str, digest: str, fields: Mapping[int, str] | None = None) -> CrewImportPlan:
    """Execute the plan with this digest, and return it.

    Args:
        event: the event of the crew.
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        digest: the digest of the confirmed plan.
        fields: the chosen field of each column, by its index from 0; None to guess.

    Raises:
        StaleCrewImport: the import would now do something else; nothing was changed.
    """
    try:
        with transaction.atomic():
            lock_event(event)  # one import at a time
            plan = plan_crew_import(event, text, fields)
            if plan.problems or plan.digest != digest:
                raise StaleCrewImport
            _apply_crew_plan(event, plan)
    except IntegrityError as error:
        # A group with one of the names was added after the plan was made.
        raise StaleCrewImport from error
    return plan


def _apply_crew_plan(event: Event, plan: CrewImportPlan) -> None:
    for name in plan.new_groups:
        add_group(event, name)
    groups = {group.name: group for group in list_groups(event)}
    new, at_stops = [], []
    for line in plan.lines:
        row, group = line.row, groups[line.group]
        if line.member is None:
            member = CrewMember(group=group, name=row.name, role=row.role)
            new.append(member)
            at_stops += [
                CrewMember.any_bike_at.through(crewmember_id=member.pk, stop_id=stop.pk)
                for stop in line.any_bike_at or ()
            ]
        elif line.changes:
            update_member(line.member, name=line.member.name, role=row.role, group=group, any_bike_at=line.any_bike_at)
    CrewMember.objects.bulk_create(new)
    CrewMember.any_bike_at.through.objects.bulk_create(at_stops)
