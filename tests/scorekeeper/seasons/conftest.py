"""A season of two rides of Alice's, both with published results.

At the first ride Ann (bike 1) is first, Ben (bike 2, with Zoe) second and Cleo (bike 3) third. At the second ride Ben
(now bike 7, alone) is first, Ann (still bike 1) second and Dan (bike 3) third.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.seasons.models import Season, SeasonRound
from scorekeeper.seasons.services import add_round, create_season, link_riders
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.models import Slot, Stop

POINTS = (10, 6, 3)


def make_ride(user: User, name: str, month: int, bikes: list[tuple[int, list[str], int]]) -> Contest:
    """Return the published contest of a ride with one turn.

    Args:
        bikes: the number, the people and the points of each bike.
    """
    event = Event.objects.create(name=name, slug=f"ride-{month}", date=dt.date(2026, month, 1), state=Event.State.OPEN)
    actor = Actor.from_organiser(Organiser.objects.create(event=event, user=user))
    stop = Stop.objects.create(event=event, name="Finale", ordinal=1)
    contest = Contest.objects.create(
        event=event, name="R.O.C.K.", slug="rock", game_key="rock-yahtzee", rules_version=1, options={"turns": 1}
    )
    slot = Slot.objects.create(contest=contest, stop=stop, ordinal=1)
    for number, people, points in bikes:
        bike = Bike.objects.create(event=event, number=number, make="Honda")
        for role, person in zip((Player.Role.RIDER, Player.Role.PASSENGER), people, strict=False):
            Player.objects.create(event=event, name=person, bike=bike, role=role)
        actions = [{"type": "paper", "box": "chance", "points": points}]
        record_turn(actor, uuid4(), TurnInput(contest.pk, bike.pk, slot.pk, actions, reason="paper card"))
    close_contest(actor, uuid4(), contest.pk, "the ride is over")
    publish_contest(actor, uuid4(), contest.pk, "all is decided")
    contest.refresh_from_db()
    return contest


@pytest.fixture
def first_ride(alice: User) -> Contest:
    return make_ride(alice, "May run", 5, [(1, ["Ann"], 30), (2, ["Ben", "Zoe"], 20), (3, ["Cleo"], 10)])


@pytest.fixture
def second_ride(alice: User) -> Contest:
    return make_ride(alice, "June run", 6, [(7, ["Ben"], 30), (1, ["Ann"], 20), (3, ["Dan"], 10)])


@pytest.fixture
def season(alice: User) -> Season:
    """The season, without any ride."""
    return create_season(alice, name="Season 2026", points=POINTS, points_below=0, best_count=None, is_listed=False)


@pytest.fixture
def first_round(season: Season, first_ride: Contest) -> SeasonRound:
    """The first ride, in which everyone is new in the season."""
    added = add_round(season, first_ride)
    link_riders(added, dict.fromkeys(get_entrants(first_ride).values()))
    return added


@pytest.fixture
def second_round(season: Season, second_ride: Contest) -> SeasonRound:
    """The second ride, in which nobody is linked yet."""
    return add_round(season, second_ride)


def get_entrants(contest: Contest) -> Mapping[int, UUID]:
    """Return the bikes of a contest's ride by number."""
    return dict(Bike.objects.filter(event=contest.event).values_list("number", "pk"))
