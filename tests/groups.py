"""Groups of tests that run in the same process: a file, or all files that share a service or costly data.

xdist's own groups are marks, which it passes on inside test ids; pytest 9.2 no longer allows that.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

# One program and one Chromium for each of these: the phones, the tests that walk through pages, and the others.
BROWSERS = ("tests/browser/phone/", "tests/browser/")
PAGE_WALKS = {
    f"tests/browser/test_{name}.py"
    for name in (
        *("bad_input", "contest_form", "entry_page", "every_page", "first_run", "injected_text", "layout"),
        *("passing_pages", "ready_in_sixty", "rules", "table_page", "walls"),
    )
}
# The cluster of programs, and a Redis that is emptied for each test; all tests share each of them.
SHARED_SERVICES = {
    "cluster": {
        f"tests/faults/test_{name}.py"
        for name in (
            *("backup", "clocks", "cluster", "owner", "postgres", "redis", "screens", "secrets"),
            *("upgrade", "watching", "whole_ride", "workers"),
        )
    },
    "redis": {
        "tests/scorekeeper/common/test_dispatch.py",
        "tests/scorekeeper/common/test_ready.py",
        "tests/scorekeeper/common/test_rate_limits.py",
        "tests/scorekeeper/live/test_redis.py",
    },
}
# Groups that one process runs for a minute or longer, and of the tests that really commit, those that take longest.
LONG_COMMITTING = ("tests/scorekeeper/live/test_stream.py", "tests/scorekeeper/scorecards/test_one_tap.py")
LONG_GROUPS = ("page walks", *BROWSERS, "cluster", *LONG_COMMITTING)


def find_group(node_id: str) -> str:
    """Return the name of the group that a test belongs to."""
    file = node_id.partition("::")[0]
    if file in PAGE_WALKS:
        return "page walks"
    for folder in BROWSERS:
        if file.startswith(folder):
            return folder
    return next((name for name, files in SHARED_SERVICES.items() if file in files), file)


def is_long(item: pytest.Item) -> bool:
    """Return whether a test belongs to a long group. These start early, so that at the end all processes are busy."""
    return find_group(item.nodeid) in LONG_GROUPS


def includes_browsers(root: Path, arguments: Iterable[str]) -> bool:
    """Return whether a run may collect tests with browsers.

    Args:
        root: the folder of the project.
        arguments: folders, files and ids of tests, relative to it.
    """
    folder = root / "tests" / "browser"
    places = [root / argument.partition("::")[0] for argument in arguments]
    return any(place.is_relative_to(folder) or folder.is_relative_to(place) for place in places)


def check_groups(items: list[pytest.Item]) -> None:
    """Raise a usage error if a test is marked as using a shared service but its file is not listed here."""
    for item in items:
        for name in SHARED_SERVICES:
            if item.get_closest_marker(name) and find_group(item.nodeid) != name:
                raise pytest.UsageError(f"{item.nodeid} is marked {name}: list its file in {__name__}")


class GroupScheduling(LoadScopeScheduling):
    """Schedules whole groups, in the order in which they were collected."""

    def _split_scope(self, nodeid: str) -> str:
        return find_group(nodeid)
