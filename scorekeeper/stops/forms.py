"""Forms for stops, and for assigning turns to them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.core.problems import Malformed
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS, translate
from scorekeeper.events.models import Contest
from scorekeeper.stops.coordinates import MAX_LENGTH as MAX_COORDINATES_LENGTH
from scorekeeper.stops.coordinates import Coordinates, InvalidCoordinates, are_coordinates, parse_coordinates
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import count_slots, get_options_with_turns, get_turn_limits, list_stops, spread_turns
from scorekeeper.stops.services import StopDetails

_TIME_INVALID = _("Enter a time as hours and minutes, such as 09:30.")


class StopHoursForm(forms.ModelForm[Stop]):
    """The name of a stop, and its hours: what is asked about a new one."""

    opens_at = forms.TimeField(
        label=_("Opens at"),
        required=False,
        help_text=_("Enter hours and minutes in the event’s time zone, such as 09:30."),
        error_messages={"invalid": _TIME_INVALID},
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    closes_at = forms.TimeField(
        label=_("Closes at"),
        required=False,
        help_text=_("A time before the opening time is on the next day, such as 22:00 to 01:00."),
        error_messages={"invalid": _TIME_INVALID},
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )

    class Meta:
        model = Stop
        fields = ["name", "opens_at", "closes_at"]
        error_messages = {"name": {"required": _("Enter the name of the stop.")}}

    def clean(self) -> dict[str, Any]:
        """Reject a stop that closes the moment it opens."""
        cleaned = super().clean() or self.cleaned_data
        opens_at, closes_at = cleaned.get("opens_at"), cleaned.get("closes_at")
        if opens_at is not None and opens_at == closes_at:
            self.add_error("closes_at", _("The stop cannot close at the time it opens. Enter a later time."))
        return cleaned


class StopForm(StopHoursForm):
    """The name, hours, place and note of a stop.

    Derived: coordinates that were pasted as the address are used as coordinates.
    """

    coordinates = forms.CharField(
        label=_("Coordinates"),
        required=False,
        max_length=MAX_COORDINATES_LENGTH,
        help_text=_("Enter latitude and longitude as a map shows them, such as 51.05, -114.07."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    class Meta(StopHoursForm.Meta):
        fields = ["name", "opens_at", "closes_at", "address", "crew_note"]
        widgets = {"crew_note": forms.Textarea(attrs={"rows": 3})}
        help_texts = {
            "address": _(
                "The public page of the route shows the address. With coordinates, maps open at exactly that place."
            ),
            "crew_note": _("Only the crew see this note, such as where to park or whom to call."),
        }

    edit_units = {"closes_at": "opens_at", "coordinates": "address"}
    field_order = ["name", "opens_at", "closes_at", "address", "coordinates", "crew_note"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["coordinates"].initial = str(self.instance.coordinates or "")

    def clean_coordinates(self) -> Coordinates | None:
        """Return the coordinates, or say what is wrong with them."""
        text = self.cleaned_data["coordinates"]
        try:
            return parse_coordinates(text) if text else None
        except InvalidCoordinates as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """Move pasted coordinates to their field."""
        cleaned = super().clean()
        address = cleaned.get("address", "")
        if not self["coordinates"].data and are_coordinates(address):
            cleaned |= {"address": "", "coordinates": parse_coordinates(address)}
        return cleaned

    def get_details(self) -> StopDetails:
        """Return what was entered, once the form is valid."""
        return StopDetails(**self.cleaned_data)


class SlotsForm(forms.Form):
    """How many turns of a contest are rolled at each stop, with one field per stop.

    Until turns are assigned, the form suggests the usual number of turns (`is_suggested`).

    Args:
        contest: the contest whose turns are assigned.
    """

    def __init__(self, *args: Any, contest: Contest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        self.stops = list(list_stops(contest.event))
        # Together they are the turns of a scorecard.
        self.edit_units = {self._get_field_name(stop): "turns" for stop in self.stops}
        self.low, self.high = get_turn_limits(contest)
        turns = count_slots(contest)
        self.is_suggested = not turns
        if self.is_suggested:
            self.default_turns = contest.ruleset.options[contest.game.slot_option or ""]
            turns = spread_turns(self.stops, self.default_turns)
        for stop in self.stops:
            self.fields[self._get_field_name(stop)] = forms.IntegerField(
                label=stop.name,
                min_value=0,
                max_value=self.high,
                initial=turns.get(stop.pk, 0),
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
                error_messages={"required": _("Enter how many turns are played here, or 0 for none.")},
            )

    def clean(self) -> dict[str, Any]:
        """Check the sum against what the game allows; the error is shown at the first stop."""
        cleaned = super().clean() or self.cleaned_data
        total = sum(turns for _stop, turns in self.get_counts())
        if not self.errors and self.stops and not self._is_allowed(total):
            params = {"total": total, "game": translate(self.contest.game.name), "low": self.low, "high": self.high}
            if self.high is None:
                text = ngettext(
                    "That makes %(total)s turn. In %(game)s a scorecard has %(low)s turns or more.",
                    "That makes %(total)s turns. In %(game)s a scorecard has %(low)s turns or more.",
                    total,
                )
            else:
                text = ngettext(
                    "That makes %(total)s turn. In %(game)s a scorecard has %(low)s to %(high)s turns.",
                    "That makes %(total)s turns. In %(game)s a scorecard has %(low)s to %(high)s turns.",
                    total,
                )
            self.add_error(self._get_field_name(self.stops[0]), ValidationError(text, params=params))
        elif not self.errors and self.stops:
            self._check_options(total)
        return cleaned

    def _check_options(self, total: int) -> None:
        """Check that the contest's other options allow so many turns."""
        try:
            self.contest.game.ruleset(get_options_with_turns(self.contest, total))
        except Malformed as malformed:
            text = ngettext("That makes %(total)s turn. %(problem)s", "That makes %(total)s turns. %(problem)s", total)
            params = {"total": total, "problem": malformed.message(ACTIVE_TRANSLATIONS)}
            self.add_error(self._get_field_name(self.stops[0]), ValidationError(text, params=params))

    def get_counts(self) -> list[tuple[Stop, int]]:
        """Return the stops in order, each with the number of turns entered for it."""
        return [(stop, self.cleaned_data.get(self._get_field_name(stop), 0)) for stop in self.stops]

    def _is_allowed(self, total: int) -> bool:
        return total >= self.low and (self.high is None or total <= self.high)

    @staticmethod
    def _get_field_name(stop: Stop) -> str:
        return f"stop_{stop.pk}"
