"""The changes made by each entry of a card's log: every turn it touched, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.display_names import format_result
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    CardFold,
    RecordedTurn,
    Turns,
    apply_entry,
    fold_card,
    fold_incremental,
)


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A turn that an entry changed.

    Attributes:
        slot_name: the name of its slot.
        before: its result before the entry, with its dice; "" if there was no turn.
        after: its result after the entry, with its dice; "" if it was voided or moved away.
    """

    slot_name: str
    before: str
    after: str


def list_entry_changes(
    contest: ContestRules, entries: Iterable[Entry], slot_names: Mapping[UUID, str]
) -> Mapping[int, tuple[EntryChange, ...]]:
    """Return the changes of each entry, by its sequence number, as far as the log can be read.

    Args:
        entries: those of one card, in the order of the chain.
        slot_names: the name of every slot, by id.
    """
    changes: dict[int, tuple[EntryChange, ...]] = {}
    turns: Turns = {}
    fold = fold_card(contest, turns)
    for entry in entries:
        try:
            after = apply_entry(turns, entry)
            after_fold = fold_incremental(contest, turns, fold, after)
        except ENTRY_READ_ERRORS:
            break
        changes[entry.seq] = tuple(_compare(turns, fold, after, after_fold, slot_names))
        turns, fold = after, after_fold
    return changes


def _compare(
    turns: Turns, fold: CardFold, after: Turns, after_fold: CardFold, slot_names: Mapping[UUID, str]
) -> Iterator[EntryChange]:
    for turn_id in {**turns, **after}:
        old, new = turns.get(turn_id), after.get(turn_id)
        slot_id = next((turn.slot_id for turn in (old, new) if turn is not None), None)
        if old is not new and slot_id is not None:
            yield EntryChange(slot_names.get(slot_id, ""), _format_turn(old, fold), _format_turn(new, after_fold))


def _format_turn(turn: RecordedTurn | None, fold: CardFold) -> str:
    if turn is None:
        return ""
    result = fold.results.get(turn.id)
    dice = " ".join(map(str, result.dice)) if result else ""
    return f"{format_result(result)} ({dice})" if dice else format_result(result)
