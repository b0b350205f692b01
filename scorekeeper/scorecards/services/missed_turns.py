"""Recording the turns as missed that nobody recorded before their contest was closed (ROCK-26), and taking them back.

The game decides what a missed turn is called: it is the action that ends a turn as missed.

What a closing recorded is voided by one more entry on each card, so the log keeps both. Only turns that nobody has
touched since are voided (`selectors.filled_turns`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from uuid import UUID

from games.core.game import Ruleset
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.scorecards.card_kinds import MissedTurn
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import ContestRules, derive_turn_id
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, canonicalize_actions
from scorekeeper.scorecards.selectors.folded_cards import FoldedTurnCard, fold_turn_cards
from scorekeeper.scorecards.selectors.missed_turns import list_missed_turns
from scorekeeper.scorecards.services.cards import append_to_card
from scorekeeper.scorecards.services.turns import judge_card


def record_missed_turns(context: OperationContext, contest: ContestRules, chains: Mapping[UUID, Chain]) -> None:
    """Record every missing turn of a contest as missed.

    Args:
        chains: the chains of all its cards, locked.
    """
    missed = get_missed_action(contest.ruleset)
    for card in fold_turn_cards(contest) if missed else ():
        state = CardState(contest, chains[card.id], card.bike, card.turns, card.fold)
        _record_missing(context, state, card.list_missing_slots(), {"type": missed})


def clear_missed_turns(context: OperationContext, contest: ContestRules, closing_id: UUID) -> int:
    """Void the turns that a closing recorded as missed and nobody has touched since, and return how many there were.

    Args:
        closing_id: the operation that closed the contest. The chains of all the contest's cards are locked.
    """
    count = 0
    filled = [turn for turn in list_missed_turns(contest) if turn.closing_id == closing_id and not turn.why]
    for card_id, turns in groupby(sorted(filled, key=_get_card_id), _get_card_id):
        of_card = list(turns)
        folded = of_card[0].card
        assert isinstance(folded, FoldedTurnCard), "only a card that counts has turns to take back"
        card = CardState(contest, context.get_chain(card_id), folded.bike, folded.turns, folded.fold)
        changes = [TurnChange(turn.turn_id, None).to_data() for turn in of_card]
        append_to_card(context, card, "clear_missed", data={"changes": changes})
        count += len(of_card)
    return count


def _get_card_id(turn: MissedTurn) -> UUID:
    assert turn.card is not None, "only a card that counts has turns to take back"
    return turn.card.id


def get_missed_action(ruleset: Ruleset) -> str | None:
    """Return the action that ends a turn as missed and has no required fields; None in games without one."""
    game = ruleset.game
    start = game.start(ruleset, 1)
    for spec in game.legal_actions(start, 0):
        if any(field.required for field in spec.fields):
            continue
        turns = game.turns(game.apply(start, ruleset.read_action({"type": spec.type}, 1)), 0)
        if turns and turns[-1].how == "missed":
            return spec.type
    return None


def _record_missing(
    context: OperationContext, card: CardState, missing: list[UUID], action: Mapping[str, str | None]
) -> None:
    """Record the missing turns of a card as missed, unless the rules forbid it."""
    actions = canonicalize_actions(card.contest, [action])
    seq = card.chain.length + 1
    forfeits = {
        slot: RecordedTurn(derive_turn_id(context.operation_id, card.id, slot), slot, actions, seq) for slot in missing
    }
    if judge_card(card, {**card.turns, **{turn.id: turn for turn in forfeits.values()}}).problems:
        return
    for slot, turn in forfeits.items():
        card = append_to_card(context, card, "close", actions=actions, slot_id=slot, data={"turn": str(turn.id)})
