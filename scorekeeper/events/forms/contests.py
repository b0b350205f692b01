"""The forms of an event and of its contests."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.problems import Malformed
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.event_language import get_event_language, make_language_field
from scorekeeper.events.forms.options.form import OptionsForm
from scorekeeper.events.forms.options.form_data import PLANNED_TURNS, ROOT, OptionsEdit, make_draft
from scorekeeper.events.forms.options.presets import apply_preset
from scorekeeper.events.forms.options.row_buttons import apply_row_button
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.options_summary import list_editable_options
from scorekeeper.events.selectors import find_free_name, is_name_taken
from scorekeeper.events.time_zone_names import find_time_zone

_ERRORS = {
    "sheets_max": dict.fromkeys(("invalid", "min_value", "max_value"), _("Enter a number from 1 to 9.")),
    "name": {"required": _("Enter the name of the contest.")},
    "group_best": dict.fromkeys(
        ("required", "invalid", "min_value", "max_value"), _("Enter how many totals count for a group, from 1 to 50.")
    ),
}
MAX_DIGITS = 3  # of a number of turns
SHEET_FIELDS = ("sheets_for", "sheets_max")
# The log of a closed contest has them.
GROUP_FIELDS = ("groups_by", "group_best")


class EventForm(forms.ModelForm[Event]):
    """An event's name and date, and how it is shown."""

    class Meta:
        model = Event
        fields = ["name", "date", "time_zone", "people_shown", "is_listed"]
        widgets = {
            "time_zone": forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false"}),
            "people_shown": forms.RadioSelect,
        }
        help_texts = {
            "time_zone": _("Where the event is: type the largest city nearby, such as Edmonton."),
        }
        error_messages = {
            "name": {"required": _("Enter the name of the event.")},
            "date": {"required": _("Enter the date of the event."), "invalid": _("Enter a date, such as 2026-06-20.")},
            "time_zone": {"required": _("Enter the time zone of the event, such as America/Edmonton.")},
        }

    def clean_time_zone(self) -> str:
        """Return the name of the time zone: a city alone is enough."""
        return find_time_zone(self.cleaned_data["time_zone"])

    def preset_time_zone(self) -> None:
        """Let the browser replace the suggested time zone with its own if it can."""
        self.fields["time_zone"].widget.attrs["data-preset-time-zone"] = True


class EventSettingsForm(EventForm):
    """What can also be changed once the event is there: whether riders can sign up. A practice event has no sign-up."""

    class Meta(EventForm.Meta):
        fields = [*EventForm.Meta.fields, "language", "is_sign_up_open"]
        help_texts = {
            **EventForm.Meta.help_texts,
            "is_sign_up_open": _(
                "Anyone with the link to sign up can ask for a place. You approve or decline each request."
                " Sign-up closes by itself after the event."
            ),
        }

    language = make_language_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_practice:
            del self.fields["is_sign_up_open"]
        self.initial["language"] = get_event_language(self.instance)

    def clean_language(self) -> str:
        """Return the language; without a choice, as from a page of an older version, the one it has."""
        return self.cleaned_data["language"] or self.instance.language


