"""What has to be released before a task whose worker has died can be taken up again (`common.task_runs`).

Apps register it when Django starts, on phones too, where there are no workers.
"""

from __future__ import annotations

from collections.abc import Callable

Release = Callable[..., object]
_releases: dict[str, Release] = {}


def add_release(task_name: str, release: Release) -> None:
    """Register what releases what a worker that has died had claimed for a task. It gets the task's arguments."""
    _releases[task_name] = release


def find_release(task_name: str) -> Release | None:
    """Return what releases the claims of a task; None if it claims nothing."""
    return _releases.get(task_name)
