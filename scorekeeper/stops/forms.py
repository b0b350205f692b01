"""Forms for stops, and for assigning turns to them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import count_slots, get_turn_limits, list_stops, spread_turns


class StopForm(forms.ModelForm[Stop]):
    """The name of a stop."""

    class Meta:
        model = Stop
        fields = ["name"]
        error_messages = {"name": {"required": _("Enter the name of the stop.")}}


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
                error_messages={"required": _("Enter how many turns are rolled here, or 0 for none.")},
            )

    def clean(self) -> dict[str, Any]:
        """Check the sum against what the game allows; the error is shown at the first stop."""
        cleaned = super().clean() or self.cleaned_data
        total = sum(turns for _stop, turns in self.get_counts())
        if not self.errors and self.stops and not self._is_allowed(total):
            params = {"total": total, "game": translate(self.contest.game.name), "low": self.low, "high": self.high}
            if self.high is None:
                text = _("That makes %(total)s turns. In %(game)s a scorecard has %(low)s turns or more.")
            else:
                text = _("That makes %(total)s turns. In %(game)s a scorecard has %(low)s to %(high)s turns.")
            self.add_error(self._get_field_name(self.stops[0]), ValidationError(text, params=params))
        return cleaned

    def get_counts(self) -> list[tuple[Stop, int]]:
        """Return the stops in order, each with the number of turns entered for it."""
        return [(stop, self.cleaned_data.get(self._get_field_name(stop), 0)) for stop in self.stops]

    def _is_allowed(self, total: int) -> bool:
        return total >= self.low and (self.high is None or total <= self.high)

    @staticmethod
    def _get_field_name(stop: Stop) -> str:
        return f"stop_{stop.pk}"
