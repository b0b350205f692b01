"""How many files, and so how many connections, the system lets a process hold open at once."""

from __future__ import annotations

import resource
from contextlib import suppress

MAX_OPEN_FILES = 65_536
RESERVED_FILES = 256  # beside the connections: databases, pages, logs


def raise_file_limit() -> None:
    """Let this process, and what it starts, open as many files as it may, up to `ENOUGH`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # of a system that allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def get_max_connections() -> int:
    """Return how many connections this process has room for."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else soft
    return max(1, files - RESERVED_FILES)
