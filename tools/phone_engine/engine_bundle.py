"""Bundles the Python library of the phone's engine. It runs inside Pyodide, in the interpreter that will use it.

First it makes the calls by which `page_crawler` imported anything: the modules that these import are the modules that a
phone needs. Each module is compiled and written to one of two archives: `python.zip` contains the standard library and
Django; `tailgunner.zip` contains the games, our apps and the templates, which change more often. The archives are not
compressed: HTTP compresses a whole file better.

Invariant: the same sources make the same bytes.
"""

from __future__ import annotations

import ast
import json
import marshal
import pkgutil
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import games
from tools.phone_engine import phone_settings
from tools.phone_engine.bundled_templates import FORM_TEMPLATES, SINGLE_TEMPLATES, TEMPLATE_FOLDERS

BUILD_MODULES = (__name__, "tools.phone_engine.bundled_templates")
NOT_ON_PHONES = ("games.core.bundle", "games.core.verification")
EXTRA_MODULES = ("traceback",)  # Pyodide imports it to report an error
KEEPS_DOCSTRINGS = "email."  # its modules derive docstrings from others
# PEP 552: hash-based, and not checked against the source.
UNCHECKED_HEADER = (1).to_bytes(4, "little") + bytes(8)
ZIP_TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # of a file in an archive


def import_used_modules(templates: str, made: str, extra_games: Sequence[str]) -> None:
    """Make the saved calls that import anything, to import every module that a phone uses.

    Args:
        templates: the folder of the pages' templates.
        made: the folder that `page_crawler` wrote to.
        extra_games: packages of additional games.
    """
    phone_settings.set_up_django(templates, extra_games)
    from scorekeeper.offline import phone, phone_database

    phone_database.SCHEMA_FILE = Path(made, phone_database.SCHEMA_FILE.name)
    for name in (*EXTRA_MODULES, *_list_games_modules(), *extra_games):
        import_module(name)
    for function, text, _status, is_importing in json.loads(Path(made, "engine_calls.json").read_text("utf-8")):
        if is_importing:
            getattr(phone, function)(text)


def write_archives(root: str, library: str, made: str, target: str) -> str:
    """Write the two archives.

    Args:
        root: the folder of the project.
        library: the folder that Django is installed in.
        made: the folder that `page_crawler` wrote to.
        target: the folder for the archives.

    Returns:
        JSON: the names of all project files in the archives, as `sources`, and the number of modules.
    """
    from scorekeeper.offline import phone_database

    import_function_level_imports(root)
    modules = list_imported_modules()
    ours = {place.relative_to(root): name for name, place in modules.items() if place.is_relative_to(root)}
    others = {
        place.relative_to(_find_search_folder(place, library)): name
        for name, place in modules.items()
        if not place.is_relative_to(root)
    }
    files = _list_templates_and_rule_books(Path(root))
    fields = {
        f"templates/{place.relative_to(home).as_posix()}": place.read_bytes()
        for home in [Path(library, "django/forms/templates")]
        for place in sorted((home / FORM_TEMPLATES).rglob("*.html"))
    }
    _write_archive(
        Path(target, "tailgunner.zip"),
        {_get_pyc_name(place): compile_module(place, name, is_ours=True) for place, name in ours.items()}
        | {place.as_posix(): Path(root, place).read_bytes() for place in files}
        | {f"scorekeeper/offline/{phone_database.SCHEMA_FILE.name}": phone_database.SCHEMA_FILE.read_bytes(), **fields},
    )
    _write_archive(
        Path(target, "python.zip"),
        {_get_pyc_name(place): compile_module(place, name, is_ours=False) for place, name in others.items()},
    )
    return json.dumps({"sources": sorted(place.as_posix() for place in (*ours, *files)), "modules": len(modules)})


def import_function_level_imports(root: str) -> None:
    """Import what our modules import inside functions, even in functions that no call has reached."""
    read: set[str] = set()
    while fresh := {name for name, place in list_imported_modules().items() if place.is_relative_to(root)} - read:
        for name in fresh:
            source = _read_source(name)
            for function in ast.walk(ast.parse(source)):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    _import_all(node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom))
        read |= fresh


