"""The library of the phone's engine, made inside Pyodide by the very interpreter that will run it.

First a rehearsal: everything the phone may be asked for is asked for once, and what that imports is what the phone
needs. Each module is compiled and goes into one of two archives: `python.zip` holds the standard
library and Django, `tailgunner.zip` the games, our rooms and the templates, which change more often. Archives are only
stored, not packed: packing is left to HTTP, which does it better over a whole file.

Invariant: the same sources make the same bytes.
"""

from __future__ import annotations

import ast
import json
import marshal
import pkgutil
import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from django.template import Engine

import games
from scorekeeper.offline import django_alone

# What Pyodide imports when it needs it: to unpack an archive, and to tell of an error.
ALSO = ("encodings.cp437", "shutil", "traceback", "zipfile")
INCLUDED = re.compile(r"{%\s*(?:include|extends)\s+[\"']([^\"']+)[\"']")
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)  # PEP 552: by hash, and nobody looks whether the source has changed
EARLIEST = (1980, 1, 1, 0, 0, 0)  # of a file in an archive


def rehearse(templates: str, extra_games: Sequence[str]) -> None:
    """Ask for everything that a phone may be asked for.

    Args:
        templates: the folder of the pages' templates.
        extra_games: packages of further games.
    """
    django_alone.set_up(templates, extra_games)
    from scorekeeper.offline import phone
    from scorekeeper.offline.rehearsal import list_questions

    for name in (*ALSO, *_list_games_modules(), *extra_games):
        import_module(name)
    for question, text in list_questions():
        getattr(phone, question)(text)


def pack(root: str, library: str, target: str) -> str:
    """Write the two archives.

    Args:
        root: the folder of the project.
        library: the folder that Django is installed in.
        target: where the archives go.

    Returns:
        JSON: the names of all files of the project that went in, as `sources`, and how many modules there are.
    """
    from scorekeeper.offline.phone import TEMPLATES

    modules = _list_modules()
    ours = {place.relative_to(root): name for name, place in modules.items() if place.is_relative_to(root)}
    others = {
        place.relative_to(_find_home(place, library)): name
        for name, place in modules.items()
        if not place.is_relative_to(root)
    }
    templates = _list_templates(Path(root), TEMPLATES)
    _write(
        Path(target, "tailgunner.zip"),
        {_name_compiled(place): _compile(place, name) for place, name in ours.items()}
        | {place.as_posix(): Path(root, place).read_bytes() for place in templates},
    )
    _write(Path(target, "python.zip"), {_name_compiled(place): _compile(place, name) for place, name in others.items()})
    return json.dumps({"sources": sorted(place.as_posix() for place in (*ours, *templates)), "modules": len(modules)})


def _list_games_modules() -> list[str]:
    """Return every module of ours that a game may come to need, whatever the rehearsal plays."""
    found = [info.name for info in pkgutil.walk_packages(games.__path__, "games.")]
    return [name for name in found if not name.endswith("__main__")]


def _list_modules() -> dict[str, Path]:
    """Return every module that was imported from a file, but those of the build itself."""
    specs = [module.__spec__ for module in sys.modules.values() if getattr(module, "__spec__", None)]
    found = {spec.name: Path(spec.origin) for spec in specs if spec and spec.origin and spec.origin.endswith(".py")}
    del found[__name__]
    return found


def _find_home(place: Path, library: str) -> str:
    """Return the folder or archive that a module was found in by way of `sys.path`."""
    return (
        library
        if place.is_relative_to(library)
        else next(home for home in sys.path if place.is_relative_to(home or "?"))
    )


def _list_templates(root: Path, first: Sequence[str]) -> list[Path]:
    """Return these templates, all that they include, and the faces of dice that games draw; below the root."""
    engine = Engine.get_default()
    found: dict[str, Path] = {}
    faces = [
        f"{path.parent.parent.name}/faces/{path.name}" for home in engine.dirs for path in Path(home).glob("*/faces/*")
    ]
    asked = [*first, *faces]
    while asked:
        name = asked.pop()
        if name not in found:
            source = engine.get_template(name).origin.name
            found[name] = Path(source).relative_to(root)
            asked += INCLUDED.findall(Path(source).read_text("utf-8"))
    return list(found.values())


def _name_compiled(place: Path) -> str:
    return place.with_suffix(".pyc").as_posix()


def _compile(place: Path, name: str) -> bytes:
    """Return a module's compiled form. It knows by which place it came, and not where it lay when it was compiled."""
    spec = sys.modules[name].__spec__
    assert spec is not None
    source = spec.loader.get_data(spec.origin)  # type: ignore[union-attr]
    code = compile(_drop_docstrings(ast.parse(source)), place.as_posix(), "exec", dont_inherit=True)
    return MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)


def _drop_docstrings(module: ast.Module) -> ast.Module:
    """Leave out the docstrings of modules and functions. Those of classes stay: a dataclass would make its own."""
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
    return module


def _write(archive: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
        for name, content in sorted(files.items()):
            opened.writestr(zipfile.ZipInfo(name, EARLIEST), content)
