"""Erasing a name from an event, permanently. Scores are kept, and no link of the log breaks.

People whose id is in the log or on a card keep their row, renamed to `ERASED`. Everyone else with the name is deleted,
and so is every reason, witness of a cut and message in which the name occurs. The reason of a dismissed warning becomes
`ERASED`, and so does what a rider said is wrong, or the answer to it. Of the contact of the event's page, how to reach
them is erased as well. Apps above this one register what they cache with names in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from scorekeeper.common.hooks import Hook
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.members import MemberInUse, delete_member, update_member
from scorekeeper.crew.services.messages import withdraw_message
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.ledger.models import CutWitness, Operation, OperationReason, UncheckedPeople
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.players.models import Player, SignUp
from scorekeeper.players.services import PlayerInUse, delete_player, update_player
from scorekeeper.scorecards.selectors.name_search import NameMatches, find_name

ERASED = "—"

# What deletes the files of an event that have names.
NAME_CACHES = Hook[Callable[[Event], object]]()


@transaction.atomic
def erase_name(event: Event, name: str) -> None:
    """Erase a name wherever `find_name` finds it. Repeating this changes nothing."""
    lock_event(event)  # no form that is being saved may write the name again
    matches = find_name(event, name)
    for player in matches.players:
        _erase_player(player)
    for member in matches.crew:
        _erase_member(member)
    for unchecked in matches.unchecked_people:
        _erase_unchecked(unchecked, matches)
    for sign_up in matches.sign_ups:
        _erase_sign_up(sign_up, matches)
    event.former_organisers.filter(pk__in=[organiser.pk for organiser in matches.former_organisers]).delete()
    for message in matches.messages:
        withdraw_message(message)
        message.delete()
    for dismissal in matches.dismissals:
        dismissal.reason = ERASED
        dismissal.save(update_fields=["reason"])
    for objection in matches.objections:
        _erase_objection(objection, matches)
    for page in matches.pages:  # how to reach somebody is about them, too
        page.contact_name = page.contact_email = page.contact_phone = ""
        page.save(update_fields=["contact_name", "contact_email", "contact_phone"])
    # A walk-up's operation no longer has the names it was sent with, so it may be any of them.
    walk_ups = Operation.objects.filter(event=event, kind="register_bike")
    with_texts = [row.operation for row in matches.reasons] + [row.operation for row in matches.witnesses]
    _recompute_digests({operation.pk: operation for operation in (*walk_ups, *with_texts)})
    OperationReason.objects.filter(pk__in=[reason.pk for reason in matches.reasons]).delete()
    CutWitness.objects.filter(pk__in=[witness.pk for witness in matches.witnesses]).delete()
    for forget in NAME_CACHES:
        forget(event)


def _erase_player(player: Player) -> None:
    try:
        delete_player(player)
    except PlayerInUse:
        update_player(player, name=ERASED, bike=player.bike, role=player.role)


def _erase_member(member: CrewMember) -> None:
    try:
        delete_member(member)
    except MemberInUse:
        update_member(member, name=ERASED, role=member.role, group=member.group)


def _erase_unchecked(unchecked: UncheckedPeople, matches: NameMatches) -> None:
    """Erase the name from the names of a walk-up; the other person's stays."""
    if matches.is_name(unchecked.rider):
        unchecked.rider = ""
    if matches.is_name(unchecked.passenger):
        unchecked.passenger = ""
    if unchecked.rider or unchecked.passenger:
        unchecked.save(update_fields=["rider", "passenger"])
    else:
        unchecked.delete()


def _erase_sign_up(sign_up: SignUp, matches: NameMatches) -> None:
    """Delete the sign-up of a rider; of a passenger, erase the name only."""
    if matches.is_name(sign_up.rider):
        sign_up.delete()
    else:
        sign_up.passenger = ""
        sign_up.save(update_fields=["passenger"])


def _erase_objection(objection: Any, matches: NameMatches) -> None:
    for field in ("text", "answer"):
        if matches.pattern.search(getattr(objection, field)):
            setattr(objection, field, ERASED)
    objection.save(update_fields=["text", "answer"])


def _recompute_digests(operations: Mapping[UUID, Operation]) -> None:
    """Set the digests to those of the stored bodies. Duplicates are still recognised by them."""
    rows = list(operations.values())
    for operation in rows:
        operation.digest = compute_digest(operation.kind, operation.actor_id, operation.body)
    Operation.objects.bulk_update(rows, ["digest"], batch_size=200)
