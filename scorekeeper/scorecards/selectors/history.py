"""The history of a card: its current turns, its entries under review, and the whole log, newest first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.reading import Face
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.scorecards.card_state import CardState
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
    sort_by_slot,
)
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.card_log import CardLog, HistoryReviewItem, get_reason, read_card_log

ENTRY_LABELS: Mapping[str, str | Promise] = {
    "record": gettext_lazy("Recorded"),
    "repeat": gettext_lazy("Recorded again, the same"),
    "amend": gettext_lazy("Corrected"),
    "settle": gettext_lazy("Decided by the organiser"),
    "unsettle": gettext_lazy("Decision undone by the organiser"),
    "moved_in": gettext_lazy("Moved here from another bike"),
    "moved_out": gettext_lazy("Moved to another bike"),
    "retire": gettext_lazy("Retired"),
    "close": gettext_lazy("Recorded as missed when the contest closed"),
    "clear_missed": gettext_lazy("Taken back: recorded as missed when the contest closed"),
}
VOIDED_LABEL = gettext_lazy("Voided")
RESTORED_LABEL = gettext_lazy("Counts again")


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


@dataclass(frozen=True, slots=True)
class CardHistoryTurn:
    """A current turn, as the history shows it."""

    id: UUID
    seq: int
    ordinal: int
    slot_name: str
    result: str
    dice: tuple[Face, ...]
    how: str
    dice_set: str
    actor_name: str
    recorded_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class CardHistoryEntry:
    """An entry of the log, as the history shows it.

    Attributes:
        changes: the turns it changed, each before and after.
    """

    label: str
    slot_name: str
    actor_name: str
    recorded_at: dt.datetime
    reason: str
    changes: tuple[EntryChange, ...] = ()


@dataclass(frozen=True, slots=True)
class CardHistory:
    """Everything the history page shows of a card."""

    turns: tuple[CardHistoryTurn, ...]
    entries: tuple[CardHistoryEntry, ...]
    review_items: tuple[HistoryReviewItem, ...]
    is_retired: bool


def get_card_history(event: Event, card: CardState, slot_names: Mapping[UUID, str]) -> CardHistory:
    """Return the history of a card.

    Args:
        slot_names: the name of every slot, by id.
    """
    log, key = read_card_log(event, card.chain.pk), card.contest.ruleset.game.key
    changes = list_entry_changes(card.contest, log.entries, slot_names)
    sets = dict(DiceSet.objects.filter(group__event=event).values_list("pk", "name"))
    return CardHistory(
        turns=_list_turns(card, slot_names, log, sets),
        entries=tuple(
            CardHistoryEntry(
                _label_entry(entry, changes.get(entry.seq, ())),
                slot_names.get(entry.slot_id, "") if entry.slot_id else "",
                log.get_actor_name(entry.operation),
                entry.at,
                get_reason(entry),
                changes.get(entry.seq, ()),
            )
            for entry in reversed(log.entries)
        ),
        review_items=tuple(
            log.present_item(
                item,
                slot_names.get(item.slot_id, "") if item.slot_id else _("a correction"),
                explain_all(key, item.problems),
            )
            for item in log.items
        ),
        is_retired=any(turn.slot_id is None for turn in card.turns.values()),
    )


def _label_entry(entry: Entry, changes: Sequence[EntryChange]) -> str:
    """Return what an entry did. A correction may also have voided all of its turns, or restored all of them."""
    if entry.kind == "amend" and changes and not any(change.after for change in changes):
        return str(VOIDED_LABEL)
    if entry.kind == "amend" and changes and not any(change.before for change in changes):
        return str(RESTORED_LABEL)
    return str(ENTRY_LABELS.get(entry.kind, entry.kind))


def _list_turns(
    card: CardState, slot_names: Mapping[UUID, str], log: CardLog, sets: Mapping[UUID, str]
) -> tuple[CardHistoryTurn, ...]:
    turns = []
    for turn in sort_by_slot(card.contest, card.turns):
        if turn.slot_id is None:
            continue
        result, origin = card.fold.results.get(turn.id), turn.origin
        turns.append(
            CardHistoryTurn(
                turn.id,
                turn.seq,
                card.contest.get_ordinal(turn.slot_id),
                slot_names[turn.slot_id],
                format_result(result),
                () if result is None else result.dice,
                "" if result is None else str(Turn.How(result.how).label),
                sets.get(origin.dice_set_id, "") if origin and origin.dice_set_id else "",
                *log.get_origin(origin),
            )
        )
    return tuple(turns)
