"""The form for a message to the crews, the big screen, or both."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.selectors import list_groups


class MessageForm(forms.ModelForm[CrewMessage]):
    """The text of a message, and who gets it. The instance names the event."""

    class Meta:
        model = CrewMessage
        fields = ["text", "is_for_crew", "group", "is_for_screen"]
        widgets = {"text": forms.Textarea(attrs={"rows": 3})}
        labels = {
            "text": gettext_lazy("Message"),
            "is_for_crew": gettext_lazy("Show it on the crew’s phones"),
            "is_for_screen": gettext_lazy("Show it on the big screen"),
        }
        help_texts = {
            "text": gettext_lazy("At most 300 characters."),
            "is_for_crew": gettext_lazy("Phones without signal get it as soon as they have signal."),
            "is_for_screen": gettext_lazy("The screen shows it to everyone until you withdraw it."),
        }
        error_messages = {
            "text": {
                "required": gettext_lazy("Enter the message."),
                "max_length": gettext_lazy("Shorten the message to 300 characters."),
            }
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(self.instance.event)
        group.empty_label = _("All groups")
        group.label = _("Group")

    def clean(self) -> dict[str, Any]:
        """Refuse a message that nobody would see."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("is_for_crew") and not cleaned.get("is_for_screen"):
            self.add_error("is_for_crew", _("Choose the phones, the big screen, or both."))
        if not cleaned.get("is_for_crew"):
            cleaned["group"] = None
        return cleaned
