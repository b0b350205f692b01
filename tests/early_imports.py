"""Lets the processes of a run share the work of compiling the tests.

pytest compiles each file of tests that has changed, and stores the result; in a fresh clone that takes longer than all
else that it does to collect the tests. All processes collect the same files in the same order, so they would compile
each at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest


def import_share(config: pytest.Config) -> None:
    """In one of several processes, import its share of the test modules that the run will collect."""
    worker = getattr(config, "workerinput", None)
    if worker:
        share = slice(int(worker["workerid"].removeprefix("gw")), None, worker["workercount"])
        for name in list_modules(config.rootpath, config.args)[share]:
            with suppress(Exception, pytest.skip.Exception):  # its collection reports the error
                import_module(name)


def list_modules(root: Path, arguments: Iterable[str]) -> list[str]:
    """Return the names of all test modules of the project that a run collects.

    Args:
        root: the folder of the project.
        arguments: folders, files and ids of tests, relative to it.
    """
    found: set[Path] = set()
    for argument in arguments:
        place = root / argument.partition("::")[0]
        found.update(place.rglob("test_*.py") if place.is_dir() else [place])
    ours = sorted(file.relative_to(root) for file in found if file.is_relative_to(root))
    return [".".join(file.with_suffix("").parts) for file in ours]
