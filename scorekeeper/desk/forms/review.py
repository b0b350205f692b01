"""Settling a note that waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.desk.forms.operation_forms import ReasonForm
from scorekeeper.scorecards.models import ReviewItem

SLOT_PREFIX = "slot:"


class DecisionForm(ReasonForm):
    """What becomes of one waiting note, and why."""

    decision = forms.ChoiceField(
        label=_("Which entry should count?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose which entry should count.")},
    )
    field_order = ["operation", "decision", "reason"]

    def __init__(self, data: Any = None, *, item_id: UUID, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(data, prefix=str(item_id))
        field = self.fields["decision"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    @property
    def decision_and_slot(self) -> tuple[str, UUID | None]:
        """The decision, and the slot where it names one."""
        word: str = self.cleaned_data["decision"]
        if word.startswith(SLOT_PREFIX):
            return ReviewItem.Decision.OTHER_SLOT, UUID(word.removeprefix(SLOT_PREFIX))
        return word, None
