"""Forms for an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event


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
            "time_zone": _("Where the ride is: type a city, such as Edmonton, and choose it."),
        }
        error_messages = {
            "name": {"required": _("Enter the name of the event.")},
            "date": {"required": _("Enter the date of the ride."), "invalid": _("Enter a date, such as 2026-06-20.")},
            "time_zone": {"required": _("Enter the time zone of the ride, such as America/Edmonton.")},
        }

    def preset_time_zone(self) -> None:
        """Let the browser replace the suggested time zone with its own if it can."""
        self.fields["time_zone"].widget.attrs["data-preset-time-zone"] = True


class EventSettingsForm(EventForm):
    """What can also be changed once the event is there: whether riders can sign up. A practice event has no sign-up."""

    class Meta(EventForm.Meta):
        fields = [*EventForm.Meta.fields, "is_sign_up_open"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_practice:
            del self.fields["is_sign_up_open"]
