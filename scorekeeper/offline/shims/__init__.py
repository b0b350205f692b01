"""What a phone has instead of modules that it cannot or need not have.

A *stand-in* is a module here that is imported under the name of another one. It offers what the pages of the crew use
of that one and nothing more. Whatever is not named in `INSTEAD` is the server's own module.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

SHIMS: Mapping[str, str] = {
    # No tasks, no figures, no PostgreSQL: nobody waits for them on a phone.
    "scorekeeper.common.database_unavailable": "database_unavailable",
    "scorekeeper.common.dispatch": "dispatch",
    "scorekeeper.common.metrics": "metrics",
    "structlog": "structlog_logger",
    "psycopg": "empty_package",
    "psycopg.types": "empty_package",
    "psycopg.types.json": "psycopg_json",
    # No accounts. Organisers have names, since the log tells who noted what.
    "django.contrib.auth": "django_auth",
    "django.contrib.auth.models": "django_auth.models",
    # The addresses of static files are those that the server has given along with the ride.
    "django.contrib.staticfiles.storage": "django_staticfiles_storage",
    # What Django brings for other sites, for tests, and for whoever develops: it would be a fifth of the engine.
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
# What makes tables is needed where `schema.sql` is made, and nowhere else.
SCHEMA_SHIMS: Mapping[str, str] = {"django.db.backends.sqlite3.schema": "sqlite_schema"}


class _ShimFinder(MetaPathFinder, Loader):
    """Finds the stand-ins under the names of what they stand for."""

    def __init__(self, instead: Mapping[str, str]) -> None:
        self._shims = instead

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import a module that has a stand-in; None for all others."""
        return ModuleSpec(fullname, self) if fullname in self._shims else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the stand-in."""
        module = import_module(f"{__name__}.{self._shims[spec.name]}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Let the stand-in keep its own name: by it the build finds its file."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install_shims(*, makes_tables: bool = False) -> None:
    """Let every later import of what has a stand-in find that.

    Args:
        makes_tables: whether this is where `schema.sql` is made.
    """
    sys.meta_path.insert(0, _ShimFinder(SHIMS if makes_tables else {**SHIMS, **SCHEMA_SHIMS}))
