"""Finds every text that the project shows to people, so that the texts can be read and compared in one place.

A text is found if it is marked for translation: in Python by a call of one of Django's gettext functions, in a template
by `translate` or `blocktranslate`. Both forms of a plural are listed. Text that a person typed, rule books and log
events are not marked, so they are not found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

MESSAGE_COUNTS = {"gettext": 1, "ngettext": 2}  # how many of a function's arguments are texts
SUFFIXES = ("", "_lazy", "_noop")
TEMPLATE_CALL = re.compile(r"(?<![A-Za-z])(n?)(p?)gettext\(|(?<![A-Za-z])_\(")  # in what `templatize` returns
TEMPLATE_TEXT = re.compile(r"\s*,?\s*u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
TEMPLATE_ENDINGS = {".html", ".svg", ".txt"}


class UserString(NamedTuple):
    """A text, and where it is."""

    text: str
    path: str  # relative to the root
    line: int


def list_user_strings(root: Path, folders: tuple[str, ...] = ("scorekeeper", "games", "templates")) -> list[UserString]:
    """Return the texts in the folders, sorted by text and then by place. Migrations are left out: they are history.

    Args:
        root: the project's folder.
    """
    found: list[UserString] = []
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*")):
        place = path.relative_to(root)
        if "migrations" in place.parts:
            continue
        if path.suffix == ".py":
            texts = find_in_python(path.read_text("utf-8"))
        elif path.suffix in TEMPLATE_ENDINGS and "templates" in place.parts:
            texts = find_in_template(path.read_text("utf-8"))
        else:
            continue
        found += [UserString(text, place.as_posix(), line) for text, line in texts]
    return sorted(found, key=lambda one: (one.text.casefold(), one))


def find_in_python(source: str) -> Iterator[tuple[str, int]]:
    """Yield the texts that are marked in a module, and their lines."""
    tree = ast.parse(source)
    counts = _list_markers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for argument in node.args[: counts.get(node.func.id, 0)]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, argument.lineno


def find_in_template(source: str) -> Iterator[tuple[str, int]]:
    """Yield the texts that are marked in a template, and their lines."""
    code = templatize(source)
    for call in TEMPLATE_CALL.finditer(code):
        plural, context = call[1] or "", call[2] or ""
        texts, end = [], call.end()
        for _ in range(1 + len(plural) + len(context)):
            found = TEMPLATE_TEXT.match(code, end)
            assert found is not None, f"no text after {call[0]!r}"
            texts.append(ast.literal_eval(found[1]))
            end = found.end()
        line = code.count("\n", 0, call.start()) + 1
        for text in texts[len(context) :]:
            yield text.replace("%%", "%"), line


def _list_markers(tree: ast.Module) -> dict[str, int]:
    """Return the names under which a module imported functions that mark texts, with how many texts each takes."""
    functions = {name + suffix: count for name, count in MESSAGE_COUNTS.items() for suffix in SUFFIXES}
    return {
        alias.asname or alias.name: functions[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in functions
    }
