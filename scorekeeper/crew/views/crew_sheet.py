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
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.models import CrewMember, Invitation
from scorekeeper.crew.selectors import list_members_with_phones
from scorekeeper.crew.services.invitations import create_invitations
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import EventArchived

WITHOUT_PHONE, EVERYONE = "without_phone", "everyone"  # values of the field `who`; others are the id of a member
PRINTED_KEY = "printed_crew_sheets"  # in the organiser's session: the ids of the sheets that were created
MAX_REMEMBERED = 20
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
    chosen = _choose_members(members, request.POST.get("who", ""))
    if chosen is None:
        return _render_choice(request, event, members, UNPROCESSABLE)
    sheet_id = str(parse_uuid(request.POST.get("sheet")) or uuid4())
    printed = request.session.get(PRINTED_KEY, [])
    if sheet_id in printed:
        return _render_choice(request, event, members, CONFLICT)
    try:
        cards = _make_cards(chosen)
    except EventArchived:
        text = _("%(event)s is in the archive, so there are no new links. Take it out of the archive first.")
        messages.error(request, text % {"event": event})
        return redirect("crew:groups", event.slug)
    request.session[PRINTED_KEY] = [*printed, sheet_id][-MAX_REMEMBERED:]
    context = {"event": event, "cards": cards}
    return render(request, "crew/printed_sheet.html", context)


def _choose_members(members: Sequence[CrewMember], who: str) -> list[CrewMember] | None:
    """Return the members whose links are printed; None for somebody who is not in the crew, or not any more."""
    if who == EVERYONE:
        return list(members)
    if who == WITHOUT_PHONE:
        return _list_without_phone(members)
    return [member for member in members if str(member.pk) == who] or None


def _list_without_phone(members: Sequence[CrewMember]) -> list[CrewMember]:
    return [member for member in members if not member.phones]  # type: ignore[attr-defined]


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
        "without_phone": len(_list_without_phone(members)),
        "is_printed": status == CONFLICT,
        "is_unknown": status == UNPROCESSABLE,
        "sheet": uuid4(),
    }
    return render(request, "crew/sheet.html", context, status=status)
