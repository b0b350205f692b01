"""Another ride of the demo, a poker run with a dice run beside it: `poker_ride.toml`, read, set up and played.

Every step goes through the services that the pages use.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import get_game
from scorekeeper.desk.demo.ride_setup import Roster, add_demo_prize, add_groups
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.services.contests import create_contest
from scorekeeper.events.services.events import create_event, open_event
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.services.sheet_sales import sell_sheet
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Stop
from scorekeeper.stops.services import add_stop, set_slots

FILE = Path(__file__).with_name("poker_ride.toml")
NOTHING = "-"
MISSED = "missed"

Actions = list[dict[str, Any]]

PARSERS: Mapping[str, Callable[[str], Actions]] = {
    "poker-run": lambda card: [{"type": "draw", "cards": [card]}],
    "dice-run": lambda faces: [{"type": "throw", "dice": [int(face) for face in faces]}],
}


def load_poker_ride(organiser: User) -> Event:
    """Create the ride, today, and record what the crews have recorded so far.

    It is a practice event of no ride, as all rides of the demo are.

    Raises:
        AssertionError: a turn of the file was not recorded, or a hand not sold.
    """
    script = tomllib.loads(FILE.read_text(encoding="utf-8"))
    with transaction.atomic():
        event, contests, roster = _set_up(script, organiser)
    for part in script["turns"]:
        for line in filter(None, map(str.strip, part["entries"].split("\n"))):
            if line.startswith("sell "):
                _sell_hand(line, contests, roster)
            else:
                _record_line(line, part["stop"], contests, roster)
    for contest in contests:
        refresh_standings(contest.pk)
    return event


def parse_turns(line: str, games: Sequence[str]) -> tuple[str, str, list[Actions | None]]:
    """Return the bike, the crew member and the actions of a turn in each contest, None where nothing is recorded.

    Args:
        games: the keys of the contests' games.

    Raises:
        ValueError: the line does not have a turn for each contest.
    """
    bike, member, *turns = line.split()
    if len(turns) != len(games):
        raise ValueError(f"a line has a turn for each contest: {line!r}")
    return bike, member, [_parse_turn(game, turn) for game, turn in zip(games, turns, strict=True)]


def _parse_turn(game: str, text: str) -> Actions | None:
    if text == NOTHING:
        return None
    return [{"type": "forfeit"}] if text == MISSED else PARSERS[game](text)


def _set_up(script: Mapping[str, Any], organiser: User) -> tuple[Event, list[Contest], Roster]:
    zone = script["event"]["time_zone"]
    date = timezone.localdate(timezone=ZoneInfo(zone))
    event = create_event(
        organiser, name=script["event"]["name"], date=date, time_zone=zone, is_listed=True, is_practice=True
    )
    stops = {name: add_stop(event, name) for name in script["event"]["stops"]}
    contests = [_add_contest(event, part, list(stops.values())) for part in script["contests"]]
    roster = add_groups(event, script["groups"])
    open_event(event)
    organiser_actor = Actor.from_organiser(Organiser.objects.get(event=event, user=organiser))
    by_name = {contest.name: contest for contest in contests}
    for prize in script["prizes"]:
        add_demo_prize(organiser_actor, by_name[prize["contest"]], prize, stops)
    return event, contests, roster


def _add_contest(event: Event, part: Mapping[str, Any], stops: Sequence[Stop]) -> Contest:
    game = get_game(part["game"])
    preset = next(preset for preset in game.presets if preset.key == part["preset"])
    contest = create_contest(
        event,
        game,
        name=part["name"],
        seats_are=Contest.SeatsAre.BIKES,
        options={**preset.options, **part.get("options", {})},
        sheets_max=part.get("hands", 1),
    )
    set_slots(contest, [(stop, 1) for stop in stops])
    return contest


def _sell_hand(line: str, contests: Sequence[Contest], roster: Roster) -> None:
    _verb, hand, member = line.split()
    bike, number = hand.split("/")
    (contest,) = filter(sells_sheets, contests)
    receipt = sell_sheet(roster.crew[member], uuid4(), roster.bikes[bike].pk, contest.pk, int(number))
    assert receipt.is_applied, (line, receipt)
    roster.bikes[hand] = Bike.entrants.get(sheet_of=roster.bikes[bike], sheet=int(number))


def _record_line(line: str, stop: str, contests: Sequence[Contest], roster: Roster) -> None:
    bike, member, turns = parse_turns(line, [contest.game_key for contest in contests])
    for contest, actions in zip(contests, turns, strict=True):
        if actions is None:
            continue
        slot = contest.slots.get(stop__name=stop)
        turn = TurnInput(contest.pk, roster.bikes[bike].pk, slot.pk, tuple(actions))
        receipt = record_turn(roster.crew[member], uuid4(), turn)
        assert receipt.is_applied, (line, receipt)