class ContestNameForm(forms.ModelForm[Contest]):
    """The settings of a contest that can be changed after its first entry: its name, and until it closes its groups."""

    edit_units = {"group_best": "groups_by"}
    has_fixed_options: ClassVar[bool] = True  # else they may change so that groups can be compared, or not any more

    class Meta:
        model = Contest
        fields = ["name", *GROUP_FIELDS, "asks_agreement"]
        error_messages = _ERRORS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["groups_by"].help_text = _(
            "The ranking of groups is a second table below the leaderboard and on the big screen."
        )
        self.fields["group_best"].required = False
        self.fields["group_best"].help_text = _(
            "Used only if groups are compared by their best totals. A group with fewer has no place."
        )
        if self.instance.game.slot_option:
            self.fields["asks_agreement"].help_text = _(
                "Riders look at their cards on a crew phone and agree. You can publish results without that, if you "
                "give a reason."
            )
        else:
            del self.fields["asks_agreement"]  # only cards of turns at stops are agreed to
        why = self.instance.ruleset.why_no_groups
        if why is not None and (self.has_fixed_options or not self.instance.game.compares_totals):
            self._fix_groups(translate(why))
        elif self.instance.status != Contest.Status.OPEN:
            self._fix_groups(gettext("The contest is closed. Reopen it to change this."))

    def _fix_groups(self, why: str) -> None:
        for name in GROUP_FIELDS:
            self.fields[name].disabled = True
            self.fields[name].help_text = why

    @property
    def values(self) -> dict[str, Any]:
        """The valid settings, as the services take them."""
        settings = dict(self.cleaned_data)
        groups = GroupSetting(settings.pop("groups_by"), settings.pop("group_best"))
        return {**settings, "groups": groups}

    def clean_group_best(self) -> int:
        """Require a number only where it matters; elsewhere an empty field changes nothing."""
        best: int | None = self.cleaned_data["group_best"]
        if best is not None:
            return best
        if self.cleaned_data.get("groups_by") == Contest.GroupsBy.BEST:
            raise ValidationError(_ERRORS["group_best"]["required"], "required")
        return self.instance.group_best

    def clean_name(self) -> str:
        """Reject the name of another contest of the event: nobody could tell the two apart."""
        name: str = self.cleaned_data["name"]
        if is_name_taken(self.instance, name):
            params = {"name": name, "free": find_free_name(self.instance, name)}
            raise ValidationError(
                _("Another contest in this event is called “%(name)s”. “%(free)s” is available."), "taken", params
            )
        return name


class DeletedContestForm(forms.ModelForm[Contest]):
    """What is left of the form of a contest that was deleted while its page was open."""

    class Meta:
        model = Contest
        fields = ["name"]


class ContestForm(OptionsForm, ContestNameForm):
    """A contest without entries yet: everything can be changed.

    Args:
        data: the submitted data, to be validated.
        instance: the contest in its current state.
        change: the form data after a button changed it, to be shown and not validated.
    """

    has_fixed_options = False

    class Meta(ContestNameForm.Meta):
        fields = ["name", "seats_are", *SHEET_FIELDS, *GROUP_FIELDS, "asks_agreement", "odds_shown"]
        widgets = {"seats_are": forms.RadioSelect, "sheets_for": forms.RadioSelect, "odds_shown": forms.RadioSelect}

    def __init__(self, data: QueryDict | None = None, *, instance: Contest, change: OptionsEdit | None = None) -> None:
        draft = change.draft if change else data
        if draft is None:
            draft = make_draft(list_editable_options(instance.game), instance.ruleset.options)
        super().__init__(
            None if change else data,
            game=instance.game,
            draft=draft,
            fixed_options=_plan_turns(instance, draft),
            focus=change.focus if change else "",
            instance=instance,
        )
        if self.fixed_options and not instance.slug:
            self.fields[PLANNED_TURNS] = forms.CharField(widget=forms.HiddenInput, required=False)
        if len(instance.seats_may_be) == 1:
            del self.fields["seats_are"]
        self._set_up_sheets()
        self._set_up_odds()

    def _set_up_sheets(self) -> None:
        if not self.instance.game.slot_option:
            for name in SHEET_FIELDS:
                del self.fields[name]  # scorecards of games at tables are created table by table
            return
        clause = self.instance.game.one_sheet_clause
        for name in SHEET_FIELDS:
            self.fields[name].disabled, self.fields[name].required = bool(clause), False
        if clause:
            text = _("The rule book gives every bike one scorecard (%(clause)s).")
            self.fields["sheets_for"].help_text = text % {"clause": clause}
            return
        self.fields["sheets_max"].help_text = _(
            "For each bike or rider, from 1 to 9. The first one is there; you and the crews add the others one by one, "
            "and they are labelled 17/2, 17/3 and so on. Fixed with the first turn or the first of these."
        )

    def clean_sheets_for(self) -> str:
        """Leave the setting as it is where it is fixed, or the form was sent without it."""
        sent: str = self.cleaned_data["sheets_for"]
        return self.instance.sheets_for if self.fields["sheets_for"].disabled or not sent else sent

    def clean_sheets_max(self) -> int:
        """Leave the number as it is where it is fixed, or the form was sent without it."""
        sent: int | None = self.cleaned_data["sheets_max"]
        return self.instance.sheets_max if self.fields["sheets_max"].disabled or sent is None else sent

    def _set_up_odds(self) -> None:
        if len(self.instance.odds_may_be) == 1:
            del self.fields["odds_shown"]  # the game does not know any
            return
        odds = cast(forms.ChoiceField, self.fields["odds_shown"])
        odds.choices = self.instance.odds_choices
        odds.required = False
        odds.help_text = _("You can change this until the first entry is recorded.")
        if self.instance.game.tells_luck:
            odds.help_text = _(
                "You can change this until the first entry is recorded. Once the contest is closed, everyone can see "
                "what each throw brought and each choice cost."
            )

    def clean(self) -> dict[str, Any]:
        """Validate the options, and whether groups can be compared with them."""
        cleaned = super().clean()
        why = None if self.ruleset is None else self.ruleset.why_no_groups
        if why is not None and cleaned.get("groups_by") and not self.fields["groups_by"].disabled:
            self.add_error("groups_by", ValidationError(translate(why), "no_groups"))
        return cleaned

    def clean_odds_shown(self) -> str:
        """Leave the setting as it is where the form was sent without it."""
        return self.cleaned_data["odds_shown"] or self.instance.odds_shown

    @property
    def values(self) -> dict[str, Any]:
        """The valid settings, including who plays where the form does not ask for it."""
        values = {"seats_are": self.instance.seats_are, **super().values}
        if values.pop(PLANNED_TURNS, None):
            values["options"] |= self.fixed_options
        return values


