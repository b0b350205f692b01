"""Closing a contest, reopening it, and taking back what a closing recorded as missed.

Closing seals every card. From then on only the organiser's entries apply, each with a reason, and all others go to
review. In the same step, the kind of the cards may add to them: missing turns are recorded as missed (ROCK-26).

The entry lists every bike of the event with its number, also those that never rolled, and says how many places win a
prize, what can be won, how groups are compared, and who is in which class. While a contest is closed, only operations
change these, so that verification can compare them.

Reopening may take back what a closing added to the cards: it voids exactly the turns that this closing recorded as
missed and that nobody has touched since, in the same operation. So a contest that was closed by mistake goes on where
it was. For a contest that is open already, that is an operation of its own.

Closing freezes the rules of a contest, also if nothing was recorded. If the entry is the first of the contest's log, it
has the digest of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.group_setting import get_group_setting
from scorekeeper.events.models import Contest
from scorekeeper.events.odds_setting import get_odds_data
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    Handler,
    OperationResult,
    UnknownTarget,
    check_reason,
    record,
)
from scorekeeper.players.class_members import list_class_members
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.locked_cards import freeze_contest
from scorekeeper.standings.award_source import make_list_entry
from scorekeeper.standings.services.contest_chain import NothingToTakeBack, lock_contest, set_contest_status
from scorekeeper.standings.services.luck_computation import request_luck


def close_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str) -> Receipt:
    """Close a contest: seal its cards and write what closing adds to them, in one step.

    Raises:
        WrongContestStatus: the contest is not open.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.OPEN)
        cards = _lock_cards(context, contest_id)
        bikes = Bike.objects.filter(event_id=contest.event_id).order_by("pk")
        rules = get_contest_rules(contest_id)
        settings = {
            "prizes": contest.prizes,
            **make_list_entry(contest),
            **get_group_setting(contest).to_data(),
            **get_odds_data(contest),
            **get_class_data(contest),
        }
        context.append(chain, "close", data=settings, rules=rules.rules_digest, numbers=bikes)
        context.after_insert(partial(freeze_contest, contest))
        for card in cards.values():
            card.is_sealed = True
        get_kind(contest.game).close_cards(context, rules)
        _set_sealed(context, contest_id, True)
        set_contest_status(context, contest, Contest.Status.CLOSED)
        context.mark_stale(contest_id)
        context.after_insert(partial(request_luck, contest_id))
        return RECORDED

    return _record_status_change(operation_id, "close", actor, contest_id, reason, handle)


def reopen_contest(
    actor: Actor, operation_id: UUID, contest_id: UUID, reason: str, closing_id: UUID | None = None
) -> Receipt:
    """Reopen a closed or official contest.

    Args:
        closing_id: the closing whose missed turns are taken back, by its operation. Without it, turns recorded as
            missed stay until real ones replace them.

    Raises:
        WrongContestStatus: the contest is open.
        EventArchived: its event is in the archive.
        ReasonRequired: there is no reason.
        UnknownTarget: the contest has no such closing.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        if contest.event.archived_at is not None:
            raise EventArchived(contest.event_id)
        for card in _lock_cards(context, contest_id).values():
            card.is_sealed = False
        context.append(chain, "reopen", data=None if closing_id is None else {"takes_back": str(closing_id)})
        if closing_id is not None:
            _clear_missed_turns(context, contest, closing_id)
        _set_sealed(context, contest_id, False)
        set_contest_status(context, contest, Contest.Status.OPEN)
        context.mark_stale(contest_id)
        return RECORDED

    # Operations of older versions have no such field, and a body decides whether an operation is a duplicate.
    more = {} if closing_id is None else {"take_back": str(closing_id)}
    return _record_status_change(operation_id, "reopen", actor, contest_id, reason, handle, more)


def clear_missed_turns(actor: Actor, operation_id: UUID, contest_id: UUID, closing_id: UUID, reason: str) -> Receipt:
    """Take back what a closing of a contest recorded as missed, after the contest was reopened.

    Args:
        closing_id: the closing, by its operation.

    Raises:
        WrongContestStatus: the contest is not open.
        ReasonRequired: there is no reason.
        UnknownTarget: the contest has no such closing.
        NothingToTakeBack: all of its turns have been changed, moved or voided since.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.OPEN)
        _lock_cards(context, contest_id)
        context.append(chain, "clear_missed", data={"takes_back": str(closing_id)})
        if not _clear_missed_turns(context, contest, closing_id):
            raise NothingToTakeBack(closing_id)
        return RECORDED

    more = {"take_back": str(closing_id)}
    return _record_status_change(operation_id, "clear_missed", actor, contest_id, reason, handle, more)


def _clear_missed_turns(context: OperationContext, contest: Contest, closing_id: UUID) -> int:
    """Void what a closing recorded as missed, and return how many turns that were."""
    if not Entry.objects.filter(chain_id=contest.pk, operation_id=closing_id, kind="close").exists():
        raise UnknownTarget(closing_id)
    return get_kind(contest.game).clear_missed_turns(context, get_contest_rules(contest.pk), closing_id)


def get_class_data(contest: Contest) -> dict[str, Any]:
    """Return who is in which class as the log has it; nothing where nobody is in any, as in older logs."""
    members = {str(pk): [str(one) for one in entrants] for pk, entrants in list_class_members(contest).items()}
    return {"classes": members} if members else {}


def _record_status_change(
    operation_id: UUID,
    kind: str,
    actor: Actor,
    contest_id: UUID,
    reason: str,
    handle: Handler,
    more: Mapping[str, str] | None = None,
) -> Receipt:
    check_reason(reason)
    body = {"contest": str(contest_id), "reason": reason, **(more or {})}
    return record(operation_id, kind, actor, body, handle, reason)


def _lock_cards(context: OperationContext, contest_id: UUID) -> dict[UUID, Chain]:
    ids = list(Scorecard.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
    chains = context.lock_chains(ids)
    return {card: chains[card] for card in ids}


def _set_sealed(context: OperationContext, contest_id: UUID, is_sealed: bool) -> None:
    """Set the flag on every card's chain, including those that get no entry."""
    context.after_insert(lambda: Chain.objects.filter(card__contest_id=contest_id).update(is_sealed=is_sealed))
