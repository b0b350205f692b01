"""The language of what is no reader's own: the screens of an event, its prints, and the letters to its people."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.languages import find_language, list_languages
from scorekeeper.events.models import Event


def get_event_language(event: Event) -> str:
    """Return the language that the organisers chose, or the installation's."""
    return find_language(event.language) or settings.LANGUAGE_CODE


def make_language_field() -> forms.ChoiceField:
    """Return the field of an event's language. A form without it leaves the language as it is."""
    return forms.ChoiceField(
        label=_("Language of the event"),
        choices=lambda: list(list_languages().items()),
        required=False,
        help_text=_(
            "The language of the screens, the prints and the letters to crews and riders. Everybody reads the pages in "
            "their own language."
        ),
    )
