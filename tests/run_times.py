"""The summary at the end of a test run: how long the tests of each folder took, summed over all processes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

import pytest


def list_times(reports: Iterable[Any]) -> Iterator[str]:
    """Yield a line for each folder of tests, the slowest first: seconds, number of tests, folder.

    Args:
        reports: the reports of set-ups, calls and tear-downs.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    for report in reports:
        if isinstance(report, pytest.TestReport):
            folder = _name_folder(report.nodeid)
            seconds[folder] += report.duration
            tests[folder] += report.when == "call"
    for folder, taken in sorted(seconds.items(), key=lambda item: -item[1]):
        yield f"{taken:8.1f}s {tests[folder]:6,} tests  {folder}"


def _name_folder(node_id: str) -> str:
    """Return the folder of a test, at most two levels below `tests`."""
    parts = PurePosixPath(node_id.partition("::")[0]).parts[:-1]
    return "/".join(parts[:3])
