"""Ticking an item for a bike, and unticking it: an entry in the event's chain.

- The operation says what the box is to be, not that it changes. So equal ticks from two phones, or from two taps, are
  one: the second is merged.
- If two phones want different things, the later one to reach the server counts. The log has both.
- A bike and the bikes merged into it share their ticks: an item is ticked if it is ticked for any of them.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.services.locked_bikes import lock_bike_to_check
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import MERGED, RECORDED, NotAllowed, OperationResult, record


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
        for holder_id in [bike.pk] if is_checked else ticked:
            data = {**body, "bike": str(holder_id)}
            entry = context.append(chain, "check", data=data)
            if is_checked:
                row = BikeCheck(item=item, bike_id=holder_id, seq=entry.seq)
                context.after_insert(partial(row.save, force_insert=True))
        if not is_checked:
            context.after_insert(lambda: BikeCheck.objects.filter(item=item, bike__in=ticked).delete())
        return RECORDED

    return record(operation_id, "check", actor, body, handle)


def _list_ticks(bike: Bike, item: CheckItem) -> list[UUID]:
    """Return for which ids the item is ticked: the bike's, and those of the bikes merged into it."""
    ids = [bike.pk, *bike.aliases.order_by("pk").values_list("pk", flat=True)]
    return list(BikeCheck.objects.filter(item=item, bike__in=ids).order_by("seq").values_list("bike_id", flat=True))
