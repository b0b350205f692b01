"""Instead of `django.views.generic`: all our views are functions."""

from __future__ import annotations

__path__: list[str] = []  # so that submodules can be imported


class View:
    """Never used."""
