"""Voiding a turn: it no longer counts, but stays in the log, with the reason."""

from __future__ import annotations

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.turns import judge_card
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.card_views import render_card_changed, render_card_page
from scorekeeper.scorecards.views.correct import render_outcome

TURN_GONE = gettext_lazy("This turn no longer counts. Someone has changed the scorecard.")


def void(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the turn and ask for the reason, then void it."""
    turn = get_turn(request, card_context)
    form = CorrectionReasonForm(request.POST or None)
    if turn is None:
        return render_card_changed(request, card_context, TURN_GONE)
    if request.method != "POST":
        return _render_form(request, card_context, turn, form)
    if request.POST.get("seq") != str(turn.seq):
        text = _(
            "The turn has changed since you opened this page, so nothing was voided. This page now "
            "shows the current entry."
        )
        return _render_form(request, card_context, turn, form, Sentence(text), 409)
    if not form.is_valid():
        return _render_form(request, card_context, turn, form, status=422)
    without = apply_changes(card_context.card.turns, [TurnChange(turn.id, None)], card_context.card.chain.length + 1)
    judged = judge_card(card_context.card, without)
    if judged.problems:
        return _render_form(
            request, card_context, turn, form, explain(card_context.contest.game_key, judged.problems[0]), 422
        )
    operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
    target = CorrectionTarget(turn.id, turn.seq, None)
    try:
        receipt = amend_turns(
            card_context.actor,
            operation,
            card_context.contest.pk,
            card_context.bike.pk,
            [target],
            why,
            card_context.takes_over,
        )
    except IdReused:
        fresh = CorrectionReasonForm({"operation": uuid4(), "reason": why})
        return _render_form(
            request, card_context, turn, fresh, Sentence(_("This page was already submitted. Try again.")), 409
        )
    return render_outcome(
        request, card_context, receipt, _("Voided: %(turn)s.") % {"turn": format_turn(card_context, turn)}
    )


def get_turn(request: HttpRequest, card_context: CardContext) -> RecordedTurn | None:
    """Return the turn a page is about, or None if it no longer counts.

    Raises:
        Http404: the request names no turn.
    """
    turn_id = parse_uuid(get_request_data(request).get("turn"))
    if turn_id is None:
        raise Http404
    turn = card_context.card.turns.get(turn_id)
    return None if turn is None or turn.slot_id is None else turn


def format_turn(card_context: CardContext, turn: RecordedTurn) -> str:
    """Return the text for a turn in messages: "Parks: Small straight, 30 points"."""
    assert turn.slot_id is not None
    return f"{card_context.slot_names[turn.slot_id]}: {card_context.describe_turn(turn)}"


def _render_form(
    request: HttpRequest,
    card_context: CardContext,
    turn: RecordedTurn,
    form: CorrectionReasonForm,
    sentence: Sentence | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "turn": turn,
        "turn_name": format_turn(card_context, turn),
        "errors": _list_errors(form, sentence),
        "action": request.path,
    }
    return render_card_page(request, card_context, _("Void a turn"), "scorecards/_void.html", context, status)


def _list_errors(form: CorrectionReasonForm, sentence: Sentence | None) -> list[dict[str, str]]:
    errors = [{"field_id": "", **sentence.to_data()}] if sentence else []
    if form.is_bound:
        errors += [{"field_id": form["reason"].auto_id, "text": str(error)} for error in form["reason"].errors]
    return errors
