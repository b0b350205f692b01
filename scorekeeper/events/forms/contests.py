"""Forms for a contest: one with the options of its game, before the first entry, and one without them, after it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.forms.options.form import OptionsForm
from scorekeeper.events.forms.options.form_data import OptionsEdit, make_draft
from scorekeeper.events.forms.options.presets import apply_preset
from scorekeeper.events.forms.options.row_buttons import apply_row_button
from scorekeeper.events.models import Contest
from scorekeeper.events.options_summary import list_editable_options
from scorekeeper.events.selectors import find_free_name, is_name_taken


class ContestNameForm(forms.ModelForm[Contest]):
    """The setting of a contest that can always be changed: its name."""

    class Meta:
        model = Contest
        fields = ["name"]
        error_messages = {"name": {"required": _("Enter the name of the contest.")}}

    def clean_name(self) -> str:
        """Reject the name of another contest of the event: nobody could tell the two apart."""
        name: str = self.cleaned_data["name"]
        if is_name_taken(self.instance, name):
            params = {"name": name, "free": find_free_name(self.instance, name)}
            raise ValidationError(
                _("Another contest in this event is called “%(name)s”. “%(free)s” is available."), "taken", params
            )
        return name


class ContestForm(OptionsForm, ContestNameForm):
    """A contest without entries yet: everything can be changed.

    Args:
        data: the submitted data, to be validated.
        instance: the contest in its current state.
        change: the form data after a button changed it, to be shown and not validated.
    """

    class Meta(ContestNameForm.Meta):
        fields = ["name", "seats_are"]
        widgets = {"seats_are": forms.RadioSelect}

    def __init__(self, data: QueryDict | None = None, *, instance: Contest, change: OptionsEdit | None = None) -> None:
        draft = change.draft if change else data
        if draft is None:
            draft = make_draft(list_editable_options(instance.game), instance.ruleset.options)
        super().__init__(
            None if change else data,
            game=instance.game,
            draft=draft,
            fixed_options=instance.options_from_slots,
            focus=change.focus if change else "",
            instance=instance,
        )
        if len(instance.seats_may_be) == 1:
            del self.fields["seats_are"]

    @property
    def values(self) -> dict[str, Any]:
        """The valid settings, including who plays where the form does not ask for it."""
        return {"seats_are": self.instance.seats_are, **self.cleaned_data}


class FrozenContestForm(ContestNameForm):
    """The settings of a contest that can still be changed once turns have been recorded."""


def apply_form_button(contest: Contest, data: QueryDict) -> OptionsEdit | None:
    """Return the form data as the pressed button changed it; None when the form was submitted to be saved."""
    if "preset" in data:
        return apply_preset(contest.game, data, str(data["preset"]))
    if "row" in data:
        return apply_row_button(contest.game, data, str(data["row"]))
    return None


def includes_frozen_fields(data: QueryDict) -> bool:
    """Return whether the data includes settings that can no longer be changed once turns have been recorded."""
    return "seats_are" in data or any(name.startswith("options.") for name in data)
