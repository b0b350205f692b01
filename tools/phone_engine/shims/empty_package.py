"""Instead of packages of which only a submodule is imported."""

from __future__ import annotations

__path__: list[str] = []  # so that submodules can be imported
