"""Forms for the organiser's decision about a prize: among those who are tied, or of a prize that is given by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.request_data import parse_uuid

Choices = Sequence[tuple[UUID, str]]


class _DecisionForm(forms.Form):
    """A decision with its reason, under the id of its operation."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy("Saved in the log. Organisers can see it."),
        error_messages={"required": gettext_lazy("Enter a reason.")},
    )

    field_order = ("winners", "winner", "reason")

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.label_suffix = ""


class TieDecisionForm(_DecisionForm):
    """Who of the tied gets the prize; several share it.

    Derived: `cleaned_data["winners"]` and `tied` are ids.
    """

    # Who was tied on the page, so that a decision about another tie is noticed.
    tied_ids = forms.CharField(widget=forms.HiddenInput)
    winners = forms.MultipleChoiceField(
        label=gettext_lazy("Who gets the prize"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Choose several if they share it."),
        error_messages={"required": gettext_lazy("Choose who gets the prize.")},
    )

    def __init__(self, data: Any = None, *, tied: Choices) -> None:
        super().__init__(data, initial={"tied_ids": ",".join(sorted(str(pk) for pk, _name in tied))})
        winners = self.fields["winners"]
        assert isinstance(winners, forms.MultipleChoiceField)
        winners.choices = [(str(pk), name) for pk, name in tied]

    def clean_winners(self) -> list[UUID]:
        """Return the ids."""
        return [UUID(one) for one in self.cleaned_data["winners"]]

    @property
    def tied(self) -> set[UUID]:
        """Those who were tied on the page."""
        return {pk for text in self.cleaned_data["tied_ids"].split(",") if (pk := parse_uuid(text))}


class HandAwardForm(_DecisionForm):
    """Who gets a prize that is given by hand.

    Derived: `winners` are ids; nobody takes the decision back.
    """

    winner = forms.ChoiceField(
        label=gettext_lazy("Who gets the prize"),
        error_messages={"required": gettext_lazy("Choose who gets the prize.")},
    )
    NOBODY = "nobody"

    def __init__(self, data: Any = None, *, possible: Choices, current: UUID | None) -> None:
        """Create the form.

        Args:
            current: who has it so far; None for nobody.
        """
        super().__init__(data, initial={"winner": "" if current is None else str(current)})
        nobody = [] if current is None else [(self.NOBODY, _("Nobody: take the decision back"))]
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [("", _("Choose")), *((str(pk), name) for pk, name in possible), *nobody]

    @property
    def winners(self) -> list[UUID]:
        """Who gets it."""
        winner = self.cleaned_data["winner"]
        return [] if winner == self.NOBODY else [UUID(winner)]
