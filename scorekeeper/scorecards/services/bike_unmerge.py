"""Undoing the merge of two bikes: exactly what the merge moved goes back.

The log has a list of it: turns with their repeats, seats at tables, people, other numbers of the bike. Anything
recorded since stays with the other bike, since nobody can know whose it is. If something newer depends on what was
moved, the merge stays, and the organiser moves or voids single turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext, parse_entry_body
from scorekeeper.ledger.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    RecordingError,
    check_reason,
    record,
)
from scorekeeper.players.models import Player
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.card_kinds import CARD_KINDS
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.bike_operations import find_next_suffix
from scorekeeper.scorecards.services.cards import load_cards_for_update
from scorekeeper.scorecards.services.moves import transfer_turns
from scorekeeper.scorecards.services.repeats import move_repeats
from scorekeeper.scorecards.services.sheet_sales import return_sheets

MERGE_KINDS = ("merge_bikes", "unmerge_bikes")  # the kinds of entries that say which bikes are merged

NO_LONGER_MERGED = gettext_noop("The two bikes are no longer merged like this. Undo the later merge first.")
OLDER_MERGE = gettext_noop(
    "The two bikes were merged by an older version, and the log does not show everything that was moved."
)
TURN_CHANGED = gettext_noop(
    "A turn that was moved has been changed since. Move the turns to the right bike one by one."
)
IN_REVIEW = gettext_noop("An entry for this bike is under review. Decide on it first.")


class CannotUnmerge(RecordingError):
    """The merge cannot be undone; nothing was written.

    Attributes:
        problems: why, as data.
        game_key: the game whose rules those are, if any.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]], game_key: str = ""):
        super().__init__(problems)
        self.problems = tuple(problems)
        self.game_key = game_key


def unmerge_bikes(actor: Actor, operation_id: UUID, bike_id: UUID, reason: str) -> Receipt:
    """Undo the merge of two bikes.

    Raises:
        CannotUnmerge: something newer depends on what was moved, or the rules do not allow the remaining turns.
        ReasonRequired: there is no reason.
        NotAllowed: there is no such bike in the actor's event, or the request comes from a phone.
    """

    def handle(context: OperationContext) -> OperationResult:
        # As for merging: one at a time, and no card is created meanwhile.
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        event_contests = list(
            Contest.objects.select_for_update(no_key=True).filter(event_id=actor.event_id).order_by("pk")
        )
        merge = _find_merge(actor, bike_id)
        bike, into = merge.bike, merge.into
        for kind in CARD_KINDS:
            kind.unmerge_bikes(context, [contest for contest in event_contests if kind.covers(contest)], merge)
        Player.objects.filter(pk__in=merge.players, bike=into).update(bike=bike)
        Bike.objects.filter(pk__in=merge.aliases).update(merged_into=bike)
        bike.merged_into = None
        if Bike.objects.filter(event=bike.event_id, number=bike.number, suffix=bike.suffix, merged_into=None).exists():
            bike.suffix = find_next_suffix(bike)
        bike.save(update_fields=["merged_into", "suffix"])
        data: dict[str, Any] = {"bike": str(bike.pk), "into": str(into.pk)}
        sheets = return_sheets(bike, into, merge)
        data |= sheets.to_data()
        if sheets.moved or sheets.renumbered:
            for contest in event_contests:
                context.mark_stale(contest.pk)
        context.append(chain, "unmerge_bikes", data=data, numbers=[bike])
        return RECORDED

    check_reason(reason)
    return record(operation_id, "unmerge_bikes", actor, {"bike": str(bike_id), "reason": reason}, handle, reason)


def _find_merge(actor: Actor, bike_id: UUID) -> BikeMerge:
    bike = Bike.objects.select_related("merged_into").filter(pk=bike_id, event_id=actor.event_id).first()
    if bike is None:
        raise NotAllowed(bike_id)
    direct: dict[UUID, tuple[UUID, Entry]] = {}
    for entry in Entry.objects.filter(chain_id=actor.event_id, kind__in=MERGE_KINDS).order_by("seq"):
        data = parse_entry_body(entry)["data"]
        direct.pop(UUID(data["bike"]), None)
        if entry.kind == "merge_bikes":
            direct[UUID(data["bike"])] = (UUID(data["into"]), entry)
    found = direct.pop(bike_id, None)
    if bike.merged_into is None or found is None or found[0] != bike.merged_into_id:
        raise CannotUnmerge(_make_problem_data("no_longer_merged", NO_LONGER_MERGED))
    merge_entry = found[1]
    data = parse_entry_body(merge_entry)["data"]
    if "players" not in data:
        raise CannotUnmerge(_make_problem_data("older_merge", OLDER_MERGE))
    written: dict[str, list[Entry]] = {}
    for entry in Entry.objects.filter(operation_id=merge_entry.operation_id).order_by("pk"):
        written.setdefault(entry.kind, []).append(entry)
    players = [UUID(player) for player in data["players"]]
    aliases = sorted(_list_aliases(direct, bike_id))
    moved, renumbered = ({UUID(sheet) for sheet, _number in data.get(name, ())} for name in ("sheets", "renumbered"))
    before = _list_sheet_numbers(merge_entry, moved | renumbered)
    sheets = {sheet: before[sheet] for sheet in moved} | _list_sold_since(merge_entry, [bike_id, *aliases])
    return BikeMerge(
        bike, bike.merged_into, written, players, aliases, sheets, {sheet: before[sheet] for sheet in renumbered}
    )


