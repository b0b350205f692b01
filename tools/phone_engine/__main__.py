"""`python -m tools.phone_engine`: builds what a phone needs without signal, unless it is there and up to date.

With `--fast` it takes a third of the time, and phones would download a sixth more: good enough for tests.
"""

from __future__ import annotations

import os
import sys

from scorekeeper.offline.app_files import get_build_dir
from tools.phone_engine.engine_build import (
    Compression,
    build_engine,
    get_build_status,
    has_best_compression,
)
from tools.phone_engine.node import MIN_NODE_VERSION, NodeFailed, find_node


def main(*arguments: str) -> str | None:
    """Build the engine if necessary; return why it cannot be built, or None."""
    home = get_build_dir()
    compression: Compression = "fast" if "--fast" in arguments else "best"
    if get_build_status(home) == "current" and (compression == "fast" or has_best_compression(home)):
        return None
    node = find_node()
    if node is None:
        return f"Node {MIN_NODE_VERSION} or newer is needed. Install it with: pip install -r requirements/node.txt"
    print("Building the part of the app that works without signal. This takes a minute or two ...", flush=True)
    try:
        build_engine(home, node, compression)
    except NodeFailed as error:
        return str(error)
    return None


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.exit(main(*sys.argv[1:]))
