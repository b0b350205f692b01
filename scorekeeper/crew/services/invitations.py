"""Invitations: one-time links that turn a phone into a device.

Invariants:
- Only one phone can consume a link, however many open it at once.
- A new link for a member ends their earlier unused links.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.secret_links import hash_token, make_token
from scorekeeper.common.security_log import log_change, log_refusal
from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.services.events import EventArchived

INVITATION_LIFETIME = dt.timedelta(days=7)


class InvitationUnusable(Exception):
    """The link has been used or has expired."""


def create_invitation(member: CrewMember) -> tuple[Invitation, str]:
    """Return a new invitation of the member, and the token for its link.

    Raises:
        EventArchived: the event is in the archive, and needs no more phones.
    """
    return create_invitations([member])[0]


@transaction.atomic
def create_invitations(members: Sequence[CrewMember]) -> list[tuple[Invitation, str]]:
    """Return a new invitation of each member, in their order, and the token for its link; two statements.

    Args:
        members: of one event, with their group and event.

    Raises:
        EventArchived: the event is in the archive, and needs no more phones.
    """
    if members and members[0].group.event.archived_at is not None:
        raise EventArchived(members[0].group.event_id)
    now = timezone.now()
    Invitation.objects.filter(member__in=members).usable().update(expires_at=now)
    tokens = [make_token() for _member in members]
    invitations = Invitation.objects.bulk_create(
        Invitation(member=member, token_digest=hash_token(token), expires_at=now + INVITATION_LIFETIME)
        for member, token in zip(members, tokens, strict=True)
    )
    for invitation in invitations:
        log_change("crew_link_created", link=invitation.pk, member=invitation.member_id)
    return list(zip(invitations, tokens, strict=True))


@transaction.atomic
def accept_invitation(invitation: Invitation) -> tuple[Device, str]:
    """Consume the link; return the new device, and the token for its cookie.

    Raises:
        InvitationUnusable: another phone was first, or the link has expired.
    """
    if not Invitation.objects.filter(pk=invitation.pk).consume():
        log_refusal("crew_link_refused", link=invitation.pk, member=invitation.member_id)
        raise InvitationUnusable
    device, token = create_device(invitation.member)
    log_change("crew_link_used", link=invitation.pk, member=invitation.member_id, phone=device.pk)
    return device, token
