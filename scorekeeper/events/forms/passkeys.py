"""Forms for passkeys: the password again, a passkey's name, and the browser's response."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.events.browsers import Browser
from scorekeeper.events.forms.accounts import OwnPasswordForm
from scorekeeper.events.models import Passkey
from scorekeeper.events.services.passkeys import (
    MAX_PASSKEYS,
    ChallengeUnusable,
    PasskeyKnown,
    PasskeyRefused,
    SignCountNotGrown,
    TooManyPasskeys,
)
from scorekeeper.events.services.sign_in_throttle import (
    FROM_UNKNOWN,
    Factor,
    TooManyAttempts,
    clear_attempts,
    record_attempt,
)

NAME_HELP = _("So that you can tell your passkeys apart. “My phone”, for example.")
NAME_MISSING = _("Enter a name for the passkey.")
MAX_RESPONSE_CHARACTERS = 64 * 1024

REFUSALS = {
    ChallengeUnusable: _("This page had been used already, or was open for more than 10 minutes. Try again."),
    PasskeyKnown: _("This passkey has been added already. Use another device or security key."),
    TooManyPasskeys: _("An account can have at most %(most)s passkeys. Remove one before you add another."),
    SignCountNotGrown: _(
        "This passkey was refused, because it has been used more often than it says: someone may have a copy of it. "
        "Sign in with another passkey and remove this one, or ask the person who runs this site to remove it."
    ),
}
NOT_ADDED = _("The passkey could not be added: the browser’s response does not belong to this page. Try again.")
NOT_OF_ACCOUNT = _("This is not a passkey of your account at this site. Use one that you have added here.")
TOO_MANY_FROM_BROWSER = _("%(most)s attempts with a passkey have failed. Wait 15 minutes, then try again.")
TOO_MANY_FROM_UNKNOWN = _(
    "Someone who knows your password is trying to sign in without your passkey. Sign in with a browser you have signed "
    "in with before, or wait an hour. Then change your password."
)


class NewPasskeyForm(OwnPasswordForm):
    """The name of a new passkey, and the password again."""

    name = NameFormField(label=_("Name"), max_length=80, help_text=NAME_HELP, error_messages={"required": NAME_MISSING})


class PasskeyNameForm(forms.ModelForm[Passkey]):
    """Another name for a passkey."""

    class Meta:
        model = Passkey
        fields = ("name",)
        labels = {"name": _("Name")}
        help_texts = {"name": NAME_HELP}
        error_messages = {"name": {"required": NAME_MISSING}}

    def __init__(self, passkey: Passkey, data: Any = None) -> None:
        super().__init__(data, instance=passkey, label_suffix="")


class PasskeyResponseForm(forms.Form):
    """What the browser's script sends: the response of the authenticator, as JSON."""

    response = forms.CharField(
        widget=forms.HiddenInput,
        error_messages={"required": _("The browser sent no passkey. Try again; JavaScript has to be on.")},
    )
    is_throttled = False

    def clean_response(self) -> dict[str, Any]:
        """Return the response.

        Raises:
            ValidationError: it is too long, or no JSON object. Django's own field fails with numbers and deep nesting.
        """
        text: str = self.cleaned_data["response"]
        try:
            response = json.loads(text) if len(text) <= MAX_RESPONSE_CHARACTERS else None
        except (ValueError, RecursionError):
            response = None
        if not isinstance(response, dict):
            raise ValidationError(_("The browser’s response cannot be read. Try again."))
        return response

    def add_refusal(self, error: PasskeyRefused, usual: Any) -> None:
        """Say why the passkey was refused.

        Args:
            usual: the text if the response itself is the reason.
        """
        self.add_error(None, ValidationError(REFUSALS.get(type(error), usual), params={"most": MAX_PASSKEYS}))

    def count_attempt(self, user: User, browser: Browser) -> bool:
        """Count an attempt before the passkey is checked; return whether there were not too many.

        It is counted apart from passwords, so that the right password does not reset the count.
        """
        try:
            record_attempt(user.get_username(), browser, Factor.PASSKEY)
        except TooManyAttempts as error:
            self.is_throttled = True
            text = TOO_MANY_FROM_UNKNOWN if error.limit == FROM_UNKNOWN else TOO_MANY_FROM_BROWSER
            self.add_error(None, ValidationError(text, params={"most": error.limit.most}))
            return False
        return True

    def clear_attempts(self, user: User, browser: Browser) -> None:
        """Reset the count after the right passkey."""
        clear_attempts(user.get_username(), browser, Factor.PASSKEY)
