"""The size and shape of the code, app by app: ``python benchmarks/structure.py [FOLDER ...]``.

For every checkout it counts the files, lines and functions of each app, without migrations, and the places that ask how
a contest is recorded. Give the folders of two checkouts to compare them. What a tap costs in statements, folds and
files is counted where there is a server to tap on, in `tests/scorekeeper/scorecards/test_one_tap.py`.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[1]
KIND_ATTRIBUTE = "recorded_by"


@dataclass
class Size:
    """The size of some code.

    Attributes:
        code_lines: the lines that are neither blank, nor comments, nor docstrings.
        function_lines: the lines of each function, with its docstring.
        kind_questions: how often the attribute is read that says how a contest is recorded.
    """

    files: int = 0
    lines: int = 0
    code_lines: int = 0
    function_lines: tuple[int, ...] = ()
    file_lines: tuple[int, ...] = ()
    kind_questions: int = 0

    def __add__(self, other: Size) -> Size:
        """Return the size of both."""
        return Size(
            self.files + other.files,
            self.lines + other.lines,
            self.code_lines + other.code_lines,
            self.function_lines + other.function_lines,
            self.file_lines + other.file_lines,
            self.kind_questions + other.kind_questions,
        )


def measure_file(path: Path) -> Size:
    """Return the size of a Python file."""
    text = path.read_text()
    nodes = list(ast.walk(ast.parse(text)))
    functions = tuple(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    questions = sum(isinstance(node, ast.Attribute) and node.attr == KIND_ATTRIBUTE for node in nodes)
    lines = len(text.splitlines())
    return Size(1, lines, _count_code_lines(text, nodes), functions, (lines,), questions)


def _count_code_lines(text: str, nodes: Sequence[ast.AST]) -> int:
    docstrings = {
        line
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(text.splitlines(), 1)
    return sum(number not in docstrings and line.strip() != "" and line.strip()[0] != "#" for number, line in lines)


def list_apps(checkout: Path) -> Iterator[Path]:
    """Return the folders to measure: the games, each app of the scorekeeper, and the tools."""
    yield checkout / "games"
    yield from sorted(path for path in (checkout / "scorekeeper").iterdir() if (path / "__init__.py").exists())
    if (checkout / "tools").exists():
        yield checkout / "tools"


def measure_app(folder: Path) -> Size:
    """Return the size of a folder's Python files, without migrations."""
    files = [path for path in folder.rglob("*.py") if "migrations" not in path.parts]
    return sum(map(measure_file, files), Size())


def print_sizes(checkout: Path) -> None:
    """Print a table of a checkout."""
    title = "this checkout" if checkout == HERE else checkout.name
    print(f"\n{title}\n{'':12} {'files':>6} {'lines':>7} {'code':>7} {'functions':>10} {'questions':>10}")
    total = Size()
    for folder in list_apps(checkout):
        size = measure_app(folder)
        total += size
        print(_format_row(folder.name, size))
    print(_format_row("all", total))
    print(f"median file {median(total.file_lines):.0f} lines, median function {median(total.function_lines):.0f} lines")


def _format_row(name: str, size: Size) -> str:
    count = len(size.function_lines)
    return f"{name:12} {size.files:6} {size.lines:7} {size.code_lines:7} {count:10} {size.kind_questions:10}"


def main(folders: Sequence[str]) -> None:
    """Print a table for each checkout."""
    for folder in folders or [str(HERE)]:
        print_sizes(Path(folder).resolve())


if __name__ == "__main__":
    main(sys.argv[1:])
