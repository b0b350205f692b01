"""The forms for what a screen shows, and for pairing a television."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import list_paired_screens, list_parts
from scorekeeper.live.services import CODE_LIFETIME, GUESSES, TooManyGuesses, UnknownCode, pair_guessed_screen

# Fields that a form for only some of the settings may leave out; they stay as they are.
OMITTABLE = ("groups", "theme")
MAX_CODE = 20  # characters, with what people type around a code
BAD_POSITION = gettext_lazy("Enter a position from 1 to 99, or leave it empty.")


class ScreenForm(forms.ModelForm[Screen]):
    """A screen's settings, with a position for each part. A part without a position is not shown."""

    class Meta:
        model = Screen
        fields = ["name", "groups", "has_messages", "seconds", "theme", "sponsor"]
        widgets = {"groups": forms.RadioSelect, "theme": forms.RadioSelect}
        error_messages = {
            "seconds": dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"), gettext_lazy("Enter from 8 to 12 seconds.")
            ),
            "name": {"required": gettext_lazy("Enter a name, such as “Bar”.")},
        }

    def __init__(self, *args: Any, contests: Sequence[Contest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._contests = contests
        self._parts: dict[str, Contest | PartKind] = {}
        shown = list_parts(self.instance)
        for contest in contests:
            self._add_position(f"place-{contest.pk}", contest, str(contest), shown)
        for kind in PartKind:
            self._add_position(f"place-{kind}", kind, str(kind.label), shown)
        self.edit_units = dict.fromkeys(self._parts, "parts")  # they are one order
        self.order_fields(["name", *self._parts, "groups", "has_messages", "seconds", "theme", "sponsor"])
        if self.instance.is_public:
            del self.fields["name"]
        else:
            self.fields["name"].required = True
        compares = any(contest.groups_by for contest in contests)
        for name in OMITTABLE:
            is_left_out = self.is_bound and name not in self.data
            if is_left_out or (name == "groups" and not compares):
                del self.fields[name]
        self.fields["has_messages"].help_text = _("As bands above everything else. Alone, they fill the screen.")
        self.fields["seconds"].help_text = _("From 8 to 12. A page has ten rows.")
        self.fields["sponsor"].help_text = _("Shown at the bottom of the screen.")

    def _add_position(
        self, name: str, part: Contest | PartKind, label: str, shown: Sequence[Contest | PartKind]
    ) -> None:
        self._parts[name] = part
        self.fields[name] = forms.IntegerField(
            label=_("Position of %(contest)s") % {"contest": label},
            help_text=_("Leave it empty to keep the contest off the screen.") if isinstance(part, Contest) else "",
            initial=shown.index(part) + 1 if part in shown else None,
            min_value=1,
            max_value=99,
            required=False,
            error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), BAD_POSITION),
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a screen that shows nothing; put what it shows into the instance."""
        cleaned = super().clean() or self.cleaned_data
        shows_messages = cleaned.get("has_messages") and not self.instance.is_public
        if not self.errors and self._contests and not shows_messages and not self._list_chosen():
            self.add_error(None, _("Give at least one contest or other part a position."))
        if not self.errors:
            self.instance.parts = self._make_parts()
        return cleaned

    def clean_name(self) -> str:
        """Refuse the name of another screen, which would make the list a riddle."""
        name: str = self.cleaned_data["name"]
        check_name(self.instance.event, name, self.instance)
        return name

    def _list_chosen(self) -> list[Contest | PartKind]:
        """Return the parts that are shown, by their position; those with equal positions in the form's order."""
        positions = {name: self.cleaned_data.get(name) for name in self._parts}
        chosen = sorted((name for name in self._parts if positions[name]), key=lambda name: positions[name] or 0)
        return [self._parts[name] for name in chosen]

    def _make_parts(self) -> list[str]:
        """Return what to store. All contests, in the event's order, are stored as such: so one added later is shown."""
        chosen = self._list_chosen()
        parts = [str(part.pk) if isinstance(part, Contest) else str(part) for part in chosen]
        everything = [str(contest.pk) for contest in self._contests]
        if not everything and ALL_CONTESTS in self.instance.parts:
            return [ALL_CONTESTS, *parts]
        for start in range(len(parts)):
            end = start + len(everything)
            if everything and parts[start:end] == everything:
                return [*parts[:start], ALL_CONTESTS, *parts[end:]]
        return parts


class PairingForm(forms.Form):
    """The code on a television, and what to call it."""

    code = forms.CharField(
        label=gettext_lazy("Code on the television"),
        max_length=MAX_CODE,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Enter the six characters that the television shows.")},
    )
    name = NameFormField(
        label=gettext_lazy("Name of the screen"),
        max_length=40,
        help_text=gettext_lazy("So that you can tell your screens apart: “Bar”, “Stage left”."),
        error_messages={"required": gettext_lazy("Enter a name, such as “Bar”.")},
    )

    is_throttled = False

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._event = event
        address = settings.BASE_URL.partition("//")[2] + reverse("live:television")
        self.fields["code"].help_text = _("Open %(address)s on the television to see it.") % {"address": address}

    def clean_name(self) -> str:
        """Refuse the name of another screen."""
        name: str = self.cleaned_data["name"]
        check_name(self._event, name)
        return name

    def pair(self, user: User) -> Screen | None:
        """Pair the television; None, with errors, if no television shows the code or the user entered too many.

        Call it once the form is valid.
        """
        try:
            return pair_guessed_screen(self._event, user, self.cleaned_data["code"], self.cleaned_data["name"])
        except TooManyGuesses:
            self.is_throttled = True
            text = _("%(most)s wrong codes were entered. Wait 15 minutes, then try again.")
            self.add_error("code", text % {"most": GUESSES.most})
            return None
        except UnknownCode:
            text = _(
                "No television shows this code now. Enter the code that it shows; it changes every %(minutes)s minutes."
            )
            self.add_error("code", text % {"minutes": int(CODE_LIFETIME.total_seconds() // 60)})
            return None


def check_name(event: Event, name: str, screen: Screen | None = None) -> None:
    """Check that no other screen of the event has the name.

    Raises:
        ValidationError: one has.
    """
    others = list_paired_screens(event).filter(name__iexact=name)
    if any(other != screen for other in others):
        raise ValidationError(_("There is a screen with this name already. Enter another, such as “Bar 2”."))
