"""Correcting actions: the form of the wrong action's own moment, filled with what was noted, and the reason.

Where the rules no longer allow a later action, nothing is written yet: that action is shown with its own form, and can
be corrected, voided, or have put before it what is missing now. What is decided travels in the form; once the rules
allow all of it, it is written as one operation.
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
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import InvalidTurn
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.views.card_context import get_request_data, parse_uuid
from scorekeeper.tables.action_draft import ActionDraft, draft_from_action, parse_action
from scorekeeper.tables.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.tables.forms.action import ActionForm
from scorekeeper.tables.forms.correction_draft import dump_decisions, load_decisions, read_part
from scorekeeper.tables.offer_presenter import ActionFormState, explain_problem, list_errors, present_offers
from scorekeeper.tables.offers import Offer, find_offer, get_seat_to_act, list_specs, make_offers
from scorekeeper.tables.services.actions import canonicalize_actions
from scorekeeper.tables.services.corrections import correct_actions
from scorekeeper.tables.views.correction_targets import (
    get_target_action,
    redirect_to_history,
    render_needs_review,
    render_target_gone,
)
from scorekeeper.tables.views.error_summary import make_page_errors, make_reason_errors
from scorekeeper.tables.views.table_context import TableContext, render_table_page
from scorekeeper.tables.wording import describe_actions

ADD_PREFIX = "add."  # begins the keys of what can be put before an action
MAX_LISTED_ACTIONS = 12  # actions in the way, and others that may be the wrong ones; the history has them all


@dataclass(frozen=True)
class CorrectionPage:
    """The form as it lies before the person.

    Attributes:
        part: the action that is corrected now.
        problems: what is wrong with the draft.
        refused: what is wrong with it as a whole.
        texts: what else stands in the way, that no field can mend.
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
        """The state in which the action is played."""
        return self.correction.get_state(self.part)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What its seat could do at that moment."""
        seat = self.correction.get_action(self.part).get("seat")
        return make_offers(list_specs(self.table_context.game, self.state, seat))

    @cached_property
    def additions(self) -> tuple[Offer, ...]:
        """What could be put before an action that is in the way, under keys of their own."""
        if not self.invalid_actions:
            return ()
        game, acting = self.table_context.game, get_seat_to_act(self.table_context.game, self.state)
        seat = self.correction.get_action(self.part).get("seat") if acting is None else acting
        return tuple(one._replace(key=ADD_PREFIX + one.key) for one in make_offers(list_specs(game, self.state, seat)))

    @cached_property
    def invalid_actions(self) -> list[InvalidTurn]:
        """What the rules do not allow with what is decided."""
        return self.correction.list_invalid() if self.correction.decisions else []

    @property
    def offer(self) -> Offer | None:
        """The offer that the action is made of."""
        return find_offer(self.offers, self.correction.get_action(self.part))

    @property
    def key(self) -> str:
        """The key of the offer the person is at."""
        return self.form.key or ("" if self.offer is None else self.offer.key)

    def fill_form(self) -> CorrectionPage:
        """Return the sheet with the action in its fields."""
        action, offer = self.correction.get_action(self.part), self.offer
        return replace(
            self, form=replace(self.form, draft=ActionDraft() if offer is None else draft_from_action(offer, action))
        )

    def move_to(self, part: ActionPart, correction: CorrectionDraft) -> CorrectionPage:
        """Return a sheet about another action, with what is decided by now."""
        form = self.form.for_retry(part.recorded_action.seq, ActionDraft())
        return CorrectionPage(self.table_context, correction, part, replace(form, press=None)).fill_form()


def correct(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Show the action as it was noted, take a tap, go to another action, or write what it should be."""
    one = get_target_action(request, place)
    if one is None:
        return render_target_gone(request, place)
    data = get_request_data(request)
    correction, is_current = load_decisions(data, place.table)
    form = ActionForm.from_data(data, one.seq)
    sheet = CorrectionPage(place, correction, read_part(data.get("part"), one, correction), form)
    if request.method != "POST":
        if sheet.offer is None:
            return render_target_gone(
                request, place, _("This action cannot be corrected, only voided. Go back and void it.")
            )
        return _render(request, sheet.fill_form())
    sheet = replace(sheet, form=form.apply_press())
    if form.seen_length != one.seq or not is_current:
        text = _("The action has changed since you opened this page, so nothing was corrected. It is now: %(what)s.")
        return _show_conflict(request, sheet, text % {"what": place.describe_action(one)})
    return _handle_button(request, sheet)


