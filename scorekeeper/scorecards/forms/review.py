"""The form for deciding about an entry under review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.ledger.forms.operation_forms import ReasonForm
from scorekeeper.ledger.models import ReviewItem

SLOT_PREFIX = "slot:"


class DecisionForm(ReasonForm):
    """The decision about one entry under review, and the reason."""

    decision = forms.ChoiceField(
        label=_("Which entry should count?"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose which entry should count."),
            # The rules do not allow it on the scorecard as it is now; the page says why beside the entry.
            "invalid_choice": _("This is not possible now; the reasons are above. Choose again."),
        },
    )
    field_order = ["operation", "decision", "reason"]

    def __init__(self, data: Any = None, *, item_id: UUID, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(data, prefix=str(item_id))
        field = self.fields["decision"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    @property
    def decision_and_slot(self) -> tuple[str, UUID | None]:
        """The decision, and the slot if it names one."""
        decision: str = self.cleaned_data["decision"]
        if decision.startswith(SLOT_PREFIX):
            return ReviewItem.Decision.OTHER_SLOT, UUID(decision.removeprefix(SLOT_PREFIX))
        return decision, None
