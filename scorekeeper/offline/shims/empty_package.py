"""Instead of packages of which only a module within is asked for."""

from __future__ import annotations

__path__: list[str] = []  # so that modules below it can be named
