"""The form that corrects one turn of a bike by tapping: the pad and the boxes that the turn was recorded with.

A tap on a box does not save: it shows what the turn will be, and asks for the reason. The hidden fields carry the dice
and the box, so the form can go back to the pad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from games.core.problems import Malformed, Problem
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange, canonicalize_actions
from scorekeeper.scorecards.forms.turn_fields import apply_tap, parse_posted_draft, parse_whole_turn
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.selectors.slot_state import find_cards_of_others, make_blocked_choice_explainer
from scorekeeper.scorecards.turn_draft import (
    TurnDraftEvaluation,
    dump_actions_field,
    evaluate_draft,
    is_tapped,
    reopen_turn,
)
from scorekeeper.scorecards.turn_form_presenter import explain_problems, present_draft
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.correction_form import CorrectionForm, CorrectionStep
from scorekeeper.scorecards.views.page_context import PageContext, list_form_errors

PAD_FIELD = "pad"  # in the forms of this page
TYPING_FIELD = "typing"  # in the URL of the page where everything about a turn is typed


@dataclass(frozen=True, kw_only=True)
class PadCorrection(CorrectionForm):
    """The turn, and what it will be.

    Attributes:
        data: what was sent.
        evaluation: the dice.
        choice: the chosen box, as its button sends it; "" while dice and boxes are shown.
        problems: what is wrong with the dice.
    """

    card_context: CardContext
    turn: RecordedTurn
    data: QueryDict
    evaluation: TurnDraftEvaluation
    choice: str = ""
    problems: tuple[Problem, ...] = ()

    page_part = "scorecards/_correct_pad.html"
    template = ""
    entries_id = "entry"

    @classmethod
    def find_turn(cls, card_context: CardContext, request: HttpRequest) -> RecordedTurn | None:
        """Return the turn that a crew member corrects by tapping; None if the page is about several, or typed."""
        data = get_request_data(request)
        requested = data.getlist("turn")
        if len(requested) != 1 or data.get(TYPING_FIELD) or card_context.actor.is_organiser:
            return None
        if request.method == "POST" and PAD_FIELD not in data:
            return None
        turn = card_context.recorded.get(parse_uuid(requested[0]) or UUID(int=0))
        if turn is None or not card_context.may_change(turn):
            return None
        if PAD_FIELD in data:
            return turn
        return turn if is_tapped(card_context.ruleset, turn.actions) else None

    @classmethod
    def open(cls, card_context: CardContext, request: HttpRequest, turn: RecordedTurn) -> Self:
        """Return the form for a request about a turn. What was tapped may also be in the URL: to enter it again."""
        assert turn.slot_id is not None
        state, malformed = card_context.card.get_state_before(turn.slot_id), None
        data = get_request_data(request)
        if PAD_FIELD in data:
            draft, malformed = parse_posted_draft(data)
        else:
            draft = reopen_turn(card_context.ruleset, state, turn.actions)
        problems = _list_problems(malformed)
        return cls(
            reason=card_context.make_reason_form(request.POST or None),
            card_context=card_context,
            turn=turn,
            data=data,
            evaluation=evaluate_draft(card_context.ruleset, state, draft),
            choice="" if problems and request.method != "POST" else data.get("choose", ""),
            problems=problems,
        )

    @property
    def stale_message(self) -> str:
        """What the turn is now, if it has changed."""
        if self.data.get("seq") == str(self.turn.seq):
            return ""
        text = _("The turn has changed since you opened this page, so nothing was corrected. It is now: %(what)s.")
        return text % {"what": self.card_context.describe(self.turn)}

    def refresh(self) -> Self:
        """Return the form itself: it shows the current turn beside what was tapped."""
        return self

    def apply_button(self) -> CorrectionStep:
        """Return the form after a tap on a die or a box, or the change."""
        if self.problems:
            return CorrectionStep(replace(self, choice=""), status=422)
        if "save" in self.data and self.choice:
            return CorrectionStep(self, self._list_changes())
        if "reopen" in self.data:
            return CorrectionStep(self._without_reason(choice=""))
        if self.choice:
            return self._choose()
        assert self.turn.slot_id is not None
        ruleset, state = self.card_context.ruleset, self.card_context.card.get_state_before(self.turn.slot_id)
        after = evaluate_draft(ruleset, state, apply_tap(ruleset, state, self.evaluation, self.data))
        # If the dice to keep are refused, the form shows them, so that a pin can be removed.
        shown = self.evaluation if after.problems and "again" in self.data else after
        form = self._without_reason(evaluation=shown, problems=after.problems)
        return CorrectionStep(form, status=422 if after.problems else 200)

    def _choose(self) -> CorrectionStep:
        """Return the form that asks for the reason, unless the box is closed."""
        problems = parse_whole_turn(self.evaluation, self.data)[1]
        if problems:
            return CorrectionStep(self._without_reason(choice="", problems=problems), status=422)
        return CorrectionStep(self._without_reason())

    def _without_reason(self, **changes: Any) -> Self:
        return replace(self, reason=self.reason.for_retry(), **changes)

    @cached_property
    def _actions(self) -> Actions:
        actions = parse_whole_turn(self.evaluation, self.data)[0]
        return canonicalize_actions(self.card_context.card.contest, actions)

    def _list_changes(self) -> list[TurnChange]:
        is_same = self._actions == self.turn.actions
        return [] if is_same else [TurnChange(self.turn.id, self._actions)]

    def find_invalid(self, changes: Sequence[TurnChange]) -> Self | None:
        """Return the form with what the rules say about the card with the change; None if they allow it."""
        problems = judge_changes(self.card_context.card, changes).problems
        sentences = explain_all(self.card_context.contest.game_key, problems)
        return replace(self, refusals=tuple(sentences)) if sentences else None

    def describe_saved(self, changes: Sequence[TurnChange], after: PageContext) -> str:
        """Return whose card was corrected."""
        return drop_double_stop(_("Corrected: %(bike)s.") % {"bike": after.name})

    def list_field_errors(self) -> list[dict[str, Any]]:
        """Return what is wrong with the dice, then with the reason."""
        sentences = explain_problems(self.card_context.contest.game_key, self.problems)
        dice = [{"field_id": self.entries_id, **sentence.to_data()} for sentence in sentences]
        return [*dice, *list_form_errors(self.reason)]

    def present(self) -> dict[str, Any]:
        """Return the pad or the boxes; or, once a box is chosen, the corrected turn and the reasons."""
        context, url = self.card_context, self.card_context.get_url
        shared = {
            "turn": self.turn,
            "recorded": context.describe(self.turn),
            "move_url": context.get_move_url(self.turn),
            "typing_url": url("correct", turn=self.turn.id, **{TYPING_FIELD: "1"}),
        }
        return {**shared, **(self._present_choice() if self.choice else self._present_pad())}

    def _present_pad(self) -> dict[str, Any]:
        context = self.card_context
        assert self.turn.slot_id is not None
        why_not = make_blocked_choice_explainer(context.card, self.turn.slot_id, self.evaluation.actions)
        of_others = find_cards_of_others(context.card, self.turn.slot_id)
        draft = present_draft(context.ruleset.game, self.evaluation, why_not, cards_of_others=of_others)
        if draft["boxes"] and draft["card_pad"]:
            draft["hint"] = _("Tap the wrong card")
        elif draft["boxes"] and not self.evaluation.can_keep_dice:
            draft["hint"] = _("Tap the wrong die, or the right box")
        elif draft["boxes"]:
            draft["hint"] = _("Tap the right box, or go back to the dice")
        field_errors = [sentence.to_data() for sentence in explain_problems(context.contest.game_key, self.problems)]
        return {"draft": draft, "field_errors": field_errors}

    def _present_choice(self) -> dict[str, Any]:
        card, draft = self.card_context.card, self.evaluation.draft
        judged = judge_changes(card, [TurnChange(self.turn.id, self._actions)])
        dice = [("held", face) for face in draft.held] + [("dice", face) for face in draft.dice]
        fields = [("mode", draft.mode), ("actions", dump_actions_field(draft.actions)), ("choose", self.choice)]
        return {
            "dice": draft.visible_dice,
            "corrected": self.card_context.format_result(judged.fold.results.get(self.turn.id)),
            "hidden": [{"name": name, "value": value} for name, value in (*fields, *dice)],
            "several_url": self.card_context.get_url("correct") if self.refusals else "",
        }


def _list_problems(malformed: Malformed | None) -> tuple[Problem, ...]:
    return () if malformed is None else (malformed.as_problem(),)
