"""Forms with which an organiser invites others. None of them says whether an account exists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.forms.own_password import OwnPasswordForm
from scorekeeper.events.models import Event


class InviteByLinkForm(OwnPasswordForm):
    """One's own password, to create a link. The ids of its fields differ from those of the form beside it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="id_link_%s", **kwargs)


class InviteByNameForm(OwnPasswordForm):
    """The name of an account, whether it exists or not."""

    username = forms.CharField(
        label=_("Name they sign in with"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        error_messages={"required": _("Enter the name they sign in with.")},
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        """Make the form.

        Args:
            event: the event that the person is invited to organise.
        """
        super().__init__(*args, **kwargs)
        self._event = event

    def clean_username(self) -> str:
        """Return the name, as names of accounts are stored.

        Raises:
            ValidationError: one of the event's organisers, who are on the same page, has it.
        """
        name = User.normalize_username(self.cleaned_data["username"])
        if self._event.organisers.filter(user__username=name).exists():
            raise ValidationError(_("“%(name)s” organises this event already."), params={"name": name})
        return name
