"""Lists that people reorder by moving an item up or down."""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import BadRequest
from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)


def is_move_up(request: HttpRequest) -> bool:
    """Return whether the button pressed moves an item up; `components/move_buttons.html` has both buttons.

    Raises:
        BadRequest: the request comes from neither button.
    """
    direction = request.POST.get("direction")
    if direction not in ("up", "down"):
        raise BadRequest
    return direction == "up"


def move_by_one(rows: QuerySet[Row], row: Row, *, upwards: bool, column: str = "ordinal") -> None:
    """Swap a row with its neighbour, and number all rows from 1; at the end of the list nothing changes.

    The caller has locked the list.

    Args:
        rows: in their order, with the row.
        column: in which their order is stored.
    """
    ordered = list(rows)
    old_index = ordered.index(row)
    new_index = old_index - 1 if upwards else old_index + 1
    if not 0 <= new_index < len(ordered):
        return
    ordered.insert(new_index, ordered.pop(old_index))
    for position, one in enumerate(ordered, 1):
        setattr(one, column, position)
    rows.bulk_update(ordered, [column])
