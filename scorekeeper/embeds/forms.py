"""The form in which an organiser chooses what the frame on the club's website shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.languages import list_languages
from scorekeeper.embeds.framing import DEFAULT_ROWS, MAX_ROWS, EmbedOptions
from scorekeeper.events.models import Contest
from scorekeeper.players.models import EventClass

PRIZES = "prizes"  # a contest's key is its id, so none is called so
Board = tuple[Contest, EventClass | None]  # of a contest, or of a class of it


def _list_languages() -> list[tuple[str, str | Promise]]:
    return [("", _("That of the event")), *list_languages().items()]


class EmbedForm(forms.Form):
    """What a frame shows and how. It is sent by GET, so that the address of the page keeps it."""

    rows = forms.IntegerField(
        label=_("Rows at most"),
        help_text=_("From 1 to 50. A link below them leads to the full page."),
        min_value=1,
        max_value=MAX_ROWS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), _("Enter a number of rows from 1 to 50.")
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    theme = forms.ChoiceField(
        label=_("Colours"),
        choices=[("", _("As the reader’s device prefers")), ("light", _("Light")), ("dark", _("Dark"))],
        required=False,
    )
    lang = forms.ChoiceField(label=_("Language"), choices=_list_languages, required=False)

    def __init__(self, data: Any) -> None:
        super().__init__({"rows": str(DEFAULT_ROWS), **{name: data[name] for name in data}})

    @property
    def options(self) -> EmbedOptions:
        """What was chosen; the usual for what is wrong."""
        chosen = self.cleaned_data if self.is_valid() else {}
        return EmbedOptions(chosen.get("rows") or DEFAULT_ROWS, chosen.get("theme", ""), chosen.get("lang", ""))


class EventEmbedForm(EmbedForm):
    """The same, with what of an event is shown."""

    what = forms.ChoiceField(
        label=_("What it shows"),
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose what to show.")),
    )
    field_order = ["what", "rows", "theme", "lang"]

    def __init__(self, data: Any, contests: Sequence[Contest], classes: Sequence[EventClass]) -> None:
        self._boards: Mapping[str, Board] = {
            _get_key(contest, event_class): (contest, event_class)
            for contest in contests
            for event_class in (None, *classes)
        }
        choices = [
            *((key, _get_label(*board)) for key, board in self._boards.items()),
            (PRIZES, _("Prizes, once they are published")),
        ]
        super().__init__({"what": choices[0][0], **{name: data[name] for name in data}})
        what = self.fields["what"]
        assert isinstance(what, forms.ChoiceField)
        what.choices = choices

    @property
    def board(self) -> Board | None:
        """The board that is shown; None for the prizes."""
        what = self.cleaned_data.get("what", "") if self.is_bound and not self.errors else ""
        return self._boards.get(what) or (None if what == PRIZES else next(iter(self._boards.values()), None))


def _get_key(contest: Contest, event_class: EventClass | None) -> str:
    return str(contest.pk) if event_class is None else f"{contest.pk}.{event_class.pk}"


def _get_label(contest: Contest, event_class: EventClass | None) -> str:
    return contest.name if event_class is None else f"{contest.name} · {event_class.name}"
