"""Adding, changing, moving and deleting groups, each with the three dice sets of its crew."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import Max, ProtectedError
from django.utils.translation import gettext as _

from scorekeeper.common.ordering import move_by_one
from scorekeeper.crew.models import DiceSet, Group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event


class GroupInUse(Exception):
    """The group has bikes or crew."""


@transaction.atomic
def add_group(event: Event, name: str) -> Group:
    """Return a new group, the last in order, with its three dice sets."""
    lock_event(event)
    last = event.groups.aggregate(last=Max("ordinal"))["last"] or 0
    group = Group.objects.create(event=event, name=name, ordinal=last + 1)
    names = (_("Road captain"), _("Tail-gunner"), _("Third"))
    DiceSet.objects.bulk_create([DiceSet(group=group, name=name, ordinal=n) for n, name in enumerate(names, 1)])
    return group


@transaction.atomic
def rename_group(group: Group, name: str, dice_sets: Mapping[UUID, str]) -> None:
    """Rename the group and its dice sets.

    Args:
        group: the group.
        name: its new name.
        dice_sets: the new names of its dice sets by id, all different.
    """
    group.name = name
    group.save(update_fields=["name"])
    # Two sets can swap names, but names must be unique at every moment.
    for dice_set in group.dice_sets.all():
        DiceSet.objects.filter(pk=dice_set.pk).update(name=dice_set.pk.hex)
    for dice_set in group.dice_sets.all():
        DiceSet.objects.filter(pk=dice_set.pk).update(name=dice_sets[dice_set.pk])


@transaction.atomic
def move_group(group: Group, *, upwards: bool) -> None:
    """Swap the group with its neighbour; at the end of the list nothing changes."""
    lock_event(group.event)
    move_by_one(group.event.groups.all(), group, upwards=upwards)


@transaction.atomic
def delete_group(group: Group) -> None:
    """Delete an empty group.

    Raises:
        GroupInUse: it has bikes or crew.
    """
    if group.crew.exists():
        raise GroupInUse
    try:
        group.delete()
    except ProtectedError as error:
        raise GroupInUse from error
