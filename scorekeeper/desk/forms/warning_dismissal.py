"""The form that dismisses a warning."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.desk.ride_warnings import RideWarning


class DismissalForm(forms.Form):
    """Why a warning needs no further look.

    Args:
        warning: the warning it is shown with; its fields' ids differ from those of other warnings.
    """

    key = forms.CharField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Organisers can see it."),
        error_messages={"required": _("Enter a reason."), "max_length": _("Shorten the reason to 200 characters.")},
    )

    def __init__(self, data: Any = None, *, warning: RideWarning) -> None:
        super().__init__(data, initial={"key": warning.key}, auto_id=f"id_%s_{warning.key}", label_suffix="")
