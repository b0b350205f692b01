"""What follows a bike's last turn: cards are bought one at a time, or no more are (`Game.closing_types`).

They belong to the last turn, so each is recorded as a correction of it, with a reason of its own. If two phones sell a
card to one bike without knowing of each other, the second correction is about a turn that has changed, so it goes to
review.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.ledger.usual_reasons import CARD_BOUGHT, NO_MORE_CARDS, show_reason
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, canonicalize_actions
from scorekeeper.scorecards.forms.turn_fields import apply_tap, completes_turn, parse_posted_draft, parse_whole_turn
from scorekeeper.scorecards.open_turn import OpenTurn, find_open_turn
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.selectors.card_log import get_turn_log
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, evaluate_draft
from scorekeeper.scorecards.turn_form_presenter import explain_problems, present_draft, present_whole_turn
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.history import undo_last_change
from scorekeeper.scorecards.views.page_context import render_page
from scorekeeper.scorecards.views.responses import render_gone, render_outcome
from scorekeeper.scorecards.views.turn_result import make_result_url

MAIN_PART = "scorecards/_after_last_turn.html"


def follow_last_turn(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the pad for a card that is bought, handle a tap, or record it."""
    if "undo" in request.POST:
        return _undo(request, card_context)
    if (result := _find_recorded(request, card_context)) is not None:
        return result
    found = find_open_turn(card_context.card)
    if found is None or not card_context.may_change(found.turn):
        return render_gone(request, card_context)
    ruleset, data = card_context.ruleset, request.POST
    # After Undo, the card that was taken back is in the URL.
    posted, malformed = parse_posted_draft(get_request_data(request))
    draft = TurnDraft(posted.mode, found.actions, (), posted.dice)
    evaluation = evaluate_draft(ruleset, found.state, draft)
    if request.method != "POST":
        return _render(request, card_context, found, evaluation)
    if data.get("seq") != str(found.turn.seq):
        text = _(
            "The scorecard has changed since you opened this page, so nothing was recorded. Check it, then try again."
        )
        return _render(request, card_context, found, evaluation, [Sentence(text)], 409)
    problems = () if malformed is None else (malformed.as_problem(),)
    if completes_turn(data):
        actions, missing = parse_whole_turn(evaluation, data)
        errors = explain_problems(card_context.contest.game_key, (*problems, *missing))
        return _record(request, card_context, found, evaluation, actions, errors)
    after = evaluate_draft(ruleset, found.state, _apply_tap(card_context, found, evaluation, request))
    errors = explain_problems(card_context.contest.game_key, (*problems, *after.problems))
    return _render(request, card_context, found, after, errors, 422 if errors else 200)


def _apply_tap(
    card_context: CardContext, found: OpenTurn, evaluation: TurnDraftEvaluation, request: HttpRequest
) -> TurnDraft:
    """Return the draft after a tap. What is recorded already stays: only the pages that correct a turn change that."""
    draft = apply_tap(card_context.ruleset, found.state, evaluation, request.POST)
    return draft if draft.actions == found.actions else TurnDraft(draft.mode, found.actions)


