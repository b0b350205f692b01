"""Agreeing to a card, and taking that back: an entry in the event's chain.

- The operation says what was seen, and that it is agreed to or no longer. So equal ones from two phones are one: the
  second is merged.
- It is recorded whatever the card is like now: an agreement to older figures is in the log, and does not count.
- Agreements to different figures do not touch each other, so the order in which phones deliver them does not matter.
- A bike and the bikes merged into it share their agreements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.services.locked_bikes import lock_bike_to_check
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    MERGED,
    RECORDED,
    NotAllowed,
    OperationResult,
    UnknownTarget,
    record,
)
from scorekeeper.scorecards.card_kinds import get_kind


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A bike's card as somebody saw it.

    Attributes:
        digest: of its figures (`sheet_digest`).
    """

    contest_id: UUID
    bike_id: UUID
    digest: str


def agree(
    actor: Actor, operation_id: UUID, seen: SeenCard, by: str = Agreement.By.RIDER, *, is_agreed: bool = True
) -> Receipt:
    """Record that a card is agreed to, or with `is_agreed` false, that it no longer is.

    If it already is as wanted, nothing happens (the outcome is "merged").

    Args:
        by: a value of `Agreement.By`.

    Raises:
        UnknownTarget: there is no such bike or contest yet, or the contest has no cards that are agreed to.
        BikeWithdrawn: the bike's registration was undone.
        NotAllowed: the actor may not record this bike, or is no road captain but agrees as one; the contest belongs to
            another event; or the phone was revoked or has expired.
        IdReused: the id was used for something else.
    """
    body: dict[str, Any] = {
        "contest": str(seen.contest_id),
        "bike": str(seen.bike_id),
        "digest": seen.digest,
        "by": str(by),
        "agreed": is_agreed,
    }

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        bike = lock_bike_to_check(actor, seen.bike_id)
        if by == Agreement.By.CAPTAIN and not can_confirm(actor):
            raise NotAllowed(operation_id)
        _check_contest(actor, seen.contest_id)
        holders = _list_holders(bike, seen)
        if bool(holders) == is_agreed:
            return MERGED
        for holder_id in [bike.pk] if is_agreed else holders:
            entry = context.append(chain, "agree", data={**body, "bike": str(holder_id)})
            if is_agreed:
                row = Agreement(
                    contest_id=seen.contest_id,
                    bike_id=holder_id,
                    digest=seen.digest,
                    by=by,
                    at=entry.at,
                    seq=entry.seq,
                )
                context.after_insert(partial(row.save, force_insert=True))
        if not is_agreed:
            context.after_insert(_select(holders, seen).delete)
        return RECORDED

    return record(operation_id, "agree", actor, body, handle)


def can_confirm(actor: Actor) -> bool:
    """Return whether the actor may confirm cards in place of their riders: road captains and organisers may."""
    return actor.is_organiser or actor.can_take_over


def _check_contest(actor: Actor, contest_id: UUID) -> None:
    contest = Contest.objects.filter(pk=contest_id).first()
    if contest is None:
        raise UnknownTarget(contest_id)
    if contest.event_id != actor.event_id:
        raise NotAllowed(contest_id)
    if not get_kind(contest.game).is_agreed_to:
        raise UnknownTarget(contest_id)


def _list_holders(bike: Bike, seen: SeenCard) -> list[UUID]:
    """Return for which ids the figures are agreed to: the bike's, and those of the bikes merged into it."""
    ids = [bike.pk, *bike.aliases.order_by("pk").values_list("pk", flat=True)]
    return list(_select(ids, seen).order_by("seq").values_list("bike_id", flat=True))


def _select(bike_ids: list[UUID], seen: SeenCard) -> Any:
    return Agreement.objects.filter(contest=seen.contest_id, bike__in=bike_ids, digest=seen.digest)
