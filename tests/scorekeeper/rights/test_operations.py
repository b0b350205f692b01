"""Every kind of operation, for every role that can record operations: the table in `scorekeeper.rights` decides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

import scorekeeper
from scorekeeper.api.forms.operation_parser import OPERATION_KINDS
from scorekeeper.events.models import Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.services.recording import RECORDED, NotAllowed, record
from scorekeeper.rights import CREW, OPERATIONS, ORGANISER, ROAD_CAPTAIN
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor


def list_kinds() -> Iterator[str]:
    """Yield every kind that the code records: the argument right after an operation's id."""
    apps = Path(scorekeeper.__file__).parent
    for path in (*apps.glob("*/services.py"), *apps.glob("*/services/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(args=[ast.Name("operation_id"), ast.Constant(str(kind)), *_]):
                    yield kind


def test_kinds_and_rows_match() -> None:
    assert set(list_kinds()) == set(OPERATIONS)
    assert {kind for kind in OPERATION_KINDS if OPERATIONS[kind] >= {ROAD_CAPTAIN}} == set(OPERATION_KINDS), (
        "a phone can send no other kinds"
    )


def test_every_role_can_record_what_the_table_says(ride: Ride) -> None:
    organiser = Actor.from_organiser(Organiser.objects.get(event=ride.event, user__username="alice"))
    actors = {CREW: make_actor(ride.tom), ROAD_CAPTAIN: make_actor(ride.rita), ORGANISER: organiser}

    recorded: dict[str, set[str]] = {kind: set() for kind in OPERATIONS}
    for kind in OPERATIONS:
        for role, actor in actors.items():
            try:
                record(uuid4(), kind, actor, {}, lambda _context: RECORDED)
            except NotAllowed:
                continue
            recorded[kind].add(role)

    assert recorded == OPERATIONS
    assert Operation.objects.count() == sum(map(len, OPERATIONS.values()))


def test_a_duplicate_gets_the_same_result_after_rights_were_lost(ride: Ride) -> None:
    operation, captain = uuid4(), make_actor(ride.rita)
    first = record(operation, "retire", captain, {}, lambda _context: RECORDED)

    former_captain = Actor(captain.id, captain.event_id, captain.device_id, captain.group_id, can_take_over=False)

    assert record(operation, "retire", former_captain, {}, lambda _context: RECORDED) == first
    with pytest.raises(NotAllowed):
        record(uuid4(), "retire", former_captain, {}, lambda _context: RECORDED)
