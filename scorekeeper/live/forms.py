"""The forms for what a screen shows, and for pairing a television."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.languages import list_languages
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.ordered_choice import OrderedChoiceField
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import ClassPart, Part, list_class_parts, list_paired_screens, list_parts
from scorekeeper.live.services import CODE_LIFETIME, GUESSES, TooManyGuesses, UnknownCode, pair_guessed_screen

# Fields that a form for only some of the settings may leave out; they stay as they are.
OMITTABLE = ("groups", "theme", "language")
MAX_CODE = 20  # characters, with what people type around a code


def _list_languages() -> list[tuple[str, str | Promise]]:
    return [("", gettext_lazy("That of the event")), *list_languages().items()]


class ScreenForm(forms.ModelForm[Screen]):
    """A screen's settings, with what it shows as a list to tick and to put in order."""

    parts = OrderedChoiceField(label=gettext_lazy("On the screen, in this order"), required=False)

    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=_list_languages, required=False)

    class Meta:
        model = Screen
        fields = ["name", "groups", "has_messages", "seconds", "theme", "language", "sponsor"]
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
        parts = self.fields["parts"]
        assert isinstance(parts, OrderedChoiceField)
        classes = [(part.key, part.name) for part in list_class_parts(contests)]
        parts.choices = [*((str(contest.pk), str(contest)) for contest in contests), *classes, *PartKind.choices]
        parts.help_text = _("Tick what to show, and move it up or down. A part with nothing to show is skipped.")
        self.initial["parts"] = [get_part_key(part) for part in list_parts(self.instance)]
        self.order_fields(["name", "parts", "groups", "has_messages", "seconds", "theme", "language", "sponsor"])
        if self.instance.is_public:
            del self.fields["name"]
        else:
            self.fields["name"].required = True
        compares = any(contest.groups_by for contest in contests)
        for name in OMITTABLE:
            is_left_out = self.is_bound and name not in self.data
            if is_left_out or (name == "groups" and not compares):
                del self.fields[name]
        self.fields["has_messages"].help_text = _(
            "Messages are bands above everything else. If only they are shown, they fill the screen."
        )
        self.fields["seconds"].help_text = _("Choose 8 to 12 seconds for a page of ten rows.")
        self.fields["sponsor"].help_text = _("The sponsor is named at the bottom of the screen.")

    def clean(self) -> dict[str, Any]:
        """Refuse a screen that shows nothing; put what it shows into the instance."""
        cleaned = super().clean() or self.cleaned_data
        chosen = cleaned.get("parts", [])
        shows_messages = cleaned.get("has_messages") and not self.instance.is_public
        if "parts" not in self.errors and self._contests and not shows_messages and not chosen:
            self.add_error("parts", _("Tick at least one contest or other part."))
        if not self.errors:
            self.instance.parts = self._make_parts(chosen)
        return cleaned

    def clean_name(self) -> str:
        """Refuse the name of another screen, which would make the list a riddle."""
        name: str = self.cleaned_data["name"]
        check_name(self.instance.event, name, self.instance)
        return name

    def make_preview(self) -> Screen:
        """Return the screen that the form would save, not stored: with what is saved where the form has an error."""
        screen = self.instance
        if self.is_bound and not self.is_valid() and "parts" in self.cleaned_data:
            screen.parts = self._make_parts(self.cleaned_data["parts"])
        return screen

    def _make_parts(self, chosen: Sequence[str]) -> list[str]:
        """Return what to store. All contests, in the event's order, are stored as such: so one added later is shown."""
        parts = list(chosen)
        everything = [str(contest.pk) for contest in self._contests]
        if not everything and ALL_CONTESTS in self.instance.parts:
            return [ALL_CONTESTS, *parts]
        for start in range(len(parts)):
            end = start + len(everything)
            if everything and parts[start:end] == everything:
                return [*parts[:start], ALL_CONTESTS, *parts[end:]]
        return parts


def get_part_key(part: Part) -> str:
    """Return a part as the form sends it."""
    if isinstance(part, ClassPart):
        return part.key
    return str(part.pk) if isinstance(part, Contest) else str(part)


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
        help_text=gettext_lazy("The name tells your screens apart, such as “Bar” or “Stage left”."),
        error_messages={"required": gettext_lazy("Enter a name, such as “Bar”.")},
    )

    is_throttled = False

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._event = event
        address = settings.BASE_URL.partition("//")[2] + reverse("live:television")
        self.fields["code"].help_text = _("To see the code, open %(address)s on the television.") % {"address": address}

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
