"""Changing the check items of an event, and ticking them for a bike, which is an entry in the event's chain.

Invariants:
- An item that is ticked for any bike is not deleted.
- The operation says what the box is to be, not that it changes. So equal ticks from two phones, or from two taps, are
  one: the second is merged.
- If two phones want different things, the later one to reach the server counts. The log has both.
- A bike and the bikes merged into it share their ticks: an item is ticked if it is ticked for any of them.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.access import lock_bike_to_check
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.selectors import list_items
from scorekeeper.common.ordering import move_by_one
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import MERGED, RECORDED, NotAllowed, OperationResult, record

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
    move_by_one(list_items(item.event), item, upwards=upwards)


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


def check_bike(actor: Actor, operation_id: UUID, bike_id: UUID, item_id: UUID, *, is_checked: bool) -> Receipt:
    """Tick an item for a bike, or untick it.

    If it already is as wanted, or if the organiser has deleted the item, nothing happens (the outcome is "merged").

    Raises:
        UnknownTarget: there is no such bike yet.
        BikeWithdrawn: the bike's registration was undone.
        NotAllowed: the actor may not check in this bike, the item belongs to another event, or the phone was revoked or
            has expired.
        IdReused: the id was used for something else.
    """
    body = {"bike": str(bike_id), "item": str(item_id), "checked": is_checked}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        bike = lock_bike_to_check(actor, bike_id)
        item = CheckItem.objects.select_for_update(no_key=True).filter(pk=item_id).first()
        if item is None:
            return MERGED
        if item.event_id != actor.event_id:
            raise NotAllowed(item_id)
        ticked = _list_ticks(bike, item)
        if bool(ticked) == is_checked:
            return MERGED
        for entrant_id in [bike.pk] if is_checked else ticked:
            data = {**body, "bike": str(entrant_id)}
            entry = context.append(chain, "check", data=data)
            if is_checked:
                row = BikeCheck(item=item, bike_id=entrant_id, seq=entry.seq)
                context.after_insert(partial(row.save, force_insert=True))
        if not is_checked:
            context.after_insert(lambda: BikeCheck.objects.filter(item=item, bike__in=ticked).delete())
        return RECORDED

    return record(operation_id, "check", actor, body, handle)


def _list_ticks(bike: Bike, item: CheckItem) -> list[UUID]:
    """Return for which ids the item is ticked: the bike's, and those of the bikes merged into it."""
    ids = [bike.pk, *bike.aliases.order_by("pk").values_list("pk", flat=True)]
    return list(BikeCheck.objects.filter(item=item, bike__in=ids).order_by("seq").values_list("bike_id", flat=True))
