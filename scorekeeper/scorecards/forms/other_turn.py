"""The form for recording a turn at another stop than its own."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.forms.turn_fields import MAX_REASON_LENGTH


class OtherTurnForm(forms.Form):
    """The turn, out of those not recorded yet, and the reason."""

    slot = forms.ChoiceField(
        label=_("Which turn?"), widget=forms.RadioSelect, error_messages={"required": _("Choose a turn.")}
    )
    reason = forms.CharField(
        label=_("Why are you recording it now?"),
        max_length=MAX_REASON_LENGTH,
        help_text=_("For example: the bike was late."),
        error_messages={"required": _("Enter why you are recording it now.")},
    )

    def __init__(self, data: object, slots: Sequence[tuple[str, str]]):
        """Make the form for the free slots: their ids and names."""
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["slot"].choices = slots  # type: ignore[attr-defined]
