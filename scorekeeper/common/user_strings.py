"""Finds every text that the project shows to people, so that the texts can be read, compared and translated.

A text is found if it is marked for translation: in Python by a call of one of Django's gettext functions, in a template
by `translate` or `blocktranslate`. Text that a person typed, rule books and log events are not marked, so they are not
found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

# How many of the arguments of each function are a context, and how many are texts.
FUNCTIONS = {"gettext": (0, 1), "ngettext": (0, 2), "pgettext": (1, 1), "npgettext": (1, 2)}
SUFFIXES = ("", "_lazy", "_noop")
TEMPLATE_CALL = re.compile(r"(?<![A-Za-z])(n?)(p?)gettext\(|(?<![A-Za-z])_\(")  # in what `templatize` returns
TEMPLATE_TEXT = re.compile(r"\s*,?\s*u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
TEMPLATE_ENDINGS = {".html", ".svg", ".txt"}


class MarkedText(NamedTuple):
    """A text as the catalogues have it, and where it is.

    Attributes:
        text: with the percent signs of a template doubled, as Django looks them up.
        plural: its form for other numbers than one; None for a text without a number.
        context: what tells it from the same text with another meaning; None for most.
        path: relative to the root.
    """

    text: str
    plural: str | None
    context: str | None
    path: str
    line: int


class UserString(NamedTuple):
    """A text as people see it, and where it is; of a plural, one of both forms."""

    text: str
    path: str  # relative to the root
    line: int


def list_user_strings(root: Path, folders: tuple[str, ...] = ("scorekeeper", "games", "templates")) -> list[UserString]:
    """Return the texts in the folders, sorted by text and then by place. Migrations are left out: they are history.

    Args:
        root: the project's folder.
    """
    found = []
    for marked in list_marked_texts(root, folders):
        is_template = not marked.path.endswith(".py")
        for text in filter(None, (marked.text, marked.plural)):
            shown = text.replace("%%", "%") if is_template else text
            found.append(UserString(shown, marked.path, marked.line))
    return sorted(found, key=lambda one: (one.text.casefold(), one))


def list_marked_texts(root: Path, folders: tuple[str, ...] = ("scorekeeper", "games", "templates")) -> list[MarkedText]:
    """Return the texts in the folders by their places. Migrations are left out: they are history.

    Args:
        root: the project's folder.
    """
    found: list[MarkedText] = []
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
        found += sorted((text._replace(path=place.as_posix()) for text in texts), key=lambda one: one.line)
    return found


def find_in_python(source: str) -> Iterator[MarkedText]:
    """Yield the texts that are marked in a module, without its path."""
    tree = ast.parse(source)
    markers = _list_markers(tree)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in markers):
            continue
        contexts, count = markers[node.func.id]
        arguments = [argument.value for argument in node.args[: contexts + count] if isinstance(argument, ast.Constant)]
        if len(arguments) == contexts + count and all(isinstance(value, str) for value in arguments):
            yield _make_text([str(value) for value in arguments], node.lineno, has_context=bool(contexts))


def find_in_template(source: str) -> Iterator[MarkedText]:
    """Yield the texts that are marked in a template, without its path."""
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
        yield _make_text(texts, line, has_context=bool(context))


def _make_text(parts: Sequence[str], line: int, *, has_context: bool) -> MarkedText:
    context, (text, *plural) = (parts[0], parts[1:]) if has_context else (None, parts)
    return MarkedText(text, plural[0] if plural else None, context, "", line)


def _list_markers(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """Return the names under which a module imported functions that mark texts, with what their arguments are."""
    functions = {name + suffix: counts for name, counts in FUNCTIONS.items() for suffix in SUFFIXES}
    return {
        alias.asname or alias.name: functions[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in functions
    }
