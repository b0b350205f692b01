"""Lists that people put in order, one place up or down at a time."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest


def is_move_up(request: HttpRequest) -> bool:
    """Return whether the button pressed, of those in `components/move_buttons.html`, moves upwards.

    Raises:
        BadRequest: it is neither of them.
    """
    direction = request.POST.get("direction")
    if direction not in ("up", "down"):
        raise BadRequest
    return direction == "up"
