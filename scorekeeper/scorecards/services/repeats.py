"""Repeats: a turn or an action that somebody recorded once more, the same as the first.

Two of the crew often record one roll. The second entry changes no score, so it is *merged*, but the card's chain has it
all the same, as a repeat of the first. The person who recorded it was told that it counts. So when the first is undone,
voided or moved, its repeats go to review, and the organiser decides.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import OperationResult
from scorekeeper.scorecards.services.unit_of_work import Snapshotable


def append_repeat(
    book: OperationContext,
    contest_id: UUID,
    chain: Chain,
    turn: RecordedTurn,
    actions: Actions,
    opened: Snapshotable | None,
) -> OperationResult:
    """Write to the chain that the turn or action was recorded once more, by this operation.

    The standings follow: no figure changes, but they say how many entries they have seen, and `verify` compares that.

    Args:
        chain: of the card, locked.
        turn: the one that counts.
        actions: as the operation has them.
        opened: the card as it is before and after, since a repeat changes nothing; None where it cannot be kept open.
    """
    data = {"turn": str(turn.id), "by": str(book.operation_id), "actions": list(actions)}
    book.append(chain, "repeat", slot_id=turn.slot_id, data=data)
    book.mark_stale(contest_id, chain.pk)
    if opened is not None:
        book.cache_state(chain.pk, opened)
    return OperationResult(Operation.Outcome.MERGED, data={"turn": str(turn.id)})


def review_repeats(book: OperationContext, chain: Chain, contest_id: UUID, gone: Collection[UUID]) -> None:
    """Send the repeats of turns or actions to review that no longer count where they were recorded.

    Args:
        chain: of the card, locked.
        gone: ids of these turns or actions.
    """
    repeats = {data["by"]: (entry, data) for entry, data in _list_repeats(chain, gone)}
    if not repeats:
        return
    for known in ReviewItem.objects.filter(operation_id__in=repeats).values_list("operation_id", flat=True):
        del repeats[str(known)]
    for entry, data in repeats.values():
        item = ReviewItem(
            operation_id=UUID(data["by"]),
            contest_id=contest_id,
            card_id=chain.pk,
            slot_id=entry.slot_id,
            reason=ReviewItem.Reason.UNDONE,
            against=[data["turn"]],
            opened_at=book.now,
        )
        book.review_earlier_operation(item)


def move_repeats(book: OperationContext, source: Chain, target: Chain, moved: Mapping[UUID, UUID]) -> None:
    """Take the repeats of turns along to the card that the turns were moved to, where they count on.

    Args:
        moved: the new ids of the turns by their old ones.
    """
    for entry, data in _list_repeats(source, moved):
        turn = moved[UUID(data["turn"])]
        book.append(target, "repeat", slot_id=entry.slot_id, data={**data, "turn": str(turn)})


def _list_repeats(chain: Chain, turns: Collection[UUID]) -> Iterator[tuple[Entry, dict[str, Any]]]:
    for entry in Entry.objects.filter(chain_id=chain.pk, kind="repeat").order_by("seq"):
        data = json.loads(entry.body)["data"]
        if UUID(data["turn"]) in turns:
            yield entry, data
