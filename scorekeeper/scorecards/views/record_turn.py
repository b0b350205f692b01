"""A bike's card at a stop: the dice are tapped, and the tap on a box records the turn.

Every tap is a form that works by itself; the draft travels in it and is worked out anew each time. What has been
noted is shown instead of the form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.selectors import list_dice_sets
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.forms.taps import apply_tap, completes_turn, parse_whole_turn
from scorekeeper.scorecards.forms.turn_fields import TurnFormFields, parse_posted_draft
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.selectors.slot_state import get_state_before, make_blocked_choice_explainer
from scorekeeper.scorecards.services.cards import DamagedCard
from scorekeeper.scorecards.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.turns import TurnInput, canonicalize_actions, judge_turn, record_turn
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, evaluate_draft, undo_last_tap
from scorekeeper.scorecards.turn_form_presenter import explain_problems, present_draft, present_other_input_methods
from scorekeeper.scorecards.views.card_context import (
    STOP_KEY,
    CardContext,
    get_crew_context,
    get_request_data,
    is_partial_request,
    parse_uuid,
    render_partial,
)
from scorekeeper.scorecards.views.card_views import CARD_DAMAGED
from scorekeeper.scorecards.views.dice_set import get_dice_set
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed
from scorekeeper.scorecards.views.turn_result import (
    PAGE,
    make_page_context,
    make_result_url,
    render_in_review,
    render_turn_result,
)


@dataclass(frozen=True)
class TurnFormState:
    """The form as it lies before the person: the slot, the hidden fields, the draft on its card.

    Attributes:
        way: the type of the action that notes the turn in one go; "" while dice are tapped.
    """

    context: CardContext
    slot_id: UUID
    fields: TurnFormFields
    evaluation: TurnDraftEvaluation
    method: str = ""


@preserve_input
@crew_required
def enter_turn(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Show the form for the turn due, take a tap, or record the turn."""
    place = get_crew_context(request, bike_id)
    data = get_request_data(request)
    if place.takes_over and not (data.get("takes_over") == "1" and place.actor.can_take_over):
        return render_not_allowed(request, place)
    if request.method != "POST" and place.card.damaged_from is not None:
        return redirect(place.url("history"))
    slot_id = _choose_slot(request, place)
    if request.method == "POST":
        return _handle_tap(request, place, slot_id)
    if place.card.get_turn(slot_id) is not None:
        return render_turn_result(request, place, slot_id, parse_uuid(data.get("done")))
    chosen = get_dice_set(request)
    fields = TurnFormFields.from_data(data, None if chosen is None else chosen.pk)
    return _show_form(
        request,
        TurnFormState(place, slot_id, fields, _evaluate_requested_draft(place, slot_id, data), data.get("way", "")),
    )


def _evaluate_requested_draft(place: CardContext, slot_id: UUID, data: QueryDict) -> TurnDraftEvaluation:
    """Open the draft of an address. With `again` it is of a turn that came to nothing: its last dice are in sight."""
    state = get_state_before(place.card, slot_id)
    draft, _malformed = parse_posted_draft(data)
    opened = evaluate_draft(place.ruleset, state, draft)
    if not data.get("again"):
        return opened
    if opened.problems:
        return replace(evaluate_draft(place.ruleset, state, TurnDraft()), problems=opened.problems)
    return evaluate_draft(place.ruleset, state, undo_last_tap(place.ruleset, state, opened.draft))


def _choose_slot(request: CrewRequest, place: CardContext) -> UUID:
    """Return the slot to note: the one asked for, else the next free one at the stop, else the next free one.

    Raises:
        Http404: the contest has no such slot, or none at all.
    """
    data = get_request_data(request)
    if data.get("slot"):
        slot_id = parse_uuid(data.get("slot"))
        if slot_id is None or slot_id not in place.slots:
            raise Http404
        return slot_id
    stop_id = parse_uuid(data.get("stop")) or parse_uuid(request.session.get(STOP_KEY))
    slots = list(place.slots.values())
    here = [slot for slot in slots if slot.stop_id == stop_id] or slots
    if not here:
        raise Http404
    free = [slot for slot in here if place.card.get_turn(slot.pk) is None]
    return (free or here[-1:])[0].pk


