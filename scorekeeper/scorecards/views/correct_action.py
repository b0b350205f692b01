"""Correcting actions: a form for the state before the wrong action, filled with what was recorded, and the reason.

If the rules then no longer allow a later action, nothing is saved yet. That action is shown with a form of its own; it
can be corrected or voided, or a missing action can be added before it. The form carries the decisions; once the rules
allow all of them, they are saved as one operation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.problems import Problem
from games.core.replay import replay_from
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import ActionDraft, draft_from_action, parse_action
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.scorecards.fold import InvalidTurn
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.forms.correction_decisions import dump_decisions, load_decisions, read_part
from scorekeeper.scorecards.offer_presenter import ActionFormState, explain_problem, list_errors, present_offers
from scorekeeper.scorecards.offers import Offer, find_offer, get_seat_to_act, list_specs, make_offers
from scorekeeper.scorecards.services.actions import canonicalize_actions
from scorekeeper.scorecards.views.outcomes import (
    find_target,
    render_changed,
    render_outcome,
    render_sent_to_review,
    render_turn_gone,
)
from scorekeeper.scorecards.views.page_context import make_page_errors, make_reason_errors, render_page
from scorekeeper.scorecards.views.table_context import TableContext

ADD_PREFIX = "add."  # starts the keys of offers that can be added before an action
MAX_LISTED_ACTIONS = 12  # of the invalid actions, and of the possible causes; the history has them all


@dataclass(frozen=True)
class CorrectionPage:
    """The state of the correction form.

    Attributes:
        part: the action that is being corrected.
        problems: what is wrong with the draft.
        refusals: what is wrong with the correction as a whole.
        page_errors: other errors that no field can fix.
    """

    table_context: TableContext
    correction: CorrectionDraft
    part: ActionPart
    form: ActionForm
    problems: tuple[Problem, ...] = ()
    refusals: tuple[Sentence, ...] = ()
    page_errors: tuple[str, ...] = ()
    reason_error: str = ""

    @cached_property
    def state(self) -> Any:
        """The state just before the action."""
        return self.correction.get_state(self.part)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The offers its seat had at that moment."""
        seat = self.correction.get_action(self.part).get("seat")
        return make_offers(list_specs(self.table_context.game, self.state, seat))

    @cached_property
    def additions(self) -> tuple[Offer, ...]:
        """The offers that could be added before an invalid action, under keys of their own."""
        if not self.invalid_actions:
            return ()
        game, acting = self.table_context.game, get_seat_to_act(self.table_context.game, self.state)
        seat = self.correction.get_action(self.part).get("seat") if acting is None else acting
        return tuple(
            offer._replace(key=ADD_PREFIX + offer.key) for offer in make_offers(list_specs(game, self.state, seat))
        )

    @cached_property
    def invalid_actions(self) -> list[InvalidTurn]:
        """The actions that the rules do not allow with the decisions."""
        return self.correction.list_invalid() if self.correction.decisions else []

    @property
    def offer(self) -> Offer | None:
        """The offer that the action was made from."""
        return find_offer(self.offers, self.correction.get_action(self.part))

    @property
    def key(self) -> str:
        """The key of the offer that is being filled in."""
        return self.form.key or ("" if self.offer is None else self.offer.key)

    def fill_form(self) -> CorrectionPage:
        """Return the page with the action filled into its fields."""
        action, offer = self.correction.get_action(self.part), self.offer
        return replace(
            self, form=replace(self.form, draft=ActionDraft() if offer is None else draft_from_action(offer, action))
        )

    def move_to(self, part: ActionPart, correction: CorrectionDraft) -> CorrectionPage:
        """Return a page about another action, with the decisions made so far."""
        form = self.form.for_retry(part.recorded_action.seq, ActionDraft())
        return CorrectionPage(self.table_context, correction, part, replace(form, press=None)).fill_form()


