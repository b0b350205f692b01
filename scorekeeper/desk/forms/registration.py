"""The form with which an organiser registers a bike at the ride."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.scorecards.forms.walk_up import WalkUpForm


class RegistrationForm(WalkUpForm):
    """The crew's form for a walk-up, with the group that rides with it.

    Args:
        event: the event of the bike.
    """

    group: forms.ModelChoiceField[Group] = forms.ModelChoiceField(
        queryset=Group.objects.none(), label=_("Group"), required=False, empty_label=_("No group yet")
    )
    field_order = ["operation", "bike", "number", "rider", "passenger", "group", "make"]

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(event)