def _handle_button(request: HttpRequest, sheet: CorrectionPage) -> HttpResponse:
    """Do what the button says."""
    data, correction = get_request_data(request), sheet.correction
    if "at" in data:
        action_id, _space, part = str(data["at"]).partition(" ")
        wanted = parse_uuid(action_id)
        one = None if wanted is None else sheet.table_context.table.recorded_actions.get(wanted)
        return _render(request, sheet if one is None else sheet.move_to(read_part(part, one, correction), correction))
    if "void" in data:
        return _save_or_continue(request, sheet, correction.replace_part(sheet.part, ()))
    if "void_all" in data:
        return _save_or_continue(request, sheet, correction.void_parts(sheet.invalid_actions))
    return _check_action(request, sheet) if sheet.form.is_recording else _render(request, sheet)


def _check_action(request: HttpRequest, sheet: CorrectionPage) -> HttpResponse:
    """Check the action in its place."""
    place, form = sheet.table_context, sheet.form
    chosen = next((offer for offer in (*sheet.offers, *sheet.additions) if offer.key == form.key), None)
    if chosen is None:
        return _show_conflict(request, sheet, _("That could not be recorded at that point."))
    action, problems = parse_action(chosen, form.draft)
    actions = canonicalize_actions(place.table, [action])
    if not problems:
        problems = replay_from(place.table.contest.ruleset, sheet.state, actions).problems
    if problems:
        return _render(request, replace(sheet, problems=problems, reason_error=_find_reason_error(form)), 422)
    change = sheet.correction.insert_before if form.key.startswith(ADD_PREFIX) else sheet.correction.replace_part
    return _save_or_continue(request, sheet, change(sheet.part, actions))


def _save_or_continue(request: HttpRequest, sheet: CorrectionPage, decided: CorrectionDraft) -> HttpResponse:
    """Write what is decided if the rules allow all of it; else go on with the first action that is in the way."""
    if not sheet.table_context.may_correct:
        text = _("The contest is closed. Ask the organiser. What you tapped is still here.")
        return _render(request, replace(sheet, page_errors=(text,), reason_error=_find_reason_error(sheet.form)), 422)
    if not decided.decisions:
        refused = (Sentence(_("You have not changed anything. Change what is wrong.")),)
        return _render(request, replace(sheet, refusals=refused, reason_error=_find_reason_error(sheet.form)), 422)
    in_the_way = next(iter(decided.list_invalid()), None)
    if in_the_way is not None:
        part = ActionPart(sheet.table_context.table.recorded_actions[in_the_way.turn_id], in_the_way.action_index)
        sentence = _describe_invalid_action(sheet.table_context, in_the_way)
        return _render(request, replace(sheet.move_to(part, decided), refusals=(sentence,)), 422)
    if not sheet.form.reason:
        return _render(request, replace(sheet, reason_error=_find_reason_error(sheet.form)), 422)
    return _save(request, sheet, decided)


def _find_reason_error(form: ActionForm) -> str:
    return "" if form.reason else _("Enter a reason.")


def _describe_invalid_action(place: TableContext, standoff: InvalidTurn) -> Sentence:
    one, why = place.table.recorded_actions[standoff.turn_id], explain_problem(place.game, standoff.problems[0])
    words = {"number": place.get_action_number(one.id), "what": place.describe_action(one), "why": why.text}
    return replace(why, text=_("With this change, action %(number)s is not allowed (%(what)s). %(why)s") % words)


def _save(request: HttpRequest, sheet: CorrectionPage, decided: CorrectionDraft) -> HttpResponse:
    place, form, targets = sheet.table_context, sheet.form, decided.targets
    try:
        receipt = correct_actions(place.actor, form.operation, place.table.id, targets, form.reason)
    except IdReused:
        return _show_conflict(request, sheet, _("This page was already submitted with something different."))
    except UnknownTarget:
        return render_target_gone(request, place)
    after = place.with_current_table()
    if not receipt.is_applied:
        return render_needs_review(request, after, receipt)
    first = targets[0].turn_id
    if len(targets) == 1 and targets[0].actions is not None and first not in after.table.recorded_actions:
        return render_target_gone(request, after)
    return redirect_to_history(request, after, _describe_result(place, after, decided), first)


