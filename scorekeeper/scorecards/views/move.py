"""Moving a turn that was recorded for the wrong bike: to the same slot of the other bike's card, in one operation."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import show_keys_for
from scorekeeper.bikes.selectors import list_sheets, list_taken_numbers
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.services.recording import IdReused, NotAllowed
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.display_names import format_bike
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange
from scorekeeper.scorecards.forms.turn_pages import MoveForm
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.selectors.cards import get_card
from scorekeeper.scorecards.selectors.group import get_group_at_stop, get_riders, list_sheets_with_number
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import render_page
from scorekeeper.scorecards.views.responses import render_gone, render_outcome


def move(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """List the bikes of the group; a tap on the right bike moves the turn. Other bikes are entered by number."""
    turn = card_context.find_target(request)
    if turn is None:
        return render_gone(request, card_context)
    form = MoveForm(request.POST or None)
    if request.method != "POST":
        return _render_move_form(request, card_context, turn, form)
    if request.POST.get("seq") != str(turn.seq):
        text = _(
            "The turn has changed since you opened this page, so nothing was moved. This page now shows "
            "the current entry."
        )
        return _render_move_form(request, card_context, turn, form, Sentence(text), 409)
    to_bike = _find_bike(request, card_context, form) if form.is_valid() else None
    if to_bike is None:
        text = _explain_no_bike(request, card_context, form)
        return _render_move_form(request, card_context, turn, form, Sentence(text), 422)
    obstacle = _find_move_obstacle(card_context, turn, to_bike)
    if obstacle is not None:
        return _render_move_form(request, card_context, turn, form, obstacle, 422)
    return _record_move(request, card_context, turn, form, to_bike)


def _record_move(
    request: HttpRequest, card_context: CardContext, turn: RecordedTurn, form: MoveForm, to_bike: Bike
) -> HttpResponse:
    data = form.cleaned_data
    assert turn.slot_id is not None
    contexts = (card_context, replace(card_context, bike=to_bike))
    takes_over = any(context.needs_take_over_at(turn.slot_id) for context in contexts)
    try:
        receipt = move_turn(
            card_context.actor,
            data["operation"],
            card_context.contest.pk,
            card_context.bike.pk,
            to_bike.pk,
            turn.id,
            turn.seq,
            data["reason"],
            takes_over and card_context.actor.can_take_over,
        )
    except NotAllowed:
        text = _("That bike rides with another group. A road captain or the organiser can move the turn.")
        return _render_move_form(request, card_context, turn, form, Sentence(text), 403)
    except IdReused:
        fresh = MoveForm({**dict(form.data.items()), "operation": uuid4()})
        return _render_move_form(
            request, card_context, turn, fresh, Sentence(_("This page was already submitted. Try again.")), 409
        )
    done = _("Moved to %(bike)s: %(turn)s.")
    to_name = format_bike(to_bike, get_riders(to_bike, card_context.contest))
    return render_outcome(
        request, card_context, receipt, done % {"bike": to_name, "turn": card_context.name_recorded([turn])}
    )


def _find_bike(request: HttpRequest, card_context: CardContext, form: MoveForm) -> Bike | None:
    chosen = parse_uuid(request.POST.get("to_bike"))
    if chosen is not None:
        return list_sheets(card_context.contest).filter(pk=chosen).exclude(pk=card_context.bike.pk).first()
    found = list_sheets_with_number(card_context.contest, form.cleaned_data["number"])
    others = [bike for bike in found if bike.pk != card_context.bike.pk]
    return others[0] if len(others) == 1 else None


def _explain_no_bike(request: HttpRequest, card_context: CardContext, form: MoveForm) -> str:
    """Return why what was tapped or typed is no other bike of the ride."""
    chosen, number = parse_uuid(request.POST.get("to_bike")), form.cleaned_data.get("number")
    meant = Q(pk=chosen) if chosen is not None else Q(number=number or 0)
    bikes = list(Bike.entrants.filter(meant, event=card_context.event))
    if card_context.bike in bikes:
        return _("The turn is on %(bike)s already. Choose another bike.") % {"bike": card_context.name}
    merged = next((bike for bike in bikes if bike.merged_into_id == card_context.bike.pk), None)
    if merged is not None:
        text = _("Bikes %(number)s and %(bike)s are one bike now, and it has the turn already. Choose another bike.")
        return text % {"number": merged.label, "bike": card_context.bike.label}
    return _("Choose the right bike: tap it, or enter the number of a bike at this event.")


def _find_move_obstacle(card_context: CardContext, turn: RecordedTurn, to_bike: Bike) -> Sentence | None:
    """Return why the turn cannot be moved there, or None. This is checked before anything is recorded."""
    assert turn.slot_id is not None
    target = get_card(card_context.contest, card_context.slots.values(), to_bike)
    bike = format_bike(to_bike, get_riders(to_bike, card_context.contest))
    if target.get_turn(turn.slot_id) is not None:
        where = card_context.slot_names[turn.slot_id]
        text = _("%(bike)s already has a turn at %(stop)s. Void or move that turn first.")
        return Sentence(text % {"bike": bike, "stop": where})
    problems = (
        *judge_changes(card_context.card, [TurnChange(turn.id, None)]).problems,
        *target.judge_turn(uuid4(), turn.actions, turn.slot_id).problems,
    )
    return explain(card_context.contest.game_key, problems[0]).with_subject(bike) if problems else None


def _render_move_form(
    request: HttpRequest,
    card_context: CardContext,
    turn: RecordedTurn,
    form: MoveForm,
    sentence: Sentence | None = None,
    status: int = 200,
) -> HttpResponse:
    assert turn.slot_id is not None
    stop_id: UUID = card_context.slots[turn.slot_id].stop_id
    bikes = (
        get_group_at_stop(card_context.contest, card_context.bike.group, stop_id).rows
        if card_context.bike.group
        else []
    )
    show_keys_for(form, list_taken_numbers(card_context.event))
    context = {
        "form": form,
        "turn": turn,
        "turn_name": card_context.name_recorded([turn]),
        "bikes": [row for row in bikes if not row.has_rolled and row.id != card_context.bike.pk],
        "errors": [{"field_id": form["number"].auto_id, **sentence.to_data()}] if sentence else [],
        "sentence": sentence,
    }
    return render_page(request, card_context, _("Wrong bike"), "scorecards/_move.html", context, status)
