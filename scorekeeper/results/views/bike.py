"""The scorecard of one bike, as it would be printed. A page that refreshes itself gets only the scorecard."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.audience.luck import are_values_visible, is_luck_visible
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_public_riders
from scorekeeper.results.public_lookups import get_public_contest, list_breadcrumbs
from scorekeeper.rulebooks.citations import get_clause_url
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.standings.contest_report import CardReport, ReportLine
from scorekeeper.standings.wording import (
    explain_chances,
    explain_outlook,
    format_frozen,
    format_official_status,
    format_revision_notice,
)


@dataclass(frozen=True, slots=True)
class BikeCardLine:
    """A line of the scorecard as the page shows it.

    Attributes:
        heading: of the section that begins here; "" elsewhere.
        href: the URL of the clause that the line comes from.
        stop_names: the stops where its turns were rolled.
    """

    line: ReportLine
    label: str
    href: str
    heading: str
    stop_names: str


def bike(request: HttpRequest, slug: str, contest_slug: str, bike_id: UUID) -> HttpResponse:
    """Show every box of a bike's scorecard, and where each turn was rolled."""
    contest = get_public_contest(slug, contest_slug)
    kind = get_kind(contest.game)
    if kind.entrant_route != "results:bike":
        return redirect(kind.get_entrant_url(contest, bike_id))
    try:
        found_bike = get_bike(contest.event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    if found_bike.pk != bike_id:
        return redirect("results:bike", slug, contest_slug, found_bike.pk)
    view = get_audience_view(contest)
    head, card = view.get_card(found_bike.pk, found_bike.label)
    outlook = view.get_outlook(found_bike.pk)
    context = {
        "event": contest.event,
        "contest": contest,
        "now": timezone.now(),
        "crumbs": list_breadcrumbs(contest, _("Bike %(number)s") % {"number": found_bike.label}),
        "bike": found_bike,
        "number": found_bike.label,
        "name": format_public_riders(contest.event, found_bike),
        "lines": _list_card_lines(contest.game_key, card),
        "turns": [(turn, translate(turn.label_text)) for turn in card.turns],
        "official": format_official_status(head, contest.event),
        "pending": format_revision_notice(head),
        "frozen": format_frozen(head, contest.event),
        "damage": "" if card.damaged_from is None else format_damage_notice(card.damaged_from),
        "board": head,
        "is_coached": are_values_visible(contest),
        "has_luck": is_luck_visible(contest, is_for_organisers=False),
        "needs": [
            *([] if outlook is None else explain_outlook(outlook, contest.prizes)),
            *(explain_chances(contest, view.get_chances(), found_bike.pk, outlook=outlook) if card.turns else []),
        ],
    }
    texts = [context[key] for key in ("number", "name", "official", "pending", "frozen", "damage", "needs")]
    version = sha256(canonical_json([contest.name, *texts, card.to_data()]))
    return render_refreshable(request, "results/bike.html", "results/_bike.html", context, version)


def _list_card_lines(game_key: str, card: CardReport) -> list[BikeCardLine]:
    lines, section = [], None
    for line in card.lines:
        text = line.section_text
        heading = "" if text is None or line.section == section else translate(text)
        section = line.section
        stop_names = ", ".join(card.turns[number - 1].stop for number in line.turns)
        lines.append(
            BikeCardLine(line, translate(line.label_text), get_clause_url(game_key, line.rule), heading, stop_names)
        )
    return lines
