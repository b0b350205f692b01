"""Lists that people reorder by moving an item up or down."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest


def is_move_up(request: HttpRequest) -> bool:
    """Return whether the button pressed moves an item up; `components/move_buttons.html` has both buttons.

    Raises:
        BadRequest: the request comes from neither button.
    """
    direction = request.POST.get("direction")
    if direction not in ("up", "down"):
        raise BadRequest
    return direction == "up"
