"""Recording an action at a table.

The operation says how long the table's chain was when the person looked at it (`seen`). If a second phone at the table
has recorded the same action since, the two are merged; if anything else was recorded, the action goes to review.
Actions that the rules forbid, or that arrive after the contest was closed, go to review too: nothing that was sent is
dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    NotAllowed,
    OperationResult,
    Submission,
    UnknownTarget,
    submit,
)
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import RecordedTurn, canonicalize_actions
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.open_table import CachedTable, OpenTable, fold_log, read_log, read_snapshot
from scorekeeper.scorecards.recorded_card import WritableCard
from scorekeeper.scorecards.services.card_target import CardTarget
from scorekeeper.scorecards.services.locked_cards import DamagedCard, LockedCards
from scorekeeper.scorecards.services.outcomes import NEWER_ENTRY, ReviewCause, record_or_review


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action as a page sends it.

    Attributes:
        seen_length: how many entries the table's chain had when the person looked at it.
        actions: as in a transcript; usually one.
        reason: why a closed contest is changed.
    """

    card_id: UUID
    seen_length: int
    actions: Sequence[Mapping[str, Any]]
    reason: str = ""

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body as it is stored and compared."""
        return {
            "card": str(self.card_id),
            "seen": self.seen_length,
            "actions": [dict(action) for action in self.actions],
            "reason": self.reason,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> NewAction:
        """Return the action from a stored body; the reason is not part of it."""
        return cls(UUID(body["card"]), body["seen"], tuple(body["actions"]))


def record_action(actor: Actor, operation_id: UUID, new_action: NewAction) -> Receipt:
    """Record an action at a table, or send it to review with the reason.

    Raises:
        UnknownTarget: there is no such table, or its chain is shorter than the `seen_length` of the action.
        NotAllowed: the table belongs to another event.
        IdReused: the id was used for something else.
    """
    return submit(prepare_action(actor, operation_id, new_action))


def prepare_action(actor: Actor, operation_id: UUID, new_action: NewAction) -> Submission:
    """Return the operation that records an action."""

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = _lock(context, new_action.card_id)
        # A phone whose entries are under review has counted its own, which are not in the log.
        if new_action.seen_length > chain.length and not actor.needs_review:
            raise UnknownTarget(new_action.card_id)
        # An action that is behind is checked against what was recorded since, and that takes the log.
        cached = _open_from_snapshot(context, contest, chain) if new_action.seen_length == chain.length else None
        if cached is not None:
            return _record_or_review(context, cached, new_action)
        table = _open_from_log(context, contest, chain)
        since = [recorded for recorded in table.turns.values() if recorded.seq > new_action.seen_length]
        return _record_or_review(
            context, table, new_action, since, is_behind=new_action.seen_length < table.log.last_effective_seq
        )

    target = CardTarget(new_action.card_id)
    return Submission(operation_id, "action", actor, new_action.to_body(), handle, new_action.reason, target)


def lock_table(context: OperationContext, card_id: UUID) -> OpenTable:
    """Lock a table and fold its log.

    Raises:
        UnknownTarget: there is no such table, or it was withdrawn.
        DamagedCard: its log cannot be read.
        NotAllowed: it belongs to another event than the actor's.
    """
    return _open_from_log(context, *_lock(context, card_id))


def _lock(context: OperationContext, card_id: UUID) -> tuple[ContestRules, Chain]:
    """Lock the chain of a table, unless the transaction has locked it already."""
    unit_of_work = context.unit_of_work
    seats = LockedCards.of(unit_of_work).seats
    if card_id in seats:
        contest_id, chain = seats[card_id].contest_id, unit_of_work.chains[card_id]
    else:
        found = _LOCKED_CARD_QUERY.fetch(card=card_id)
        if not found:
            raise UnknownTarget(card_id)
        (card,) = found
        context.add_locked(card.chain)
        contest_id, chain = card.contest_id, card.chain
    contest = get_contest_rules(contest_id)
    if not is_of_kind(contest.ruleset.game, "action"):
        raise UnknownTarget(card_id)
    if contest.event_id != context.actor.event_id:
        raise NotAllowed(card_id)
    return contest, chain


def _list_locked_cards(card: UUID) -> QuerySet[Scorecard]:
    # Lock only the chain: closing a contest locks its chains too, and neither must wait for the other's rows.
    return Scorecard.objects.filter(pk=card).select_related("chain").select_for_update(of=("chain",))


def _open_from_snapshot(context: OperationContext, contest: ContestRules, chain: Chain) -> CachedTable | None:
    """Open a table without its log: from the state cached in this transaction, or from the snapshot."""
    cached = context.unit_of_work.cached_states.get(chain.pk)
    return cached if isinstance(cached, CachedTable) else read_snapshot(contest, chain)


def _open_from_log(context: OperationContext, contest: ContestRules, chain: Chain) -> OpenTable:
    log = read_log(context.unit_of_work.list_entries(chain.pk))
    if log is None or log.is_withdrawn:
        raise UnknownTarget(chain.pk)
    if log.damaged_from is not None:
        raise DamagedCard(chain.pk)
    return fold_log(contest, log, is_sealed=chain.is_sealed)


def _record_or_review(
    context: OperationContext,
    table: WritableCard,
    new_action: NewAction,
    since: Sequence[RecordedTurn] = (),
    *,
    is_behind: bool = False,
) -> OperationResult:
    actions = canonicalize_actions(table.contest, new_action.actions, table.seat_count)
    newer_ids = [recorded.id for recorded in since]
    return record_or_review(
        context,
        table,
        table.judge_turn(context.operation_id, actions),
        actions,
        repeated=since[0] if since and since[0].actions == actions else None,
        conflict=ReviewCause(ReviewItem.Reason.STALE, NEWER_ENTRY, newer_ids) if is_behind else None,
    )


# Run for every action that is recorded.
_LOCKED_CARD_QUERY = CompiledQuery(_list_locked_cards, {"card": UUID(int=1)})
