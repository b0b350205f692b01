"""Voiding a turn: it no longer counts, and stays in the log with the reason."""

from __future__ import annotations

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.explaining import explain
from scorekeeper.scorecards.fold import Change, NotedTurn, apply_changes
from scorekeeper.scorecards.forms.correction import ReasonForm
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.scorecards.services.turns import judge_card
from scorekeeper.scorecards.views.correct import answer
from scorekeeper.scorecards.views.doors import render_place, show_changed
from scorekeeper.scorecards.views.places import Place, get_data, read_uuid

GONE = gettext_lazy("This turn stands no longer; somebody has changed the card.")


def void(request: HttpRequest, place: Place) -> HttpResponse:
    """Name the turn and ask for the reason; then void it."""
    turn = get_turn(request, place)
    form = ReasonForm(request.POST or None)
    if turn is None:
        return show_changed(request, place, GONE)
    if request.method != "POST":
        return _show(request, place, turn, form)
    if request.POST.get("seq") != str(turn.seq):
        text = _("The turn has changed since this page was opened, so nothing was voided. This is how it stands now.")
        return _show(request, place, turn, form, Sentence(text), 409)
    if not form.is_valid():
        return _show(request, place, turn, form, status=422)
    without = apply_changes(place.card.turns, [Change(turn.id, None)], place.card.chain.length + 1)
    judged = judge_card(place.card, without)
    if judged.problems:
        return _show(request, place, turn, form, explain(place.contest.game_key, judged.problems[0]), 422)
    operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
    target = Target(turn.id, turn.seq, None)
    try:
        receipt = amend_turns(place.actor, operation, place.contest.pk, place.bike.pk, [target], why, place.takes_over)
    except OtherBody:
        fresh = ReasonForm({"operation": uuid4(), "reason": why})
        return _show(request, place, turn, fresh, Sentence(_("This page had already been sent. Send it again.")), 409)
    return answer(request, place, receipt, _("Voided: %(turn)s.") % {"turn": name_turn(place, turn)})


def get_turn(request: HttpRequest, place: Place) -> NotedTurn | None:
    """Return the turn a page is about, or None if it no longer stands.

    Raises:
        Http404: no turn is named.
    """
    turn_id = read_uuid(get_data(request).get("turn"))
    if turn_id is None:
        raise Http404
    turn = place.card.turns.get(turn_id)
    return None if turn is None or turn.slot_id is None else turn


def name_turn(place: Place, turn: NotedTurn) -> str:
    """Return a turn as messages name it: "Parks: Small straight, 30 points"."""
    assert turn.slot_id is not None
    return f"{place.slot_names[turn.slot_id]}: {place.describe(turn)}"


def _show(
    request: HttpRequest,
    place: Place,
    turn: NotedTurn,
    form: ReasonForm,
    sentence: Sentence | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "turn": turn,
        "turn_name": name_turn(place, turn),
        "errors": _list_errors(form, sentence),
        "action": request.path,
    }
    return render_place(request, place, _("Void a turn"), "scorecards/_void.html", context, status)


def _list_errors(form: ReasonForm, sentence: Sentence | None) -> list[dict[str, str]]:
    errors = [{"field_id": "", **sentence.to_data()}] if sentence else []
    if form.is_bound:
        errors += [{"field_id": form["reason"].auto_id, "text": str(one)} for one in form["reason"].errors]
    return errors
