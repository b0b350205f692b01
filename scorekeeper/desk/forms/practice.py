"""The form that plays a practice event up to a stop."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.desk.models import PracticeRun
from scorekeeper.events.models import Event
from scorekeeper.scorecards.selectors.tables import list_table_contests
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import list_stops

SEEDS = 1_000_000


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
        initial=make_seed,
        help_text=_("Any number or word. The same seed gives the same rolls again."),
        error_messages={"required": _("Enter a seed: any number or word.")},
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

    def clean(self) -> dict[str, Any]:
        """Require something to play."""
        values = super().clean() or {}
        if not self.errors and not values["stop"] and values.get("tables", "none") == PracticeRun.Tables.NONE:
            self.add_error("stop", _("Choose a stop, or how far the tables are played."))
        values.setdefault("tables", PracticeRun.Tables.NONE)
        return values
