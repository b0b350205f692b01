"""The filters of the live desk. A filter that makes no sense is ignored, so an old link still opens the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.desk.selectors.live_grid import CellState, GridFilter
from scorekeeper.events.models import Contest, Event


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
