"""One name, one meaning: public classes and modules of the server."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parents[2] / "scorekeeper"
DJANGO_MODULES = frozenset(
    {"__init__", "admin", "apps", "forms", "models", "selectors", "services", "tasks", "urls", "views"}
)
# A module name that several apps use means the same in each. A new one needs its meaning here.
SHARED_MODULES = {
    "access": "who may open the pages of this app",
    "append_only": "the database refuses to change or delete rows of this app",
    "review": "entries that need the organiser's decision",
}


def list_modules() -> Iterator[Path]:
    """Return the modules of the server, relative to its folder, without migrations."""
    for path in SERVER.rglob("*.py"):
        module = path.relative_to(SERVER)
        if "migrations" not in module.parts:
            yield module


def test_no_two_public_classes_share_a_name() -> None:
    places = defaultdict(list)
    for module in list_modules():
        if "commands" in module.parts:
            continue  # Django wants each to be called Command
        for node in ast.parse((SERVER / module).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(module))
    assert len(places) > 200
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_a_module_name_that_several_apps_use_has_one_meaning() -> None:
    apps = defaultdict(set)
    for module in list_modules():
        if module.stem not in DJANGO_MODULES:
            apps[module.stem].add(module.parts[0])
    shared = {name for name, found in apps.items() if len(found) > 1}
    assert shared == set(SHARED_MODULES)
