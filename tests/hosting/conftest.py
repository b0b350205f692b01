"""The Debian root that the tests of this folder copy."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.offline.app_files import get_build_dir
from tests.hosting.debian import Root, make_root, run
from tools.phone_engine.engine_build import get_build_status


@pytest.fixture(scope="session")
def debian() -> Iterator[Root]:
    """A Debian 12 in memory; tests copy it and do not change it."""
    assert os.geteuid() == 0, "only root may do this: run `make hosting`"
    with tempfile.TemporaryDirectory(prefix="tailgunner-debian-") as folder:
        run("mount", "-t", "tmpfs", "-o", "size=80%,mode=700", "tmpfs", folder)
        try:
            yield make_root(Path(folder))
        finally:
            run("umount", "--lazy", folder)


@pytest.fixture(scope="session")
def engine() -> Path:
    """The folder with the phone's engine that `make offline` has built; it must be up to date."""
    assert get_build_status(get_build_dir()) == "current", "run `make offline` first"
    return get_build_dir().parent
