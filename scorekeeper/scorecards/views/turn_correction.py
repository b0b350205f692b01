"""The form that corrects turns of a bike: several at once, since a change to one alone could conflict with another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.scorecards.fold import TurnChange, canonicalize_actions, sort_by_slot
from scorekeeper.scorecards.forms.correction import TurnCorrectionForm
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.correction_form import CorrectionForm, CorrectionStep
from scorekeeper.scorecards.views.page_context import PageContext, list_form_errors


@dataclass(frozen=True, kw_only=True)
class TurnCorrection(CorrectionForm):
    """The requested turns of a card (`?turn=`, otherwise all): all that were changed are corrected, or none.

    Attributes:
        missing: how many of the requested turns no longer count.
    """

    card_context: CardContext
    forms: Sequence[TurnCorrectionForm]
    missing: int

    template = "scorecards/_correct_turns.html"
    entries_id = "turns"

    @classmethod
    def open(cls, card_context: CardContext, request: HttpRequest) -> Self:
        """Return the form for a request."""
        requested = set(get_request_data(request).getlist("turn"))
        forms = _list_forms(card_context, requested, request.POST or None)
        reason = card_context.make_reason_form(request.POST or None)
        return cls(reason=reason, card_context=card_context, forms=forms, missing=len(requested) - len(forms))

    @property
    def stale_message(self) -> str:
        """That the scorecard has changed, if one of the turns has, or no longer counts."""
        if self.missing <= 0 and all(form.is_unchanged for form in self.forms):
            return ""
        return _(
            "The scorecard has changed since you opened this page, so nothing was corrected. This page now "
            "shows the current entries."
        )

    def refresh(self) -> Self:
        """Return the form about the current versions of the turns."""
        for form in self.forms:
            form.data = {**dict(form.data.items()), form.add_prefix("seq"): str(form.turn.seq)}
        return self

    def apply_button(self) -> CorrectionStep:
        """Return the changes of the turns that were changed, if everything can be read."""
        if not all(form.is_valid() for form in self.forms):
            return CorrectionStep(self, status=422)
        card = self.card_context.card
        changes = [TurnChange(form.turn.id, canonicalize_actions(card.contest, form.actions)) for form in self.forms]
        return CorrectionStep(self, [one for one in changes if one.actions != card.turns[one.turn_id].actions])

    def find_invalid(self, changes: Sequence[TurnChange]) -> Self | None:
        """Return the form with what the rules say about the card with all changes; None if they allow it."""
        card = self.card_context.card
        problems = judge_changes(card, changes).problems
        sentences = explain_all(self.card_context.contest.game_key, problems)
        return replace(self, refusals=tuple(sentences)) if sentences else None

    def describe_saved(self, changes: Sequence[TurnChange], after: PageContext) -> str:
        """Return whose card was corrected."""
        return drop_double_stop(_("Corrected: %(bike)s.") % {"bike": after.name})

    def list_field_errors(self) -> list[dict[str, Any]]:
        """Return the errors of every turn, then those of the reason."""
        return [error for form in (*self.forms, self.reason) for error in list_form_errors(form)]

    def present(self) -> dict[str, Any]:
        """Return the forms, and where several turns can be corrected, if these alone are refused."""
        is_part = len(self.forms) < len(self.card_context.recorded)
        several_url = self.card_context.get_url("correct") if is_part and self.refusals else ""
        return {
            "forms": self.forms,
            "several_url": several_url,
            "move_url": self.card_context.get_move_url(self.forms[0].turn) if len(self.forms) == 1 else "",
            "submit": _("Correct") if self.forms else "",
        }


def _list_forms(card_context: CardContext, requested: set[str], data: QueryDict | None) -> list[TurnCorrectionForm]:
    methods, results = list_input_methods(card_context.ruleset), card_context.card.fold.results
    return [
        TurnCorrectionForm(methods, turn, results.get(turn.id), card_context.name_recorded([turn]), data)
        for turn in sort_by_slot(card_context.card.contest, card_context.recorded)
        if (not requested or str(turn.id) in requested) and card_context.may_change(turn)
    ]
