"""The form for the settings of the big screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.events.models import Contest
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import list_screen_contests


class ScreenForm(forms.ModelForm[Screen]):
    """The screen's settings, with a position for each contest. A contest without a position is not shown."""

    class Meta:
        model = Screen
        fields = ["seconds", "sponsor"]
        error_messages = {
            "seconds": dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"), gettext_lazy("Enter from 8 to 12 seconds.")
            )
        }

    def __init__(self, *args: Any, contests: Sequence[Contest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._contests = contests
        shown = [contest.pk for contest in list_screen_contests(self.instance)]
        for contest in contests:
            self.fields[f"place-{contest.pk}"] = forms.IntegerField(
                label=_("Position of %(contest)s") % {"contest": contest},
                help_text=_("Leave it empty to keep the contest off the screen."),
                initial=shown.index(contest.pk) + 1 if contest.pk in shown else None,
                min_value=1,
                max_value=99,
                required=False,
                error_messages=dict.fromkeys(
                    ("invalid", "min_value", "max_value"), _("Enter a position from 1 to 99, or leave it empty.")
                ),
            )
        self.order_fields([*(f"place-{contest.pk}" for contest in contests), "seconds", "sponsor"])
        self.fields["seconds"].help_text = _("From 8 to 12. A page has ten rows.")
        self.fields["sponsor"].help_text = _("Shown at the bottom of the screen.")

    def clean(self) -> dict[str, Any]:
        """Refuse a screen that shows no contest."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and self._contests and not self.ordered_contests:
            self.add_error(None, _("Give at least one contest a position."))
        return cleaned

    @property
    def ordered_contests(self) -> list[Contest]:
        """The contests that are shown, by their position; contests with equal positions in the event's order."""
        positions = {contest: self.cleaned_data.get(f"place-{contest.pk}") for contest in self._contests}
        shown = (contest for contest, position in positions.items() if position)
        return sorted(shown, key=lambda contest: positions[contest] or 0)
