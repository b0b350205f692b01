"""Fixtures: the ride of the bundles, in which nearly everything happened, and what is stored beside it of Ann.

Ann rides bike 1 and is in the crew, she signed up, a walk-up has her name, and texts mention her. Everybody else of the
ride has a name with `OTHER` in it, so that a test can search an export for other people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.agreements.services import add_objection, settle_objection
from scorekeeper.crew.models import CrewMember, CrewMessage, Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.crew.services.messages import record_messages_read, send_message
from scorekeeper.crew.services.phone_memory import PhoneMemory, record_memory
from scorekeeper.desk.models import DismissedWarning
from scorekeeper.event_page.models import EventPage
from scorekeeper.events.models import Organiser
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import UncheckedPeople
from scorekeeper.players.models import Player
from scorekeeper.players.sign_ups import PlaceRequest, add_sign_up
from scorekeeper.prints.models import PrintJob
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.seasons.models import Season, SeasonLink, SeasonRider, SeasonRound
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.bundles.conftest import PRIVATE, official_ride, played_ride
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_actor, make_paper_turn
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    fetch_table,
    people,
    pig_contest,
    rogue_contest,
)

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "desk",
    "fetch_table",
    "official_ride",
    "people",
    "pig_contest",
    "played_ride",
    "rogue_contest",
]

OTHER = PRIVATE
NAME = "Annabel Longfellow"


@pytest.fixture
def full_ride(official_ride: Ride, add_turn: Callable[..., Any], desk: Actor) -> Ride:
    """The published ride, with everything that can be stored about Ann."""
    ride, event = official_ride, official_ride.event
    Player.objects.filter(event=event, bike=ride.bikes[1], role=Player.Role.RIDER).update(name=NAME)
    # Group one has a public name in the bundles' ride.
    Group.objects.filter(pk=ride.group_two.pk).update(name=f"Band of {OTHER}")
    CrewMember.objects.filter(pk=ride.rita.pk).update(name=NAME)
    EventPage.objects.filter(event=event).update(contact_name=NAME)
    device, _token = create_device(CrewMember.objects.get(pk=ride.rita.pk))
    create_invitation(ride.rita)
    other_device, _token = create_device(ride.gus)
    message = CrewMessage(event=event, text=f"{NAME} has the dice of Gus {OTHER}")
    send_message(message)
    for reader in (device, other_device):
        record_messages_read(reader, [message.pk])
        for _number in range(2):  # the second one means that the first is lost
            record_memory(reader, PhoneMemory(str(uuid4()), 1), lambda _device: 0)
    contact = f"{NAME} 555-0101"
    add_sign_up(event, PlaceRequest(uuid4(), NAME, f"Jo {OTHER}", "BSA", "Bantam", 99, contact), "192.0.2.1")
    add_sign_up(event, PlaceRequest(uuid4(), f"Jo {OTHER}", NAME, "BSA", "Rocket", 98, f"of {OTHER}"), "192.0.2.2")
    revoked = Actor(ride.rita.pk, event.pk, device.pk, ride.group_one.pk, needs_review=True)
    register_bike(revoked, uuid4(), WalkUp(uuid4(), 88, ride.group_one.pk, rider=NAME, passenger=f"Jo {OTHER}"))
    assert UncheckedPeople.objects.exists()
    for bike, text in ((1, f"{NAME} rolled more than Ben {OTHER}"), (2, f"{NAME} has it"), (3, f"ask {OTHER}")):
        objection = uuid4()
        add_objection(ride.contest, ride.bikes[bike], objection, text, "192.0.2.3")
        if bike == 1:
            settle_objection(event.objections.get(pk=objection), desk.id, f"{NAME} is right, says {OTHER}")
    DismissedWarning.objects.create(
        event=event, key="one", reason=f"Asked {NAME}", dismissed_by=desk.id, dismissed_at=timezone.now()
    )
    add_turn(1, 3, make_paper_turn("aces", 3), by=make_actor(ride.rita), reason=f"{NAME} and Ben {OTHER} said")
    season = Season.objects.create(name="The year", slug="the-year", points=[3, 2, 1])
    season_round = SeasonRound.objects.create(season=season, contest=ride.contest)
    for number in (1, 2):
        rider = SeasonRider.objects.create(season=season)
        SeasonLink.objects.create(rider=rider, round=season_round, holder_id=ride.bikes[number].pk)
    PrintJob.objects.create(
        event=event,
        contest=ride.contest,
        kind="scorecards",
        paper="a4",
        holder=ride.bikes[1].pk,
        is_public=False,
        created_at=timezone.now(),
        step_at=timezone.now(),
    )
    bob = Organiser.objects.get(event=event, user__username="bob")
    bob.user.username = NAME
    bob.user.save()
    remove_organiser(bob)
    refresh_standings(ride.contest.pk)
    return ride