def _import_all(statements: Iterable[ast.Import | ast.ImportFrom]) -> None:
    for statement in statements:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                import_module(alias.name)
        elif statement.module:
            module = import_module(statement.module)
            for alias in statement.names:
                if not hasattr(module, alias.name):
                    import_module(f"{statement.module}.{alias.name}")


def _list_games_modules() -> list[str]:
    """Return all modules of the games, whether or not a call has imported them. No phone checks an event."""
    found = [info.name for info in pkgutil.walk_packages(games.__path__, "games.")]
    return [name for name in found if not name.endswith("__main__") and not name.startswith(NOT_ON_PHONES)]


def list_imported_modules() -> dict[str, Path]:
    """Return every module that was imported from a file, except those that only the build uses."""
    specs = [module.__spec__ for module in sys.modules.values() if getattr(module, "__spec__", None)]
    found = {spec.name: Path(spec.origin) for spec in specs if spec and spec.origin and spec.origin.endswith(".py")}
    return {name: place for name, place in found.items() if name not in BUILD_MODULES}


def _find_search_folder(place: Path, library: str) -> str:
    """Return the entry of `sys.path` in which a module was found."""
    return (
        library
        if place.is_relative_to(library)
        else next(home for home in sys.path if place.is_relative_to(home or "?"))
    )


def _list_templates_and_rule_books(root: Path) -> list[Path]:
    """Return the pages' templates and the games' templates and rule books, relative to the root.

    Rule books in other languages come with the language of a phone.
    """
    from django.template import Engine  # only after the shims are installed

    folders = [root / "templates" / folder for folder in TEMPLATE_FOLDERS]
    homes = [Path(home) for home in Engine.get_default().dirs if Path(home) != root / "templates"]
    found = [path for folder in (*folders, *homes) for path in folder.rglob("*") if path.suffix in (".html", ".svg")]
    found += [root / "templates" / name for name in SINGLE_TEMPLATES]
    folders_of_books = (root / "games/core", *(home.parent for home in homes))
    books = [book for folder in folders_of_books for book in folder.glob("rulebook.md")]
    return sorted(path.relative_to(root) for path in {*found, *books})


def _get_pyc_name(place: Path) -> str:
    return place.with_suffix(".pyc").as_posix()


def compile_module(place: Path, name: str, *, is_ours: bool) -> bytes:
    """Return a compiled module. It contains its path in the archive, not the path of its source."""
    module = ast.parse(_read_source(name))
    _strip(module, of_classes=not is_ours and not name.startswith(KEEPS_DOCSTRINGS), keeps_lines=is_ours)
    code = compile(module, place.as_posix(), "exec", dont_inherit=True)
    return MAGIC_NUMBER + UNCHECKED_HEADER + marshal.dumps(code)


def _read_source(name: str) -> bytes:
    spec = sys.modules[name].__spec__
    assert spec is not None
    source: bytes = spec.loader.get_data(spec.origin)  # type: ignore[union-attr]
    return source


def _strip(module: ast.Module, *, of_classes: bool, keeps_lines: bool) -> None:
    """Remove docstrings and source positions, which are a large part of compiled modules.

    Some docstrings of classes are used. A traceback still names the functions. `ast.walk` would take twice as long.

    Args:
        of_classes: remove docstrings of classes too, except of decorated ones: a dataclass would make its own.
        keeps_lines: keep line numbers and remove only columns, as for our own modules.
    """
    nodes: list[ast.AST] = [module]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            is_kept = isinstance(node, ast.ClassDef) and (not of_classes or bool(node.decorator_list))
            if not is_kept and ast.get_docstring(node, clean=False):
                node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
        if hasattr(node, "lineno"):
            line = node.lineno if keeps_lines else 1
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [item for item in value if isinstance(item, ast.AST)]


def _write_archive(archive: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
        for name, content in sorted(files.items()):
            opened.writestr(zipfile.ZipInfo(name, ZIP_TIMESTAMP), content)
