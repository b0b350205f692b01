"""The form that corrects actions at a table: the state before the wrong action, filled with what was recorded.

If the rules then no longer allow a later action, nothing is saved yet. That action is shown with a form of its own; it
can be corrected or voided, or a missing action can be added before it. The form carries the decisions, which are saved
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.problems import Problem
from games.core.replay import replay_from
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import ActionDraft, draft_from_action, parse_action
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.scorecards.fold import Actions, InvalidTurn, RecordedTurn, TurnChange, canonicalize_actions
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.forms.correction_decisions import dump_decisions, load_decisions, read_part
from scorekeeper.scorecards.offer_presenter import ActionFormState, explain_problem, list_errors, present_offers
from scorekeeper.scorecards.offers import Offer, find_offer, get_seat_to_act, list_specs, make_offers
from scorekeeper.scorecards.views.correction_form import CorrectionForm, CorrectionStep
from scorekeeper.scorecards.views.page_context import PageContext, list_form_errors
from scorekeeper.scorecards.views.table_context import TableContext

ADD_PREFIX = "add."  # starts the keys of offers that can be added before an action
MAX_LISTED_ACTIONS = 12  # of the invalid actions, and of the possible causes; the history has them all


@dataclass(frozen=True, kw_only=True)
class ActionCorrection(CorrectionForm):
    """The form about one action, with the decisions on others.

    Attributes:
        data: what was sent.
        part: the action that is being corrected.
        is_current: whether the decisions are about actions that have not changed.
        problems: what is wrong with the draft.
    """

    table_context: TableContext
    data: QueryDict
    correction: CorrectionDraft
    part: ActionPart
    form: ActionForm
    is_current: bool = True
    problems: tuple[Problem, ...] = ()

    template = "scorecards/_correct_action.html"
    entries_id = "offers"

    @classmethod
    def open(cls, table_context: TableContext, request: HttpRequest, recorded: RecordedTurn) -> Self:
        """Return the form for a request about a recorded action."""
        data = get_request_data(request)
        correction, is_current = load_decisions(data, table_context.table)
        opened = cls(
            reason=table_context.make_reason_form(request.POST or None),
            table_context=table_context,
            data=data,
            correction=correction,
            part=read_part(data.get("part"), recorded, correction),
            form=ActionForm.from_data(data, recorded.seq).apply_press(),
            is_current=is_current,
        )
        if request.method == "POST":
            return opened
        text = _("This action cannot be corrected, only voided. Go back and void it.")
        return replace(opened.fill_in(), refusals=() if opened.offer else (Sentence(text),))

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
    def _form_state(self) -> ActionFormState:
        key = self.form.key or ("" if self.offer is None else self.offer.key)
        context = self.table_context
        return ActionFormState(context.game, context.names, self.form.draft, key, self.problems, is_correction=True)

    def fill_in(self) -> Self:
        """Return the form with the action filled into its fields."""
        action, offer = self.correction.get_action(self.part), self.offer
        draft = ActionDraft() if offer is None else draft_from_action(offer, action)
        return replace(self, form=replace(self.form, draft=draft))

    def _move_to(self, part: ActionPart, correction: CorrectionDraft) -> Self:
        """Return the form about another action, with the decisions made so far."""
        moved = replace(
            self,
            reason=self.reason.for_retry(),
            correction=correction,
            part=part,
            form=ActionForm(part.recorded_action.seq),
        )
        return moved.fill_in()

    @property
    def stale_message(self) -> str:
        """What the action is now, if it or one that was decided on has changed."""
        recorded = self.part.recorded_action
        if self.form.seen_length == recorded.seq and self.is_current:
            return ""
        text = _("The action has changed since you opened this page, so nothing was corrected. It is now: %(what)s.")
        return drop_double_stop(text % {"what": self.table_context.describe(recorded)})

    def refresh(self) -> Self:
        """Return the form about the current version of the action."""
        return replace(self, form=replace(self.form, seen_length=self.part.recorded_action.seq))

    def apply_button(self) -> CorrectionStep:
        """Return the form after a tap, the form about another action, or the changes with the decision made here."""
        if "at" in self.data:
            action_id, _space, part = str(self.data["at"]).partition(" ")
            recorded = self.table_context.recorded.get(parse_uuid(action_id) or UUID(int=0))
            correction = self.correction
            return CorrectionStep(
                self if recorded is None else self._move_to(read_part(part, recorded, correction), correction)
            )
        if "void" in self.data:
            return CorrectionStep(self, self.correction.replace_part(self.part, ()).changes)
        if "void_all" in self.data:
            return CorrectionStep(self, self.correction.void_parts(self.invalid_actions).changes)
        if not self.form.is_recording:
            return CorrectionStep(replace(self, reason=self.reason.for_retry()))
        return self._decide()

    def _decide(self) -> CorrectionStep:
        """Check the new action against the state before it."""
        table, form = self.table_context.table, self.form
        offer = next((offer for offer in (*self.offers, *self.additions) if offer.key == form.key), None)
        if offer is None:
            return CorrectionStep(self.for_retry(_("That could not be recorded at that point.")), status=409)
        action, problems = parse_action(offer, form.draft)
        actions = canonicalize_actions(table.contest, [action], table.seat_count)
        problems = problems or replay_from(table.contest.ruleset, self.state, actions).problems
        if problems:
            return CorrectionStep(replace(self, problems=problems), status=422)
        change = self.correction.insert_before if form.key.startswith(ADD_PREFIX) else self.correction.replace_part
        return CorrectionStep(self, change(self.part, actions).changes)

    def find_invalid(self, changes: Sequence[TurnChange]) -> Self | None:
        """Return the form about the first action that the rules then do not allow; None if they allow all."""
        correction = CorrectionDraft.from_changes(self.table_context.table, changes)
        invalid = next(iter(correction.list_invalid()), None)
        if invalid is None:
            return None
        recorded = self.table_context.recorded[invalid.turn_id]
        sentence = explain_problem(self.table_context.game, invalid.problems[0])
        params = {
            "number": self.table_context.get_action_number(recorded.id),
            "what": self.table_context.describe(recorded),
            "why": sentence.text,
        }
        text = _("With this change, action %(number)s is not allowed (%(what)s). %(why)s") % params
        moved = self._move_to(ActionPart(recorded, invalid.action_index), correction)
        return replace(moved, refusals=(replace(sentence, text=text),))

    def describe_saved(self, changes: Sequence[TurnChange], after: PageContext) -> str:
        """Return the action that was corrected or voided, or how many were."""
        voided = sum(change.actions is None for change in changes)
        if len(changes) > 1:
            counts = {"corrected": len(changes) - voided, "voided": voided}
            return _("Saved together. Actions corrected: %(corrected)s, voided: %(voided)s.") % counts
        context, text = (self.table_context, _("Voided: %(what)s.")) if voided else (after, _("Corrected: %(what)s."))
        return drop_double_stop(text % {"what": context.name_recorded([context.recorded[changes[0].turn_id]])})

    def list_field_errors(self) -> list[dict[str, Any]]:
        """Return the errors of the reason, then those of the action's fields."""
        return [*list_form_errors(self.reason), *list_errors(self._form_state, (*self.offers, *self.additions))]

    def present(self) -> dict[str, Any]:
        """Return the action, what it can become, and the decisions so far."""
        context, recorded = self.table_context, self.part.recorded_action
        return {
            "history_url": context.get_history_url(recorded.id),
            "form": self.form,
            "action_id": recorded.id,
            "part_index": self.part.index,
            "number": context.get_action_number(recorded.id),
            "description": context.describe(recorded),
            "offers": present_offers(self._form_state, self.offers) if self.offers else [],
            "parts": self._list_parts(),
            **self._present_decisions(),
            "additions": present_offers(self._form_state, self.additions) if self.additions else [],
            "is_adding": self.form.key.startswith(ADD_PREFIX),
        }

    def _list_parts(self) -> list[dict[str, Any]]:
        """Return the parts of an action that was corrected to several; nothing if it has only one."""
        recorded, parts = self.part.recorded_action, []
        state = self.correction.get_state(ActionPart(recorded))
        for index, action in enumerate(self.correction.get_actions(recorded)):
            parts.append({"at": f"{recorded.id} {index}", "description": self._describe(state, (action,))})
            state = replay_from(self.table_context.table.contest.ruleset, state, [action]).state
        return parts if len(parts) > 1 else []

    def _present_decisions(self) -> dict[str, Any]:
        """Return the decisions so far, the actions that they make invalid, and the other actions that may be wrong."""
        correction = self.correction
        invalid_ids = list(dict.fromkeys(invalid.turn_id for invalid in self.invalid_actions))
        listed, more = invalid_ids[:MAX_LISTED_ACTIONS], len(invalid_ids) - MAX_LISTED_ACTIONS
        others = correction.list_possible_causes(self.part)[-MAX_LISTED_ACTIONS:] if invalid_ids else []
        descriptions = self.table_context.describe_each({*listed, *others})
        return {
            "decisions": dump_decisions(correction),
            "decided": self._list_numbered({new.turn_id: self._describe_new(new) for new in correction.changes}),
            "invalid_actions": self._list_numbered({action_id: descriptions[action_id] for action_id in listed}),
            "more": ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more} if more > 0 else "",
            "count": len(invalid_ids),
            "others": self._list_numbered({action_id: descriptions[action_id] for action_id in others}),
        }

    def _list_numbered(self, descriptions: Mapping[UUID, str]) -> list[dict[str, Any]]:
        """Return described actions with their numbers."""
        number = self.table_context.get_action_number
        return [{"id": key, "number": number(key), "description": text} for key, text in descriptions.items()]

    def _describe_new(self, change: TurnChange) -> str:
        """Return the corrected action in words; "" if it is to be voided."""
        if change.actions is None:
            return ""
        state = self.table_context.table.state_before(change.turn_id, self.correction.changes)
        return self._describe(state, change.actions)

    def _describe(self, state: Any, actions: Actions) -> str:
        return describe_actions(self.table_context.table.contest.ruleset, state, actions, self.table_context.names)
