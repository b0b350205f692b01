"""The standings of a contest on paper, and a certificate for everyone in the ranking and for all other prize winners.

The organisers write the wording of certificates, with placeholders for what differs on each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.audience.cut_presenter import CountedCutPresenter
from scorekeeper.audience.group_presenter import GroupsPresenter
from scorekeeper.audience.leaderboard_presenter import LeaderboardPresenter, LeaderboardRowPresenter, present_board
from scorekeeper.common.game_adapter import show_total
from scorekeeper.common.labels import label_value
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.common.pictures import make_printable
from scorekeeper.events.models import Contest
from scorekeeper.prints.certificate_wording import fill_wording, needs_place
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.prizes.selectors.awards import AwardPresenter, WinnerPresenter, sort_by_importance
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.class_ranking import get_class_places
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow


def make_standings(source: PrintSource) -> PrintDocument:
    """Return the standings."""
    board = source.view.get_leaderboard()
    shown = present_board(source.the_contest, board, source.people)
    return PrintDocument(
        "standings",
        source.paper,
        source.make_frame(_("Standings"), board),
        {**_describe_board(shown, source), "classes": _describe_classes(source, board)},
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
        "prizes": [_describe_award(award) for award in sort_by_importance(source.list_awards())],
    }


def _describe_row(shown: LeaderboardRowPresenter) -> dict[str, str]:
    row = shown.row
    return {
        "place": row.rank_label,
        "number": row.number,
        "people": shown.people,
        "status": shown.remark,
        "progress": shown.progress,
        "total": str(shown.total) if row.is_ranked else "–",
    }


def _describe_classes(source: PrintSource, board: Leaderboard) -> list[dict[str, Any]]:
    """Return a table for each class; none where the leaderboard has none."""
    found = []
    for one in board.classes:
        shown = present_board(source.the_contest, board, source.people, board_class=one)
        found.append({"title": one.name, "rows": [_describe_row(row) for row in shown.rows]})
    return found


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
    cards = "; ".join(label_value(who, card) for who, card in cut.cards)
    return f"{cards}. {_('Witness: %(name)s') % {'name': cut.witness}}" if cut.witness else cards


def _describe_award(award: AwardPresenter) -> dict[str, Any]:
    return {
        "title": award.title,
        "sponsor": _("Given by %(sponsor)s") % {"sponsor": award.sponsor} if award.sponsor else "",
        "what_for": award.subtitle,
        "winners": [{"name": winner.name, "how": winner.how} for winner in award.winners],
        "outcome": award.decision_text,
    }


def get_usual_heading() -> str:
    """Return the heading of certificates without settings."""
    return _("Certificate")


def get_usual_wording() -> str:
    """Return the wording of certificates without settings."""
    return _("{place} place in {contest} with a total of {total}")


def _get_usual_wording(contest: Contest) -> str:
    # A total that is the name of a hand is none that anybody could add up.
    return get_usual_wording() if contest.game.compares_totals else _("{place} place in {contest} with {total}")


def get_prize_wording() -> str:
    """Return the wording for a prize winner without a place, unless the organisers’ wording needs none either."""
    return _("Awarded in {contest}")


def make_certificates(source: PrintSource) -> PrintDocument:
    """Return the certificates of a contest, or that of one bike, player or group; public ones only of official results.

    They are for everyone in the ranking, best first, and then for everyone else who has won a prize: someone who was
    given one without having rolled, and the best group. Each also has the places in classes.
    """
    board = source.view.get_leaderboard()
    if source.is_public and not board.is_official:
        raise NothingToPrint
    awards = [award for award in sort_by_importance(source.list_awards()) if award.is_decided]
    rows = {row.entrant_id: row for row in board.rows if row.is_ranked}
    others = {winner.id: winner for award in awards for winner in award.winners if winner.id not in rows}
    settings = get_certificate_settings(source)
    prizes, logos = _describe_won_prizes(awards, rows)
    class_places = _describe_class_places(board)
    certificates = [
        *(_describe_certificate(row, settings, source) for row in rows.values() if source.is_for(row.entrant_id)),
        *(_describe_prize_only(winner, settings, source) for winner in others.values() if source.is_for(winner.id)),
    ]
    if source.entrant_id is not None and not certificates:
        raise NothingToPrint
    logo = None if settings.logo is None else make_printable(bytes(settings.logo.content))
    slug = f"{source.the_contest.slug}-certificates"
    if source.entrant_id is not None:
        number = (rows.get(source.entrant_id) or others[source.entrant_id]).number
        slug = f"{source.the_contest.slug}-certificate-{number or str(source.entrant_id)[:8]}"
    return PrintDocument(
        "certificates",
        source.paper,
        source.make_frame(_("Certificates"), board),
        {
            "design": settings.design,
            "heading": settings.heading or get_usual_heading(),
            "place_title": _("Place"),
            "prize_title": _("Prize"),
            "prizes_title": _("Prizes"),
            "signed_by": settings.signed_by,
            "signature": _("Signature"),
            # The template gets the bytes of the picture as numbers.
            "logo": None if logo is None else list(logo.content),
            "logo_alt": _("Logo"),
            "logos": logos,
            "empty": str(get_kind(source.the_contest.game).wording.nobody_started),
            "certificates": [
                {
                    **certificate,
                    "classes": " · ".join(class_places.get(entrant_id, ())),
                    "prizes": prizes.get(entrant_id, []),
                }
                for entrant_id, certificate in certificates
            ],
        },
        slug,
    )


def _describe_class_places(board: Leaderboard) -> Mapping[UUID, list[str]]:
    """Return the place of everyone in each of their classes, such as "Ladies: 1st"."""
    names = {one.id: one.name for one in board.classes}
    found: dict[UUID, list[str]] = {}
    for class_id, places in get_class_places(board).items():
        for entrant_id, row in places.items():
            found.setdefault(entrant_id, []).append(label_value(names[class_id], _describe_place(row)))
    return found


def _describe_won_prizes(
    awards: Sequence[AwardPresenter], rows: Mapping[UUID, LeaderboardRow]
) -> tuple[Mapping[UUID, list[dict[str, Any]]], list[list[int]]]:
    """Return the prizes of each bike, player or group, and the sponsors' logos, to which prizes refer by position.

    The members of a group have what their group won. A prize that is called by the place that the certificate is for
    has no title, and nothing is left of it without a sponsor.
    """
    logo_ids = {award.award.prize.logo_id for award in awards if award.award.prize.logo_id is not None}
    logos: dict[UUID, list[int]] = {}
    for logo in PrizeLogo.objects.filter(pk__in=logo_ids).order_by("pk"):
        printable = make_printable(bytes(logo.content))
        if printable is not None:
            logos[logo.pk] = list(printable.content)
    positions = {logo_id: position for position, logo_id in enumerate(logos)}
    prizes: dict[UUID, list[dict[str, Any]]] = {}
    for award in awards:
        prize = award.award.prize
        sponsor = _("Given by %(sponsor)s") % {"sponsor": award.sponsor} if award.sponsor else ""
        position = None if prize.logo_id is None else positions.get(prize.logo_id)
        for entrant_id in (one for winner in award.winners for one in (winner.id, *prize.groups.get(winner.id, ()))):
            row = rows.get(entrant_id)
            is_place = row is not None and award.place == row.rank and not award.subtitle
            title = "" if is_place else award.title
            if title or sponsor or position is not None:
                prizes.setdefault(entrant_id, []).append({"title": title, "sponsor": sponsor, "logo": position})
    return prizes, list(logos.values())


def get_certificate_settings(source: PrintSource) -> CertificateSettings:
    """Return how the certificates of an event look; the usual settings if nothing was set."""
    found = CertificateSettings.objects.select_related("logo").filter(event=source.event).first()
    return found or CertificateSettings(event=source.event)


Certificate = tuple[UUID, dict[str, Any]]  # with the id of whose it is


def _describe_place(row: LeaderboardRow) -> str:
    place = format_ordinal_place(row.rank or 0)
    return _("tied %(place)s") % {"place": place} if row.is_tied else place


def _describe_certificate(row: LeaderboardRow, settings: CertificateSettings, source: PrintSource) -> Certificate:
    place = format_ordinal_place(row.rank or 0)
    values = {
        "place": _describe_place(row),
        "total": str(show_total(source.the_contest.game, row.total)),
    }
    people = source.people.get(row.entrant_id, "")
    shown = _describe_person(
        row.number, people, settings.wording or _get_usual_wording(source.the_contest), values, source
    )
    return row.entrant_id, {**shown, "place": place, "tied": _("tied") if row.is_tied else "", "rank": row.rank}


def _describe_prize_only(winner: WinnerPresenter, settings: CertificateSettings, source: PrintSource) -> Certificate:
    wording = settings.wording if settings.wording and not needs_place(settings.wording) else get_prize_wording()
    shown = _describe_person(winner.number, winner.people, wording, {}, source)
    return winner.id, {**shown, "place": "", "tied": "", "rank": 0}


def _describe_person(
    bike: str, people: str, wording: str, values: Mapping[str, str], source: PrintSource
) -> dict[str, Any]:
    """Return who a certificate is for, with its wording. Somebody without a name is called by the number."""
    number = _("Bike %(number)s") % {"number": bike} if bike else ""
    name = people or number
    filled = {**values, "name": name, "contest": source.the_contest.name, "event": source.event.name}
    return {"number": number if people else "", "name": name, "wording": fill_wording(wording, filled)}
