"""Each of the five games with random steps in any order: nothing is lost, duplicated or miscounted."""

from __future__ import annotations

import os
from uuid import uuid4, uuid5

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.tables.services import create_tables
from tests.faults.figures import Figures
from tests.faults.scale import FULL, scaled
from tests.parts import GAMES
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.standings.contest_machines import TURNS, Scene, StopsMachine, TablesMachine
from tests.scorekeeper.table_fixtures import make_contest

pytestmark = [pytest.mark.django_db, pytest.mark.security]

RUNS = int(os.environ.get("CONTEST_RUNS", scaled(2_000, 3)))
STEPS = scaled(50, 20)


def make_scene(ride: Ride, desk: Actor, key: str) -> Scene:
    """Return a contest of this game in which nothing is entered yet: four bikes, four players, or two tables of two."""
    actors = (desk, make_actor(ride.rita), make_actor(ride.tom))
    if key in TURNS:
        Contest.objects.filter(pk=ride.contest.pk).update(game_key=key)
        ride.contest.refresh_from_db()
        return Scene(ride.contest, actors, entrants=[ride.bikes[number].pk for number in (1, 2, 3, 4)])
    contest, operation_id = make_contest(ride.event, key, key, 2), uuid4()
    riders = list(ride.event.players.order_by("name")[:4].values_list("pk", flat=True))
    tables = [[rider] for rider in riders] if contest.game.independent else [riders[:2], riders[2:]]
    create_tables(desk, operation_id, contest.pk, tables)
    return Scene(contest, actors, cards=[uuid5(operation_id, str(number)) for number in range(len(tables))])


@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("key", GAMES)
def test_after_any_steps_everything_shown_matches_the_log(
    key: str, ride: Ride, desk: Actor, figures: Figures, django_capture_on_commit_callbacks
) -> None:
    scene = make_scene(ride, desk, key)
    Contest.objects.filter(pk=scene.contest.pk).update(frozen_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        get_contest_rules(scene.contest.pk)  # as in production, it is cached from now on
    machine = TablesMachine if scene.cards else StopsMachine
    run_state_machine_as_test(
        type(machine.__name__, (machine,), {"scene": scene}),
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=not FULL,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
    steps = "correct, void" if scene.cards else "correct, void, move, cut"
    figures.add(
        f"9 · {key} as a state machine: enter, {steps}, close, publish, reopen, late entries",
        f"{RUNS:,} runs of {STEPS} steps, judged by a second fold of the raw log and by `verify`: 0 violations",
    )
