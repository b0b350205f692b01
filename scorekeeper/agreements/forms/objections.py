"""The public form that says what is wrong with a card, and the organiser's answer."""

from __future__ import annotations

from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.agreements.models import MAX_ANSWER_LENGTH, MAX_TEXT_LENGTH

_TOO_LONG = _("Write at most %(limit_value)d characters. It has %(show_value)d.")


class ObjectionForm(forms.Form):
    """What is wrong. The id is made with the page, so that a second tap is the same objection."""

    objection = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=_("What is wrong?"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For example: at Parks I rolled five sixes, not four. Only the organisers read it."),
        error_messages={"required": _("Write what is wrong."), "max_length": _TOO_LONG},
    )

    def clean_text(self) -> str:
        """Return the text with single spaces, on one line."""
        return " ".join(self.cleaned_data["text"].split())


class AnswerForm(forms.Form):
    """What the organiser found.

    Args:
        objection_id: of the objection, so that several forms on a page differ.
    """

    answer = forms.CharField(
        label=_("What you found"),
        max_length=MAX_ANSWER_LENGTH,
        help_text=_("Only organisers see it. Tell the rider yourself."),
        error_messages={"required": _("Enter what you found, or what you did about it."), "max_length": _TOO_LONG},
    )

    def __init__(self, data: object = None, *, objection_id: UUID) -> None:
        super().__init__(data, prefix=str(objection_id))  # type: ignore[arg-type]
        self.label_suffix = ""
