"""The form that copies one of the organiser’s events."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.event_dates import EventDateFormField, get_day_next_year
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_events


class EventChoice(forms.ModelChoiceField[Event]):
    """A choice of events with their dates, since yearly rides share a name."""

    def label_from_instance(self, obj: Event) -> str:
        return f"{obj.name} ({obj.date:%Y-%m-%d})"


class EventCopyForm(forms.Form):
    """Which event to copy, and the name and date of the new one.

    Args:
        user: the organiser, who can copy their own events.
        source: the event that is chosen at first; by default the latest.
    """

    source = EventChoice(
        queryset=None,
        label=_("Ride to copy"),
        empty_label=None,
        error_messages={"required": _("Choose the ride to copy."), "invalid_choice": _("Choose one of your rides.")},
    )
    name = NameFormField(
        label=_("Name"), max_length=120, error_messages={"required": _("Enter the name of the event.")}
    )
    date = EventDateFormField(
        label=_("Date"),
        error_messages={
            "required": _("Enter the date of the ride."),
            "invalid": _("Enter a date, such as 2026-06-20."),
        },
    )
    with_roster = forms.BooleanField(
        label=_("Copy the bikes and their riders too"), required=False, help_text=_("Leave it off to start a new list.")
    )

    def __init__(self, *args: Any, user: User, source: Event | None = None, **kwargs: Any) -> None:
        events = list_events(user).filter(is_practice=False).prefetch_related(None)
        self.has_events = source is not None or events.exists()
        first = source or events.first()
        if first is not None:
            kwargs["initial"] = {"source": first.pk, "name": first.name, "date": get_day_next_year(first.date)}
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["source"].queryset = events  # type: ignore[attr-defined]
