"""A form that asks for one's own password again, so that a browser left signed in is not enough to use it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.security_log import log_refusal
from scorekeeper.events.browsers import Browser
from scorekeeper.events.forms.sign_in import count_password_attempt
from scorekeeper.events.services.sign_in_throttle import clear_attempts


class OwnPasswordForm(forms.Form):
    """The password of the person who is signed in. Wrong ones are throttled as at sign-in.

    Attributes:
        is_throttled: whether the password was not checked, because too many wrong ones were entered.
    """

    own_password = forms.CharField(
        label=_("Your password"),
        help_text=_("To make sure that it is you."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Enter your password.")},
    )
    is_throttled = False

    def __init__(self, *args: Any, user: User, browser: Browser, **kwargs: Any) -> None:
        """Make the form.

        Args:
            user: who is signed in.
            browser: the browser that sent the request.
        """
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self._user, self._browser = user, browser
        self.order_fields([*(name for name in self.fields if name != "own_password"), "own_password"])

    def clean_own_password(self) -> str:
        """Return the password.

        Raises:
            ValidationError: it is wrong, or too many wrong ones were entered.
        """
        password: str = self.cleaned_data["own_password"]
        try:
            count_password_attempt(self._user.get_username(), self._browser)
        except ValidationError:
            self.is_throttled = True
            raise
        if not self._user.check_password(password):
            log_refusal("password_refused", account=self._user.pk, address=self._browser.address)
            raise ValidationError(_("This is not your password. Check it, including capital letters."))
        clear_attempts(self._user.get_username(), self._browser)
        return password

    @property
    def status(self) -> int:
        """The status of a page with this form: 200, 422 if it was refused, or 429 if it was throttled."""
        if not self.is_bound:
            return 200
        return 429 if self.is_throttled else 422
