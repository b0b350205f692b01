"""Base forms for operations: each contains the id of its operation, so that it counts once even if it is sent twice."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class OperationForm(forms.Form):
    """A form that records one operation."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class ReasonForm(OperationForm):
    """A form with a reason. The reason is stored, and can be erased."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("The reason is saved in the log. Organisers can see it."),
        error_messages={"required": _("Enter a reason.")},
    )
