"""A form made of what a game declares, and back into JSON.

Terms: `games.core.options` knows three kinds of options; each becomes one or several fields. What a field holds is read
by the declaration itself, so its range and its message stand in the rule book's code alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.game import Game
from games.core.options import NumberOption, NumbersOption, Option, RecordOption
from games.core.problems import Malformed
from scorekeeper.common.rules import ACTIVE, say

_HUGE = 1_000_000  # beyond any rule book, and within every database


class WholeNumbersField(forms.CharField):
    """Whole numbers with commas between them."""

    default_error_messages = {
        "invalid": gettext_lazy("Write whole numbers with commas between them, such as 50, 50, 100.")
    }

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        try:
            numbers = [int(part) for part in text.replace(",", " ").split()]
        except ValueError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
        if any(abs(number) > _HUGE for number in numbers):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return numbers


class OptionsForm(forms.Form):
    """The options of a game, save the one that follows from the slots.

    Args:
        game: whose options are asked for.
        chosen: what differs from the rule book so far, as JSON holds it.
    """

    def __init__(self, *args: Any, game: Game[Any], chosen: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.declared: Sequence[Option] = [o for o in game.declared_options if o.name != game.slot_option]
        for option in self.declared:
            value = chosen.get(option.name, option.default)
            for name, field in _make_fields(option, value):
                self.fields[name] = field

    def clean(self) -> dict[str, Any]:
        """Let the declarations read what was typed; `cleaned_data["options"]` is what differs from the rule book."""
        cleaned = super().clean() or self.cleaned_data
        chosen: dict[str, Any] = {}
        for option in self.declared:
            names = _get_field_names(option)
            if all(name in cleaned for name in names):
                value = _gather(option, cleaned)
                if _is_readable(self, option, value) and value != _as_json(option.default):
                    chosen[option.name] = value
        if not self.errors:
            self._check_together(chosen)
        others = {name: value for name, value in cleaned.items() if not name.startswith("option_")}
        return {**others, "options": chosen}

    def _check_together(self, chosen: dict[str, Any]) -> None:
        """Refuse options of which each could be, but not all of them at once."""
        try:
            self.game.ruleset(chosen)
        except Malformed as malformed:
            self.refuse(self._find_field(malformed.field), malformed)

    def refuse(self, name: str | None, malformed: Malformed) -> None:
        """Show the rule book's message; with the field's label, as it stands in the summary too."""
        text = malformed.message(ACTIVE)
        if name:
            text = _("%(label)s: %(text)s") % {"label": self.fields[name].label, "text": text}
        self.add_error(name, text)

    def _find_field(self, path: str | None) -> str | None:
        """Return the field that holds what a path such as `options.upper_bonus.points` names."""
        name = (path or "").removeprefix("options.").split("[")[0].replace(".", "__")
        return f"option_{name}" if f"option_{name}" in self.fields else None


def _get_field_names(option: Option) -> list[str]:
    if isinstance(option, RecordOption):
        return [f"option_{option.name}__{part.name}" for part in option.fields]
    return [f"option_{option.name}"]


def _make_fields(option: Option, value: Any) -> Iterator[tuple[str, forms.Field]]:
    """Make the fields of one declaration, with the chosen value to begin with."""
    match option:
        case NumberOption():
            yield f"option_{option.name}", _number(option, say(option.label), say(option.help), value)
        case NumbersOption():
            field = WholeNumbersField(label=say(option.label), help_text=say(option.help), initial=value)
            field.widget.attrs |= {"inputmode": "numeric"}
            yield f"option_{option.name}", field
        case RecordOption():
            for part in option.fields:
                assert isinstance(part, NumberOption)
                label = f"{say(option.label)}: {say(part.label).lower()}"
                yield f"option_{option.name}__{part.name}", _number(part, label, say(part.help), value[part.name])
        case _:
            raise TypeError(f"no field is known for an option of type {type(option).__name__}")


def _number(option: NumberOption, label: str, help_text: str, value: int | None) -> forms.IntegerField:
    """Make a number field. The bounds are a hint for the browser; the declaration itself judges."""
    limit = _HUGE if option.high is None else None
    widget = forms.NumberInput(attrs={"min": option.low, "max": limit or option.high, "inputmode": "numeric"})
    return forms.IntegerField(label=label, help_text=help_text, initial=value, widget=widget, max_value=limit)


def _gather(option: Option, cleaned: Mapping[str, Any]) -> Any:
    """Return what the option's fields hold, as JSON holds it."""
    if isinstance(option, RecordOption):
        return {part.name: cleaned[f"option_{option.name}__{part.name}"] for part in option.fields}
    return cleaned[f"option_{option.name}"]


def _is_readable(form: OptionsForm, option: Option, value: Any) -> bool:
    """Say whether the declaration takes the value; where not, its message stands at the fields it is about."""
    fields: list[tuple[str, Option, Any]] = [(f"option_{option.name}", option, value)]
    if isinstance(option, RecordOption):
        fields = [(f"option_{option.name}__{part.name}", part, value[part.name]) for part in option.fields]
    readable = True
    for name, part, given in fields:
        try:
            part.read(given, f"options.{option.name}")
        except Malformed as malformed:
            form.refuse(name, malformed)
            readable = False
    return readable


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
