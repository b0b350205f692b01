"""The organiser notes a turn that is missing on a card, such as one from a paper card handed in at the finale.

Where a turn stands already, be it one noted as missed at the close, it is corrected instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.sheet import is_same_turn
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.scorecards.forms.missing_turn import MissingTurnForm
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.services.recording import IdReused
from scorekeeper.scorecards.services.turns import TurnInput, canonicalize_actions, judge_turn, record_turn
from scorekeeper.scorecards.views.card_context import CardContext, get_request_data, make_card_context, parse_uuid
from scorekeeper.scorecards.views.card_views import render_card_page
from scorekeeper.scorecards.views.correct import render_outcome
from scorekeeper.scorecards.views.void import format_turn


def record_missing_turn(request: HttpRequest, place: CardContext) -> HttpResponse:
    """Ask for a free slot (`?slot=` chooses one), the turn and the reason, and record it."""
    slot_id = parse_uuid(get_request_data(request).get("slot"))
    if slot_id is not None and slot_id not in place.slots:
        raise Http404
    standing = None if slot_id is None else place.card.get_turn(slot_id)
    if request.method == "POST":
        return _handle_post(request, place, slot_id, standing)
    if standing is not None:
        return redirect(_correct_url(place, standing))
    return _render_form(request, place, _make_form(place, slot_id))


def _make_form(place: CardContext, slot_id: UUID | None, data: object = None) -> MissingTurnForm:
    """Make the form over the free slots, and over the one asked for, whatever has become of it."""
    free = {slot for slot, _name in place.list_free_slots()}
    slots = [(str(slot), name) for slot, name in place.slot_names.items() if slot in free or slot == slot_id]
    chosen = slots[0][0] if len(slots) == 1 else slot_id
    return MissingTurnForm(list_input_methods(place.ruleset), slots, data, initial={"slot": chosen})


def _handle_post(
    request: HttpRequest, place: CardContext, slot_id: UUID | None, standing: RecordedTurn | None
) -> HttpResponse:
    form = _make_form(place, slot_id, request.POST)
    if not form.is_valid():
        return _render_form(request, place, form, status=422)
    assert slot_id is not None, "the form takes no other"
    operation, actions = form.cleaned_data["operation"], canonicalize_actions(place.card, form.actions)
    judged = judge_turn(place.card, slot_id, actions, operation)
    # A turn that this page noted itself, or one just the same, is no news: recording answers those.
    is_same = standing is not None and is_same_turn(
        judged.fold.results.get(operation), place.card.fold.results.get(standing.id)
    )
    if standing is not None and standing.id != operation and not is_same:
        words = {"turn": format_turn(place, standing)}
        text = (
            _(
                "Someone else has just recorded this: %(turn)s. Yours was not recorded. Correct that turn, "
                "or choose another."
            )
            % words
        )
        return _render_form(request, place, form, [Sentence(text)], 409, _correct_url(place, standing))
    sentences = explain_all(place.contest.game_key, judged.problems)
    if not place.event.is_open:
        closed = _("The ride is not open, so nothing can be recorded. What you entered is still here.")
        sentences.insert(0, Sentence(closed))
    if sentences:
        return _render_form(request, place, form, sentences, 422)
    return _record(request, place, slot_id, form)


def _record(request: HttpRequest, place: CardContext, slot_id: UUID, form: MissingTurnForm) -> HttpResponse:
    operation, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
    turn = TurnInput(place.contest.pk, place.bike.pk, slot_id, form.actions, reason=reason)
    try:
        receipt = record_turn(place.actor, operation, turn)
    except IdReused:
        return _show_form_again(request, place, slot_id, _("This page was already submitted with something different."))
    after = make_card_context(place.actor, place.event, place.contest, place.bike)
    stands = after.card.get_turn(slot_id)
    if receipt.is_applied and stands is None:
        return _show_form_again(
            request, after, slot_id, _("This page was already submitted, and its turn has been voided since.")
        )
    done = "" if stands is None else _("Recorded: %(turn)s.") % {"turn": format_turn(after, stands)}
    return render_outcome(request, after, receipt, done)


def _show_form_again(request: HttpRequest, place: CardContext, slot_id: UUID, why: str) -> HttpResponse:
    """Show the form once more, with all that was typed and a new operation's id (409)."""
    form = _make_form(place, slot_id, {**dict(request.POST.items()), "operation": uuid4()})
    return _render_form(request, place, form, [Sentence(f"{why} {_('Check the scorecard, then try again.')}")], 409)


def _render_form(
    request: HttpRequest,
    place: CardContext,
    form: MissingTurnForm,
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
        "is_sealed": place.card.chain.is_sealed,
        "action": request.path,
    }
    return render_card_page(
        request, place, _("Record a missing turn"), "scorecards/_missing_turn.html", context, status
    )


def _correct_url(place: CardContext, turn: RecordedTurn) -> str:
    return f"{place.url('correct')}?turn={turn.id}"
