"""Instead of `django.views.generic`: all our views are functions."""

from __future__ import annotations

__path__: list[str] = []  # so that modules below it can be named


class View:
    """What no view of ours is."""
