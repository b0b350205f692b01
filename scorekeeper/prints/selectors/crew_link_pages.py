"""Cards with the links of crew members. The document has secrets: it is made for one response, and never stored."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scorekeeper.crew.models import Invitation
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.qr_drawing import draw_qr_code
from scorekeeper.prints.selectors.print_source import PrintSource


def make_crew_links(source: PrintSource, invitations: Sequence[tuple[Invitation, str]]) -> PrintDocument:
    """Return the cards for new invitations, with the tokens of their links."""
    return PrintDocument(
        "crew_links",
        source.paper,
        source.make_plain_frame(_("Crew sheet")),
        {
            "hint": _("Scan this with your own phone, then press “This is my phone”."),
            "empty": _("Everyone has signed in with a phone, so there is nothing to print."),
            "cards": [_describe(source, invitation, token) for invitation, token in invitations],
        },
        "crew-sheet",
    )


def _describe(source: PrintSource, invitation: Invitation, token: str) -> dict[str, str]:
    member = invitation.member
    link = settings.BASE_URL + reverse("crew:join", args=[token])
    ends = date_format(invitation.expires_at.astimezone(source.event.zone), "j F, H:i")
    stops = ", ".join(stop.name for stop in member.any_bike_at.all())
    return {
        "name": member.name,
        "role": f"{member.get_role_display()}, {member.group.name}",
        "stops": _("Any bike at: %(stops)s") % {"stops": stops} if stops else "",
        "until": _("For one phone, until %(ends)s") % {"ends": ends},
        "link": link,
        "qr": draw_qr_code(link),
        "qr_alt": _("QR code with the link for %(member)s") % {"member": member.name},
    }
