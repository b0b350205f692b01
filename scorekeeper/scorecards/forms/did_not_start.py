"""The form that marks a bike that did not start, or takes the mark back."""

from __future__ import annotations

from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH


class DidNotStartForm(forms.Form):
    """The operation's id, which is made with the page, what the bike is to be, and perhaps why."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    value = forms.TypedChoiceField(
        widget=forms.HiddenInput, choices=[("1", "1"), ("0", "0")], coerce=lambda value: value == "1"
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON_LENGTH, required=False, help_text=_("Saved in the log.")
    )
