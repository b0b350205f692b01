"""One engine for all tests of a process, and offline phones that use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import pytest

from scorekeeper.crew.models import CrewMember
from scorekeeper.offline.app_files import get_build_dir
from tests.scorekeeper.conftest import CrewClient
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.services import find_node
from tests.shared_folder import make_once
from tests.tools.engine_process import Engine, start_engine
from tools.phone_engine.engine_build import get_build_status

__all__ = ["add_turn", "desk"]

SNAPSHOT = "snapshot"


class MakeOfflinePhone(Protocol):
    """Makes the phone of a crew member, in a language."""

    def __call__(self, member: CrewMember, language: str = "en-gb") -> OfflinePhone: ...


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """The engine of the current build, restored from a snapshot like nearly every start on a phone."""
    assert get_build_status(get_build_dir()) == "current", "make offline builds it"
    with _start(make_once("engine-snapshot", _make_snapshot) / SNAPSHOT) as started:
        assert started.is_restored
        yield started


def _make_snapshot(folder: Path) -> None:
    with _start(folder / SNAPSHOT):
        pass


def _start(snapshot: Path) -> AbstractContextManager[Engine]:
    node = find_node()
    assert node is not None
    return start_engine(get_build_dir(), node, snapshot)


@pytest.fixture
def make_offline_phone(engine: Engine, crew_client: CrewClient) -> MakeOfflinePhone:
    """Return the phone of a crew member: `make_offline_phone(rita)`."""

    def make(member: CrewMember, language: str = "en-gb") -> OfflinePhone:
        return OfflinePhone(engine, crew_client(member), language)

    return make
