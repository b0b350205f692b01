"""The form that creates an access token."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.forms.own_password import OwnPasswordForm
from scorekeeper.events.models import AccessToken

LIFETIMES = (
    ("7", _("7 days")),
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("A year")),
)


class AccessTokenForm(OwnPasswordForm, forms.ModelForm[AccessToken]):
    """What the token is for, what it may do, and for how long, and one's own password.

    Derived: `cleaned_data["lifetime"]` is a duration.
    """

    lifetime = forms.ChoiceField(label=_("Works for"), choices=LIFETIMES, initial="90")

    class Meta:
        model = AccessToken
        fields = ("name", "scope")
        widgets = {"scope": forms.RadioSelect}
        help_texts = {"name": _("Only you see it. “Club website”, for example.")}
        error_messages = {"name": {"required": _("Enter what the token is for.")}}

    def clean_lifetime(self) -> dt.timedelta:
        """Return the chosen time."""
        return dt.timedelta(days=int(self.cleaned_data["lifetime"]))
