"""Adding, renaming, moving and deleting what an event ticks for each bike.

Invariant: an item that is ticked for any bike is not deleted.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Max

from scorekeeper.check_in.models import CheckItem
from scorekeeper.check_in.selectors import list_items
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event

MAX_ITEMS = 12


class ItemExists(Exception):
    """The event already has an item with the name."""


class ItemInUse(Exception):
    """The item is ticked for a bike."""


class TooManyItems(Exception):
    """The event has `MAX_ITEMS` items."""


@transaction.atomic
def add_item(event: Event, name: str) -> CheckItem:
    """Return a new item, the last of the list.

    Raises:
        ItemExists: there is one with the name.
        TooManyItems: the list is full.
    """
    lock_event(event)
    items = event.check_items.all()
    if items.count() >= MAX_ITEMS:
        raise TooManyItems
    if items.filter(name__iexact=name).exists():
        raise ItemExists
    last = items.aggregate(last=Max("ordinal"))["last"] or 0
    return CheckItem.objects.create(event=event, name=name, ordinal=last + 1)


@transaction.atomic
def rename_item(item: CheckItem, name: str) -> None:
    """Change the name of an item. What is ticked stays ticked.

    Raises:
        ItemExists: another item has the name.
    """
    lock_event(item.event)
    if item.event.check_items.filter(name__iexact=name).exclude(pk=item.pk).exists():
        raise ItemExists
    item.name = name
    item.save(update_fields=["name"])


@transaction.atomic
def move_item(item: CheckItem, *, upwards: bool) -> None:
    """Swap the item with its neighbour; at the end of the list nothing changes."""
    lock_event(item.event)
    items = list(list_items(item.event))
    old_index = items.index(item)
    new_index = old_index - 1 if upwards else old_index + 1
    if not 0 <= new_index < len(items):
        return
    items.insert(new_index, items.pop(old_index))
    for ordinal, moved in enumerate(items, 1):
        moved.ordinal = ordinal
    CheckItem.objects.bulk_update(items, ["ordinal"])


def delete_item(item: CheckItem) -> None:
    """Delete an item for which nothing is ticked.

    Raises:
        ItemInUse: it is ticked for a bike.
    """
    try:
        with transaction.atomic():
            locked = CheckItem.objects.select_for_update().filter(pk=item.pk).first()
            if locked is None:
                return
            if locked.checks.exists():
                raise ItemInUse
            locked.delete()
    except IntegrityError as error:
        # A phone has just ticked it.
        raise ItemInUse from error
