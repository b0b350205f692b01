"""Importing a roster: all of it or nothing.

Invariant: repeating an import changes nothing, and what happens is what the person saw before confirming.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.groups import add_group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import Player
from scorekeeper.players.selectors.import_plan import ImportLine, ImportPlan, find_group, plan_import
from scorekeeper.players.services.bikes import update_bike


class StaleImportPlan(Exception):
    """The import would no longer do what was confirmed: the text, its columns or the roster have changed since."""


def import_roster(event: Event, text: str, digest: str, fields: Mapping[int, str] | None = None) -> ImportPlan:
    """Do what the plan of that digest says, and return it.

    Args:
        event: whose roster it is.
        text: CSV, as `roster_text.decode` returns it.
        digest: of the plan that was confirmed.
        fields: what its columns are read as, by their places; None to guess.

    Raises:
        PlanChanged: the text would do something else by now; nothing was done.
    """
    try:
        with transaction.atomic():
            lock_event(event)  # one import at a time
            plan = plan_import(event, text, fields)
            if plan.problems or plan.digest != digest:
                raise StaleImportPlan
            _apply_plan(event, plan)
    except IntegrityError as error:
        # A bike was registered at the ride under one of the numbers, after the plan was made.
        raise StaleImportPlan from error
    return plan


def _apply_plan(event: Event, plan: ImportPlan) -> None:
    for name in plan.new_groups:
        add_group(event, name)
    groups = {group.name.casefold(): group for group in list_groups(event)}
    _create_bikes(event, [line for line in plan.lines if line.status == "new"], groups)
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
    """Write all new bikes at once; a club has thousands."""
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
