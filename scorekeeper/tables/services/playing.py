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
from games.core.replay import play_on
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.explaining import list_problem_data
from scorekeeper.scorecards.fold import Actions, NotedTurn
from scorekeeper.scorecards.models import Chain, ReviewItem, Scorecard
from scorekeeper.scorecards.played import PlayedContest, get_played_contest
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.cards import Damaged
from scorekeeper.scorecards.services.corrections import NEWER
from scorekeeper.scorecards.services.recording import RECORDED, NotYet, NotYours, Submission, Verdict, submit
from scorekeeper.scorecards.services.repeats import append_repeat
from scorekeeper.scorecards.services.turns import find_hold, wait
from scorekeeper.tables.open_table import OpenTable, TableAtHand, TableNow, open_log, read_snapshot, read_table


@dataclass(frozen=True, slots=True)
class ActionNote:
    """An action as a page sends it.

    Attributes:
        seen: how many entries the card's chain had when the person looked at it.
        actions: as in a transcript; usually one.
        reason: why, where a closed contest is changed.
    """

    card_id: UUID
    seen: int
    actions: Sequence[Mapping[str, Any]]
    reason: str = ""

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body as it is kept and compared."""
        return {
            "card": str(self.card_id),
            "seen": self.seen,
            "actions": [dict(action) for action in self.actions],
            "reason": self.reason,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> ActionNote:
        """Return the note that a kept body holds; the reason is not kept in it."""
        return cls(UUID(body["card"]), body["seen"], tuple(body["actions"]))


def record_action(actor: Actor, operation_id: UUID, note: ActionNote) -> Receipt:
    """Record an action at a table, or put it before the organiser with the reason.

    Raises:
        NotYet: the card is not known, or was seen longer than it is here.
        NotYours: the card is of another event.
        OtherBody: the id was used for something else.
    """
    return submit(prepare_action(actor, operation_id, note))


def prepare_action(actor: Actor, operation_id: UUID, note: ActionNote) -> Submission:
    """Return the operation that records an action."""

    def handle(book: Book) -> Verdict:
        contest, chain = _lock(book, note.card_id)
        # A phone whose entries wait for the organiser has counted its own, which are not in the log.
        if note.seen > chain.length and not actor.needs_review:
            raise NotYet(note.card_id)
        # Whoever is behind is judged by what was noted since, and that is told by the log.
        table = _open_quickly(book, contest, chain) if note.seen == chain.length else None
        if table is not None:
            return _note(book, table, note)
        opened = _open_by_log(book, contest, chain)
        since = [one for one in opened.noted.values() if one.seq > note.seen]
        return _note(book, opened, note, since, is_behind=note.seen < opened.log.last_effect)

    return Submission(operation_id, "action", actor, note.to_body(), handle, note.reason, note.card_id)


def lock_table(book: Book, card_id: UUID) -> OpenTable:
    """Lock a card and fold its log.

    Raises:
        NotYet: there is no such card, or it was withdrawn.
        Damaged: its log cannot be read.
        NotYours: it is of another event than the actor's.
    """
    return _open_by_log(book, *_lock(book, card_id))


def _lock(book: Book, card_id: UUID) -> tuple[PlayedContest, Chain]:
    """Lock the chain of a card, unless the transaction holds it already."""
    ledger = book.ledger
    if card_id in ledger.seats:
        contest_id, chain = ledger.seats[card_id].contest_id, ledger.chains[card_id]
    else:
        # Only the chain is locked: closing a contest locks its chains too, and neither waits for the other's rows.
        cards = Scorecard.objects.select_for_update(of=("chain",)).select_related("chain")
        card = cards.filter(pk=card_id).first()
        if card is None:
            raise NotYet(card_id)
        book.adopt(card.chain)
        contest_id, chain = card.contest_id, card.chain
    contest = get_played_contest(contest_id)
    if contest.ruleset.game.recorded_by != "action":
        raise NotYet(card_id)
    if contest.event_id != book.actor.event_id:
        raise NotYours(card_id)
    return contest, chain


def _open_quickly(book: Book, contest: PlayedContest, chain: Chain) -> TableNow | None:
    """Open a table without its log: as this transaction has left it, or by the snapshot."""
    opened = book.ledger.opened.get(chain.pk)
    return opened if isinstance(opened, TableNow) else read_snapshot(contest, chain)


def _open_by_log(book: Book, contest: PlayedContest, chain: Chain) -> OpenTable:
    log = read_table(book.ledger.list_entries(chain.pk))
    if log is None or log.is_withdrawn:
        raise NotYet(chain.pk)
    if log.damaged_from is not None:
        raise Damaged(chain.pk)
    return open_log(contest, log, is_sealed=chain.is_sealed)


def _note(
    book: Book, table: TableAtHand, note: ActionNote, since: Sequence[NotedTurn] = (), *, is_behind: bool = False
) -> Verdict:
    actions = written_actions(table, note.actions)
    if since and since[0].actions == actions:
        chain = book.get(table.id)
        opened = TableNow(table.contest, chain, table.seats, table.state) if table.standoff is None else None
        return append_repeat(book, table.contest.id, chain, since[0], actions, opened)
    after, problems = play_next(table, actions)
    if hold := find_hold(book, is_sealed=table.is_sealed):
        return wait(book, table, hold.reason, [hold.problem, *problems], ())
    if is_behind:
        return wait(book, table, ReviewItem.Reason.STALE, [NEWER, *problems], [one.id for one in since])
    if problems:
        return wait(book, table, ReviewItem.Reason.RULE, problems, ())
    append_to_table(book, table, "record", actions=actions)
    book.keep_open(table.id, TableNow(table.contest, book.get(table.id), table.seats, after))
    return RECORDED


def play_next(table: TableAtHand, actions: Actions) -> tuple[Any, list[dict[str, Any]]]:
    """Return the state after actions that would come next, and what the rules say against them, as data."""
    if table.standoff is not None:
        return table.state, list_problem_data(table.standoff.problems)
    played = play_on(table.contest.ruleset, table.state, actions)
    return played.state, list_problem_data(played.problems)


def append_to_table(book: Book, table: TableAtHand, kind: str, **what: Any) -> None:
    """Append an entry to a card; the standings follow.

    Args:
        what: the entry's actions and data, as `Book.append` takes them.
    """
    book.append(book.get(table.id), kind, **what)
    book.outdate(table.contest.id, table.id)


def written_actions(table: TableAtHand, actions: Sequence[Mapping[str, Any]]) -> Actions:
    """Return the actions in their one spelling; what cannot be read stays as it was sent, for judging to explain."""
    ruleset = table.contest.ruleset
    try:
        return tuple(ruleset.write_action(ruleset.read_action(action, table.seats)) for action in actions)
    except Malformed:
        return tuple(actions)
