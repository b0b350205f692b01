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
    "structlog": "structlog_logger",
    "psycopg": "empty_package",
    "psycopg.types": "empty_package",
    "psycopg.types.json": "psycopg_json",
    # No accounts. Organisers have names, because the history shows who recorded what.
    "django.contrib.auth": "django_auth",
    "django.contrib.auth.models": "django_auth.models",
    # The URLs of static files are part of the ride.
    "django.contrib.staticfiles.storage": "django_staticfiles_storage",
    # What Django has for other sites, for tests and for developers. It would be a fifth of the engine.
    "difflib": "stdlib_difflib",
    "django.core.checks": "django_checks",
    "django.core.checks.urls": "django_checks",
    "django.core.mail": "django_mail",
    "django.core.serializers": "django_serializers",
    "django.core.serializers.json": "django_serializers",
    "django.db.backends.sqlite3._functions": "sqlite_functions",
    "django.db.backends.sqlite3.client": "sqlite_introspection",
    "django.db.backends.sqlite3.creation": "sqlite_creation",
    "django.db.backends.sqlite3.introspection": "sqlite_introspection",
    "django.db.models.fields.files": "django_file_fields",
    "django.template.autoreload": "django_autoreload",
    "django.utils.autoreload": "django_autoreload",
    "django.utils.log": "django_log",
    "django.views.debug": "django_debug",
    "django.views.generic": "django_generic_views",
    "django.views.generic.base": "django_generic_views",
    "gzip": "stdlib_gzip",
    "http.client": "stdlib_http_client",
    "sqlparse": "empty_sqlparse",
}
# Creating tables is needed only where `schema.sql` is written.
SCHEMA_SHIMS: Mapping[str, str] = {"django.db.backends.sqlite3.schema": "sqlite_schema"}


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


def install_shims(*, makes_tables: bool = False) -> None:
    """Make every later import of a replaced module find its shim.

    Args:
        makes_tables: whether `schema.sql` is written in this interpreter.
    """
    sys.meta_path.insert(0, _ShimFinder(SHIMS if makes_tables else {**SHIMS, **SCHEMA_SHIMS}))
