"""A form field that is a list to tick and to put in order: the rows that are ticked, in the order of the rows.

The buttons that move a row work without scripts: they send the form with `MOVE`, and the page shows it again with the
row moved and nothing stored (`is_move`, `move_row`). `order_list.js` moves the row at once instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict

MOVE = "move"  # the name of the buttons; the value is "up" or "down", a colon and the value of the row


class OrderedChoiceWidget(forms.CheckboxSelectMultiple):
    """The rows, ticked ones at their places. A hidden input of each row says where it is, also if it is not ticked."""

    template_name = "components/ordered_choice.html"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order: list[str] = []

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of the template, with the rows in order."""
        context = super().get_context(name, value, attrs)
        groups = context["widget"]["optgroups"]
        rows = {str(option["value"]): option for _group, options, _index in groups for option in options}
        context["rows"] = [rows[key] for key in self._sort(list(rows), value or [])]
        context["order_name"] = _get_order_name(name)
        return context

    def format_value(self, value: Any) -> list[str]:
        """Return the values that are ticked."""
        return [] if value is None else [str(one) for one in value]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Return what is ticked, and remember where all rows were."""
        self.order = list(data.getlist(_get_order_name(name)))
        return list(data.getlist(name))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Return whether nothing of the list was sent. Without a tick, only the places of the rows are."""
        return name not in data and _get_order_name(name) not in data

    def _sort(self, keys: Sequence[str], ticked: Sequence[Any]) -> list[str]:
        """Return the rows where they were sent, ticked ones in their order; in a new list, these come first."""
        chosen = [key for key in map(str, ticked) if key in keys]
        if not self.order:
            return [*chosen, *(key for key in keys if key not in chosen)]
        places = [key for key in dict.fromkeys(self.order) if key in keys]
        places += [key for key in keys if key not in places]
        following = iter(chosen)
        return [next(following) if key in chosen else key for key in places]


class OrderedChoiceField(forms.MultipleChoiceField):
    """What is ticked, in order. Values that are no choice any more are left out: a row was deleted meanwhile."""

    widget = OrderedChoiceWidget

    def to_python(self, value: Any) -> list[str]:
        """Return the values that are choices, each once."""
        return [key for key in dict.fromkeys(super().to_python(value)) if self.valid_value(key)]


def is_move(request: HttpRequest) -> bool:
    """Return whether the form was sent only to move a row."""
    return MOVE in request.POST


def move_row(data: QueryDict, name: str) -> QueryDict:
    """Return what was sent with the row moved that the button names; unchanged if it cannot be moved.

    Args:
        name: of the field.
    """
    moved = data.copy()
    direction, _colon, key = data.get(MOVE, "").partition(":")
    order = data.getlist(_get_order_name(name))
    if key in order:
        at = order.index(key)
        to = at + (-1 if direction == "up" else 1)
        if 0 <= to < len(order):
            order[at], order[to] = order[to], order[at]
    ticked = set(data.getlist(name))
    moved.setlist(_get_order_name(name), order)
    moved.setlist(name, [each for each in order if each in ticked])
    return moved


def _get_order_name(name: str) -> str:
    return f"{name}-order"
