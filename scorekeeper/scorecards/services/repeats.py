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

from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult
from scorekeeper.ledger.services.unit_of_work import Snapshotable
from scorekeeper.scorecards.fold import Actions, RecordedTurn


def append_repeat(
    context: OperationContext,
    contest_id: UUID,
    chain: Chain,
    turn: RecordedTurn,
    actions: Actions,
    state: Snapshotable | None,
) -> OperationResult:
    """Append an entry saying that this operation recorded the turn or action again.

    The standings become stale: no figure changes, but they store how many entries they include, and `verify` compares
    that.

    Args:
        chain: the card's chain, locked.
        turn: the current turn.
        actions: those of the operation.
        state: the card's state, which a repeat does not change; None if it cannot be cached.
    """
    data = {"turn": str(turn.id), "by": str(context.operation_id), "actions": list(actions)}
    context.append(chain, "repeat", slot_id=turn.slot_id, data=data)
    context.mark_stale(contest_id, chain.pk)
    if state is not None:
        context.cache_state(chain.pk, state)
    return OperationResult(Operation.Outcome.MERGED, data={"turn": str(turn.id)})


def review_repeats(context: OperationContext, chain: Chain, contest_id: UUID, removed: Collection[UUID]) -> None:
    """Send the repeats of turns or actions that no longer count on their card to review.

    Args:
        chain: the card's chain, locked.
        removed: the ids of these turns or actions.
    """
    repeats = {data["by"]: (entry, data) for entry, data in _list_repeats(chain, removed)}
    if not repeats:
        return
    for reviewed in ReviewItem.objects.filter(operation_id__in=repeats).values_list("operation_id", flat=True):
        del repeats[str(reviewed)]
    for entry, data in repeats.values():
        item = ReviewItem(
            operation_id=UUID(data["by"]),
            contest_id=contest_id,
            card_id=chain.pk,
            slot_id=entry.slot_id,
            reason=ReviewItem.Reason.UNDONE,
            against=[data["turn"]],
            opened_at=context.now,
        )
        context.review_earlier_operation(item)


def move_repeats(context: OperationContext, source: Chain, target: Chain, moved: Mapping[UUID, UUID]) -> None:
    """Move the repeats of turns to the card that the turns were moved to, where they keep counting.

    Args:
        moved: the new ids of the turns by their old ones.
    """
    for entry, data in _list_repeats(source, moved):
        turn = moved[UUID(data["turn"])]
        context.append(target, "repeat", slot_id=entry.slot_id, data={**data, "turn": str(turn)})


def _list_repeats(chain: Chain, turns: Collection[UUID]) -> Iterator[tuple[Entry, dict[str, Any]]]:
    for entry in Entry.objects.filter(chain_id=chain.pk, kind="repeat").order_by("seq"):
        data = json.loads(entry.body)["data"]
        if UUID(data["turn"]) in turns:
            yield entry, data
