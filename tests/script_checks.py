"""Checks and tests our JavaScript and style sheets, with development packages from npm that it installs if necessary.

`python -m tests.script_checks lint` runs ESLint, TypeScript's checks of types (each kind of script has its own
`tsconfig`) and Stylelint; `python -m tests.script_checks test` runs `tests/javascript` with Node's own test runner.
Without Node it says what it leaves out; that is a failure only if REQUIRE_ALL is set.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tests.programs import ROOT
from tests.services import find_node, is_all_required
from tools.phone_engine.node import MIN_NODE_VERSION, Node, NodeFailed
from tools.phone_engine.node_packages import install_packages

AT_ONCE = 2  # programs: each of them uses more than one core
ESLINT = ("node_modules/eslint/bin/eslint.js", "--max-warnings=0", ".")
STYLE_SHEETS = ("static/css/*.css", "games/*/static/**/*.css")
STYLELINT = ("node_modules/stylelint/bin/stylelint.mjs", "--max-warnings=0", *STYLE_SHEETS)
TSC = "node_modules/typescript/bin/tsc"
WHAT = {"lint": "The checks of our JavaScript and style sheets", "test": "The unit tests of our JavaScript"}


def list_commands(kind: str) -> Iterator[tuple[str, ...]]:
    """Yield the arguments of Node for each program.

    Args:
        kind: "lint" or "test".
    """
    if kind == "test":
        yield "--test", *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/javascript/*.test.mjs")))
        return
    yield ESLINT
    yield STYLELINT
    for config in sorted(ROOT.glob("tsconfig*.json")):
        yield TSC, "--project", config.name


def run(node: Node, command: tuple[str, ...]) -> bool:
    """Run one program, print what it says unless it has succeeded, and return whether it has."""
    done = subprocess.run(
        [node.program, *command],
        cwd=ROOT,
        env=node.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stdout.write(f"{' '.join(command)}\n{done.stdout}\n")
    return done.returncode == 0


def main(kind: str) -> int:
    """Run all programs of a kind; return the exit status."""
    node = find_node()
    if node is None:
        sys.stdout.write(f"{WHAT[kind]} are left out: there is no Node {MIN_NODE_VERSION} or newer.\n")
        return int(is_all_required())
    try:
        install_packages(ROOT, node, with_development=True)
    except NodeFailed as error:
        sys.stdout.write(f"{WHAT[kind]} cannot run: {error}\n")
        return 1
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda command: run(node, command), list_commands(kind)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
