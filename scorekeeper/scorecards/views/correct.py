"""Correcting turns of a card: one, or several at once where one alone would be in another's way."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.fold import Change, apply_changes, in_slot_order
from scorekeeper.scorecards.forms.correction import ReasonForm, TurnForm
from scorekeeper.scorecards.forms.ways import list_ways
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.scorecards.services.turns import judge_card, written_actions
from scorekeeper.scorecards.views.doors import render_place
from scorekeeper.scorecards.views.places import Place, get_data


def correct(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the turns asked for (`?turn=`, else all) and correct those that were changed, together or not at all."""
    forms = _list_forms(request, place)
    reason = ReasonForm(request.POST or None)
    if request.method != "POST":
        return _show(request, place, forms, reason)
    if len(forms) < len(set(request.POST.getlist("turn"))) or not all(form.is_as_seen for form in forms):
        return _show_changed(request, place)
    if not all([reason.is_valid(), *(form.is_valid() for form in forms)]):
        return _show(request, place, forms, reason, status=422)
    changed = [form for form in forms if written_actions(place.card, form.actions) != form.turn.actions]
    if not changed:
        return _show(request, place, forms, reason, [Sentence(_("Nothing is changed. Change what is wrong."))], 422)
    changes = [Change(form.turn.id, written_actions(place.card, form.actions)) for form in changed]
    judged = judge_card(place.card, apply_changes(place.card.turns, changes, place.card.chain.length + 1))
    if judged.problems:
        sentences = explain_all(place.contest.game_key, judged.problems)
        return _show(request, place, forms, reason, sentences, 422)
    return _write(request, place, changed, reason)


def _list_forms(request: HttpRequest, place: Place) -> list[TurnForm]:
    ways, wanted = list_ways(place.ruleset), set(get_data(request).getlist("turn"))
    forms = []
    for turn in in_slot_order(place.card.contest, place.card.turns):
        played = place.card.fold.played.get(turn.id)
        if turn.slot_id is None or (wanted and str(turn.id) not in wanted):
            continue
        title = f"{place.slot_names[turn.slot_id]}: {place.describe(turn)}"
        forms.append(TurnForm(ways, turn, played, title, request.POST or None))
    return forms


def _write(request: HttpRequest, place: Place, changed: Sequence[TurnForm], reason: ReasonForm) -> HttpResponse:
    targets = [Target(form.turn.id, form.turn.seq, form.actions) for form in changed]
    operation, why = reason.cleaned_data["operation"], reason.cleaned_data["reason"]
    try:
        receipt = amend_turns(place.actor, operation, place.contest.pk, place.bike.pk, targets, why, place.takes_over)
    except OtherBody:
        text = _("This page had already been sent with something else in it. Look at the card, then send it again.")
        fresh = ReasonForm({"operation": uuid4(), "reason": why})
        return _show(request, place, changed, fresh, [Sentence(text)], 409)
    return answer(request, place, receipt, _("Corrected: %(bike)s.") % {"bike": place.name})


def answer(request: HttpRequest, place: Place, receipt: Receipt, done: str) -> HttpResponse:
    """Go back to the history with the good news, or say that the organiser decides (409)."""
    if receipt.is_applied:
        messages.success(request, done)
        return redirect(place.url("history"))
    context = {"sentences": explain_all(place.contest.game_key, receipt.problems)}
    return render_place(request, place, _("The organiser decides"), "scorecards/_kept.html", context, 409)


def _show_changed(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the card as it stands now next to what was typed: somebody was faster."""
    text = _("The card has changed since this page was opened, so nothing was corrected. This is how it stands now.")
    forms = _list_forms(request, place)
    for form in forms:
        # What was typed stays; from here on it is about the turn as it stands now.
        form.data = {**dict(form.data.items()), form.add_prefix("seq"): str(form.turn.seq)}
    return _show(request, place, forms, ReasonForm(request.POST), [Sentence(text)], 409)


def _show(
    request: HttpRequest,
    place: Place,
    forms: Sequence[TurnForm],
    reason: ReasonForm,
    sentences: Sequence[Sentence] = (),
    status: int = 200,
) -> HttpResponse:
    errors = [{"field_id": "turns", **sentence.to_data()} for sentence in sentences]
    for form in [*forms, reason]:
        for field in form.visible_fields():
            field_id = f"{field.auto_id}_0" if field.use_fieldset else field.auto_id
            errors += [{"field_id": field_id, "text": str(text)} for text in field.errors if form.is_bound]
    is_part = len(forms) < sum(turn.slot_id is not None for turn in place.card.turns.values())
    context = {
        "forms": forms,
        "reason": reason,
        "errors": errors,
        "sentences": sentences,
        "action": request.path,
        "several_url": place.url("correct") if is_part and sentences else "",
    }
    return render_place(request, place, _("Correct"), "scorecards/_correct.html", context, status)
