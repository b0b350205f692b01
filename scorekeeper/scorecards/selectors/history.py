"""The history of a card: the turns that stand, what waits for the organiser, and the whole log, newest first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.core.reading import Face
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Event
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.fold import in_slot_order
from scorekeeper.scorecards.models import Entry, ReviewItem, Turn
from scorekeeper.scorecards.naming import name_result
from scorekeeper.scorecards.open_card import OpenCard
from scorekeeper.scorecards.selectors.entry_changes import EntryChange, list_entry_changes

KINDS: Mapping[str, str | Promise] = {
    "record": _("Noted"),
    "repeat": _("Recorded once more, the same"),
    "amend": _("Corrected"),
    "settle": _("Settled by the organiser"),
    "unsettle": _("Decision taken back by the organiser"),
    "moved_in": _("Moved here from another bike"),
    "moved_out": _("Moved to another bike"),
    "retire": _("Retired"),
    "close": _("Noted as missed at the close"),
}
VOIDED = _("Voided")


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn that stands, as the history shows it."""

    id: UUID
    seq: int
    ordinal: int
    place: str
    result: str
    dice: tuple[Face, ...]
    how: str
    dice_set: str
    who: str
    when: dt.datetime | None


@dataclass(frozen=True, slots=True)
class EntryShown:
    """An entry of the log, as the history shows it.

    Attributes:
        changes: the turns it touched, each before and after.
    """

    what: str
    place: str
    who: str
    when: dt.datetime
    note: str
    changes: tuple[EntryChange, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingShown:
    """A note that waits for the organiser, and what stood in its way."""

    why: str
    place: str
    who: str
    when: dt.datetime
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Everything the history page tells of a card."""

    turns: tuple[TurnShown, ...]
    entries: tuple[EntryShown, ...]
    waiting: tuple[WaitingShown, ...]
    is_retired: bool


def get_history(event: Event, card: OpenCard, places: Mapping[UUID, str]) -> History:
    """Return the history of a card.

    Args:
        places: the name of every slot, by id.
    """
    entries = list(Entry.objects.filter(chain=card.chain).select_related("operation__note").order_by("-seq"))
    items = list(ReviewItem.objects.filter(card_id=card.chain.pk, settled_at=None).select_related("operation"))
    actors = {entry.operation.actor_id for entry in entries} | {item.operation.actor_id for item in items}
    names = list_actor_names(event, actors)
    changes = list_entry_changes(card.contest, reversed(entries), places)
    sets = dict(DiceSet.objects.filter(group__event=event).values_list("pk", "name"))
    return History(
        turns=_list_turns(card, places, names, sets),
        entries=tuple(
            EntryShown(
                _name_kind(entry, changes.get(entry.seq, ())),
                places.get(entry.slot_id, "") if entry.slot_id else "",
                names.get(entry.operation.actor_id, ""),
                entry.at,
                entry.operation.note.text if hasattr(entry.operation, "note") else "",
                changes.get(entry.seq, ()),
            )
            for entry in entries
        ),
        waiting=tuple(
            WaitingShown(
                str(ReviewItem.Reason(item.reason).label),
                places.get(item.slot_id, "") if item.slot_id else "",
                names.get(item.operation.actor_id, ""),
                item.opened_at,
                tuple(explain_all(card.contest.ruleset.game.key, item.problems)),
            )
            for item in items
        ),
        is_retired=any(turn.slot_id is None for turn in card.turns.values()),
    )


def _name_kind(entry: Entry, changes: Sequence[EntryChange]) -> str:
    """Return what an entry did; a correction after which none of its turns is left has voided them."""
    if entry.kind == "amend" and changes and not any(change.after for change in changes):
        return str(VOIDED)
    return str(KINDS.get(entry.kind, entry.kind))


def _list_turns(
    card: OpenCard, places: Mapping[UUID, str], names: Mapping[UUID, str], sets: Mapping[UUID, str]
) -> tuple[TurnShown, ...]:
    shown = []
    for turn in in_slot_order(card.contest, card.turns):
        if turn.slot_id is None:
            continue
        played, origin = card.fold.played.get(turn.id), turn.origin
        shown.append(
            TurnShown(
                turn.id,
                turn.seq,
                card.contest.ordinal(turn.slot_id),
                places[turn.slot_id],
                name_result(played),
                () if played is None else played.dice,
                "" if played is None else str(Turn.How(played.how).label),
                sets.get(origin.dice_set_id, "") if origin and origin.dice_set_id else "",
                names.get(origin.noted_by, "") if origin else "",
                origin.noted_at if origin else None,
            )
        )
    return tuple(shown)