def _describe_result(before: TableContext, after: TableContext, decided: CorrectionDraft) -> str:
    """Return what was written, for the history."""
    changes = decided.changes
    if len(changes) > 1:
        voided = sum(change.actions is None for change in changes)
        counts = {"corrected": len(changes) - voided, "voided": voided}
        return _("Saved together. Actions corrected: %(corrected)s, voided: %(voided)s.") % counts
    changed = changes[0].turn_id
    place = before if changes[0].actions is None else after
    words = {
        "number": place.get_action_number(changed),
        "what": place.describe_action(place.table.recorded_actions[changed]),
    }
    if changes[0].actions is None:
        return _("Voided: %(what)s.") % {"what": _("action %(number)s, %(what)s") % words}
    return _("Corrected: action %(number)s, %(what)s.") % words


def _show_conflict(request: HttpRequest, sheet: CorrectionPage, why: str) -> HttpResponse:
    """Show the form once more, with all that was tapped and a new operation's id (409)."""
    form = sheet.form.for_retry(sheet.part.recorded_action.seq, sheet.form.draft)
    return _render(request, replace(sheet, form=form, page_errors=(why, _("Check it, then try again."))), 409)


def _render(request: HttpRequest, sheet: CorrectionPage, status: int = 200) -> HttpResponse:
    place, one = sheet.table_context, sheet.part.recorded_action
    asking = ActionFormState(place.game, place.names, sheet.form.draft, sheet.key, sheet.problems, is_correction=True)
    offers, additions = sheet.offers, sheet.additions
    refused = [sentence.to_data() for sentence in sheet.refusals]
    listed = list_errors(asking, (*offers, *additions))
    of_offers = [*({"field_id": "offers", **sentence} for sentence in refused), *listed]
    context = {
        "here": place.get_url("correct"),
        "history_url": place.get_history_url(one.id),
        "form": sheet.form,
        "one": one,
        "part_index": sheet.part.index,
        "number": place.get_action_number(one.id),
        "told": place.describe_action(one),
        "errors": [*make_page_errors(sheet.page_errors), *make_reason_errors(sheet.reason_error), *of_offers],
        "reason_error": sheet.reason_error,
        "refused": refused,
        "offers": present_offers(asking, offers) if offers else [],
        "parts": _list_parts(sheet),
        **_present_decisions(sheet),
        "additions": present_offers(asking, additions) if additions else [],
        "adds": sheet.form.key.startswith(ADD_PREFIX),
    }
    return render_table_page(request, place, _("Correct an action"), "tables/_correct.html", context, status)


def _list_parts(sheet: CorrectionPage) -> list[dict[str, Any]]:
    """Return the other parts of an action that was corrected to several."""
    ruleset, one = sheet.table_context.table.contest.ruleset, sheet.part.recorded_action
    state, parts = sheet.correction.get_state(ActionPart(one)), []
    for index, action in enumerate(sheet.correction.get_actions(one)):
        told = describe_actions(ruleset, state, [action], sheet.table_context.names)
        parts.append({"at": f"{one.id} {index}", "told": told, "is_here": index == sheet.part.index})
        state = replay_from(ruleset, state, [action]).state
    return parts if len(parts) > 1 else []


def _present_decisions(sheet: CorrectionPage) -> dict[str, Any]:
    """Return what is decided so far, what is in the way of it, and which other actions may be the wrong ones."""
    place, correction = sheet.table_context, sheet.correction
    in_the_way = list(dict.fromkeys(one.turn_id for one in sheet.invalid_actions))
    others = correction.list_possible_causes(sheet.part)[-MAX_LISTED_ACTIONS:] if in_the_way else []
    told = place.describe_each({*in_the_way[:MAX_LISTED_ACTIONS], *others})
    rest = len(in_the_way) - MAX_LISTED_ACTIONS
    return {
        "decisions": dump_decisions(correction),
        "decided": [
            {
                "number": place.get_action_number(change.turn_id),
                "told": _describe_change(sheet, change.turn_id),
            }
            for change in correction.changes
        ],
        "in_the_way": [
            {"number": place.get_action_number(one), "told": told[one]} for one in in_the_way[:MAX_LISTED_ACTIONS]
        ],
        "rest": ngettext("and %(count)s more", "and %(count)s more", rest) % {"count": rest} if rest > 0 else "",
        "count": len(in_the_way),
        "others": [{"id": one, "number": place.get_action_number(one), "told": told[one]} for one in others],
    }


def _describe_change(sheet: CorrectionPage, action_id: Any) -> str:
    """Return what an action is to be, in words; "" where it is to be voided."""
    actions = sheet.correction.decisions[action_id]
    if not actions:
        return ""
    state = sheet.table_context.table.state_before(action_id, sheet.correction.changes)
    return describe_actions(sheet.table_context.table.contest.ruleset, state, actions, sheet.table_context.names)
