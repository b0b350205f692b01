"""The crew sheet: a card with a link and its QR code for each crew member, to be printed and cut out.

Only digests of links are stored, so a sheet cannot be shown a second time: printing creates new links, and the unused
links that these members had before stop working. A page that is sent again, for example by reloading a sheet that has
just been printed, therefore creates nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.qr import QUICK_MASK, QrCode, make_qr_code
from scorekeeper.crew.models import CrewMember, Invitation
from scorekeeper.crew.selectors import list_members_with_phones
from scorekeeper.crew.services.invitations import create_invitations
from scorekeeper.crew.sheet_requests import (
    choose_members,
    is_printed,
    list_without_phone,
    read_sheet_id,
    remember_printed,
)
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import EventArchived

CONFLICT, UNPROCESSABLE = 409, 422


class CrewCard(NamedTuple):
    """A card of the sheet."""

    member: CrewMember
    invitation: Invitation
    link: str
    qr: QrCode


@organiser_required
def sheet(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Offer to print links, and show the new sheet once."""
    members = list(list_members_with_phones(event))
    if request.method != "POST":
        return _render_choice(request, event, members)
    chosen = choose_members(members, request.POST.get("who", ""))
    if chosen is None:
        return _render_choice(request, event, members, UNPROCESSABLE)
    sheet_id = read_sheet_id(request)
    if is_printed(request, sheet_id):
        return _render_choice(request, event, members, CONFLICT)
    try:
        cards = _make_cards(chosen)
    except EventArchived:
        text = _("%(event)s is in the archive, so there are no new links. Take it out of the archive first.")
        messages.error(request, text % {"event": event})
        return redirect("crew:groups", event.slug)
    remember_printed(request, sheet_id)
    context = {"event": event, "cards": cards}
    return render(request, "crew/printed_sheet.html", context)


def _make_cards(members: Sequence[CrewMember]) -> list[CrewCard]:
    cards = []
    for invitation, token in create_invitations(members):
        link = settings.BASE_URL + reverse("crew:join", args=[token])
        cards.append(CrewCard(invitation.member, invitation, link, make_qr_code(link, mask=QUICK_MASK)))
    return cards


def _render_choice(
    request: OrganiserRequest, event: Event, members: Sequence[CrewMember], status: int = 200
) -> HttpResponse:
    context = {
        "event": event,
        "members": members,
        "without_phone": len(list_without_phone(members)),
        "is_printed": status == CONFLICT,
        "is_unknown": status == UNPROCESSABLE,
        "sheet": uuid4(),
    }
    return render(request, "crew/sheet.html", context, status=status)
