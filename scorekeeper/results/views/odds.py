"""The part of a bike's or player's page that shows the values, of the cards as they are recorded."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from scorekeeper.audience.luck import are_values_visible
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_sheet
from scorekeeper.coach.answer_source import PER_ADDRESS
from scorekeeper.coach.odds_presenter import Position
from scorekeeper.coach.question import make_card_question, make_table_question
from scorekeeper.coach.views import render_odds
from scorekeeper.common.client_address import get_client_address
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.results.public_lookups import get_public_contest
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.selectors.cards import get_card, list_slots


@never_cache
def entrant_odds(request: HttpRequest, slug: str, contest_slug: str, entrant_id: UUID) -> HttpResponse:
    """Show what best play comes to from here; nothing that is being entered is known.

    Raises:
        Http404: the values are not visible, or nobody here has this id.
    """
    contest = get_public_contest(slug, contest_slug)
    if not are_values_visible(contest):
        raise Http404
    is_at_tables = get_kind(contest.game).entrant_route == "results:seats"
    list_positions = _list_table_positions if is_at_tables else _list_card_positions
    return render_odds(
        request, contest, list_positions(contest, entrant_id), (PER_ADDRESS, get_client_address(request))
    )


def _list_card_positions(contest: Contest, bike_id: UUID) -> list[Position]:
    try:
        bike = get_sheet(contest, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    slots = list_slots(contest)
    question = make_card_question(contest, get_card(contest, slots, bike))
    return [] if question is None else [Position(question)]


def _list_table_positions(contest: Contest, entrant_id: UUID) -> list[Position]:
    """Return the seat to act at each table of the entrant."""
    people = get_public_names(contest.event, contest)
    positions = []
    for table in get_audience_view(contest).list_tables(entrant_id):
        question = None if table.live_table is None else make_table_question(contest, table.live_table)
        if question is not None:
            report = table.seat_reports[question.seat]
            name = format_entrant(report.number, people.get(report.entrant_id, ""))
            positions.append(Position(question, name if question.seats > 1 else ""))
    return positions
