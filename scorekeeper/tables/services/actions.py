"""Noting an action at a table.

The operation says how long the card's chain was when the person looked at it (`seen`). If the same action was noted
meanwhile, by a second phone at the table, it is merged; if anything else was, it waits in review. What the rules forbid
and what comes after the closing waits there too: nothing that was sent is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.problems import Malformed
from games.core.replay import replay_from
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.models import Chain, ReviewItem, Scorecard
from scorekeeper.scorecards.problem_messages import problems_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.cards import DamagedCard
from scorekeeper.scorecards.services.corrections import NEWER_ENTRY
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    Submission,
    UnknownTarget,
    submit,
)
from scorekeeper.scorecards.services.repeats import append_repeat
from scorekeeper.scorecards.services.turns import find_review_cause, send_to_review
from scorekeeper.tables.open_table import CachedTable, OpenTable, TableState, fold_log, read_log, read_snapshot


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action as a page sends it.

    Attributes:
        seen: how many entries the card's chain had when the person looked at it.
        actions: as in a transcript; usually one.
        reason: why, where a closed contest is changed.
    """

    card_id: UUID
    seen_length: int
    actions: Sequence[Mapping[str, Any]]
    reason: str = ""

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body as it is kept and compared."""
        return {
            "card": str(self.card_id),
            "seen": self.seen_length,
            "actions": [dict(action) for action in self.actions],
            "reason": self.reason,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> NewAction:
        """Return the note that a kept body holds; the reason is not kept in it."""
        return cls(UUID(body["card"]), body["seen"], tuple(body["actions"]))


def record_action(actor: Actor, operation_id: UUID, note: NewAction) -> Receipt:
    """Record an action at a table, or put it before the organiser with the reason.

    Raises:
        NotYet: the card is not known, or was seen longer than it is here.
        NotYours: the card is of another event.
        OtherBody: the id was used for something else.
    """
    return submit(prepare_action(actor, operation_id, note))


def prepare_action(actor: Actor, operation_id: UUID, note: NewAction) -> Submission:
    """Return the operation that records an action."""

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = _lock(book, note.card_id)
        # A phone whose entries wait for the organiser has counted its own, which are not in the log.
        if note.seen_length > chain.length and not actor.needs_review:
            raise UnknownTarget(note.card_id)
        # Whoever is behind is judged by what was noted since, and that is told by the log.
        table = _open_from_snapshot(book, contest, chain) if note.seen_length == chain.length else None
        if table is not None:
            return _record_or_review(book, table, note)
        opened = _open_from_log(book, contest, chain)
        since = [one for one in opened.recorded_actions.values() if one.seq > note.seen_length]
        return _record_or_review(book, opened, note, since, is_behind=note.seen_length < opened.log.last_effective_seq)

    return Submission(operation_id, "action", actor, note.to_body(), handle, note.reason, note.card_id)


def lock_table(book: OperationContext, card_id: UUID) -> OpenTable:
    """Lock a card and fold its log.

    Raises:
        NotYet: there is no such card, or it was withdrawn.
        Damaged: its log cannot be read.
        NotYours: it is of another event than the actor's.
    """
    return _open_from_log(book, *_lock(book, card_id))


def _lock(book: OperationContext, card_id: UUID) -> tuple[ContestRules, Chain]:
    """Lock the chain of a card, unless the transaction holds it already."""
    ledger = book.unit_of_work
    if card_id in ledger.seats:
        contest_id, chain = ledger.seats[card_id].contest_id, ledger.chains[card_id]
    else:
        # Only the chain is locked: closing a contest locks its chains too, and neither waits for the other's rows.
        cards = Scorecard.objects.select_for_update(of=("chain",)).select_related("chain")
        card = cards.filter(pk=card_id).first()
        if card is None:
            raise UnknownTarget(card_id)
        book.add_locked(card.chain)
        contest_id, chain = card.contest_id, card.chain
    contest = get_contest_rules(contest_id)
    if contest.ruleset.game.recorded_by != "action":
        raise UnknownTarget(card_id)
    if contest.event_id != book.actor.event_id:
        raise NotAllowed(card_id)
    return contest, chain


def _open_from_snapshot(book: OperationContext, contest: ContestRules, chain: Chain) -> CachedTable | None:
    """Open a table without its log: as this transaction has left it, or by the snapshot."""
    opened = book.unit_of_work.cached_states.get(chain.pk)
    return opened if isinstance(opened, CachedTable) else read_snapshot(contest, chain)


def _open_from_log(book: OperationContext, contest: ContestRules, chain: Chain) -> OpenTable:
    log = read_log(book.unit_of_work.list_entries(chain.pk))
    if log is None or log.is_withdrawn:
        raise UnknownTarget(chain.pk)
    if log.damaged_from is not None:
        raise DamagedCard(chain.pk)
    return fold_log(contest, log, is_sealed=chain.is_sealed)


def _record_or_review(
    book: OperationContext,
    table: TableState,
    note: NewAction,
    since: Sequence[RecordedTurn] = (),
    *,
    is_behind: bool = False,
) -> OperationResult:
    actions = canonicalize_actions(table, note.actions)
    if since and since[0].actions == actions:
        chain = book.get_chain(table.id)
        opened = CachedTable(table.contest, chain, table.seats, table.state) if table.invalid_action is None else None
        return append_repeat(book, table.contest.id, chain, since[0], actions, opened)
    after, problems = try_actions(table, actions)
    if hold := find_review_cause(book, is_sealed=table.is_sealed):
        return send_to_review(book, table, hold.reason, [hold.problem, *problems], ())
    if is_behind:
        return send_to_review(book, table, ReviewItem.Reason.STALE, [NEWER_ENTRY, *problems], [one.id for one in since])
    if problems:
        return send_to_review(book, table, ReviewItem.Reason.RULE, problems, ())
    append_to_table(book, table, "record", actions=actions)
    book.cache_state(table.id, CachedTable(table.contest, book.get_chain(table.id), table.seats, after))
    return RECORDED


def try_actions(table: TableState, actions: Actions) -> tuple[Any, list[dict[str, Any]]]:
    """Return the state after actions that would come next, and what the rules say against them, as data."""
    if table.invalid_action is not None:
        return table.state, problems_to_data(table.invalid_action.problems)
    played = replay_from(table.contest.ruleset, table.state, actions)
    return played.state, problems_to_data(played.problems)


def append_to_table(book: OperationContext, table: TableState, kind: str, **what: Any) -> None:
    """Append an entry to a card; the standings follow.

    Args:
        what: the entry's actions and data, as `Book.append` takes them.
    """
    book.append(book.get_chain(table.id), kind, **what)
    book.mark_stale(table.contest.id, table.id)


def canonicalize_actions(table: TableState, actions: Sequence[Mapping[str, Any]]) -> Actions:
    """Return the actions in their one spelling; what cannot be read stays as it was sent, for judging to explain."""
    ruleset = table.contest.ruleset
    try:
        return tuple(ruleset.write_action(ruleset.read_action(action, table.seats)) for action in actions)
    except Malformed:
        return tuple(actions)
