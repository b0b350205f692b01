"""Forms with which an organiser invites others. None of them says whether an account exists."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm, UserCreationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.common.security_log import log_refusal
from scorekeeper.events.browsers import Browser
from scorekeeper.events.forms.sign_in import count_password_attempt
from scorekeeper.events.models import AccessToken, Event
from scorekeeper.events.selectors import is_account_name_taken
from scorekeeper.events.services.sign_in_throttle import clear_attempts

NAMES_TRIED = RateLimit("names tried for accounts by invitation", 30, 60 * 60)
PASSWORD_HELP = _("At least 8 characters. Not a common password, not only digits, and not like your name.")
PASSWORD_MISSING = _("Enter a password.")
REPETITION_MISSING = _("Enter the password again.")
PASSWORDS_DIFFER = _("The two passwords are different. Enter the same password twice.")
LIFETIMES = (
    ("7", _("7 days")),
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("A year")),
)


class AccountForm(UserCreationForm[User]):
    """The name and the password of a new account."""

    error_messages = {"password_mismatch": PASSWORDS_DIFFER}

    class Meta(UserCreationForm.Meta):
        labels = {"username": _("Name")}
        help_texts = {
            "username": _(
                "You sign in with this name, and your event shows it beside what you record. "
                "Use letters, digits and @ . + - _, without spaces."
            )
        }
        error_messages = {
            "username": {
                "required": _("Enter a name."),
                "invalid": _("Use only letters, digits and @ . + - _, without spaces."),
                "unique": _("Someone already has this name. Choose another one."),
            }
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"].widget
        name.attrs |= {"autocomplete": "username", "spellcheck": "false"}
        name.attrs.pop("autofocus", None)  # what the link is for comes first
        _word_password_fields(self, "password1", "password2")

    def clean_username(self) -> str:
        """Return the name.

        Raises:
            ValidationError: someone has it, or one that differs only in case, by which people would take them for one.
        """
        name: str = self.cleaned_data["username"]
        if is_account_name_taken(name):
            raise ValidationError(self.Meta.error_messages["username"]["unique"], code="unique")
        return name

    def validate_password_for_user(self, user: User, password_field_name: str = "") -> None:
        """Show what is wrong with the password at the first of its two fields."""
        super().validate_password_for_user(user, "password1")  # type: ignore[misc]


class InvitedAccountForm(AccountForm):
    """The new account of a person who was invited by a link.

    It has to say that a name is taken. So that nobody finds out which accounts exist by trying a list of names, there
    is a limit for all links of an inviter, and beyond it the answer is the same for every name.

    Attributes:
        is_throttled: whether the name was not looked up, because too many were tried.
    """

    is_throttled = False

    def __init__(self, *args: Any, inviter: User | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inviter = inviter

    def clean_username(self) -> str:
        """Return the name.

        Raises:
            ValidationError: it is taken, or too many names were tried.
        """
        try:
            count_use(NAMES_TRIED, str(self._inviter and self._inviter.pk))
        except RateLimited as limited:
            self.is_throttled = True
            minutes = -(-limited.wait // 60)
            text = ngettext(
                "Too many names were tried with invitations of the same person. Wait %(minutes)s minute, then try "
                "again. The invitation can still be used.",
                "Too many names were tried with invitations of the same person. Wait %(minutes)s minutes, then try "
                "again. The invitation can still be used.",
                minutes,
            )
            raise ValidationError(text % {"minutes": minutes}) from limited
        return super().clean_username()


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password for someone who has forgotten theirs."""

    error_messages = {"password_mismatch": PASSWORDS_DIFFER}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word_password_fields(self, "new_password1", "new_password2")

    def validate_password_for_user(self, user: User, password_field_name: str = "") -> None:
        """Show what is wrong with the password at the first of its two fields."""
        super().validate_password_for_user(user, "new_password1")


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    """A new password for someone who knows theirs. Wrong ones are throttled as at sign-in."""

    error_messages = {
        "password_mismatch": PASSWORDS_DIFFER,
        "password_incorrect": _("Your current password is wrong. Check it, including capital letters."),
    }
    is_throttled = False
    revoked_tokens = forms.MultipleChoiceField(
        label=_("Access tokens to revoke"),
        help_text=_(
            "Someone who knew your password could have created a token. Untick one only if you know the program that "
            "has it."
        ),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    listed_tokens = forms.MultipleChoiceField(required=False, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, browser: Browser, tokens: Iterable[AccessToken] = (), **kwargs: Any) -> None:
        """Make the form.

        Args:
            browser: the browser that sent the request.
            tokens: those of the account that work.
        """
        super().__init__(*args, **kwargs)
        self.browser = browser
        self._tokens = {str(token.pk): token for token in tokens}
        if self._tokens:
            for name in ("revoked_tokens", "listed_tokens"):
                field: Any = self.fields[name]
                field.choices = [(key, token.name) for key, token in self._tokens.items()]
                self.initial[name] = list(self._tokens)
        else:
            del self.fields["revoked_tokens"], self.fields["listed_tokens"]
        current = self.fields["old_password"]
        current.label = _("Current password")
        current.error_messages["required"] = _("Enter your current password.")
        current.widget.attrs.pop("autofocus", None)

    def clean_old_password(self) -> str:
        """Return the current password.

        Raises:
            ValidationError: it is wrong, or too many wrong ones were entered.
        """
        try:
            count_password_attempt(self.user.get_username(), self.browser)
        except ValidationError:
            self.is_throttled = True
            raise
        password: str = super().clean_old_password()
        clear_attempts(self.user.get_username(), self.browser)
        return password

    def list_kept_tokens(self) -> list[UUID]:
        """Return the ids of the tokens that were on the page, and unticked there. All others are to be revoked."""
        kept = set(self.cleaned_data.get("listed_tokens", ())) - set(self.cleaned_data.get("revoked_tokens", ()))
        return [token.pk for key, token in self._tokens.items() if key in kept]


def _word_password_fields(form: Any, password: str, repetition: str) -> None:
    form.fields[password].help_text = PASSWORD_HELP
    form.fields[password].error_messages["required"] = PASSWORD_MISSING
    form.fields[repetition].help_text = ""
    form.fields[repetition].label = _("Password again")
    form.fields[repetition].error_messages["required"] = REPETITION_MISSING


class OwnPasswordForm(forms.Form):
    """The password of the person who is signed in. Wrong ones are throttled as at sign-in.

    Attributes:
        is_throttled: whether the password was not checked, because too many wrong ones were entered.
    """

    own_password = forms.CharField(
        label=_("Your password"),
        help_text=_("Enter your password again to show that it is you."),
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


class AccessTokenForm(OwnPasswordForm, forms.ModelForm[AccessToken]):
    """What the token is for, what it may do, and for how long, and one's own password.

    Derived: `cleaned_data["lifetime"]` is a duration.
    """

    lifetime = forms.ChoiceField(label=_("Works for"), choices=LIFETIMES, initial="90")

    class Meta:
        model = AccessToken
        fields = ("name", "scope")
        widgets = {"scope": forms.RadioSelect}
        help_texts = {"name": _("Name the program, such as “Club website”. Only you see the name.")}
        error_messages = {"name": {"required": _("Enter what the token is for.")}}

    def clean_lifetime(self) -> dt.timedelta:
        """Return the chosen time."""
        return dt.timedelta(days=int(self.cleaned_data["lifetime"]))


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
