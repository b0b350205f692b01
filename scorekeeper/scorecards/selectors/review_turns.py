"""Presenters for turns under review: the current turn in their slot, and what was sent.

What is accepted is recorded by the organiser's decision, and has its id, or changes the current turn, and keeps that
one's id. A phone whose entries went to review knows none of this: its corrections and moves name its own operation.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.problems import Malformed
from games.core.replay import fold_turns
from games.core.sheet import Turn as TurnResult
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.labels import label_value
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data, problems_to_data
from scorekeeper.scorecards.action_wording import describe_turn
from scorekeeper.scorecards.bike_card import FoldedBikeCard
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, get_contest_rules
from scorekeeper.scorecards.display_names import format_points, format_result
from scorekeeper.scorecards.fold import RecordedTurn, canonicalize_actions, fold_card, parse_actions
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter, ReviewSide, explain_further
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.stops.models import Slot

APPLICABLE_KINDS = ("turn", "amend", "move", "retire")  # the kinds of operation that "apply" can use


def map_accepted_turns(operation_ids: Collection[UUID]) -> Mapping[UUID, UUID]:
    """Return the id of the turn or action on its card, by the operation that was in review.

    Args:
        operation_ids: of any operations; those that were never accepted are left out.
    """
    items = ReviewItem.objects.filter(operation_id__in=operation_ids).exclude(settled_by=None)
    accepted = items.exclude(decision=ReviewItem.Decision.KEEP)
    decided_by = dict(accepted.values_list("operation_id", "settled_by_id"))
    amended = {}
    for entry in Entry.objects.filter(operation_id__in=decided_by.values(), kind="amend"):
        amended[entry.operation_id] = UUID(json.loads(entry.body)["data"]["changes"][0]["turn"])
    return {
        operation_id: amended.get(decision_id, decision_id)
        for operation_id, decision_id in decided_by.items()
        if decision_id is not None
    }


def find_current_id(turn_id: UUID, current: Collection[UUID]) -> UUID | None:
    """Return the id under which a turn that an operation names is current; None if it is not."""
    if turn_id not in current:
        turn_id = map_accepted_turns([turn_id]).get(turn_id, turn_id)
    return turn_id if turn_id in current else None


@dataclass(frozen=True)
class _ReviewedCards:
    """What the items are described with.

    Attributes:
        cards: the items' cards and those that turns are to be moved to, by id; those that have entries.
        numbers: the number of each bike, by its card.
        stops: the name of each slot's stop.
        names: the names of the people who recorded or sent something.
        targets: by item that moves a turn, the card of the bike that it is to be moved to.
        accepted: by operation that was in review, the turn that was accepted.
    """

    cards: Mapping[UUID, FoldedBikeCard]
    numbers: Mapping[UUID, str]
    stops: Mapping[UUID, str]
    names: Mapping[UUID, str]
    targets: Mapping[UUID, UUID]
    accepted: Mapping[UUID, UUID]

    def find_turn(self, card_id: UUID | None, turn_id: str) -> RecordedTurn | None:
        """Return the current turn of a card that an operation names."""
        card, named = self.cards.get(card_id) if card_id else None, UUID(turn_id)
        return None if card is None else card.turns.get(named) or card.turns.get(self.accepted.get(named, named))


def present_turns(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return turns and corrections of turns with both sides, in a fixed number of statements for each contest."""
    cards: dict[UUID, FoldedBikeCard] = {}
    contests = {key: get_contest_rules(key) for key in {item.contest_id for item in items}}
    targets, numbers = _list_move_targets(items)
    for contest_id, contest in contests.items():
        own = [item for item in items if item.contest_id == contest_id]
        card_ids = [item.card_id for item in own if item.card_id]
        moved_to = [targets[item.pk] for item in own if item.pk in targets]
        cards |= {card.id: card for card in fold_bike_cards(contest, [*card_ids, *moved_to])}
    numbers = {**numbers, **_get_bike_numbers(items)}
    stops = dict(Slot.objects.filter(contest__in=contests).values_list("pk", "stop__name"))
    actors = {item.operation.actor_id for item in items}
    for card in cards.values():
        actors |= {turn.origin.actor_id for turn in card.turns.values() if turn.origin}
    names = list_actor_names(event, actors)
    accepted = map_accepted_turns(_list_named_turns(items))
    reviewed = _ReviewedCards(cards, numbers, stops, names, targets, accepted)
    return [_present_item(item, contests[item.contest_id], reviewed) for item in items]


def _list_move_targets(items: Sequence[ReviewItem]) -> tuple[Mapping[UUID, UUID], Mapping[UUID, str]]:
    """Return the card that each move goes to, by item, and the numbers of these cards' bikes."""
    moves = {item.pk: item for item in items if item.operation.kind == "move"}
    wanted = {UUID(item.operation.body["to_bike"]) for item in moves.values()}
    bikes = Bike.entrants.filter(pk__in=wanted).select_related("merged_into").in_bulk()
    targets, numbers = {}, {}
    for item in moves.values():
        bike = bikes.get(UUID(item.operation.body["to_bike"]))
        if bike is not None:
            owner = bike.merged_into or bike
            targets[item.pk] = derive_card_id(item.contest_id, owner.pk)
            numbers[targets[item.pk]] = str(owner)
    return targets, numbers


