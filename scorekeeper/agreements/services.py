"""Agreeing to a card, which is an entry in the event's chain, and objecting on the public page of a bike.

Invariants of agreements:
- The operation says what was seen, and that it is agreed to or no longer. So equal ones from two phones are one: the
  second is merged.
- It is recorded whatever the card is like now: an agreement to older figures is in the log, and does not count.
- Agreements to different figures do not touch each other, so the order in which phones deliver them does not matter.
- A bike and the bikes merged into it share their agreements.

An objection outlives its bike or sheet, so that nothing that somebody has sent disappears unread.

Anyone can send an objection, so there are limits: of open ones, an event has at most `MAX_OPEN` and a bike
`MAX_OPEN_PER_BIKE`; from one network address an event gets at most `PER_ADDRESS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.agreements.models import Agreement, Objection
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.access import lock_bike_to_check
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.events.models import Contest
from scorekeeper.events.services.events import lock_event
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

MAX_OPEN, MAX_OPEN_PER_BIKE = 200, 3
PER_ADDRESS = RateLimit("objections", 5, 60 * 60)


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
        bike = lock_bike_to_check(actor, seen.bike_id, even_sheet=True)
        if by == Agreement.By.CAPTAIN and not can_confirm(actor):
            raise NotAllowed(operation_id)
        _check_contest(actor, seen.contest_id)
        entrants = _list_entrants(bike, seen)
        if bool(entrants) == is_agreed:
            return MERGED
        for entrant_id in [bike.pk] if is_agreed else entrants:
            entry = context.append(chain, "agree", data={**body, "bike": str(entrant_id)})
            if is_agreed:
                row = Agreement(
                    contest_id=seen.contest_id,
                    bike_id=entrant_id,
                    digest=seen.digest,
                    by=by,
                    at=entry.at,
                    seq=entry.seq,
                )
                context.after_insert(partial(row.save, force_insert=True))
        if not is_agreed:
            context.after_insert(_select(entrants, seen).delete)
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


def _list_entrants(bike: Bike, seen: SeenCard) -> list[UUID]:
    """Return for which ids the figures are agreed to: the bike's, and those of the bikes merged into it."""
    ids = [bike.pk, *bike.aliases.order_by("pk").values_list("pk", flat=True)]
    return list(_select(ids, seen).order_by("seq").values_list("bike_id", flat=True))


def _select(bike_ids: list[UUID], seen: SeenCard) -> Any:
    return Agreement.objects.filter(contest=seen.contest_id, bike__in=bike_ids, digest=seen.digest)


class TooManyObjections(Exception):
    """The objection is not saved: the event, the bike or the network address has reached its limit."""


class AlreadySettled(Exception):
    """Another organiser has settled it, or it was erased."""


@transaction.atomic
def add_objection(contest: Contest, bike: Bike, objection_id: UUID, text: str, address: str) -> None:
    """Save an objection. The same one again changes nothing.

    Args:
        objection_id: made with the page, so that a form that is sent twice is one objection.
        address: the network address it comes from.

    Raises:
        TooManyObjections: a limit is reached.
    """
    event = lock_event(contest.event)
    if Objection.objects.filter(pk=objection_id).exists():
        return
    still_open = event.objections.filter(settled_at=None)
    if still_open.count() >= MAX_OPEN or still_open.filter(bike=bike).count() >= MAX_OPEN_PER_BIKE:
        raise TooManyObjections
    try:
        count_use(PER_ADDRESS, f"{event.pk} {address}")
    except RateLimited:
        raise TooManyObjections from None
    Objection.objects.create(id=objection_id, event=event, contest=contest, bike=bike, label=bike.label, text=text)


@transaction.atomic
def settle_objection(objection: Objection, organiser_id: UUID, answer: str) -> None:
    """Settle an objection with what the organiser found.

    Raises:
        AlreadySettled: there is nothing to settle any more.
    """
    locked = Objection.objects.select_for_update(of=("self",)).filter(pk=objection.pk, settled_at=None).first()
    if locked is None:
        raise AlreadySettled(objection.pk)
    locked.settled_at, locked.settled_by, locked.answer = timezone.now(), organiser_id, answer
    locked.save(update_fields=["settled_at", "settled_by", "answer"])
