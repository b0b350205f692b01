"""Forms that copy and delete an event, play its practice, and filter the live grid and its warnings."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.event_dates import EventDateFormField, get_day_next_year, move_year_in_name
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.names import fold_name
from scorekeeper.desk.models import PracticeRun
from scorekeeper.desk.ride_warnings import RideWarning
from scorekeeper.desk.selectors.live_grid import CellState, GridFilter
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_events
from scorekeeper.scorecards.selectors.tables import list_table_contests
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import list_stops

SEEDS = 1_000_000


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
        label=_("Event to copy"),
        empty_label=None,
        error_messages={"required": _("Choose the event to copy."), "invalid_choice": _("Choose one of your events.")},
    )
    name = NameFormField(
        label=_("Name"), max_length=120, error_messages={"required": _("Enter the name of the event.")}
    )
    date = EventDateFormField(
        label=_("Date"),
        error_messages={
            "required": _("Enter the date of the event."),
            "invalid": _("Enter a date, such as 2026-06-20."),
        },
    )
    with_roster = forms.BooleanField(
        label=_("Copy the bikes and their riders too"),
        required=False,
        help_text=_("Without a tick, the copy starts with an empty list of bikes."),
    )

    def __init__(self, *args: Any, user: User, source: Event | None = None, **kwargs: Any) -> None:
        events = list_events(user).filter(is_practice=False).prefetch_related(None)
        self.has_events = source is not None or events.exists()
        first = source or events.first()
        if first is not None:
            date = get_day_next_year(first.date)
            name = move_year_in_name(first.name, first.date, date)
            kwargs["initial"] = {"source": first.pk, "name": name, "date": date}
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["source"].queryset = events  # type: ignore[attr-defined]


def is_name_of(event: Event, typed: str) -> bool:
    """Return whether someone typed the event's name; spaces and capital letters do not matter."""
    return fold_name(typed) == fold_name(event.name)


class DeleteEventForm(forms.Form):
    """Requires the name of the event, so that nobody deletes the wrong one.

    Args:
        event: the event to delete.
    """

    name = NameFormField(
        label=_("Name of the event"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Enter the name of the event to delete it.")},
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.event = event

    def clean_name(self) -> str:
        """Reject any other name."""
        name: str = self.cleaned_data["name"]
        if not is_name_of(self.event, name):
            text = _("This is not the name of the event. Enter “%(name)s” to delete it.")
            raise ValidationError(text, params={"name": self.event.name})
        return name


def make_seed() -> str:
    """Return a seed that was not used before, most likely."""
    return str(secrets.randbelow(SEEDS))


class PracticeRunForm(forms.Form):
    """How far to play, and the seed of the rolls. Events without tables are not asked about them."""

    stop = forms.ModelChoiceField[Stop](
        queryset=None,
        label=_("Play up to and including"),
        required=False,
        empty_label=_("No stop"),
        error_messages={"invalid_choice": _("Choose one of the stops.")},
    )
    tables = forms.ChoiceField(
        label=_("At the tables"),
        choices=PracticeRun.Tables.choices,
        initial=PracticeRun.Tables.NONE,
        error_messages={"required": _("Choose how far the tables are played.")},
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=40,
        required=False,
        initial=make_seed,
        help_text=_("Any number or word. The same seed gives the same turns again."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        stops = list_stops(event)
        self.fields["stop"].queryset = stops  # type: ignore[attr-defined]
        if not list_table_contests(event):
            del self.fields["tables"]
            self.fields["stop"].required = True
            self.fields["stop"].error_messages["required"] = _("Choose a stop.")
            self.fields["stop"].empty_label = None  # type: ignore[attr-defined]

    def clean_seed(self) -> str:
        """Return the seed, a new one if none was entered."""
        return self.cleaned_data["seed"] or make_seed()

    def clean(self) -> dict[str, Any]:
        """Require something to play."""
        values = super().clean() or {}
        if not self.errors and not values["stop"] and values.get("tables", "none") == PracticeRun.Tables.NONE:
            self.add_error("stop", _("Choose a stop, or how far the tables are played."))
        values.setdefault("tables", PracticeRun.Tables.NONE)
        return values


class DismissalForm(forms.Form):
    """Why a warning needs no further look.

    Args:
        warning: the warning it is shown with; its fields' ids differ from those of other warnings.
    """

    key = forms.CharField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Organisers can see the reason."),
        error_messages={"required": _("Enter a reason."), "max_length": _("Shorten the reason to 200 characters.")},
    )

    def __init__(self, data: Any = None, *, warning: RideWarning) -> None:
        super().__init__(data, initial={"key": warning.key}, auto_id=f"id_%s_{warning.key}", label_suffix="")


class GridFilterForm(forms.Form):
    """Which contest, group, stop and state the grid shows.

    Args:
        event: the event of the grid.
        contests: its contests that are played at stops; at least one.
    """

    contest = forms.ChoiceField(label=_("Contest"), required=False)
    group = forms.ChoiceField(label=_("Group"), required=False)
    stop = forms.ChoiceField(label=_("Stop"), required=False)
    state = forms.ChoiceField(
        label=_("Show bikes with"),
        required=False,
        choices=[("", _("Anything")), *CellState.choices],
    )

    def __init__(self, *args: object, event: Event, contests: Sequence[Contest], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._contests = contests
        self._set_choices("contest", [(contest.slug, contest.name) for contest in contests])
        groups = event.groups.values_list("pk", "name")
        self._set_choices("group", [("", _("All groups")), *((str(pk), name) for pk, name in groups)])
        stops = event.stops.order_by("ordinal").values_list("pk", "name")
        self._set_choices("stop", [("", _("All stops")), *((str(pk), name) for pk, name in stops)])
        if len(contests) == 1:
            del self.fields["contest"]
        self.is_valid()

    def _set_choices(self, name: str, choices: Iterable[tuple[str, str | Promise]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    @property
    def chosen_contest(self) -> Contest:
        """The contest that is shown; the first unless another is chosen."""
        slug = self.cleaned_data.get("contest")
        return next((contest for contest in self._contests if contest.slug == slug), self._contests[0])

    @property
    def chosen(self) -> GridFilter:
        """The group, stop and state that are chosen."""
        group, stop, state = (self.cleaned_data.get(name) for name in ("group", "stop", "state"))
        return GridFilter(
            UUID(group) if group else None, UUID(stop) if stop else None, CellState(state) if state else None
        )
