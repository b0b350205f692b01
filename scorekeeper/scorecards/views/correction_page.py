"""The form on which an action at a table is corrected: its state, and what it shows."""

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
from scorekeeper.scorecards.action_draft import ActionDraft, draft_from_action
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.scorecards.fold import InvalidTurn
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.forms.correction_decisions import dump_decisions
from scorekeeper.scorecards.offer_presenter import ActionFormState, list_errors, present_offers
from scorekeeper.scorecards.offers import Offer, find_offer, get_seat_to_act, list_specs, make_offers
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


def render_correction(request: HttpRequest, page: CorrectionPage, status: int = 200) -> HttpResponse:
    """Show the form, with what is wrong, and the decisions made so far."""
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
