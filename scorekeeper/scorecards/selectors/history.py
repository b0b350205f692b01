"""The history of a card: its current turns, its entries under review, and the whole log, newest first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.core.game import Game
from games.core.reading import Face
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.usual_reasons import CARD_BOUGHT, NO_MORE_CARDS, show_reason
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.display_names import format_result
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    CardFold,
    LogStep,
    RecordedTurn,
    fold_card,
    fold_incremental,
    list_log_steps,
    sort_by_slot,
)
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.open_turn import list_sold, list_sold_cards
from scorekeeper.scorecards.selectors.card_log import (
    CardLog,
    HistoryReviewItem,
    get_reason,
    read_card_log,
    read_turn_logs,
)

ENTRY_LABELS: Mapping[str, str | Promise] = {
    "record": gettext_lazy("Recorded"),
    "repeat": gettext_lazy("Recorded again, the same"),
    "amend": gettext_lazy("Corrected"),
    "settle": gettext_lazy("Decided by the organiser"),
    "unsettle": gettext_lazy("Decision undone by the organiser"),
    "moved_in": gettext_lazy("Moved here from another bike"),
    "moved_out": gettext_lazy("Moved to another bike"),
    "retire": pgettext_lazy("an action that was recorded", "Retired"),
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
        sale: what was sold after the last turn, or taken back, if the change is no correction; "" for all others.
    """

    slot_name: str
    before: str
    after: str
    sale: str = ""


def list_entry_changes(
    contest: ContestRules, entries: Iterable[Entry], slot_names: Mapping[UUID, str]
) -> Mapping[int, tuple[EntryChange, ...]]:
    """Return the changes of each entry, by its sequence number, as far as the log can be read.

    Args:
        entries: those of one card, in the order of the chain.
        slot_names: the name of every slot, by id.
    """
    changes: dict[int, tuple[EntryChange, ...]] = {}
    fold = fold_card(contest, {})
    for step in list_log_steps(entries):
        try:
            after_fold = fold_incremental(contest, step.before, fold, step.after)
        except ENTRY_READ_ERRORS:
            break
        changes[step.entry.seq] = tuple(_list_changes(contest.ruleset.game, step, fold, after_fold, slot_names))
        fold = after_fold
    return changes


def _list_changes(
    game: Game[Any], step: LogStep, fold: CardFold, after_fold: CardFold, slot_names: Mapping[UUID, str]
) -> Iterator[EntryChange]:
    for old, new in step.list_changed():
        slot_id = next((turn.slot_id for turn in (old, new) if turn is not None), None)
        if slot_id is not None:
            before, after = _format_turn(game, old, fold), _format_turn(game, new, after_fold)
            yield EntryChange(slot_names.get(slot_id, ""), before, after, _describe_sale(game, old, new))


def _describe_sale(game: Game[Any], old: RecordedTurn | None, new: RecordedTurn | None) -> str:
    """Return what was sold after the last turn, or what of that was taken back; "" if neither."""
    if old is None or new is None:
        return ""
    if sold := list_sold(old, new, game.closing_types):
        cards = list_sold_cards(sold)
        return _("Card bought: %(cards)s") % {"cards": show_faces(cards)} if cards else show_reason(NO_MORE_CARDS)
    if taken_back := list_sold(new, old, game.closing_types):
        cards = list_sold_cards(taken_back)
        if cards:
            return _("Bought card taken back: %(cards)s") % {"cards": show_faces(cards)}
        return _("Cards can be bought again")
    return ""


def _format_turn(game: Game[Any], turn: RecordedTurn | None, fold: CardFold) -> str:
    if turn is None:
        return ""
    result = fold.results.get(turn.id)
    dice = show_faces(result.dice) if result and game.points_of_turns else ""
    return f"{format_result(game, result)} ({dice})" if dice else format_result(game, result)


@dataclass(frozen=True, slots=True)
class CardHistoryTurn:
    """A current turn, as the history shows it.

    Attributes:
        result: in words; "" where the dice or cards alone are the result.
        corrected_by, corrected_at: who last corrected it, and when; "" and None for one that is as it was recorded.
        sales: the cards that were bought after it, each with who recorded it, and when.
    """

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
    corrected_by: str = ""
    corrected_at: dt.datetime | None = None
    sales: tuple[tuple[str, str, dt.datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class CardHistoryEntry:
    """An entry of the log, as the history shows it.

    Attributes:
        changes: the turns it changed, each before and after; none where the label says everything.
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


def get_card_history(event: Event, card: BikeCard, slot_names: Mapping[UUID, str]) -> CardHistory:
    """Return the history of a card.

    Args:
        slot_names: the name of every slot, by id.
    """
    log, key = read_card_log(event, card.id), card.contest.ruleset.game.key
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
                _get_reason(entry),
                () if _get_sale(entry, changes.get(entry.seq, ())) else changes.get(entry.seq, ()),
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


def _get_reason(entry: Entry) -> str:
    """Return the reason of an entry; "" also for that of a sale, which its label says."""
    reason = get_reason(entry)
    return "" if reason in (CARD_BOUGHT, NO_MORE_CARDS) else show_reason(reason)


def _get_sale(entry: Entry, changes: Sequence[EntryChange]) -> str:
    """Return what an entry sold or took back; "" if it did anything else."""
    return changes[0].sale if entry.kind == "amend" and len(changes) == 1 else ""


def _label_entry(entry: Entry, changes: Sequence[EntryChange]) -> str:
    """Return what an entry did. A correction may also have voided all of its turns, or restored all of them."""
    if entry.kind == "amend" and changes and not any(change.after for change in changes):
        return str(VOIDED_LABEL)
    if entry.kind == "amend" and changes and not any(change.before for change in changes):
        return str(RESTORED_LABEL)
    if sale := _get_sale(entry, changes):
        return sale
    if entry.kind == "close" and any(change.before for change in changes):
        return _("Completed when the contest closed")
    return str(ENTRY_LABELS.get(entry.kind, entry.kind))


def _list_turns(
    card: BikeCard, slot_names: Mapping[UUID, str], log: CardLog, sets: Mapping[UUID, str]
) -> tuple[CardHistoryTurn, ...]:
    game = card.contest.ruleset.game
    logs = read_turn_logs(log.entries, card.turns.values(), game.closing_types)
    turns = []
    for turn in sort_by_slot(card.contest, card.turns):
        if turn.slot_id is None:
            continue
        result, origin = card.fold.results.get(turn.id), turn.origin
        followed = logs[turn.id]
        correction = followed.correction
        dice = () if result is None else result.dice
        turns.append(
            CardHistoryTurn(
                turn.id,
                turn.seq,
                card.contest.get_ordinal(turn.slot_id),
                slot_names[turn.slot_id],
                # Where turns have no points, the cards are the result, and pages draw them.
                "" if dice and not game.points_of_turns else format_result(game, result),
                dice,
                "" if result is None or not game.points_of_turns else str(Turn.How(result.how).label),
                sets.get(origin.dice_set_id, "") if origin and origin.dice_set_id else "",
                *log.get_origin(origin),
                "" if correction is None else log.get_actor_name(correction.operation),
                None if correction is None else correction.at,
                tuple(
                    (show_faces(sale.cards), log.get_actor_name(sale.entry.operation), sale.entry.at)
                    for sale in followed.sales
                    if sale.cards
                ),
            )
        )
    return tuple(turns)
