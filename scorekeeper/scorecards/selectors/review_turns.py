"""Presenters for turns under review: the current turn in their slot, and what was sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.problems import Malformed
from games.core.replay import fold_turns
from games.core.sheet import Turn as TurnResult
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import RecordedTurn, fold_card, parse_actions
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter, ReviewSide
from scorekeeper.scorecards.selectors.folded_cards import FoldedTurnCard, fold_turn_cards
from scorekeeper.stops.models import Slot


def present_turns(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return turns and corrections of turns with both sides, in a fixed number of statements for each contest."""
    cards: dict[UUID, FoldedTurnCard] = {}
    contests = {key: get_contest_rules(key) for key in {item.contest_id for item in items}}
    for contest_id, contest in contests.items():
        card_ids = [item.card_id for item in items if item.contest_id == contest_id and item.card_id]
        cards |= {card.id: card for card in fold_turn_cards(contest, card_ids)}
    numbers = _get_bike_numbers(items)
    stops = dict(Slot.objects.filter(contest__in=contests).values_list("pk", "stop__name"))
    actors = {item.operation.actor_id for item in items}
    for card in cards.values():
        actors |= {turn.origin.actor_id for turn in card.turns.values() if turn.origin}
    names = list_actor_names(event, actors)
    return [
        _present_item(item, contests[item.contest_id], cards.get(item.card_id or item.pk), numbers, stops, names)
        for item in items
    ]


def _get_bike_numbers(items: Sequence[ReviewItem]) -> Mapping[UUID, str]:
    seats = Seat.objects.filter(card__in=[item.card_id for item in items if item.card_id]).select_related("bike")
    return {seat.card_id: str(seat.bike) for seat in seats}


def _present_item(
    item: ReviewItem,
    contest: ContestRules,
    card: FoldedTurnCard | None,
    numbers: Mapping[UUID, str],
    stops: Mapping[UUID, str],
    names: Mapping[UUID, str],
) -> ReviewItemPresenter:
    turns = {} if card is None else card.turns
    against = [turns[UUID(turn)] for turn in item.against if UUID(turn) in turns]
    in_slot = next((turn for turn in turns.values() if item.slot_id and turn.slot_id == item.slot_id), None)
    if in_slot is not None and in_slot not in against:
        against.insert(0, in_slot)
    number = numbers.get(item.card_id or item.pk, "")
    free: list[tuple[UUID, int]] = []
    if item.operation.kind == "turn" and item.slot_id:
        taken = {turn.slot_id for turn in turns.values()}
        same_stop = contest.list_slots_at_same_stop(item.slot_id)
        free = [(slot, contest.get_ordinal(slot)) for slot in same_stop if slot not in taken and slot != item.slot_id]
    return ReviewItemPresenter(
        item,
        contest.ruleset.game.key,
        number,
        _("Bike %(number)s") % {"number": number},
        tuple(_make_current_side(turn, card, stops, names) for turn in against if card is not None),
        tuple(_list_sides_under_review(item, contest, card, stops, names.get(item.operation.actor_id, ""))),
        tuple(explain_all(contest.ruleset.game.key, item.problems)),
        no_current=_("Nothing is recorded there."),
        can_apply=item.operation.kind in ("turn", "amend"),
        apply_label=_("Use the entry under review"),
        free_slots=tuple(free),
    )


def _make_current_side(
    turn: RecordedTurn, card: FoldedTurnCard, stops: Mapping[UUID, str], names: Mapping[UUID, str]
) -> ReviewSide:
    result = card.fold.results.get(turn.id)
    origin = turn.origin
    actor_name = "" if origin is None else names.get(origin.actor_id, "")
    description = _format_turn(_get_stop_name(turn.slot_id, stops), result)
    recorded_at = None if origin is None else origin.recorded_at
    is_missed = result is not None and result.how == "missed"
    return ReviewSide(description, () if result is None else result.dice, actor_name, recorded_at, is_missed)


def _list_sides_under_review(
    item: ReviewItem, contest: ContestRules, card: FoldedTurnCard | None, stops: Mapping[UUID, str], actor_name: str
) -> list[ReviewSide]:
    operation = item.operation
    sent_at, body = operation.received_at, operation.body
    if operation.kind == "turn":
        slot = UUID(body["slot"])
        result = _evaluate_turn(contest, card, slot, body["actions"])
        description = _format_turn(_get_stop_name(slot, stops), result)
        return [ReviewSide(description, () if result is None else result.dice, actor_name, sent_at)]
    if operation.kind == "amend":
        return [_make_amended_side(target, contest, card, stops, actor_name, sent_at) for target in body["targets"]]
    texts = {"move": _("Move a turn to another bike"), "retire": _("Retire the bike from the ride")}
    return [ReviewSide(texts.get(operation.kind, operation.get_outcome_display()), (), actor_name, sent_at)]


def _make_amended_side(
    target: Mapping[str, Any],
    contest: ContestRules,
    card: FoldedTurnCard | None,
    stops: Mapping[UUID, str],
    actor_name: str,
    sent_at: dt.datetime,
) -> ReviewSide:
    current = None if card is None else card.turns.get(UUID(target["turn"]))
    slot = UUID(target["slot"]) if target["slot"] else None if current is None else current.slot_id
    if target["actions"] is None:
        return ReviewSide(_("%(stop)s: void the turn") % {"stop": _get_stop_name(slot, stops)}, (), actor_name, sent_at)
    result = _evaluate_turn(contest, card, slot, target["actions"])
    description = _format_turn(_get_stop_name(slot, stops), result)
    return ReviewSide(description, () if result is None else result.dice, actor_name, sent_at)


def _evaluate_turn(
    contest: ContestRules, card: FoldedTurnCard | None, slot: UUID | None, actions: Sequence[Mapping[str, Any]]
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


def _get_stop_name(slot: UUID | None, stops: Mapping[UUID, str]) -> str:
    return "" if slot is None else stops.get(slot, "")


def _format_turn(stop: str, result: TurnResult | None) -> str:
    if result is None:
        return _("%(stop)s: a turn that cannot be read") % {"stop": stop}
    params = {"stop": stop, "box": translate(result.label), "points": result.points}
    return _("%(stop)s: %(box)s, %(points)s points") % params
