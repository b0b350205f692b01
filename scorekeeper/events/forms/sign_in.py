"""The sign-in form, with throttling."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scorekeeper.common.security_log import log_refusal
from scorekeeper.events.browsers import Browser, get_browser
from scorekeeper.events.services.sign_in_throttle import (
    FROM_UNKNOWN,
    PER_BROWSER,
    TooManyAttempts,
    clear_attempts,
    record_attempt,
)

TOO_MANY_FROM_BROWSER = _("%(most)s wrong passwords were entered for this name. Wait 15 minutes, then try again.")
TOO_MANY_FROM_UNKNOWN = _(
    "Someone is trying many passwords for this name. Sign in with a browser you have signed in with before, "
    "or wait an hour."
)


class SignInForm(AuthenticationForm):
    """Name and password. Wrong passwords are throttled per account."""

    is_throttled = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].error_messages["required"] = _("Enter your name.")
        self.fields["password"].error_messages["required"] = _("Enter your password.")

    def clean(self) -> dict[str, Any]:
        username, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not username or not password:
            return self.cleaned_data
        assert self.request is not None, "the view passes it"
        browser = get_browser(self.request)
        try:
            count_password_attempt(username, browser)
        except ValidationError as error:
            self.is_throttled = True
            raise ValidationError({"password": error}) from error
        cleaned = super().clean()
        clear_attempts(username, browser)
        return cleaned

    def get_invalid_login_error(self) -> ValidationError:
        """Return the same error for a wrong name and a wrong password, so that it does not reveal which names exist."""
        assert self.request is not None, "the view passes it"
        named = User.objects.filter(username=self.cleaned_data["username"]).first()
        log_refusal("sign_in_refused", account=named and named.pk, address=get_browser(self.request).address)
        return ValidationError(
            {"password": _("The name or the password is wrong. Check both, including capital letters.")}
        )


def count_password_attempt(username: str, browser: Browser) -> None:
    """Count an attempt before the password is checked.

    Raises:
        ValidationError: there were too many, so the password must not be checked.
    """
    try:
        record_attempt(username, browser)
    except TooManyAttempts as error:
        log_refusal("password_not_checked", limit=error.limit.name, address=browser.address)
        raise ValidationError(_describe(error)) from error


def _describe(error: TooManyAttempts) -> str:
    if error.limit == PER_BROWSER:
        return str(TOO_MANY_FROM_BROWSER) % {"most": PER_BROWSER.most}
    if error.limit == FROM_UNKNOWN:
        return str(TOO_MANY_FROM_UNKNOWN)
    minutes = -(-error.wait // 60)
    text = ngettext(
        "Too many names or passwords were tried from your connection. Sign in with a browser you have signed in with "
        "before, or wait %(minutes)s minute.",
        "Too many names or passwords were tried from your connection. Sign in with a browser you have signed in with "
        "before, or wait %(minutes)s minutes.",
        minutes,
    )
    return text % {"minutes": minutes}
