"""The turns that closings of a contest recorded as missed: which can be taken back, and which are left, and why.

A turn can be taken back if its last entry is still that of the closing. Whatever somebody did with it since was done on
purpose, so it is left: a correction, a crew that recorded it as missed too, a move to another bike. A turn that was
voided is no longer there, so it is not listed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from games.core.replay import replay_from
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import pad_number
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.bike_card import FoldedBikeCard
from scorekeeper.scorecards.card_kinds import MissedTurn, WhyLeft
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.display_names import label_slots
from scorekeeper.scorecards.fold import RecordedTurn, fold_card, sort_by_slot
from scorekeeper.scorecards.missed_action import get_closing_action
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.stops.models import Slot


def list_missed_turns(contest: ContestRules) -> list[MissedTurn]:
    """Return what closings recorded and is still there, in a fixed number of statements, by bike and slot."""
    entries = Entry.objects.filter(
        chain__card__contest_id=contest.id, kind__in=("close", "repeat", "moved_out")
    ).order_by("chain_id", "seq")
    by_chain: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_chain[entry.chain_id].append(entry)
    chains = {chain: logged for chain, logged in by_chain.items() if any(entry.kind == "close" for entry in logged)}
    if not chains:
        return []
    cards = {card.id: card for card in fold_bike_cards(contest, chains, include_damaged=True)}
    bikes = {
        seat.card_id: seat.bike for seat in Seat.objects.filter(card_id__in=chains, index=0).select_related("bike")
    }
    names = label_slots(Slot.objects.filter(contest_id=contest.id).select_related("stop"))
    filled = [
        turn
        for chain, logged in chains.items()
        if (bike := bikes.get(chain)) is not None
        for turn in _list_of_card(contest, cards.get(chain), bike, logged, names)
    ]
    return sorted(filled, key=_get_sort_key)


def _get_sort_key(turn: MissedTurn) -> tuple[str, int, int, int]:
    return pad_number(turn.bike.number), turn.bike.suffix, turn.bike.sheet, turn.ordinal


def _list_of_card(
    contest: ContestRules,
    card: FoldedBikeCard | None,
    bike: Bike,
    logged: Sequence[Entry],
    names: Mapping[UUID, str],
) -> Iterable[MissedTurn]:
    data = {entry.pk: json.loads(entry.body)["data"] for entry in logged}
    repeated = {UUID(data[entry.pk]["turn"]) for entry in logged if entry.kind == "repeat"}
    moved = {
        UUID(change["turn"]) for entry in logged if entry.kind == "moved_out" for change in data[entry.pk]["changes"]
    }
    found = []
    for entry in logged:
        if entry.kind != "close" or entry.slot_id is None:
            continue
        turn_id = UUID(data[entry.pk]["turn"])
        why = _explain(entry, turn_id, card, repeated, moved)
        if why is not None:
            ordinal, name = contest.get_ordinal(entry.slot_id), names.get(entry.slot_id, "")
            found.append(MissedTurn(entry.operation_id, turn_id, bike, ordinal, name, card, why))
    return found if card is None else _keep_needed(contest, card, found)


def _explain(
    entry: Entry, turn_id: UUID, card: FoldedBikeCard | None, repeated: set[UUID], moved: set[UUID]
) -> WhyLeft | None:
    """Return why a turn is left, "" if it can be taken back, and None if it is no longer there."""
    if card is not None and card.damaged_from is not None:
        return "damaged"
    turn = None if card is None else card.turns.get(turn_id)
    if turn is None:
        return "moved" if turn_id in moved else None
    if turn.seq != entry.seq:
        return "changed"
    return "repeated" if turn_id in repeated else ""


def _keep_needed(contest: ContestRules, card: FoldedBikeCard, filled: Sequence[MissedTurn]) -> Sequence[MissedTurn]:
    """Leave the turns of a closing where the rules do not allow what was recorded later without them."""
    needed = {
        closing
        for closing in {turn.closing_id for turn in filled}
        if not _can_do_without(
            contest, card, [turn.turn_id for turn in filled if turn.closing_id == closing and not turn.why]
        )
    }
    return [replace(turn, why="needed") if not turn.why and turn.closing_id in needed else turn for turn in filled]


def _can_do_without(contest: ContestRules, card: FoldedBikeCard, removed: Sequence[UUID]) -> bool:
    if not removed or card.fold.invalid_turns:
        return not removed
    rest = {turn_id: turn for turn_id, turn in card.turns.items() if turn_id not in removed}
    reopened = reopen_last_turn(card, removed)
    return not fold_card(contest, rest if reopened is None else {**rest, reopened.id: reopened}).invalid_turns


def reopen_last_turn(card: FoldedBikeCard, removed: Collection[UUID]) -> RecordedTurn | None:
    """Return the last turn without what closes the card after it, where other turns are removed; None if nothing does.

    A closing closes the cards that it fills, which is not possible while turns are missing.
    """
    rest = [turn for turn in sort_by_slot(card.contest, card.turns) if turn.slot_id is not None]
    turn = rest[-1] if rest else None
    if turn is None or turn.slot_id is None or turn.id in removed:
        return None
    *before, last = turn.actions
    state = replay_from(card.contest.ruleset, card.get_state_before(turn.slot_id), before).state
    is_closing = last["type"] == get_closing_action(card.contest.ruleset, state)
    return replace(turn, actions=tuple(before)) if is_closing else None
