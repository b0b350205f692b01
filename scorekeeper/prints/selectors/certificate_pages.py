"""Certificates: one for everyone in the ranking of a contest, with the wording and the logo of its organisers."""

from __future__ import annotations

from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _

from scorekeeper.common.pictures import make_printable
from scorekeeper.prints.certificate_wording import fill_wording, get_usual_heading, get_usual_wording
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.selectors.print_source import NothingToPrint, PrintSource
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.leaderboard import LeaderboardRow


def make_certificates(source: PrintSource) -> PrintDocument:
    """Return the certificates of a contest, or that of one bike or player; public ones only of an official result."""
    board = source.view.get_leaderboard()
    if source.is_public and not board.is_official:
        raise NothingToPrint
    rows = [row for row in board.rows if row.is_ranked and source.holder_id in (None, row.holder_id)]
    if source.holder_id is not None and not rows:
        raise NothingToPrint
    settings = get_certificate_settings(source)
    logo = None if settings.logo is None else make_printable(bytes(settings.logo.content))
    slug = f"{source.the_contest.slug}-certificates"
    if source.holder_id is not None:
        slug = f"{source.the_contest.slug}-certificate-{rows[0].number or str(source.holder_id)[:8]}"
    return PrintDocument(
        "certificates",
        source.paper,
        source.make_frame(_("Certificates"), board),
        {
            "heading": settings.heading or get_usual_heading(),
            "signed_by": settings.signed_by,
            "signature": _("Signature"),
            # The template gets the bytes of the picture as numbers.
            "logo": None if logo is None else list(logo.content),
            "logo_alt": _("Logo"),
            "empty": str(get_kind(source.the_contest.game).wording.nobody_started),
            "certificates": [_describe(row, settings, source) for row in rows],
        },
        slug,
    )


def get_certificate_settings(source: PrintSource) -> CertificateSettings:
    """Return how the certificates of an event look; the usual settings if nothing was set."""
    found = CertificateSettings.objects.select_related("logo").filter(event=source.event).first()
    return found or CertificateSettings(event=source.event)


def _describe(row: LeaderboardRow, settings: CertificateSettings, source: PrintSource) -> dict[str, Any]:
    place = str(ordinal(row.rank or 0))
    number = _("Bike %(number)s") % {"number": row.number} if row.number else ""
    name = source.people.get(row.holder_id, "")
    values = {
        "place": _("tied %(place)s") % {"place": place} if row.is_tied else place,
        "name": name or number,
        "total": str(row.total),
        "contest": source.the_contest.name,
        "event": source.event.name,
    }
    wording = fill_wording(settings.wording or get_usual_wording(), values)
    return {"number": number if name else "", "name": name or number, "wording": wording}