def _list_sheet_numbers(merge_entry: Entry, sheets: Collection[UUID]) -> dict[UUID, int]:
    """Return the numbers that further sheets had before a merge, according to the log."""
    numbers: dict[UUID, int] = {}
    kinds = ("sell_sheet", *MERGE_KINDS)
    earlier = Entry.objects.filter(chain_id=merge_entry.chain_id, kind__in=kinds, seq__lt=merge_entry.seq)
    for entry in earlier.order_by("seq") if sheets else ():
        data = parse_entry_body(entry)["data"]
        changed = [*data.get("sheets", ()), *data.get("renumbered", ())]
        changed += [(data["sheet"], data["number"])] if entry.kind == "sell_sheet" else []
        numbers |= {UUID(sheet): number for sheet, number in changed if UUID(sheet) in sheets}
    return numbers


def _list_sold_since(merge_entry: Entry, bike_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the further sheets that were sold for a bike, or its aliases, by phones that had not heard of the merge.

    Their ids follow from that bike, so no other sheet of it can have these numbers.
    """
    since = Entry.objects.filter(chain_id=merge_entry.chain_id, kind="sell_sheet", seq__gt=merge_entry.seq)
    own = since.filter(operation__body__bike__in=list(map(str, bike_ids))).select_related("operation")
    return {UUID(parse_entry_body(entry)["data"]["sheet"]): entry.operation.body["number"] for entry in own}


def _list_aliases(direct: Mapping[UUID, tuple[UUID, Entry]], bike_id: UUID) -> Iterator[UUID]:
    for alias, (into_id, _entry) in direct.items():
        if into_id == bike_id:
            yield alias
            yield from _list_aliases(direct, alias)


def unmerge_turn_cards(context: OperationContext, contests: Sequence[Contest], merge: BikeMerge) -> None:
    """Move the turns that came with a merge back to the first bike's cards, and its review items too.

    Raises:
        CannotUnmerge: something newer depends on what was moved, or the rules do not allow the remaining turns.
    """
    bike, into = merge.bike, merge.into
    cards = Scorecard.objects.filter(seats__bike_id=bike.pk, contest__in=contests)
    contest_ids = sorted(set(cards.values_list("contest_id", flat=True)))
    _restore_reviews(context, merge, contest_ids)
    pairs = [(derive_card_id(contest, bike.pk), derive_card_id(contest, into.pk)) for contest in contest_ids]
    cards_by_id = load_cards_for_update(context, [card for pair in pairs for card in pair], even_aliases=True)
    for source, target in pairs:
        _split_cards(context, merge, cards_by_id[source], cards_by_id[target])
    for contest_id in contest_ids:
        context.mark_stale(contest_id)


def _split_cards(context: OperationContext, merge: BikeMerge, source: BikeCard, target: BikeCard) -> None:
    """Move the turns that came with the merge from the second bike's card back to the first's."""
    ids = dict(_list_moved_turns(merge, source, target))
    moved = [target.turns[turn] for turn in ids]
    _check_legal(target, apply_changes(target.turns, [TurnChange(turn, None) for turn in ids], target.length + 1))
    _check_legal(source, {**source.turns, **{ids[turn.id]: replace(turn, id=ids[turn.id]) for turn in moved}})
    context.get_chain(source.id).is_alias = False
    context.after_insert(lambda: Chain.objects.filter(pk=source.id).update(is_alias=False))
    if moved:
        transfer_turns(context, target, source, moved, ids)
        move_repeats(context, target.id, source.id, ids)


def _list_moved_turns(merge: BikeMerge, source: BikeCard, target: BikeCard) -> Iterator[tuple[UUID, UUID]]:
    """Return the ids of the turns that were moved, each with its old id on the first card, which it gets again."""
    moved_out = [
        parse_entry_body(entry)["data"] for entry in merge.entries.get("moved_out", ()) if entry.chain_id == source.id
    ]
    moved_in = [parse_entry_body(entry) for entry in merge.entries.get("moved_in", ()) if entry.chain_id == target.id]
    before = [UUID(change["turn"]) for data in moved_out for change in data["changes"]]
    for turn_id, entry in zip(before, moved_in, strict=True):
        moved = UUID(entry["data"]["turn"])
        turn = target.turns.get(moved)
        slot = None if turn is None or turn.slot_id is None else str(turn.slot_id)
        if turn is None or (list(turn.actions), slot) != (entry["actions"], entry["slot"]):
            raise CannotUnmerge(_make_problem_data("turn_changed", TURN_CHANGED))
        yield moved, turn_id


def _check_legal(card: BikeCard, turns: Mapping[UUID, RecordedTurn]) -> None:
    judged = card.judge(turns)
    if judged.problems:
        raise CannotUnmerge(judged.problems, card.contest.ruleset.game.key)


def _restore_reviews(context: OperationContext, merge: BikeMerge, contests: Sequence[UUID]) -> None:
    """Move review items for one of the bike's own numbers to its own card."""
    own = {str(merge.bike.pk), *map(str, merge.aliases)}
    targets = {derive_card_id(contest, merge.into.pk): contest for contest in contests}
    event_items = ReviewItem.objects.filter(contest__event_id=merge.bike.event_id, settled_at=None)
    for item in event_items.exclude(card=None).select_related("operation"):
        if item.operation.body.get("bike") not in own:
            continue
        if item.card_id not in targets:
            raise CannotUnmerge(_make_problem_data("in_review", IN_REVIEW))
        item.card_id = derive_card_id(targets[item.card_id], merge.bike.pk)
        context.after_insert(partial(item.save, update_fields=["card"]))


def _make_problem_data(code: str, text: Any) -> list[dict[str, Any]]:
    return problems_to_data([Problem(code, NO_CLAUSE, text)])
