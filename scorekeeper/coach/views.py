"""The part of a crew page that shows the values: of the dice in the form of a bike's turn, or of a table.

The page loads it once it is there, so that entering dice never waits for it. It exists only in a contest that is set to
coach, while that is open, for everybody who has the page around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from scorekeeper.coach.answer_source import PER_PHONE
from scorekeeper.coach.odds_presenter import Position, present_positions
from scorekeeper.coach.question import make_card_question, make_table_question
from scorekeeper.common.rate_limits import RateLimit, RateLimited
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.forms.turn_fields import parse_posted_draft
from scorekeeper.scorecards.turn_draft import TurnDraftEvaluation, evaluate_draft
from scorekeeper.scorecards.views.card_context import CardContext, get_crew_context
from scorekeeper.scorecards.views.record_turn import choose_slot
from scorekeeper.scorecards.views.table_context import TableContext


@never_cache
@crew_required
def bike_odds(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Show the values of the turn that is being entered, with the dice of the form."""
    card_context = get_crew_context(request, bike_id)
    if not card_context.contest.is_coached:
        raise Http404
    slot_id = choose_slot(request, card_context)
    takes_over = request.GET.get("takes_over") == "1" and card_context.actor.can_take_over
    if card_context.needs_take_over_at(slot_id) and not takes_over:
        raise Http404
    position = _find_position(request, card_context, slot_id)
    asker = (PER_PHONE, str(request.device.pk))
    return render_odds(request, card_context.contest, [] if position is None else [position], asker, is_in_form=True)


def _find_position(request: HttpRequest, card_context: CardContext, slot_id: UUID) -> Position | None:
    """Return the moment that the form shows: after its dice, or before them until all are tapped."""
    card = card_context.card
    draft, _malformed = parse_posted_draft(request.GET)
    evaluation = evaluate_draft(card_context.ruleset, card.get_state_before(slot_id), draft)
    is_thrown = evaluation.is_complete and not evaluation.problems
    actions = evaluation.actions if is_thrown else evaluation.draft.actions
    question = make_card_question(card_context.contest, card, slot_id, actions)
    return None if question is None else Position(question, made=None if is_thrown else _find_made_choice(evaluation))


def _find_made_choice(evaluation: TurnDraftEvaluation) -> Mapping[str, Any] | None:
    """Return the choice to roll again, if it was made: which dice were set aside."""
    offer = evaluation.dice_offer
    if not evaluation.draft.actions or offer is None or offer.pick_field is None:
        return None
    return {"type": offer.spec.type, offer.pick_field.name: list(evaluation.draft.held)}


@never_cache
def table_odds(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the values of the seat to act."""
    contest, names = table_context.contest, table_context.names
    if not contest.is_coached:
        raise Http404
    question = make_table_question(contest, table_context.table)
    positions = []
    if question is not None:
        positions.append(Position(question, names[question.seat] if len(names) > 1 else ""))
    actor = table_context.actor
    return render_odds(request, contest, positions, (PER_PHONE, str(actor.device_id or actor.id)))


def render_odds(
    request: HttpRequest,
    contest: Contest,
    positions: Sequence[Position],
    asker: tuple[RateLimit, str],
    *,
    is_in_form: bool = False,
) -> HttpResponse:
    """Show the values of these positions. While some are being worked out, the part asks again.

    Args:
        asker: for whom new questions are counted, by which limit. Beyond it the part says when it asks again.
        is_in_form: whether asking again sends the fields of the form around the part.
    """
    seats, wait = [], 0
    try:
        seats = present_positions(contest, positions, asker)
    except RateLimited as limited:
        wait = limited.wait
    context = {
        "seats": seats,
        "wait": wait,
        "is_pending": any(seat.is_pending or seat.is_chance_pending for seat in seats),
        "is_in_form": is_in_form,
        "odds_url": request.path,
    }
    return render(request, "coach/_odds.html", context)
