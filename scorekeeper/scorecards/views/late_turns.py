"""Turns recorded later than at their stop: by the organiser, such as from a paper card, or by the crew at another stop.

If the slot already has a turn, even one recorded as missed at the close, the organiser corrects that turn instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.core.sheet import is_same_turn
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn, canonicalize_actions
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.scorecards.forms.turn_pages import LateTurnForm, OtherTurnForm
from scorekeeper.scorecards.services.turns import TurnInput, record_turn_on
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import render_page
from scorekeeper.scorecards.views.responses import render_outcome


def record_late_turn(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask for a free slot (`?slot=` chooses one), the turn and the reason, and record it."""
    slot_id = parse_uuid(get_request_data(request).get("slot"))
    if slot_id is not None and slot_id not in card_context.slots:
        raise Http404
    current = None if slot_id is None else card_context.card.get_turn(slot_id)
    if request.method == "POST":
        return _handle_post(request, card_context, slot_id, current)
    if current is not None:
        return redirect(_correct_url(card_context, current))
    return _render_form(request, card_context, _make_form(card_context, slot_id))


def _make_form(card_context: CardContext, slot_id: UUID | None, data: object = None) -> LateTurnForm:
    """Make the form for the free slots and the requested slot, even if that is no longer free."""
    free = {slot for slot, _name in card_context.list_free_slots()}
    slots = [(str(slot), name) for slot, name in card_context.slot_names.items() if slot in free or slot == slot_id]
    chosen = slots[0][0] if len(slots) == 1 else slot_id
    return LateTurnForm(list_input_methods(card_context.ruleset), slots, data, initial={"slot": chosen})


def _handle_post(
    request: HttpRequest, card_context: CardContext, slot_id: UUID | None, current: RecordedTurn | None
) -> HttpResponse:
    form = _make_form(card_context, slot_id, request.POST)
    if not form.is_valid():
        return _render_form(request, card_context, form, status=422)
    assert slot_id is not None, "the form requires a slot"
    operation, actions = form.cleaned_data["operation"], canonicalize_actions(card_context.card.contest, form.actions)
    judged = card_context.card.judge_turn(operation, actions, slot_id)
    # A turn recorded by this page itself, or an equal turn, is no conflict: recording returns the receipt.
    is_same = current is not None and is_same_turn(
        judged.fold.results.get(operation), card_context.card.fold.results.get(current.id)
    )
    if current is not None and current.id != operation and not is_same:
        params = {"turn": card_context.name_recorded([current])}
        text = (
            _(
                "Someone else has just recorded this: %(turn)s. Yours was not recorded. Correct that turn, "
                "or choose another."
            )
            % params
        )
        return _render_form(request, card_context, form, [Sentence(text)], 409, _correct_url(card_context, current))
    sentences = explain_all(card_context.contest.game_key, judged.problems)
    if not card_context.event.is_open:
        closed = _("The event is not open, so nothing can be recorded. What you entered is still here.")
        sentences.insert(0, Sentence(closed))
    if sentences:
        return _render_form(request, card_context, form, sentences, 422)
    return _record(request, card_context, slot_id, form)


def _record(request: HttpRequest, card_context: CardContext, slot_id: UUID, form: LateTurnForm) -> HttpResponse:
    operation, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
    turn = TurnInput(card_context.contest.pk, card_context.bike.pk, slot_id, form.actions, reason=reason)
    try:
        receipt, card = record_turn_on(card_context.card, card_context.actor, operation, turn)
    except IdReused:
        return _show_form_again(
            request, card_context, slot_id, _("This page was already submitted with something different.")
        )
    after = card_context.reload() if card is None else replace(card_context, card=card)
    recorded = after.card.get_turn(slot_id)
    if receipt.is_applied and recorded is None:
        return _show_form_again(
            request, after, slot_id, _("This page was already submitted, and its turn has been voided since.")
        )
    done = "" if recorded is None else _("Recorded: %(turn)s.") % {"turn": after.name_recorded([recorded])}
    return render_outcome(request, after, receipt, done)


def _show_form_again(request: HttpRequest, card_context: CardContext, slot_id: UUID, why: str) -> HttpResponse:
    """Show the form again, with everything that was typed and a new operation id (409)."""
    form = _make_form(card_context, slot_id, {**dict(request.POST.items()), "operation": uuid4()})
    return _render_form(
        request, card_context, form, [Sentence(f"{why} {_('Check the scorecard, then try again.')}")], 409
    )


def _render_form(
    request: HttpRequest,
    card_context: CardContext,
    form: LateTurnForm,
    sentences: Sequence[Sentence] = (),
    status: int = 200,
    instead_url: str = "",
) -> HttpResponse:
    context = {
        "form": form,
        "has_slots": bool(form.fields["slot"].choices),  # type: ignore[attr-defined]
        "sentences": sentences,
        "errors": [{"field_id": "note", **sentence.to_data()} for sentence in sentences],
        "instead_url": instead_url,
        "is_sealed": card_context.card.is_sealed,
    }
    return render_page(request, card_context, _("Record a missing turn"), "scorecards/_late_turn.html", context, status)


def _correct_url(card_context: CardContext, turn: RecordedTurn) -> str:
    return card_context.get_url("correct", turn=turn.id)


def other_turn(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask the crew for a turn of another stop, and why it is late, then show its form."""
    free = card_context.list_free_slots()
    open_slots = [(str(slot_id), name) for slot_id, name in free if card_context.may_record_at(slot_id)]
    form = OtherTurnForm(request.POST or None, open_slots)
    if form.is_valid():
        chosen = {name: form.cleaned_data[name] for name in ("slot", "reason")}
        extra = {"takes_over": "1"} if card_context.needs_take_over_at(UUID(chosen["slot"])) else {}
        query = urlencode({"contest": card_context.contest.pk, **chosen, **extra})
        return redirect(f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{query}")
    context = {"form": form, "has_open": bool(open_slots)}
    status = 422 if form.errors else 200
    return render_page(request, card_context, _("Another turn"), "scorecards/_other_turn.html", context, status)
