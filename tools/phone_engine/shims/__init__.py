"""Shims: modules that a phone uses instead of modules that it cannot use or does not need.

A *shim* is a module in this package that is imported under the name of another module. It provides only what the crew's
pages use of that module. All modules that are not in `SHIMS` are the same as on the server.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

SHIMS: Mapping[str, str] = {
    # No tasks, no metrics, no PostgreSQL on a phone.
    "scorekeeper.common.database_unavailable": "database_unavailable",
    "scorekeeper.common.dispatch": "dispatch",
    "scorekeeper.common.metrics": "metrics",
    # No worker: values are computed at once.
    "scorekeeper.coach.answer_source": "answer_source",
    "structlog": "structlog_logger",
    "psycopg": "empty_package",
    "psycopg.types": "empty_package",
    "psycopg.types.json": "psycopg_json",
    # No accounts. Organisers have names, because the history shows who recorded what.
    "django.contrib.auth.models": "django_auth.models",
    # The URLs of static files are part of the ride.
    "django.contrib.staticfiles.storage": "django_staticfiles_storage",
    # The texts of the phone's language are data that comes with the app.
    "django.utils.translation.trans_null": "django_translations",
    # Django imports it to split scripts of SQL statements, which nothing here does.
    "sqlparse": "empty_sqlparse",
}


class _ShimFinder(MetaPathFinder, Loader):
    """Finds the shims under the names of the modules they replace."""

    def __init__(self, shims: Mapping[str, str]) -> None:
        self._shims = shims

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import a module that has a shim; None for all others."""
        return ModuleSpec(fullname, self) if fullname in self._shims else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the shim."""
        module = import_module(f"{__name__}.{self._shims[spec.name]}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the shim's own spec, from which the build gets its file."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install_shims() -> None:
    """Make every later import of a replaced module find its shim."""
    sys.meta_path.insert(0, _ShimFinder(SHIMS))
