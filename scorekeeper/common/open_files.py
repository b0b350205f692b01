"""The limit on how many files, and so how many connections, a process can have open at once."""

from __future__ import annotations

import resource
from contextlib import suppress

MAX_OPEN_FILES = 65_536
RESERVED_FILES = 256  # for everything that is not a connection: databases, pages, logs


def raise_file_limit() -> None:
    """Let this process and its children open as many files as the system allows, up to `MAX_OPEN_FILES`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # the system allows less than its hard limit says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def get_max_connections() -> int:
    """Return how many connections this process can have open."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else soft
    return max(1, files - RESERVED_FILES)
