"""One engine for all tests of a file, and twins of phones that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from scorekeeper.crew.models import CrewMember
from scorekeeper.offline.building import get_home, get_status
from tests.offline.asking import Engine, start_engine
from tests.scorekeeper.conftest import CrewClient
from tests.scorekeeper.offline.twin import Twin
from tests.scorekeeper.scorecards.conftest import desk, note
from tests.services import find_node

__all__ = ["desk", "note"]

MakeTwin = Callable[[CrewMember], Twin]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """The engine that is served."""
    node = find_node()
    assert node is not None
    assert get_status(get_home()) == "current", "make offline builds it"
    with start_engine(get_home(), node) as started:
        yield started


@pytest.fixture
def make_twin(engine: Engine, crew_client: CrewClient) -> MakeTwin:
    """Return the phone of a crew member with its twin: `make_twin(rita)`."""

    def make(member: CrewMember) -> Twin:
        return Twin(engine, crew_client(member))

    return make
