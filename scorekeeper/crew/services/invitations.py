"""Invitations: one-time links that turn a phone into a device.

Invariants:
- Only one phone can consume a link, however many open it at once.
- A new link for a member ends their earlier unused links.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.tokens import hash_token, make_token
from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.services.events import EventArchived

INVITATION_LIFETIME = dt.timedelta(days=7)


class InvitationUnusable(Exception):
    """The link has been used or has expired."""


@transaction.atomic
def create_invitation(member: CrewMember) -> tuple[Invitation, str]:
    """Return a new invitation of the member, and the token for its link.

    Raises:
        EventArchived: the event is in the archive, and needs no more phones.
    """
    if member.group.event.archived_at is not None:
        raise EventArchived(member.group.event_id)
    now = timezone.now()
    member.invitations.filter(consumed_at=None, expires_at__gt=now).update(expires_at=now)
    token = make_token()
    invitation = Invitation.objects.create(
        member=member, token_digest=hash_token(token), expires_at=now + INVITATION_LIFETIME
    )
    return invitation, token


@transaction.atomic
def accept_invitation(invitation: Invitation) -> tuple[Device, str]:
    """Consume the link; return the new device, and the token for its cookie.

    Raises:
        InvitationUnusable: another phone was first, or the link has expired.
    """
    now = timezone.now()
    unused = Invitation.objects.filter(pk=invitation.pk, consumed_at=None, expires_at__gt=now)
    # A single statement decides: of two phones that use the link at once, only one changes the row.
    if not unused.update(consumed_at=now):
        raise InvitationUnusable
    return create_device(invitation.member)
