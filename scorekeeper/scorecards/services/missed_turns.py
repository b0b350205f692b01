"""Recording the turns as missed that nobody recorded before their contest was closed (ROCK-26), and taking them back.

The game decides what a missed turn is called: it is the action that ends a turn as missed. Where something may follow
the last turn, such as buying a card, a closing also records that nothing more does.

What a closing recorded is voided by one more entry on each card, so the log keeps both. Only turns that nobody has
touched since are voided (`selectors.filled_turns`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from uuid import UUID

from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.scorecards.bike_card import BikeCard, FoldedBikeCard
from scorekeeper.scorecards.card_kinds import MissedTurn
from scorekeeper.scorecards.contest_rules import ContestRules, derive_turn_id
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, canonicalize_actions, sort_by_slot
from scorekeeper.scorecards.missed_action import get_closing_action, get_missed_action
from scorekeeper.scorecards.recorded_card import CardJudgement
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.scorecards.selectors.missed_turns import list_missed_turns, reopen_last_turn
from scorekeeper.scorecards.services.cards import append_to_card


def record_missed_turns(context: OperationContext, contest: ContestRules) -> None:
    """Record every missing turn of a contest as missed. The chains of all its cards are locked."""
    missed = get_missed_action(contest.ruleset)
    for card in fold_bike_cards(contest) if missed else ():
        _record_missing(context, card, card.list_missing_slots(), {"type": missed})


def clear_missed_turns(context: OperationContext, contest: ContestRules, closing_id: UUID) -> int:
    """Void the turns that a closing recorded as missed and nobody has touched since, and return how many there were.

    Args:
        closing_id: the operation that closed the contest. The chains of all the contest's cards are locked.
    """
    count = 0
    filled = [turn for turn in list_missed_turns(contest) if turn.closing_id == closing_id and not turn.why]
    for _card_id, turns in groupby(sorted(filled, key=_get_card_id), _get_card_id):
        of_card = list(turns)
        card = of_card[0].card
        assert isinstance(card, FoldedBikeCard), "only a card that counts has turns to take back"
        removed = [turn.turn_id for turn in of_card]
        reopened = reopen_last_turn(card, removed)
        changes = [TurnChange(turn_id, None).to_data() for turn_id in removed]
        changes += [] if reopened is None else [TurnChange(reopened.id, reopened.actions).to_data()]
        append_to_card(context, card, "clear_missed", data={"changes": changes})
        count += len(of_card)
    return count


def _get_card_id(turn: MissedTurn) -> UUID:
    assert turn.card is not None, "only a card that counts has turns to take back"
    return turn.card.id


def _record_missing(
    context: OperationContext, card: BikeCard, missing: list[UUID], action: Mapping[str, str | None]
) -> None:
    """Record the missing turns of a card as missed, and close the card, unless the rules forbid it."""
    actions = canonicalize_actions(card.contest, [action])
    seq = card.length + 1
    forfeits = {
        slot: RecordedTurn(derive_turn_id(context.operation_id, card.id, slot), slot, actions, seq) for slot in missing
    }
    judged = card.judge({**card.turns, **{turn.id: turn for turn in forfeits.values()}})
    if judged.problems:
        return
    closed = _close_last_turn(card, judged)
    for slot, turn in forfeits.items():
        own = closed.actions if closed is not None and closed.id == turn.id else actions
        card = append_to_card(context, card, "close", actions=own, slot_id=slot, data={"turn": str(turn.id)})
    if closed is not None and closed.slot_id not in forfeits:
        changes = [TurnChange(closed.id, closed.actions).to_data()]
        append_to_card(context, card, "close", data={"changes": changes})


def _close_last_turn(card: BikeCard, judged: CardJudgement) -> RecordedTurn | None:
    """Return the last turn with what closes a card after it; None if nothing does, or it is closed already."""
    missing_nothing = len(judged.fold.results) == card.contest.slot_count
    closing = get_closing_action(card.contest.ruleset, judged.fold.state) if missing_nothing else None
    if closing is None:
        return None
    last = next(turn for turn in reversed(sort_by_slot(card.contest, judged.turns)) if turn.slot_id is not None)
    return replace(last, actions=canonicalize_actions(card.contest, [*last.actions, {"type": closing}]))
