"""Closing a contest, and reopening it.

Closing seals every card. From then on only the organiser's entries apply, each with a reason, and all others go to
review. In the same step, closing records each missing turn as missed (ROCK-26). The game decides what a missed turn is
called: it is the action that ends a turn as missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from games.core.game import Ruleset
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import ContestRules, derive_turn_id, get_contest_rules
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.models import Chain, Scorecard
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.cards import append_to_card
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import RECORDED, Handler, OperationResult, check_reason, record
from scorekeeper.scorecards.services.turns import canonicalize_actions, judge_card
from scorekeeper.standings.selectors.folded_cards import FoldedCard, fold_cards
from scorekeeper.standings.services.contest_chain import lock_contest, set_contest_status


def close_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str) -> Receipt:
    """Close a contest: seal its cards and record every missing turn as missed, in one step.

    Raises:
        WrongContestStatus: the contest is not open.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.OPEN)
        cards = _lock_cards(context, contest_id)
        context.append(chain, "close")
        for card in cards.values():
            card.is_sealed = True
        contest_rules = get_contest_rules(contest_id)
        missed = get_missed_action(contest_rules.ruleset)
        for folded in fold_cards(contest_rules) if missed else ():
            missing = folded.list_missing_slots(contest_rules)
            _record_missed_turns(context, _make_card_state(contest_rules, cards, folded), missing, {"type": missed})
        _set_sealed(context, contest_id, True)
        set_contest_status(context, contest, Contest.Status.CLOSED)
        context.mark_stale(contest_id)
        return RECORDED

    return _record_status_change(operation_id, "close", actor, contest_id, reason, handle)


def reopen_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str) -> Receipt:
    """Reopen a closed or official contest. Turns recorded as missed stay until real ones replace them.

    Raises:
        WrongContestStatus: the contest is open.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        for card in _lock_cards(context, contest_id).values():
            card.is_sealed = False
        context.append(chain, "reopen")
        _set_sealed(context, contest_id, False)
        set_contest_status(context, contest, Contest.Status.OPEN)
        context.mark_stale(contest_id)
        return RECORDED

    return _record_status_change(operation_id, "reopen", actor, contest_id, reason, handle)


def get_missed_action(ruleset: Ruleset) -> str | None:
    """Return the action that ends a turn as missed and has no required fields; None in games without one."""
    game = ruleset.game
    if game.recorded_by != "turn":
        return None
    start = game.start(ruleset, 1)
    for spec in game.legal_actions(start, 0):
        if any(field.required for field in spec.fields):
            continue
        turns = game.turns(game.apply(start, ruleset.read_action({"type": spec.type}, 1)), 0)
        if turns and turns[-1].how == "missed":
            return spec.type
    return None


def _record_status_change(
    operation_id: UUID, kind: str, actor: Actor, contest_id: UUID, reason: str, handle: Handler
) -> Receipt:
    check_reason(reason)
    return record(operation_id, kind, actor, {"contest": str(contest_id), "reason": reason}, handle, reason)


def _lock_cards(context: OperationContext, contest_id: UUID) -> dict[UUID, Chain]:
    ids = list(Scorecard.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
    chains = context.lock_chains(ids)
    return {card: chains[card] for card in ids}


def _set_sealed(context: OperationContext, contest_id: UUID, is_sealed: bool) -> None:
    """Set the flag on every card's chain, including those that get no entry."""
    context.after_insert(lambda: Chain.objects.filter(card__contest_id=contest_id).update(is_sealed=is_sealed))


def _make_card_state(contest: ContestRules, cards: Mapping[UUID, Chain], folded: FoldedCard) -> CardState:
    bike = folded.seat.bike
    assert bike is not None, "turns are recorded for bikes"
    return CardState(contest, cards[folded.card_id], bike, folded.turns, folded.fold)


def _record_missed_turns(
    context: OperationContext, card: CardState, missing: list[UUID], action: Mapping[str, str | None]
) -> None:
    """Record the missing turns of a card as missed, unless the rules forbid it."""
    actions = canonicalize_actions(card, [action])
    seq = card.chain.length + 1
    forfeits = {
        slot: RecordedTurn(derive_turn_id(context.operation_id, card.id, slot), slot, actions, seq) for slot in missing
    }
    if judge_card(card, {**card.turns, **{turn.id: turn for turn in forfeits.values()}}).problems:
        return
    for slot, turn in forfeits.items():
        card = append_to_card(context, card, "close", actions=actions, slot_id=slot, data={"turn": str(turn.id)})
