"""Closing a contest, and opening it again.

Closing seals every card, so that from then on only the organiser's reasoned entries apply and the rest waits in
review, and notes each missing turn as missed in the same step (ROCK-26). What a missed turn is called is the game's
business: it is the action that ends a turn as missed.
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
    """Close a contest: seal its cards and note what is missing as missed, in one step.

    Raises:
        WrongStatus: it is not open.
        ReasonNeeded: there is none.
        NotYours, OtherBody: as for every operation.
    """

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = lock_contest(book, contest_id, Contest.Status.OPEN)
        cards = _lock_cards(book, contest_id)
        book.append(chain, "close")
        for card in cards.values():
            card.is_sealed = True
        played = get_contest_rules(contest_id)
        missed = get_missed_action(played.ruleset)
        for folded in fold_cards(played) if missed else ():
            _record_missed_turns(
                book, _make_card_state(played, cards, folded), folded.list_missing_slots(played), {"type": missed}
            )
        _set_sealed(book, contest_id, True)
        set_contest_status(book, contest, Contest.Status.CLOSED)
        book.mark_stale(contest_id)
        return RECORDED

    return _record_status_change(operation_id, "close", actor, contest_id, reason, handle)


def reopen_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str) -> Receipt:
    """Open a closed or official contest again. Turns noted as missed stay until real ones replace them.

    Raises:
        WrongStatus: it is open.
        ReasonNeeded: there is none.
        NotYours, OtherBody: as for every operation.
    """

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = lock_contest(book, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        for card in _lock_cards(book, contest_id).values():
            card.is_sealed = False
        book.append(chain, "reopen")
        _set_sealed(book, contest_id, False)
        set_contest_status(book, contest, Contest.Status.OPEN)
        book.mark_stale(contest_id)
        return RECORDED

    return _record_status_change(operation_id, "reopen", actor, contest_id, reason, handle)


def get_missed_action(ruleset: Ruleset) -> str | None:
    """Return the action that ends a turn as missed, of those that ask for nothing more; None in games without one."""
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


def _lock_cards(book: OperationContext, contest_id: UUID) -> dict[UUID, Chain]:
    ids = list(Scorecard.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
    chains = book.lock_chains(ids)
    return {card: chains[card] for card in ids}


def _set_sealed(book: OperationContext, contest_id: UUID, is_sealed: bool) -> None:
    """Set the flag on every card's chain, also on those that get no entry."""
    book.after_insert(lambda: Chain.objects.filter(card__contest_id=contest_id).update(is_sealed=is_sealed))


def _make_card_state(contest: ContestRules, cards: Mapping[UUID, Chain], folded: FoldedCard) -> CardState:
    bike = folded.seat.bike
    assert bike is not None, "turns are noted for bikes"
    return CardState(contest, cards[folded.card_id], bike, folded.turns, folded.fold)


def _record_missed_turns(
    book: OperationContext, card: CardState, missing: list[UUID], action: Mapping[str, str | None]
) -> None:
    """Note the missing turns of a card as missed, unless the rules would not have it so."""
    actions = canonicalize_actions(card, [action])
    seq = card.chain.length + 1
    forfeits = {
        slot: RecordedTurn(derive_turn_id(book.operation_id, card.id, slot), slot, actions, seq) for slot in missing
    }
    if judge_card(card, {**card.turns, **{turn.id: turn for turn in forfeits.values()}}).problems:
        return
    for slot, turn in forfeits.items():
        card = append_to_card(book, card, "close", actions=actions, slot_id=slot, data={"turn": str(turn.id)})
