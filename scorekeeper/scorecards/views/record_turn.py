"""A bike's card at a stop: dice are tapped, and a tap on a box records the turn.

Every tap submits a complete form that contains the draft, which is evaluated again each time. A turn that is already
recorded is shown instead of the form.
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

from scorekeeper.common.partial_pages import is_partial_request, render_partial
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.session_choices import MODE_KEY, STOP_KEY
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import canonicalize_actions
from scorekeeper.scorecards.forms.turn_fields import (
    TurnFormFields,
    apply_tap,
    completes_turn,
    parse_posted_draft,
    parse_whole_turn,
)
from scorekeeper.scorecards.selectors.slot_state import find_cards_of_others, make_blocked_choice_explainer
from scorekeeper.scorecards.services.bike_operations import has_registered
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.scorecards.services.sheet_sales import list_sellers
from scorekeeper.scorecards.services.turns import TurnInput, record_turn_on
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, evaluate_draft, undo_last_tap
from scorekeeper.scorecards.turn_form_presenter import explain_problems, present_draft, present_whole_turn
from scorekeeper.scorecards.views.card_context import (
    CardContext,
    get_crew_context,
    get_dice_set,
    get_own_dice_set,
)
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.responses import CARD_DAMAGED, render_not_allowed
from scorekeeper.scorecards.views.turn_result import (
    PAGE,
    make_page_context,
    make_result_url,
    render_in_review,
    render_turn_result,
)
from scorekeeper.scorecards.views.undone_drafts import load_draft, save_draft, update_draft

CLEARED_FIELD = "cleared"  # in a URL: the phone has removed the dice that Undo brought back


@dataclass(frozen=True)
class TurnFormState:
    """The state of the form: the slot, the hidden fields, and the evaluated draft.

    Attributes:
        method: the type of the action that records a whole turn at once; "" while dice are tapped.
    """

    context: CardContext
    slot_id: UUID
    fields: TurnFormFields
    evaluation: TurnDraftEvaluation
    method: str = ""


@preserve_input
@crew_required
def enter_turn(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Show the form for the next turn, handle a tap, or record the turn."""
    card_context = get_crew_context(request, bike_id)
    data = get_request_data(request)
    slot_id = choose_slot(request, card_context)
    takes_over = data.get("takes_over") == "1" and card_context.actor.can_take_over
    if card_context.needs_take_over_at(slot_id) and not takes_over:
        return render_not_allowed(request, card_context)
    if request.method != "POST" and card_context.card.damaged_from is not None:
        return redirect(card_context.get_url("history"))
    if request.method == "POST":
        return _handle_tap(request, card_context, slot_id)
    if card_context.card.get_turn(slot_id) is not None:
        return render_turn_result(request, card_context, slot_id, parse_uuid(data.get("done")))
    if data.get("mode") and request.session.get(MODE_KEY) != data["mode"]:
        request.session[MODE_KEY] = data["mode"]
    chosen = get_dice_set(request)
    fields = TurnFormFields.from_data(data, None if chosen is None else chosen.pk)
    evaluation = _evaluate_requested_draft(request, card_context, slot_id, data)
    method = data.get("way") or _get_usual_method(request, evaluation)
    return _show_form(request, TurnFormState(card_context, slot_id, fields, evaluation, method))


def _get_usual_method(request: CrewRequest, evaluation: TurnDraftEvaluation) -> str:
    """Return the offer whose number this phone entered last instead of dice; "" for dice, and once some are there."""
    draft, used_last = evaluation.draft, str(request.session.get(MODE_KEY, ""))
    is_offered = any(offer.key == used_last for offer in evaluation.number_offers)
    return used_last if is_offered and not (draft.visible_dice or draft.actions or evaluation.problems) else ""