def _handle_tap(request: CrewRequest, place: CardContext, slot_id: UUID) -> HttpResponse:
    data, state = request.POST, get_state_before(place.card, slot_id)
    fields = TurnFormFields.from_data(data, None)
    draft, malformed = parse_posted_draft(data)
    opened = evaluate_draft(place.ruleset, state, draft)
    key = place.contest.game_key
    errors = [] if malformed is None else explain_problems(key, [malformed.as_problem()])
    if completes_turn(data):
        sheet = TurnFormState(place, slot_id, fields, opened, data.get("way", ""))
        if place.card.damaged_from is not None:
            return _show_form_again(request, sheet, str(CARD_DAMAGED))
        return _record(request, sheet, parse_whole_turn(opened, data), errors)
    after = evaluate_draft(place.ruleset, state, apply_tap(place.ruleset, state, opened, data))
    errors += explain_problems(key, after.problems)
    if after.problems and "again" in data:
        after = opened  # the dice and their pins, so that one can be taken off
    return _show_form(request, TurnFormState(place, slot_id, fields, after), errors, 422 if errors else 200)


def _record(
    request: CrewRequest, sheet: TurnFormState, actions: Sequence[Mapping[str, Any]], errors: Sequence[Sentence]
) -> HttpResponse:
    place, slot_id, fields = sheet.context, sheet.slot_id, sheet.fields
    if not place.event.is_open:
        errors = [
            *errors,
            Sentence(_("The ride is not open, so nothing can be recorded. What you entered is still here.")),
        ]
    problems = judge_turn(place.card, slot_id, canonicalize_actions(place.card, actions), fields.operation).problems
    errors = [*errors, *explain_all(place.contest.game_key, problems)]
    if errors:
        return _show_form(request, sheet, errors, 422)
    ours = {dice_set.pk for dice_set in list_dice_sets(request.device.member.group)}
    dice_set = fields.dice_set if fields.dice_set in ours else None
    note = TurnInput(place.contest.pk, place.bike.pk, slot_id, actions, dice_set, fields.takes_over, fields.reason)
    try:
        receipt = record_turn(place.actor, fields.operation, note)
    except IdReused:
        return _show_form_again(
            request, sheet, _("This page was already submitted with different dice or another box.")
        )
    except NotAllowed:
        return render_not_allowed(request, place)
    except DamagedCard:
        return _show_form_again(request, sheet, str(CARD_DAMAGED))
    except UnknownTarget:
        return _show_form_again(request, sheet, _("The organiser has just merged bikes or changed the turns."))
    after = get_crew_context(request, place.bike.pk)
    if not receipt.is_applied:
        return render_in_review(request, after, slot_id, receipt)
    if after.card.get_turn(slot_id) is None:
        return _show_form_again(
            request, sheet, _("This page was already submitted, and its turn has been voided since.")
        )
    if is_partial_request(request):
        return render_turn_result(request, after, slot_id, fields.operation)
    return redirect(make_result_url(place, slot_id, fields.operation))


def _show_form_again(request: CrewRequest, sheet: TurnFormState, why: str) -> HttpResponse:
    """Show the form once more, with all that was typed and a new operation's id (409)."""
    fresh = TurnFormState(
        sheet.context, sheet.slot_id, sheet.fields.with_new_operation(), sheet.evaluation, sheet.method
    )
    return _show_form(request, fresh, [Sentence(why), Sentence(_("Check the scorecard, then tap again."))], 409)


def _show_form(
    request: CrewRequest, sheet: TurnFormState, errors: Sequence[Sentence] = (), status: int = 200
) -> HttpResponse:
    place, opened = sheet.context, sheet.evaluation
    ways = present_other_input_methods(opened, get_request_data(request))
    why_not = make_blocked_choice_explainer(place.card, sheet.slot_id, opened.actions, place.slot_names)
    context = {
        **make_page_context(place, sheet.slot_id),
        "entry": present_draft(place.contest.game_key, opened, why_not),
        "ways": ways,
        "way": next((way for way in ways if way["type"] == sheet.method), None),
        "hidden": sheet.fields.to_hidden(),
        "errors": [{"field_id": "entry", **sentence.to_data()} for sentence in errors],
        "dice_set": get_dice_set(request),
        "reason": sheet.fields.reason,
        "can_withdraw": place.bike.is_walk_up and not (place.takes_over or place.card.turns),
        "withdraw_operation": uuid4(),
        # What a phone by itself does not know of: it may have been noted on another one.
        "earlier": _list_earlier_free_slots(place, sheet.slot_id),
    }
    return render_partial(request, PAGE, "scorecards/_form.html", context, status)


def _list_earlier_free_slots(place: CardContext, slot_id: UUID) -> list[str]:
    """Return the names of the slots before this one in which nothing stands."""
    before = takewhile(lambda slot: slot != slot_id, place.slots)
    return [place.slot_names[slot] for slot in before if place.card.get_turn(slot) is None]
