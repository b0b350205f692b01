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

INSTEAD: Mapping[str, str] = {
    # No tasks, no figures, no PostgreSQL: nobody waits for them on a phone.
    "scorekeeper.common.dispatch": "dispatch",
    "scorekeeper.common.metrics": "metrics",
    "psycopg.types.json": "postgres_json",
    # Django takes scripts of SQL apart and reads the schema back with it, which no page does.
    "sqlparse": "sql_parser",
    # No accounts: the desk's pages are not on a phone. Organisers have names, since the log tells who noted what.
    "scorekeeper.events.access": "desk_access",
    "django.contrib.auth.models": "auth.models",
    # The addresses of static files are those that the server has given along with the ride.
    "django.contrib.staticfiles.storage": "static_names",
}


class _Finder(MetaPathFinder, Loader):
    """Finds the stand-ins under the names of what they stand for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import a module that has a stand-in; None for all others."""
        parents = {name.rpartition(".")[0] for name in INSTEAD if name.startswith("psycopg.")}
        if fullname in parents | {parent.rpartition(".")[0] for parent in parents}:
            return ModuleSpec(fullname, self, is_package=True)
        return ModuleSpec(fullname, self) if fullname in INSTEAD else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the stand-in; None lets an empty package be made."""
        if spec.name not in INSTEAD:
            return None
        module = import_module(f"{__name__}.{INSTEAD[spec.name]}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Let the stand-in keep its own name: by it the build finds its file."""
        spec = module.__spec__
        if spec is not None and spec.loader_state is not None:
            module.__spec__ = spec.loader_state


def take_their_places() -> None:
    """Let every later import of what has a stand-in find that. Repeating it changes nothing."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