def _list_named_turns(items: Sequence[ReviewItem]) -> set[UUID]:
    """Return the ids of the turns that moves and corrections name."""
    bodies = [item.operation.body for item in items]
    amended = {UUID(target["turn"]) for body in bodies for target in body.get("targets", ())}
    return amended | {UUID(body["turn"]) for body in bodies if "turn" in body}


def _get_bike_numbers(items: Sequence[ReviewItem]) -> Mapping[UUID, str]:
    seats = Seat.objects.filter(card__in=[item.card_id for item in items if item.card_id]).select_related("bike")
    return {seat.card_id: str(seat.bike) for seat in seats}


def _present_item(item: ReviewItem, contest: ContestRules, reviewed: _ReviewedCards) -> ReviewItemPresenter:
    card = reviewed.cards.get(item.card_id) if item.card_id else None
    turns = {} if card is None else card.turns
    against = [turn for turn_id in item.against if (turn := reviewed.find_turn(item.card_id, turn_id)) is not None]
    in_slot = next((turn for turn in turns.values() if item.slot_id and turn.slot_id == item.slot_id), None)
    if in_slot is not None and in_slot not in against:
        against.insert(0, in_slot)
    number = reviewed.numbers.get(item.card_id or item.pk, "")
    current = [_make_current_side(turn, card, reviewed) for turn in against if card is not None]
    free: list[tuple[UUID, int]] = []
    problems: Sequence[Mapping[str, Any]] = ()
    if item.operation.kind == "turn" and item.slot_id:
        taken = {turn.slot_id for turn in turns.values()}
        same_stop = contest.list_slots_at_same_stop(item.slot_id)
        others = [slot for slot in same_stop if slot not in taken and slot != item.slot_id]
        free = [(slot, contest.get_ordinal(slot)) for slot in others if not _judge_turn(item, contest, card, slot)]
        problems = _judge_turn(item, contest, card, item.slot_id)
    # What the rules say now may differ from what they said when it arrived: other turns were corrected since.
    explained = [*item.problems, *(one for one in problems if one not in item.problems)]
    return ReviewItemPresenter(
        item,
        contest.ruleset.game.key,
        number,
        _("Bike %(number)s") % {"number": number},
        (*current, *_list_sides_at_target(item, reviewed)),
        tuple(_list_sides_under_review(item, contest, card, reviewed)),
        explain_further(contest.ruleset.game.key, explained),
        no_current=_("Nothing is recorded there."),
        can_apply=item.operation.kind in APPLICABLE_KINDS and not problems,
        apply_label=_("Use the entry under review"),
        free_slots=tuple(free),
    )


def _judge_turn(
    item: ReviewItem, contest: ContestRules, card: FoldedBikeCard | None, slot: UUID
) -> Sequence[Mapping[str, Any]]:
    """Return why the rules do not allow a turn under review in a slot now; nothing if it can be used there."""
    actions = canonicalize_actions(contest, item.operation.body["actions"])
    if card is not None:
        return card.judge_turn(item.operation_id, actions, slot).problems
    turn = RecordedTurn(item.operation_id, slot, actions, 1)
    try:
        invalid = fold_card(contest, {turn.id: turn}).invalid_turns
    except Malformed as malformed:
        return [problem_to_data(malformed.as_problem())]
    return problems_to_data([problem for one in invalid for problem in one.problems])


def _list_sides_at_target(item: ReviewItem, reviewed: _ReviewedCards) -> Iterator[ReviewSide]:
    """Return the turn that the other bike has in the slot of the turn that is to be moved."""
    target = reviewed.cards.get(reviewed.targets.get(item.pk, item.pk))
    turn = None if target is None else reviewed.find_turn(item.card_id, item.operation.body["turn"])
    if target is None or turn is None or target.id == item.card_id:
        return
    for other in target.turns.values():
        if other.slot_id == turn.slot_id:
            side = _make_current_side(other, target, reviewed)
            params = {"number": reviewed.numbers.get(target.id, ""), "turn": side.description}
            yield replace(side, description=_("Bike %(number)s: %(turn)s") % params)


def _make_current_side(turn: RecordedTurn, card: FoldedBikeCard, reviewed: _ReviewedCards) -> ReviewSide:
    result = card.fold.results.get(turn.id)
    origin = turn.origin
    actor_name = "" if origin is None else reviewed.names.get(origin.actor_id, "")
    description = _format_turn(card.contest, _get_stop_name(turn.slot_id, reviewed.stops), result)
    recorded_at = None if origin is None else origin.recorded_at
    is_missed = result is not None and result.how == "missed"
    return ReviewSide(description, () if result is None else result.dice, actor_name, recorded_at, is_missed)


