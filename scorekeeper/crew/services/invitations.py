"""One-time links that turn a phone into a device.

Invariant: a link is consumed by exactly one phone, however many open it at once. A new link for somebody ends the
ones that were handed out before and not used.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.tokens import hash_token, make_token

INVITATION_LIFETIME = dt.timedelta(days=7)


class InvitationUnusable(Exception):
    """The link was used already, or its time is over."""


@transaction.atomic
def create_invitation(member: CrewMember) -> tuple[Invitation, str]:
    """Return a new invitation of the member, and the token that belongs into its link."""
    now = timezone.now()
    member.invitations.filter(consumed_at=None, expires_at__gt=now).update(expires_at=now)
    token = make_token()
    invitation = Invitation.objects.create(
        member=member, token_digest=hash_token(token), expires_at=now + INVITATION_LIFETIME
    )
    return invitation, token


@transaction.atomic
def accept_invitation(invitation: Invitation) -> tuple[Device, str]:
    """Consume the link; return the device it becomes, and the token its cookie has to hold.

    Raises:
        LinkUsed: somebody else was first, or it has expired.
    """
    now = timezone.now()
    unused = Invitation.objects.filter(pk=invitation.pk, consumed_at=None, expires_at__gt=now)
    # One statement decides: of two phones that open the link at once, one changes the row.
    if not unused.update(consumed_at=now):
        raise InvitationUnusable
    return create_device(invitation.member)
