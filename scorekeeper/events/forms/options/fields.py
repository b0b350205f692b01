"""Form fields for options that are not made of other options."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.options import EMPTY_TEXT, ChoiceOption, FlagOption, NumberOption, NumbersOption, Option, TextOption
from scorekeeper.common.game_adapter import translate

_MAX_NUMBER = 1_000_000  # beyond any rule book, and within every database


def make_field(option: Option, *, is_in_row: bool) -> forms.Field:
    """Return the field for an option.

    Args:
        option: neither a record nor rows.
        is_in_row: whether the field shares a line with others.

    Raises:
        TypeError: there is no field for an option of this type.
    """
    field = _make_bare_field(option, is_in_row=is_in_row)
    field.label, field.help_text = translate(option.label), translate(option.help)
    if isinstance(option, NumberOption) and option.nullable and option.without is None:
        field.help_text = _("%(help)s Leave it empty for none.") % {"help": field.help_text}
    return field


def _make_bare_field(option: Option, *, is_in_row: bool) -> forms.Field:
    match option:
        case NumberOption():
            return _make_number_field(option)
        case NumbersOption():
            return WholeNumbersField()
        case TextOption():
            widget = forms.TextInput(attrs={"maxlength": option.longest, "autocomplete": "off"})
            return forms.CharField(widget=widget, error_messages={"required": translate(EMPTY_TEXT)})
        case FlagOption():
            return forms.BooleanField(required=False)
        case ChoiceOption():
            choices = [(key, translate(label)) for key, label in option.choices]
            return forms.ChoiceField(choices=choices, widget=forms.Select if is_in_row else forms.RadioSelect)
        case _:
            raise TypeError(f"no field is known for an option of type {type(option).__name__}")


def _make_number_field(option: NumberOption) -> forms.Field:
    if option.values:
        choices = [(number, str(number)) for number in option.values]
        return forms.TypedChoiceField(
            choices=choices, coerce=int, required=not option.nullable, empty_value=None, widget=forms.Select
        )
    bounds = {name: bound for name, bound in (("min", option.low), ("max", option.high)) if bound is not None}
    # On some phones the numeric keypad has no minus sign.
    keypad = {"inputmode": "numeric"} if bounds.get("min", -1) >= 0 else {}
    return forms.IntegerField(
        required=not option.nullable,
        widget=forms.NumberInput(attrs={**bounds, **keypad}),
        min_value=None if "min" in bounds else -_MAX_NUMBER,
        max_value=None if "max" in bounds else _MAX_NUMBER,
        error_messages={"required": _("Enter a whole number.")},
    )


class WholeNumbersField(forms.CharField):
    """Whole numbers separated by commas."""

    default_error_messages = {
        "required": gettext_lazy("Enter whole numbers with commas between them, such as 50, 50, 100."),
        "invalid": gettext_lazy("Enter whole numbers with commas between them, such as 50, 50, 100."),
    }

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        try:
            numbers = [int(part) for part in text.replace(",", " ").split()]
        except ValueError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
        if any(abs(number) > _MAX_NUMBER for number in numbers):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return numbers


class RowsField(forms.Field):
    """The keys of rows. Each row has its key in a hidden input; this field has the errors about the list as a whole."""

    class Keys(forms.Widget):
        def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
            assert isinstance(data, QueryDict)
            return data.getlist(name)

    widget = Keys

    def __init__(self) -> None:
        super().__init__(required=False)
