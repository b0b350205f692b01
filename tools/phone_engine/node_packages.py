"""Installs the packages of package-lock.json into node_modules.

The phone's engine is built from the *runtime packages*. All others are *development packages*, which check and test our
scripts (`tests/script_checks.py`). Both uses share one folder, perhaps at the same time:

- Development packages are added to what is there.
- The engine's build installs only if a runtime package is missing or has changed. That deletes the development packages
  and the marker that says they are installed.
- One of them waits while the other installs.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.phone_engine.node import Node

LOCK_FILE = "package-lock.json"
FOLDER = "node_modules"
# Contains the digest of the lock file. It is inside of the folder, so that npm deletes it with the rest.
MARKER = Path(FOLDER, ".all-installed")
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund")

Packages = Mapping[str, Mapping[str, Any]]


def list_runtime_packages(root: Path) -> Packages:
    """Return the entries of the runtime packages in the lock file, by their folders.

    Args:
        root: the folder of the project.
    """
    packages = json.loads((root / LOCK_FILE).read_text("utf-8"))["packages"]
    return {path: package for path, package in packages.items() if path and not package.get("dev")}


def install_packages(root: Path, node: Node, *, with_development: bool = False) -> None:
    """Install the packages of the lock file, unless they are installed already.

    Args:
        root: the folder of the project.
        node: the Node whose npm installs them.
        with_development: whether to install the development packages as well.

    Raises:
        NodeFailed: npm failed.
    """
    with (root / LOCK_FILE).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        digest = hashlib.sha256(lock.read()).hexdigest()
        if with_development:
            if (root / MARKER).is_file() and (root / MARKER).read_text("ascii") == digest:
                return
            # Unlike `npm ci`, it leaves what is there; and it changes neither package.json nor the lock file.
            node.run(*node.npm, "install", "--no-save", *QUIET, folder=root)
            (root / MARKER).write_text(digest, "ascii")
        elif not _has_runtime_packages(root):
            node.run(*node.npm, "ci", "--omit=dev", *QUIET, folder=root)


def _has_runtime_packages(root: Path) -> bool:
    listed = root / FOLDER / ".package-lock.json"  # npm lists the installed packages there
    installed = json.loads(listed.read_text("utf-8"))["packages"] if listed.exists() else {}
    return all(installed.get(path) == package for path, package in list_runtime_packages(root).items())