def _record(
    request: HttpRequest,
    card_context: CardContext,
    found: OpenTurn,
    evaluation: TurnDraftEvaluation,
    actions: Sequence[Any],
    errors: list[Sentence],
) -> HttpResponse:
    change = TurnChange(found.turn.id, canonicalize_actions(card_context.card.contest, actions))
    if not errors and change.actions == found.turn.actions:
        errors = [Sentence(_("This is recorded already."))]
    if not errors:
        problems = judge_changes(card_context.card, [change]).problems
        errors = explain_all(card_context.contest.game_key, problems)
    if errors:
        return _render(request, card_context, found, evaluation, errors, 422)
    reason = NO_MORE_CARDS if "way" in request.POST else CARD_BOUGHT
    target = CorrectionTarget(found.turn.id, found.turn.seq, change.actions)
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    try:
        receipt = card_context.amend(operation, [target], reason)
    except IdReused:
        text = _("This page was already submitted with something different. Check the scorecard, then tap again.")
        return _render(request, card_context, found, evaluation, [Sentence(text)], 409)
    except UnknownTarget:
        return render_gone(request, card_context)
    if receipt.is_applied and not card_context.actor.is_organiser:
        return _show_result(card_context, found.turn, operation)
    after = card_context.reload()
    recorded = after.recorded.get(found.turn.id)
    done = drop_double_stop(_("%(reason)s: %(bike)s.") % {"reason": show_reason(reason), "bike": after.name})
    if recorded is not None:
        done = f"{done} {_('Now %(turn)s.') % {'turn': after.name_recorded([recorded])}}"
    return render_outcome(request, after, receipt, done if receipt.is_applied else "", found.turn.id)


def _show_result(card_context: CardContext, turn: RecordedTurn, operation: UUID) -> HttpResponse:
    """Go to the page that says what was recorded, with Undo and the next bike, as after every turn of a crew."""
    assert turn.slot_id is not None, "only turns at stops are followed by anything"
    return redirect(make_result_url(card_context, turn.slot_id, operation))


def _find_recorded(request: HttpRequest, card_context: CardContext) -> HttpResponse | None:
    """Return the result of a page whose answer was lost after it was recorded, and which was sent again; or None."""
    turn = card_context.find_target(request) if request.method == "POST" else None
    sale = None if turn is None else get_turn_log(card_context.card, turn).find_last_sale(turn)
    if turn is None or sale is None or str(sale.entry.operation_id) != request.POST.get("operation"):
        return None
    if card_context.actor.is_organiser:
        return redirect(card_context.get_history_url(turn.id))
    return _show_result(card_context, turn, sale.entry.operation_id)


def _undo(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Take back what was sold last, and go back to the pad with the card. If the turn has changed since, do nothing."""
    turn = card_context.find_target(request)
    sale = None if turn is None else get_turn_log(card_context.card, turn).find_last_sale(turn)
    before = None if sale is None else sale.before
    receipt = undo_last_change(request, card_context, None if sale is None else turn, before)
    if turn is None or sale is None or receipt is None:
        return redirect(card_context.get_history_url())
    messages.success(
        request, _("Undone. The card is not bought.") if sale.cards else _("Undone. Cards can be bought again.")
    )
    return redirect(card_context.get_url("buy", turn=turn.id, dice=sale.cards))


def _render(
    request: HttpRequest,
    card_context: CardContext,
    found: OpenTurn,
    evaluation: TurnDraftEvaluation,
    errors: Sequence[Sentence] = (),
    status: int = 200,
) -> HttpResponse:
    game = card_context.ruleset.game
    draft = present_draft(game, evaluation, lambda _spec, _choice: None)
    draft["hidden"] = [field for field in draft["hidden"] if field["name"] != "actions"]
    draft["can_step_back"] = bool(evaluation.draft.dice)
    draft["is_bare"] = not evaluation.draft.dice  # nothing to delete, and the page has buttons of its own there
    offer = evaluation.dice_offer
    nth = None if offer is None else offer.spec.nth
    context = {
        "page_context": card_context,
        "turn": found.turn,
        "recorded": card_context.name_recorded([found.turn]),
        "draft": draft,
        "nth": "" if nth is None else _("Extra card %(number)s of %(of)s") % nth._asdict(),
        "methods": [
            {**present_whole_turn(method, {}), "label": translate(method.spec.label)}
            for method in evaluation.whole_turn_offers
            if method.spec.type != found.turn.actions[-1]["type"] and not evaluation.draft.dice
        ],
        "operation": uuid4(),
        "errors": [{"field_id": "entry", **sentence.to_data()} for sentence in errors],
    }
    return render_page(request, card_context, _("Buy a card"), MAIN_PART, context, status)
