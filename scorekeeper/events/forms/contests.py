"""Forms for a contest: before its first entry, with the options of its game, and after it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.forms.options import OptionsForm
from scorekeeper.events.models import Contest

_ERRORS = {
    "name": {"required": _("Enter what the contest is called.")},
    "prizes": {"required": _("Enter how many places win a prize.")},
}


class ContestForm(OptionsForm, forms.ModelForm[Contest]):
    """A contest that nobody has rolled for yet."""

    class Meta:
        model = Contest
        fields = ["name", "seats_are", "prizes"]
        widgets = {"seats_are": forms.RadioSelect}
        error_messages = _ERRORS

    def __init__(self, *args: Any, instance: Contest, **kwargs: Any) -> None:
        super().__init__(*args, instance=instance, game=instance.game, chosen=instance.options, **kwargs)


class FrozenContestForm(forms.ModelForm[Contest]):
    """What of a contest may still change once dice have been noted."""

    class Meta:
        model = Contest
        fields = ["name", "prizes"]
        error_messages = _ERRORS
