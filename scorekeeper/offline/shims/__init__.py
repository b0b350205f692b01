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
    "scorekeeper.common.database_unavailable": "away",
    "scorekeeper.common.dispatch": "dispatch",
    "scorekeeper.common.metrics": "metrics",
    "structlog": "structured_log",
    "psycopg": "packages",
    "psycopg.types": "packages",
    "psycopg.types.json": "postgres_json",
    # No accounts. Organisers have names, since the log tells who noted what.
    "django.contrib.auth": "auth",
    "django.contrib.auth.models": "auth.models",
    # The addresses of static files are those that the server has given along with the ride.
    "django.contrib.staticfiles.storage": "static_names",
    # What Django brings for other sites, for tests, and for whoever develops: it would be a fifth of the engine.
    "difflib": "close_matches",
    "django.core.checks": "checks",
    "django.core.checks.urls": "checks",
    "django.core.mail": "mails",
    "django.core.serializers": "serializers",
    "django.core.serializers.json": "serializers",
    "django.db.backends.sqlite3._functions": "sql_functions",
    "django.db.backends.sqlite3.client": "reading_back",
    "django.db.backends.sqlite3.creation": "test_databases",
    "django.db.backends.sqlite3.introspection": "reading_back",
    "django.db.models.fields.files": "files",
    "django.template.autoreload": "reloading",
    "django.utils.autoreload": "reloading",
    "django.utils.log": "response_log",
    "django.views.debug": "debug_pages",
    "django.views.generic": "generic_views",
    "django.views.generic.base": "generic_views",
    "gzip": "gzip_files",
    "http.client": "http_codes",
    "sqlparse": "sql_parser",
}
# What makes tables is needed where `schema.sql` is made, and nowhere else.
SCHEMA_SHIMS: Mapping[str, str] = {"django.db.backends.sqlite3.schema": "schema_editor"}


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