def _list_sides_under_review(
    item: ReviewItem, contest: ContestRules, card: FoldedBikeCard | None, reviewed: _ReviewedCards
) -> list[ReviewSide]:
    operation, stops = item.operation, reviewed.stops
    sent_at, body, actor_name = operation.received_at, operation.body, reviewed.names.get(operation.actor_id, "")
    if operation.kind == "turn":
        slot = UUID(body["slot"])
        result = _evaluate_turn(contest, card, slot, body["actions"])
        description = _format_sent_turn(contest, card, slot, body["actions"], result, stops)
        return [ReviewSide(description, () if result is None else result.dice, actor_name, sent_at)]
    if operation.kind == "amend":
        return [_make_amended_side(target, contest, card, reviewed, actor_name, sent_at) for target in body["targets"]]
    if operation.kind == "move":
        return [ReviewSide(_describe_move(item, card, reviewed), (), actor_name, sent_at)]
    texts = {"retire": _("Retire the bike from the ride")}
    return [ReviewSide(texts.get(operation.kind, operation.get_outcome_display()), (), actor_name, sent_at)]


def _describe_move(item: ReviewItem, card: FoldedBikeCard | None, reviewed: _ReviewedCards) -> str:
    number = reviewed.numbers.get(reviewed.targets.get(item.pk, item.pk), "")
    turn = reviewed.find_turn(item.card_id, item.operation.body["turn"])
    if not number:
        return _("Move a turn to a bike that is no longer at this event")
    if turn is None or card is None:
        return _("Move a turn to bike %(number)s; the turn is not on this scorecard now") % {"number": number}
    stop = _get_stop_name(turn.slot_id, reviewed.stops)
    described = _format_turn(card.contest, stop, card.fold.results.get(turn.id))
    return _("Move to bike %(number)s: %(turn)s") % {"number": number, "turn": described}


def _make_amended_side(
    target: Mapping[str, Any],
    contest: ContestRules,
    card: FoldedBikeCard | None,
    reviewed: _ReviewedCards,
    actor_name: str,
    sent_at: dt.datetime,
) -> ReviewSide:
    stops = reviewed.stops
    current = None if card is None else reviewed.find_turn(card.id, target["turn"])
    slot = UUID(target["slot"]) if target["slot"] else None if current is None else current.slot_id
    if target["actions"] is None:
        return ReviewSide(_("%(stop)s: void the turn") % {"stop": _get_stop_name(slot, stops)}, (), actor_name, sent_at)
    result = _evaluate_turn(contest, card, slot, target["actions"])
    description = _format_sent_turn(contest, card, slot, target["actions"], result, stops)
    return ReviewSide(description, () if result is None else result.dice, actor_name, sent_at)


def _evaluate_turn(
    contest: ContestRules, card: FoldedBikeCard | None, slot: UUID | None, actions: Sequence[Mapping[str, Any]]
) -> TurnResult | None:
    """Return the result of the actions in their slot of the card; where the rules forbid that, on an empty card."""
    try:
        parsed = parse_actions(contest, actions)
        if card is not None and slot in contest.slots:
            others = {turn.id: turn for turn in card.turns.values() if turn.slot_id != slot}
            candidate = RecordedTurn(card.id, slot, tuple(actions), card.length + 1)
            result = fold_card(contest, {**others, candidate.id: candidate}).results.get(candidate.id)
            if result is not None:
                return result
    except Malformed:
        return None
    on_empty_card = fold_turns(contest.ruleset, [parsed])
    turns = contest.ruleset.game.turns(on_empty_card.state, 0)
    return turns[0] if turns else None


def _format_sent_turn(
    contest: ContestRules,
    card: FoldedBikeCard | None,
    slot: UUID | None,
    actions: Sequence[Mapping[str, Any]],
    result: TurnResult | None,
    stops: Mapping[UUID, str],
) -> str:
    """Return a turn that was sent as text: by its result, or one that the rules allow nowhere by what was entered."""
    stop = _get_stop_name(slot, stops)
    if result is not None or not actions:
        return _format_turn(contest, stop, result)
    ruleset = contest.ruleset
    if card is None or slot is None or slot not in contest.slots:
        state = ruleset.game.start(ruleset, 1)
    else:
        state = card.get_state_before(slot)
    return _("%(stop)s: %(turn)s") % {"stop": stop, "turn": describe_turn(ruleset, state, actions)}


def _get_stop_name(slot: UUID | None, stops: Mapping[UUID, str]) -> str:
    return "" if slot is None else stops.get(slot, "")


def _format_turn(contest: ContestRules, stop: str, result: TurnResult | None) -> str:
    if result is None:
        return _("%(stop)s: a turn without any entry") % {"stop": stop}
    game = contest.ruleset.game
    if not game.points_of_turns:
        return label_value(stop, format_result(game, result))
    params = {"stop": stop, "box": translate(result.label), "points": format_points(result.points)}
    return _("%(stop)s: %(box)s, %(points)s") % params
