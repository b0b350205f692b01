"""Importing a roster.

Invariants:
- Either the whole roster is imported, or nothing.
- Repeating an import changes nothing.
- Exactly the changes that the user saw before confirming are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import RosterFixed, lock_roster
from scorekeeper.common.names import fold_name
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.groups import add_group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import Player
from scorekeeper.players.selectors.import_plan import ImportLine, ImportPlan, find_group, plan_import
from scorekeeper.players.services.bikes import update_bike


class StaleImportPlan(Exception):
    """The import would not do what was confirmed: the text, its columns or the roster have changed since then."""


def import_roster(event: Event, text: str, digest: str, fields: Mapping[int, str] | None = None) -> ImportPlan:
    """Execute the plan with this digest, and return it.

    Args:
        event: the event of the roster.
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        digest: the digest of the confirmed plan.
        fields: the chosen field of each column, by its index from 0; None to guess.

    Raises:
        StaleImportPlan: the import would now do something else; nothing was changed.
    """
    try:
        with transaction.atomic():
            lock_event(event)  # one import at a time
            plan = plan_import(event, text, fields)
            if plan.problems or plan.digest != digest:
                raise StaleImportPlan
            _apply_plan(event, plan)
    except (IntegrityError, RosterFixed) as error:
        # After the plan was made, a bike was registered at the ride under one of the numbers, or a contest was closed.
        raise StaleImportPlan from error
    return plan


def _apply_plan(event: Event, plan: ImportPlan) -> None:
    for name in plan.new_groups:
        add_group(event, name)
    groups = {fold_name(group.name): group for group in list_groups(event)}
    if new := [line for line in plan.lines if line.status == "new"]:
        lock_roster(event)
        _create_bikes(event, new, groups)
    for line in plan.lines:
        if line.bike is not None and line.changes:
            update_bike(
                line.bike,
                number=line.bike.number,
                make=line.details.make,
                model=line.details.model,
                group=find_group(groups, line.details.group),
                rider=line.details.rider,
                passengers=line.details.passengers,
            )


def _create_bikes(event: Event, lines: Sequence[ImportLine], groups: dict[str, Group]) -> None:
    """Create all new bikes at once; a club can have thousands."""
    bikes: list[Bike] = []
    people: list[Player] = []
    for line in lines:
        details = line.details
        group = find_group(groups, details.group)
        bike = Bike(event=event, number=line.row.number, make=details.make, model=details.model, group=group)
        bikes.append(bike)
        if details.rider:
            people.append(Player(event=event, bike=bike, name=details.rider, role=Player.Role.RIDER))
        people += [Player(event=event, bike=bike, name=name, role=Player.Role.PASSENGER) for name in details.passengers]
    Bike.objects.bulk_create(bikes)
    Player.objects.bulk_create(people)