def _evaluate_requested_draft(
    request: CrewRequest, card_context: CardContext, slot_id: UUID, data: QueryDict
) -> TurnDraftEvaluation:
    """Evaluate the draft in a URL, or else the one that was left on this card after Undo.

    With `again` it is a turn that was not recorded: its last dice are visible. With `cleared` the one that was left was
    cleared since, on the phone alone. An empty draft has the method that the phone used last.
    """
    state = card_context.card.get_state_before(slot_id)
    draft, _malformed = parse_posted_draft(data)
    if CLEARED_FIELD in data:
        update_draft(request.session, card_context, slot_id, None)
    is_new = bool(draft.visible_dice or draft.actions)
    if not is_new:
        saved = load_draft(request.session, card_context, slot_id)
        draft = saved or replace(draft, mode=draft.mode or request.session.get(MODE_KEY, ""))
    evaluation = evaluate_draft(card_context.ruleset, state, draft)
    if data.get("again") and evaluation.problems:
        return replace(evaluate_draft(card_context.ruleset, state, TurnDraft()), problems=evaluation.problems)
    if data.get("again"):
        draft = undo_last_tap(card_context.ruleset, state, evaluation.draft)
        evaluation = evaluate_draft(card_context.ruleset, state, draft)
    if is_new:
        save_draft(request.session, card_context, slot_id, evaluation.draft)
    return evaluation


def choose_slot(request: CrewRequest, card_context: CardContext) -> UUID:
    """Return the requested slot, or else the next free slot at the stop, or else the next free slot.

    Raises:
        Http404: the contest has no such slot, or no slots at all.
    """
    data = get_request_data(request)
    if data.get("slot"):
        slot_id = parse_uuid(data.get("slot"))
        if slot_id is None or slot_id not in card_context.slots:
            raise Http404
        return slot_id
    stop_id = parse_uuid(data.get("stop")) or parse_uuid(request.session.get(STOP_KEY))
    slots = list(card_context.slots.values())
    here = [slot for slot in slots if slot.stop_id == stop_id] or slots
    if not here:
        raise Http404
    free = [slot for slot in here if card_context.card.get_turn(slot.pk) is None]
    return (free or here[-1:])[0].pk


def _handle_tap(request: CrewRequest, card_context: CardContext, slot_id: UUID) -> HttpResponse:
    data, state = request.POST, card_context.card.get_state_before(slot_id)
    fields = TurnFormFields.from_data(data, None)
    draft, malformed = parse_posted_draft(data)
    evaluation = evaluate_draft(card_context.ruleset, state, draft)
    key = card_context.contest.game_key
    errors = [] if malformed is None else explain_problems(key, [malformed.as_problem()])
    if completes_turn(data):
        form_state = TurnFormState(card_context, slot_id, fields, evaluation, data.get("way", ""))
        if card_context.card.damaged_from is not None:
            return _show_form_again(request, form_state, str(CARD_DAMAGED))
        actions, problems = parse_whole_turn(evaluation, data)
        return _record(request, form_state, actions, [*errors, *explain_problems(key, problems)])
    if any(offer.key == data.get("switch") for offer in evaluation.number_offers):
        request.session[MODE_KEY] = data["switch"]
        update_draft(request.session, card_context, slot_id, evaluation.draft)
        return _show_form(request, TurnFormState(card_context, slot_id, fields, evaluation, data["switch"]), errors)
    after = evaluate_draft(card_context.ruleset, state, apply_tap(card_context.ruleset, state, evaluation, data))
    if "switch" in data:
        request.session[MODE_KEY] = after.draft.mode
    update_draft(request.session, card_context, slot_id, after.draft)
    errors += explain_problems(key, after.problems)
    if after.problems and "again" in data:
        after = evaluation  # the dice and their pins, so that a pin can be removed
    return _show_form(request, TurnFormState(card_context, slot_id, fields, after), errors, 422 if errors else 200)


def _record(
    request: CrewRequest, form_state: TurnFormState, actions: Sequence[Mapping[str, Any]], errors: Sequence[Sentence]
) -> HttpResponse:
    card_context, slot_id, fields = form_state.context, form_state.slot_id, form_state.fields
    if not card_context.event.is_open:
        errors = [
            *errors,
            Sentence(_("The event is not open, so nothing can be recorded. What you entered is still here.")),
        ]
    if not errors:
        canonical = canonicalize_actions(card_context.card.contest, actions)
        problems = card_context.card.judge_turn(fields.operation, canonical, slot_id).problems
        errors = explain_all(card_context.contest.game_key, problems)
    if errors:
        return _show_form(request, form_state, errors, 422)
    dice_set = get_own_dice_set(request, fields.dice_set)
    turn_input = TurnInput(
        card_context.contest.pk,
        card_context.bike.pk,
        slot_id,
        actions,
        None if dice_set is None else dice_set.pk,
        fields.takes_over,
        fields.reason,
    )
    try:
        receipt, card = record_turn_on(card_context.card, card_context.actor, fields.operation, turn_input)
    except IdReused:
        return _show_form_again(request, form_state, _("This page was already submitted with another turn."))
    except NotAllowed:
        return render_not_allowed(request, card_context)
    except DamagedCard:
        return _show_form_again(request, form_state, str(CARD_DAMAGED))
    except UnknownTarget:
        return _show_form_again(request, form_state, _("The organiser has just merged bikes or changed the turns."))
    return _show_result(request, form_state, receipt, card)