def _plan_turns(contest: Contest, draft: QueryDict) -> dict[str, Any]:
    """Return the options that follow from the turns at the stops; of a new contest, those that a preset is for."""
    option = next((one for one in contest.game.declared_options if one.name == contest.game.slot_option), None)
    planned = draft.get(PLANNED_TURNS, "")
    if option is None or contest.slug or not (planned.isascii() and planned.isdecimal() and len(planned) <= MAX_DIGITS):
        return contest.options_from_slots
    try:
        return {option.name: option.read(int(planned), ROOT)}
    except Malformed:
        return contest.options_from_slots


class FrozenContestForm(ContestNameForm):
    """The settings of a contest that can still be changed once turns have been recorded."""


def apply_form_button(contest: Contest, data: QueryDict) -> OptionsEdit | None:
    """Return the form data as the pressed button changed it; None when the form was submitted to be saved."""
    if "preset" in data:
        return apply_preset(contest.game, data, str(data["preset"]))
    if "row" in data:
        return apply_row_button(contest.game, data, str(data["row"]))
    return None


def is_form_button(data: QueryDict) -> bool:
    """Return whether a button was pressed that only changes the form data."""
    return "preset" in data or "row" in data


def changes_fixed_groups(contest: Contest, data: QueryDict) -> bool:
    """Return whether the data has other groups than a closed contest. Its own form does not send any."""
    current = {name: str(getattr(contest, name)) for name in GROUP_FIELDS}
    return contest.status != Contest.Status.OPEN and any(data.get(name, now) != now for name, now in current.items())


def includes_frozen_fields(data: QueryDict) -> bool:
    """Return whether the data includes settings that can no longer be changed once turns have been recorded."""
    return any(map(is_frozen_field, data))


def is_frozen_field(name: str) -> bool:
    """Return whether the input is of a setting that can no longer be changed once turns have been recorded."""
    return name in ("seats_are", "odds_shown", *SHEET_FIELDS) or name.startswith("options.")
