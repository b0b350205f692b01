"""Sets up and plays the games at the tables of the demo ride, action by action, as the crew would record them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

from scorekeeper.common.game_adapter import get_game
from scorekeeper.desk.demo.ride_player import STAGES
from scorekeeper.desk.demo.ride_setup import DemoRide
from scorekeeper.desk.demo.table_script import ContestScript, TableScript
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import create_contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables

FIRST_STAGE = "bbq"


class DemoContest(NamedTuple):
    """A contest at the tables, and the script for its tables."""

    contest: Contest
    script: ContestScript


def add_demo_contests(event: Event, scripts: Sequence[ContestScript]) -> list[DemoContest]:
    """Create the contests, without tables yet."""
    return [DemoContest(_add_contest(event, script), script) for script in scripts]


def play_tables(ride: DemoRide, contests: Sequence[DemoContest], until_stage: str) -> None:
    """Create the tables and record everything that happens at them, once the ride has reached the barbecue.

    Args:
        until_stage: one of `STAGES`.

    Raises:
        AssertionError: an action of the file was not recorded.
    """
    if STAGES.index(until_stage) < STAGES.index(FIRST_STAGE):
        return
    people = dict(Player.objects.filter(event=ride.event).values_list("name", "pk"))
    for contest, script in contests:
        seats = [[people[name] for name in table.seats] for table in script.tables]
        create_tables(ride.organiser, uuid4(), contest.pk, seats)
        for listed, table in zip(list_tables(contest), script.tables, strict=True):
            _play_table(ride, listed.id, table)
        refresh_standings(contest.pk)


def _add_contest(event: Event, script: ContestScript) -> Contest:
    game = get_game(script.game)
    presets: Mapping[str, Mapping[str, object]] = {preset.key: preset.options for preset in game.presets}
    return create_contest(
        event,
        game,
        name=script.name,
        seats_are=Contest.SeatsAre.PLAYERS,
        options=presets[script.preset] if script.preset else {},
        odds_shown=Contest.OddsShown.COACH,
    )


def _play_table(ride: DemoRide, card_id: UUID, table: TableScript) -> None:
    # The card's first entry lists the seats, and every action adds one entry.
    for seen_length, action in enumerate(table.actions, 1):
        receipt = record_action(ride.crew[table.crew_member], uuid4(), NewAction(card_id, seen_length, [action]))
        assert receipt.is_applied, (table.seats, action, receipt)