def _show_result(
    request: CrewRequest, form_state: TurnFormState, receipt: Receipt, card: BikeCard | None
) -> HttpResponse:
    """Show what was recorded. Without htmx, redirect to it, so that reloading the page sends nothing again."""
    before, slot_id = form_state.context, form_state.slot_id
    after = get_crew_context(request, before.bike.pk) if card is None else replace(before, card=card)
    if not receipt.is_applied:
        return render_in_review(request, after, slot_id, receipt)
    if after.card.get_turn(slot_id) is None:
        return _show_form_again(
            request, form_state, _("This page was already submitted, and its turn has been voided since.")
        )
    if is_partial_request(request):
        return render_turn_result(request, after, slot_id, form_state.fields.operation)
    return redirect(make_result_url(before, slot_id, form_state.fields.operation))


def _show_form_again(request: CrewRequest, form_state: TurnFormState, why: str) -> HttpResponse:
    """Show the form again, with everything that was typed and a new operation id (409)."""
    fresh = TurnFormState(
        form_state.context,
        form_state.slot_id,
        form_state.fields.with_new_operation(),
        form_state.evaluation,
        form_state.method,
    )
    return _show_form(request, fresh, [Sentence(why), Sentence(_("Check the scorecard, then tap again."))], 409)


def _show_form(
    request: CrewRequest, form_state: TurnFormState, errors: Sequence[Sentence] = (), status: int = 200
) -> HttpResponse:
    card_context, evaluation = form_state.context, form_state.evaluation
    typed = get_request_data(request)
    methods = [present_whole_turn(offer, typed) for offer in evaluation.whole_turn_offers]
    why_not = make_blocked_choice_explainer(card_context.card, form_state.slot_id, evaluation.actions)
    can_withdraw = card_context.bike.is_walk_up and not (card_context.is_foreign or card_context.card.turns)
    can_withdraw_sheet = card_context.bike.sheet_of_id is not None and not card_context.card.turns
    is_new = (can_withdraw and has_registered(card_context.actor, card_context.bike.pk)) or (
        can_withdraw_sheet and card_context.actor.id in list_sellers(card_context.bike)
    )
    context = {
        **make_page_context(card_context, form_state.slot_id),
        "draft": present_draft(
            card_context.ruleset.game,
            evaluation,
            why_not,
            method=form_state.method,
            has_numbers=True,
            cards_of_others=find_cards_of_others(card_context.card, form_state.slot_id),
        ),
        "input_methods": methods,
        "input_method": next((method for method in methods if method["type"] == form_state.method), None),
        "hidden": form_state.fields.to_hidden(),
        "errors": [{"field_id": "entry", **sentence.to_data()} for sentence in errors],
        # Only the menu of the whole page shows it.
        "dice_set": None if is_partial_request(request) else get_dice_set(request),
        "reason": form_state.fields.reason,
        "is_retired": card_context.card.get_turn(None) is not None,
        "can_withdraw": can_withdraw,
        "withdraw_operation": uuid4(),
        "can_withdraw_sheet": can_withdraw_sheet,
        # Turns that this phone does not have: they may have been recorded on another phone, except for a new walk-up or
        # a new sheet.
        "earlier": [] if is_new else _list_earlier_free_slots(card_context, form_state.slot_id),
    }
    return render_partial(request, PAGE, "scorecards/_form.html", context, status)


def _list_earlier_free_slots(card_context: CardContext, slot_id: UUID) -> list[str]:
    """Return the names of the slots before this one that have no turn."""
    before = takewhile(lambda slot: slot != slot_id, card_context.slots)
    return [card_context.slot_names[slot] for slot in before if card_context.card.get_turn(slot) is None]
