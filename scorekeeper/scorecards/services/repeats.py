"""Repeats: a turn or an action that was recorded again, the same as the first time.

Two crew members often record the same roll. The second entry changes no score, so its outcome is *merged*, but it is
still written to the card's chain, as a repeat of the first. The person who recorded it was told that it counts. So when
the first is undone, voided or moved, its repeats go to review, and the organiser decides.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult
from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.recorded_card import WritableCard
from scorekeeper.scorecards.services.cards import append_to_card


def append_repeat(
    context: OperationContext, card: WritableCard, turn: RecordedTurn, actions: Actions
) -> OperationResult:
    """Append an entry saying that this operation recorded a current turn of the card again.

    The standings become stale: no figure changes, but they store how many entries they include, and `verify` compares
    that.

    Args:
        actions: those of the operation.
    """
    data = {"turn": str(turn.id), "by": str(context.operation_id), "actions": list(actions)}
    append_to_card(context, card, "repeat", slot_id=turn.slot_id, data=data)
    return OperationResult(Operation.Outcome.MERGED, data={"turn": str(turn.id)})


def review_repeats(context: OperationContext, card: WritableCard, removed: Collection[UUID]) -> None:
    """Send the repeats of turns that no longer count on their card to review.

    Args:
        removed: the ids of these turns or actions.
    """
    repeats = {data["by"]: (entry, data) for entry, data in _list_repeats(card.id, removed)}
    if not repeats:
        return
    for reviewed in ReviewItem.objects.filter(operation_id__in=repeats).values_list("operation_id", flat=True):
        del repeats[str(reviewed)]
    for entry, data in repeats.values():
        item = ReviewItem(
            operation_id=UUID(data["by"]),
            contest_id=card.contest.id,
            card_id=card.id,
            slot_id=entry.slot_id,
            reason=ReviewItem.Reason.UNDONE,
            against=[data["turn"]],
            opened_at=context.now,
        )
        context.review_earlier_operation(item)


def move_repeats(context: OperationContext, source: UUID, target: UUID, moved: Mapping[UUID, UUID]) -> None:
    """Move the repeats of turns to the card that the turns were moved to, where they keep counting.

    Args:
        source: the id of the first card; `target` of the second. Both are locked.
        moved: the new ids of the turns by their old ones.
    """
    for entry, data in _list_repeats(source, moved):
        turn = moved[UUID(data["turn"])]
        context.append(context.get_chain(target), "repeat", slot_id=entry.slot_id, data={**data, "turn": str(turn)})


def _list_repeats(card_id: UUID, turns: Collection[UUID]) -> Iterator[tuple[Entry, dict[str, Any]]]:
    for entry in Entry.objects.filter(chain_id=card_id, kind="repeat").order_by("seq"):
        data = json.loads(entry.body)["data"]
        if UUID(data["turn"]) in turns:
            yield entry, data
