"""One name, one meaning: the public classes of the server."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parents[2] / "scorekeeper"


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