def correct(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the action as it was recorded, apply a tap, go to another action, or save the correction."""
    recorded = find_target(request, table_context)
    if recorded is None:
        return render_turn_gone(request, table_context)
    data = get_request_data(request)
    correction, is_current = load_decisions(data, table_context.table)
    form = ActionForm.from_data(data, recorded.seq)
    page = CorrectionPage(table_context, correction, read_part(data.get("part"), recorded, correction), form)
    if request.method != "POST":
        if page.offer is None:
            return render_changed(
                request, table_context, _("This action cannot be corrected, only voided. Go back and void it.")
            )
        return _render(request, page.fill_form())
    page = replace(page, form=form.apply_press())
    if form.seen_length != recorded.seq or not is_current:
        text = _("The action has changed since you opened this page, so nothing was corrected. It is now: %(what)s.")
        return _show_conflict(request, page, text % {"what": table_context.describe_turn(recorded)})
    return _handle_button(request, page)


def _handle_button(request: HttpRequest, page: CorrectionPage) -> HttpResponse:
    """Handle the button that was pressed."""
    data, correction = get_request_data(request), page.correction
    if "at" in data:
        action_id, _space, part = str(data["at"]).partition(" ")
        requested = parse_uuid(action_id)
        recorded = None if requested is None else page.table_context.table.recorded_actions.get(requested)
        return _render(
            request, page if recorded is None else page.move_to(read_part(part, recorded, correction), correction)
        )
    if "void" in data:
        return _save_or_continue(request, page, correction.replace_part(page.part, ()))
    if "void_all" in data:
        return _save_or_continue(request, page, correction.void_parts(page.invalid_actions))
    return _check_action(request, page) if page.form.is_recording else _render(request, page)


def _check_action(request: HttpRequest, page: CorrectionPage) -> HttpResponse:
    """Check the new action against the state before it."""
    table_context, form = page.table_context, page.form
    chosen = next((offer for offer in (*page.offers, *page.additions) if offer.key == form.key), None)
    if chosen is None:
        return _show_conflict(request, page, _("That could not be recorded at that point."))
    action, problems = parse_action(chosen, form.draft)
    actions = canonicalize_actions(table_context.table, [action])
    if not problems:
        problems = replay_from(table_context.table.contest.ruleset, page.state, actions).problems
    if problems:
        return _render(request, replace(page, problems=problems, reason_error=_find_reason_error(form)), 422)
    change = page.correction.insert_before if form.key.startswith(ADD_PREFIX) else page.correction.replace_part
    return _save_or_continue(request, page, change(page.part, actions))


def _save_or_continue(request: HttpRequest, page: CorrectionPage, new_correction: CorrectionDraft) -> HttpResponse:
    """Save the decisions if the rules allow all of them; otherwise continue with the first invalid action."""
    if not page.table_context.may_correct:
        text = _("The contest is closed. Ask the organiser. What you entered is still here.")
        return _render(request, replace(page, page_errors=(text,), reason_error=_find_reason_error(page.form)), 422)
    if not new_correction.decisions:
        refusals = (Sentence(_("You have not changed anything. Change what is wrong.")),)
        return _render(request, replace(page, refusals=refusals, reason_error=_find_reason_error(page.form)), 422)
    invalid = next(iter(new_correction.list_invalid()), None)
    if invalid is not None:
        part = ActionPart(page.table_context.table.recorded_actions[invalid.turn_id], invalid.action_index)
        sentence = _describe_invalid_action(page.table_context, invalid)
        return _render(request, replace(page.move_to(part, new_correction), refusals=(sentence,)), 422)
    if not page.form.reason:
        return _render(request, replace(page, reason_error=_find_reason_error(page.form)), 422)
    return _save(request, page, new_correction)


def _find_reason_error(form: ActionForm) -> str:
    return "" if form.reason else _("Enter a reason.")


def _describe_invalid_action(table_context: TableContext, invalid: InvalidTurn) -> Sentence:
    recorded = table_context.table.recorded_actions[invalid.turn_id]
    sentence = explain_problem(table_context.game, invalid.problems[0])
    params = {
        "number": table_context.get_action_number(recorded.id),
        "what": table_context.describe_turn(recorded),
        "why": sentence.text,
    }
    return replace(sentence, text=_("With this change, action %(number)s is not allowed (%(what)s). %(why)s") % params)


def _save(request: HttpRequest, page: CorrectionPage, new_correction: CorrectionDraft) -> HttpResponse:
    table_context, form, targets = page.table_context, page.form, new_correction.targets
    try:
        receipt = table_context.amend(form.operation, targets, form.reason)
    except IdReused:
        return _show_conflict(request, page, _("This page was already submitted with something different."))
    except UnknownTarget:
        return render_turn_gone(request, table_context)
    after = table_context.reload()
    first = targets[0].turn_id
    if not receipt.is_applied:
        return render_sent_to_review(request, after, receipt)
    if len(targets) == 1 and targets[0].actions is not None and first not in after.table.recorded_actions:
        return render_turn_gone(request, after)
    return render_outcome(request, after, receipt, _describe_result(table_context, after, new_correction), first)


def _describe_result(before: TableContext, after: TableContext, new_correction: CorrectionDraft) -> str:
    """Return a message that says what was saved, for the history page."""
    changes = new_correction.changes
    if len(changes) > 1:
        voided = sum(change.actions is None for change in changes)
        counts = {"corrected": len(changes) - voided, "voided": voided}
        return _("Saved together. Actions corrected: %(corrected)s, voided: %(voided)s.") % counts
    changed = changes[0].turn_id
    table_context = before if changes[0].actions is None else after
    params = {
        "number": table_context.get_action_number(changed),
        "what": table_context.describe_turn(table_context.table.recorded_actions[changed]),
    }
    if changes[0].actions is None:
        return _("Voided: %(what)s.") % {"what": _("action %(number)s, %(what)s") % params}
    return _("Corrected: action %(number)s, %(what)s.") % params


def _show_conflict(request: HttpRequest, page: CorrectionPage, text: str) -> HttpResponse:
    """Show the form again with everything entered and a new operation id (409)."""
    form = page.form.for_retry(page.part.recorded_action.seq, page.form.draft)
    return _render(request, replace(page, form=form, page_errors=(text, _("Check it, then try again."))), 409)


def _render(request: HttpRequest, page: CorrectionPage, status: int = 200) -> HttpResponse:
    table_context, recorded = page.table_context, page.part.recorded_action
    form_state = ActionFormState(
        table_context.game, table_context.names, page.form.draft, page.key, page.problems, is_correction=True
    )
    offers, additions = page.offers, page.additions
    refusals = [sentence.to_data() for sentence in page.refusals]
    action_errors = list_errors(form_state, (*offers, *additions))
    offer_errors = [*({"field_id": "offers", **sentence} for sentence in refusals), *action_errors]
    context = {
        "page_url": table_context.get_url("correct"),
        "history_url": table_context.get_history_url(recorded.id),
        "form": page.form,
        "action_id": recorded.id,
        "part_index": page.part.index,
        "number": table_context.get_action_number(recorded.id),
        "description": table_context.describe_turn(recorded),
        "errors": [*make_page_errors(page.page_errors), *make_reason_errors(page.reason_error), *offer_errors],
        "reason_error": page.reason_error,
        "refusals": refusals,
        "offers": present_offers(form_state, offers) if offers else [],
        "parts": _list_parts(page),
        **_present_decisions(page),
        "additions": present_offers(form_state, additions) if additions else [],
        "is_adding": page.form.key.startswith(ADD_PREFIX),
    }
    return render_page(
        request, table_context, _("Correct an action"), "scorecards/_correct_action.html", context, status
    )


def _list_parts(page: CorrectionPage) -> list[dict[str, Any]]:
    """Return the parts of an action that was corrected to several; nothing if it has only one."""
    ruleset, recorded = page.table_context.table.contest.ruleset, page.part.recorded_action
    state, parts = page.correction.get_state(ActionPart(recorded)), []
    for index, action in enumerate(page.correction.get_actions(recorded)):
        description = describe_actions(ruleset, state, [action], page.table_context.names)
        parts.append(
            {"at": f"{recorded.id} {index}", "description": description, "is_current": index == page.part.index}
        )
        state = replay_from(ruleset, state, [action]).state
    return parts if len(parts) > 1 else []


def _present_decisions(page: CorrectionPage) -> dict[str, Any]:
    """Return the decisions so far, the actions that they make invalid, and the other actions that may be wrong."""
    table_context, correction = page.table_context, page.correction
    invalid_ids = list(dict.fromkeys(invalid.turn_id for invalid in page.invalid_actions))
    others = correction.list_possible_causes(page.part)[-MAX_LISTED_ACTIONS:] if invalid_ids else []
    descriptions = table_context.describe_each({*invalid_ids[:MAX_LISTED_ACTIONS], *others})
    more = len(invalid_ids) - MAX_LISTED_ACTIONS
    return {
        "decisions": dump_decisions(correction),
        "decided": [
            {
                "number": table_context.get_action_number(change.turn_id),
                "description": _describe_change(page, change.turn_id),
            }
            for change in correction.changes
        ],
        "invalid_actions": [
            {"number": table_context.get_action_number(action_id), "description": descriptions[action_id]}
            for action_id in invalid_ids[:MAX_LISTED_ACTIONS]
        ],
        "more": ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more} if more > 0 else "",
        "count": len(invalid_ids),
        "others": [
            {
                "id": action_id,
                "number": table_context.get_action_number(action_id),
                "description": descriptions[action_id],
            }
            for action_id in others
        ],
    }


def _describe_change(page: CorrectionPage, action_id: Any) -> str:
    """Return the corrected action in words; "" if it is to be voided."""
    actions = page.correction.decisions[action_id]
    if not actions:
        return ""
    state = page.table_context.table.state_before(action_id, page.correction.changes)
    return describe_actions(page.table_context.table.contest.ruleset, state, actions, page.table_context.names)
