"""The form for a turn that is missing on a card: which turn, what was rolled, and why it is recorded now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.forms.input_methods import InputMethodForm, InputMethods


class MissingTurnForm(InputMethodForm, CorrectionReasonForm):
    """The slot, the turn, the reason, and the operation's id, which is made with the page."""

    slot = forms.ChoiceField(
        label=gettext_lazy("Which turn?"),
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), gettext_lazy("Choose a turn.")),
    )

    field_order = ["operation", "slot", "way", "dice", "choice", "points", "reason"]

    def __init__(self, methods: InputMethods, slots: Sequence[tuple[str, str]], *args: Any, **kwargs: Any):
        """Make the form for these slots: their ids and names."""
        super().__init__(methods, [(methods.dice[0], _("The final dice"))], *args, **kwargs)
        self.fields["slot"].choices = slots  # type: ignore[attr-defined]
