"""The standings of a contest on paper, and a certificate for everyone in the ranking.

The organisers write the wording of certificates, with placeholders for what differs on each.
"""

from __future__ import annotations

from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _

from scorekeeper.audience.cut_presenter import CountedCutPresenter
from scorekeeper.audience.group_presenter import GroupsPresenter
from scorekeeper.audience.leaderboard_presenter import LeaderboardPresenter, LeaderboardRowPresenter, present_board
from scorekeeper.common.pictures import make_printable
from scorekeeper.prints.certificate_wording import fill_wording
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.prizes.selectors.awards import AwardPresenter
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.leaderboard import LeaderboardRow


def make_standings(source: PrintSource) -> PrintDocument:
    """Return the standings."""
    board = source.view.get_leaderboard()
    shown = present_board(source.the_contest, board, source.people)
    return PrintDocument(
        "standings",
        source.paper,
        source.make_frame(_("Standings"), board),
        _describe_board(shown, source),
        f"{source.the_contest.slug}-standings",
    )


def _describe_board(shown: LeaderboardPresenter, source: PrintSource) -> dict[str, Any]:
    headings = shown.headings
    return {
        "has_numbers": headings.has_numbers,
        "headings": [
            _("Place"),
            *([_("Bike")] if headings.has_numbers else []),
            headings.people,
            headings.progress,
            headings.total,
        ],
        "hint": headings.ranking_hint,
        "empty": str(get_kind(shown.contest.game).wording.nobody_started),
        "rows": [_describe_row(row) for row in shown.rows],
        "groups": None if shown.groups is None else _describe_groups(shown.groups),
        "cuts_title": _("How ties were decided"),
        "cuts": [_describe_cut(cut) for cut in shown.cuts],
        "prizes_title": _("Prizes"),
        "prize_headings": [_("Prize"), _("For"), _("Winner")],
        "prizes": [_describe_award(award) for award in source.list_awards()],
    }


def _describe_row(shown: LeaderboardRowPresenter) -> dict[str, str]:
    row = shown.row
    return {
        "place": row.rank_label,
        "number": row.number,
        "people": shown.people,
        "status": shown.status_text,
        "progress": shown.progress,
        "total": str(row.total) if row.is_ranked else "–",
    }


def _describe_groups(groups: GroupsPresenter) -> dict[str, Any]:
    return {
        "title": _("Groups"),
        "rule": groups.rule_text,
        "headings": [_("Place"), _("Group"), groups.count_heading, groups.score_heading],
        "rows": [
            {
                "place": row.row.rank_label,
                "name": row.name,
                "status": row.status_text,
                "count": row.count_text,
                "score": row.score_text,
            }
            for row in groups.rows
        ],
    }


def _describe_cut(cut: CountedCutPresenter) -> str:
    cards = "; ".join(f"{who}: {card}" for who, card in cut.cards)
    return f"{cards}. {_('Witness: %(name)s') % {'name': cut.witness}}" if cut.witness else cards


def _describe_award(award: AwardPresenter) -> dict[str, Any]:
    return {
        "title": award.title,
        "sponsor": _("Given by %(sponsor)s") % {"sponsor": award.sponsor} if award.sponsor else "",
        "what_for": award.what_for,
        "winners": [{"name": winner.name, "how": winner.how} for winner in award.winners],
        "outcome": award.outcome_text,
    }


def get_usual_heading() -> str:
    """Return the heading of certificates without settings."""
    return _("Certificate")


def get_usual_wording() -> str:
    """Return the wording of certificates without settings."""
    return _("{place} place in {contest} with a total of {total}")


def make_certificates(source: PrintSource) -> PrintDocument:
    """Return the certificates of a contest, or that of one bike or player; public ones only of an official result."""
    board = source.view.get_leaderboard()
    if source.is_public and not board.is_official:
        raise NothingToPrint
    rows = [row for row in board.rows if row.is_ranked and source.entrant_id in (None, row.entrant_id)]
    if source.entrant_id is not None and not rows:
        raise NothingToPrint
    settings = get_certificate_settings(source)
    logo = None if settings.logo is None else make_printable(bytes(settings.logo.content))
    slug = f"{source.the_contest.slug}-certificates"
    if source.entrant_id is not None:
        slug = f"{source.the_contest.slug}-certificate-{rows[0].number or str(source.entrant_id)[:8]}"
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
            "certificates": [_describe_certificate(row, settings, source) for row in rows],
        },
        slug,
    )


def get_certificate_settings(source: PrintSource) -> CertificateSettings:
    """Return how the certificates of an event look; the usual settings if nothing was set."""
    found = CertificateSettings.objects.select_related("logo").filter(event=source.event).first()
    return found or CertificateSettings(event=source.event)


def _describe_certificate(row: LeaderboardRow, settings: CertificateSettings, source: PrintSource) -> dict[str, Any]:
    place = str(ordinal(row.rank or 0))
    number = _("Bike %(number)s") % {"number": row.number} if row.number else ""
    name = source.people.get(row.entrant_id, "")
    values = {
        "place": _("tied %(place)s") % {"place": place} if row.is_tied else place,
        "name": name or number,
        "total": str(row.total),
        "contest": source.the_contest.name,
        "event": source.event.name,
    }
    wording = fill_wording(settings.wording or get_usual_wording(), values)
    return {"number": number if name else "", "name": name or number, "wording": wording}
