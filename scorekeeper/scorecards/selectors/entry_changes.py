"""What each entry of a card's log changed: every turn it touched, as it was before and as it is after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

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
from scorekeeper.scorecards.models import Entry


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A turn that an entry touched.

    Attributes:
        place: the name of its slot.
        before: what it came to before the entry, with its dice; "" where there was none.
        after: the same after the entry; "" where it is voided or moved away.
    """

    slot_name: str
    before: str
    after: str


def list_entry_changes(
    contest: ContestRules, entries: Iterable[Entry], places: Mapping[UUID, str]
) -> Mapping[int, tuple[EntryChange, ...]]:
    """Return what each entry changed, by its number in the chain, as far as the log can be read.

    Args:
        entries: of one card, in the order of the chain.
        places: the name of every slot, by id.
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
        changes[entry.seq] = tuple(_compare(turns, fold, after, after_fold, places))
        turns, fold = after, after_fold
    return changes


def _compare(
    turns: Turns, fold: CardFold, after: Turns, after_fold: CardFold, places: Mapping[UUID, str]
) -> Iterator[EntryChange]:
    for turn_id in {**turns, **after}:
        old, new = turns.get(turn_id), after.get(turn_id)
        slot_id = next((turn.slot_id for turn in (old, new) if turn is not None), None)
        if old is not new and slot_id is not None:
            yield EntryChange(places.get(slot_id, ""), _format_turn(old, fold), _format_turn(new, after_fold))


def _format_turn(turn: RecordedTurn | None, fold: CardFold) -> str:
    if turn is None:
        return ""
    played = fold.results.get(turn.id)
    dice = " ".join(map(str, played.dice)) if played else ""
    return f"{format_result(played)} ({dice})" if dice else format_result(played)
