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
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.fold import Actions
from scorekeeper.scorecards.models import Entry, Operation, ReviewItem, Scorecard
from scorekeeper.scorecards.played import get_played_contest
from scorekeeper.scorecards.receipts import Receipt, list_problem_data
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.corrections import NEWER
from scorekeeper.scorecards.services.recording import RECORDED, NotYet, NotYours, Verdict, record
from scorekeeper.scorecards.services.turns import CLOSED_NOW, actor_may_write_sealed, wait
from scorekeeper.tables.fold import play_actions
from scorekeeper.tables.open_table import OpenTable, open_log, read_table


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

    def handle(book: Book) -> Verdict:
        table = lock_table(book, note.card_id)
        if note.seen > table.length:
            raise NotYet(note.card_id)
        return _note(book, table, note)

    return record(operation_id, "action", actor, note.to_body(), handle, note.reason)


def lock_table(book: Book, card_id: UUID) -> OpenTable:
    """Lock a card and fold it.

    Raises:
        NotYet: there is no such card, or it was withdrawn.
        NotYours: it is of another event than the actor's.
    """
    # Only the chain is locked: closing a contest locks its chains too, and neither waits for the other's rows.
    cards = Scorecard.objects.select_for_update(of=("chain",)).select_related("chain")
    card = cards.filter(pk=card_id).first()
    if card is None:
        raise NotYet(card_id)
    book.adopt(card.chain)
    log = read_table(Entry.objects.filter(chain_id=card_id).order_by("seq"))
    if log is None or log.is_withdrawn:
        raise NotYet(card_id)
    if card.chain.event_id != book.actor.event_id:
        raise NotYours(card_id)
    return open_log(get_played_contest(card.contest_id), log, is_sealed=card.chain.is_sealed)


def _note(book: Book, table: OpenTable, note: ActionNote) -> Verdict:
    actions = written_actions(table, note.actions)
    since = [one for one in table.noted.values() if one.seq > note.seen]
    if since and since[0].actions == actions:
        return Verdict(Operation.Outcome.MERGED, data={"turn": str(since[0].id)})
    problems = judge_actions(table, actions)
    if table.is_sealed and not actor_may_write_sealed(book):
        return wait(book, table, ReviewItem.Reason.LATE, [CLOSED_NOW, *problems], ())
    if note.seen < table.length:
        return wait(book, table, ReviewItem.Reason.STALE, [NEWER, *problems], [one.id for one in since])
    if problems:
        return wait(book, table, ReviewItem.Reason.RULE, problems, ())
    append_to_table(book, table, "record", actions=actions)
    return RECORDED


def judge_actions(table: OpenTable, actions: Actions) -> list[dict[str, Any]]:
    """Return what the rules say against actions that would come next, as data."""
    standoff = table.fold.standoff
    if standoff is not None:
        return list_problem_data(standoff.problems)
    _after, problems = play_actions(table.contest, table.state, table.seats, actions)
    return list_problem_data(problems)


def append_to_table(book: Book, table: OpenTable, kind: str, **what: Any) -> None:
    """Append an entry to a card; the standings follow.

    Args:
        what: the entry's actions and data, as `Book.append` takes them.
    """
    book.append(book.get(table.id), kind, **what)
    book.outdate(table.contest.id, table.id)


def written_actions(table: OpenTable, actions: Sequence[Mapping[str, Any]]) -> Actions:
    """Return the actions in their one spelling; what cannot be read stays as it was sent, for judging to explain."""
    ruleset = table.contest.ruleset
    try:
        return tuple(ruleset.write_action(ruleset.read_action(action, table.seats)) for action in actions)
    except Malformed:
        return tuple(actions)
