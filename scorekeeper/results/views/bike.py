"""The scorecard of one bike, as it would be printed. A page that refreshes itself gets only the scorecard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.game import Game
from scorekeeper.audience.leaderboard_presenter import get_class_url
from scorekeeper.audience.luck import are_values_visible, is_luck_worth_a_link
from scorekeeper.audience.visible_standings import ClassPlace, StandingsView, get_audience_view, list_class_places
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_sheet, list_sheets_of_bike
from scorekeeper.common.game_adapter import show_line_points, show_total, translate
from scorekeeper.common.labels import label_value
from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import get_public_names
from scorekeeper.results.board_search import make_entrant_context
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
    format_public_revision_notice,
)


@dataclass(frozen=True, slots=True)
class BikeCardLine:
    """A line of the scorecard as the page shows it.

    Attributes:
        heading: of the section that begins here; "" elsewhere.
        href: the URL of the clause that the line comes from.
        stop_names: the stops where its turns were rolled.
        points: what is shown of its points; None for an empty line.
        dice: the cards that it lists instead, where turns have no points.
    """

    line: ReportLine
    label: str
    href: str
    heading: str
    stop_names: str
    points: int | str | None
    dice: tuple[int | str, ...]


def bike(request: HttpRequest, slug: str, contest_slug: str, bike_id: UUID) -> HttpResponse:
    """Show every box of a bike's scorecard, and where each turn was rolled."""
    contest = get_public_contest(slug, contest_slug)
    kind = get_kind(contest.game)
    if kind.entrant_route != "results:bike":
        return redirect(kind.get_entrant_url(contest, bike_id))
    try:
        found_bike = get_sheet(contest, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    if found_bike.pk != bike_id:
        return redirect("results:bike", slug, contest_slug, found_bike.pk)
    view = get_audience_view(contest)
    head, card = view.get_card(found_bike.pk, found_bike.label)
    outlook = view.get_outlook(found_bike.pk)
    class_places = list_class_places(contest, view, found_bike.pk)
    context = {
        **make_entrant_context(contest, found_bike.pk),
        "event": contest.event,
        "contest": contest,
        "now": timezone.now(),
        "crumbs": list_breadcrumbs(contest, _("Bike %(number)s") % {"number": found_bike.label}),
        "bike": found_bike,
        "number": found_bike.label,
        "name": get_public_names(contest.event, contest).get(found_bike.pk, ""),
        "sheets": _list_sheets(view, contest, found_bike),
        "lines": _list_card_lines(contest.game, card),
        "class_places": [
            (place.name, get_class_url(contest, place.class_id), place.row.rank_label) for place in class_places
        ],
        "turns": [(turn, translate(turn.label_text)) for turn in card.turns],
        "official": format_official_status(head, contest.event),
        "pending": format_public_revision_notice(head),
        "frozen": format_frozen(head, contest.event),
        "damage": "" if card.damaged_from is None else format_damage_notice(card.damaged_from),
        "board": head,
        "is_coached": _has_turns_left(contest, card) and are_values_visible(contest),
        "has_luck": is_luck_worth_a_link(contest),
        "needs": [
            *_describe_result(contest, card),
            *([] if outlook is None else explain_outlook(contest.game, outlook, contest.prizes)),
            *(explain_chances(contest, view.get_chances(), found_bike.pk, outlook=outlook) if card.turns else []),
            *_explain_class_chances(contest, view, class_places),
        ],
    }
    texts = [context[key] for key in ("sheets", "number", "name", "official", "pending", "frozen", "damage", "needs")]
    version = sha256(canonical_json([contest.name, *texts, context["class_places"], card.to_data()]))
    return render_refreshable(request, "results/bike.html", "results/_bike.html", context, version)


def _explain_class_chances(contest: Contest, view: StandingsView, places: Sequence[ClassPlace]) -> list[str]:
    """Return the chances in each class, in a sentence; none where none are told."""
    chances = view.get_chances() if places else None
    if chances is None:
        return []
    found = []
    for place in places:
        own = chances.narrow_to_class(place.class_id)
        sentences = [] if own is None else explain_chances(contest, own, place.row.entrant_id, place.row.status)
        found += [label_value(place.name, sentence) for sentence in sentences[:1]]
    return found


def _describe_result(contest: Contest, card: CardReport) -> list[str]:
    """Return what the total alone does not say, as a sentence; nothing before the first turn."""
    result = contest.game.describe_result(contest.ruleset.setup, card.total) if card.turns else None
    return [] if result is None else [f"{translate(*result)}."]


def _list_sheets(view: StandingsView, contest: Contest, bike: Bike) -> list[dict[str, Any]]:
    """Return the sheets of the bike with links and totals; nothing where it has only this one."""
    sheets = list_sheets_of_bike(contest, bike) if sells_sheets(contest) else []
    if len(sheets) < 2:
        return []
    return [
        {
            "number": sheet.label,
            "href": reverse("results:bike", args=[contest.event.slug, contest.slug, sheet.pk]),
            "total": str(show_total(contest.game, view.get_card(sheet.pk, sheet.label)[1].total)),
            "is_shown": sheet.pk == bike.pk,
        }
        for sheet in sheets
    ]


def _has_turns_left(contest: Contest, card: CardReport) -> bool:
    slot_option = contest.game.slot_option
    if card.damaged_from is not None or slot_option is None:
        return False
    return len(card.turns) < int(contest.ruleset.options[slot_option])


def _list_card_lines(game: Game[Any], card: CardReport) -> list[BikeCardLine]:
    lines, section = [], None
    for line in card.lines:
        text = line.section_text
        heading = "" if text is None or line.section == section else translate(text)
        section = line.section
        stop_names = ", ".join(card.turns[number - 1].stop for number in line.turns)
        has_points = game.points_of_turns or line.kind != "line"
        dice = () if has_points else tuple(face for number in line.turns for face in card.turns[number - 1].dice)
        points = show_line_points(game, line.kind, line.points)
        href, label = get_clause_url(game.key, line.rule), translate(line.label_text)
        lines.append(BikeCardLine(line, label, href, heading, stop_names, points, dice))
    return lines
