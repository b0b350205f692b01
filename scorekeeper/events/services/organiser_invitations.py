"""Invitations by name to organise an event: made by an organiser, and accepted or declined by the person.

Invariants:
- Nobody becomes an organiser by an invitation before they accept it, signed in to the account that was invited.
- An invitation of a name that is nobody's is stored by the same statements as any other, so neither the answer nor its
  time says which names exist.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.security_log import log_change
from scorekeeper.events.models import Event, Organiser, OrganiserInvitation
from scorekeeper.events.services.account_lock import lock_account_for_access
from scorekeeper.events.services.events import add_organiser

LIFETIME = dt.timedelta(days=30)


class InvitationClosed(Exception):
    """The invitation has been answered or withdrawn, or has expired."""


@transaction.atomic
def invite_by_name(event: Event, name: str, created_by: User) -> OrganiserInvitation:
    """Return an invitation for the account with this name, if there is one. A new one replaces an earlier one.

    Raises:
        AccessEnded: the account that invites has got another password meanwhile, or was deactivated.
    """
    lock_account_for_access(created_by)
    now = timezone.now()
    user = User.objects.filter(username=name, is_active=True).first()
    values = {"user": user, "created_by": created_by, "created_at": now, "expires_at": now + LIFETIME}
    invitation, _is_new = OrganiserInvitation.objects.update_or_create(
        event=event, name=name, defaults={**values, "declined_at": None}
    )
    log_change(
        "organiser_invited", invitation=invitation.pk, event_id=event.pk, account=user and user.pk, by=created_by.pk
    )
    return invitation


def withdraw_invitation(invitation: OrganiserInvitation) -> None:
    """End an invitation. Repeating it changes nothing."""
    if OrganiserInvitation.objects.filter(pk=invitation.pk).delete()[0]:
        log_change("invitation_withdrawn", invitation=invitation.pk, event_id=invitation.event_id)


@transaction.atomic
def accept_invitation(invitation: OrganiserInvitation, user: User) -> Event:
    """Make the user an organiser of the event that they were invited to.

    Raises:
        InvitationClosed: it has been answered or withdrawn, has expired, or is somebody else's.
    """
    # A single statement decides: an invitation that is withdrawn at the same moment is not accepted.
    deleted, _by_model = OrganiserInvitation.objects.open().filter(pk=invitation.pk, user=user).delete()
    if not deleted:
        raise InvitationClosed
    log_change("invitation_accepted", invitation=invitation.pk, event_id=invitation.event_id, account=user.pk)
    add_organiser(invitation.event, user, has_accepted=True)
    return invitation.event


def decline_invitation(invitation: OrganiserInvitation, user: User) -> None:
    """Decline an invitation. Those who invite are not told, since that would say that the account exists.

    Raises:
        InvitationClosed: it has been answered or withdrawn, has expired, or is somebody else's.
    """
    if not decline_invitations(user, [invitation.pk]):
        raise InvitationClosed


def decline_invitations(user: User, ids: Collection[UUID] | None = None) -> int:
    """Decline the user's open invitations, or those of them that are named. Return how many there were."""
    invitations = OrganiserInvitation.objects.open().filter(user=user)
    if ids is not None:
        invitations = invitations.filter(pk__in=ids)
    declined = invitations.update(declined_at=timezone.now())
    if declined:
        log_change("invitations_declined", account=user.pk, count=declined)
    return declined


def confirm_organising(user: User, ids: Collection[UUID]) -> None:
    """Store that the user agrees to organise events that they were added to without being asked.

    Args:
        ids: of the rows as organiser that the user has seen.
    """
    Organiser.objects.filter(user=user, pk__in=ids, accepted_at=None).update(accepted_at=timezone.now())


def delete_expired_invitations() -> None:
    """Delete invitations that nobody has answered in time."""
    OrganiserInvitation.objects.filter(expires_at__lte=timezone.now()).delete()
