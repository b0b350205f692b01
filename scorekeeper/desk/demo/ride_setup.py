"""Sets up the demo ride: what an organiser does before the day, through the services that the pages use."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from scorekeeper.bikes.models import Bike
from scorekeeper.common.event_dates import get_day_next_year
from scorekeeper.common.game_adapter import get_game
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.groups import add_group
from scorekeeper.crew.services.members import add_member
from scorekeeper.desk.demo.ride_script import RideScript, parse_bikes
from scorekeeper.event_page.models import EventPage
from scorekeeper.event_page.services import (
    ProgrammeEntry,
    add_sponsor,
    save_distances,
    save_page,
    save_programme,
)
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.services.contests import create_contest
from scorekeeper.events.services.events import create_event, open_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.stops.coordinates import parse_coordinates
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.services import StopDetails, add_stop, set_slots, update_stop

GAME = "rock-yahtzee"


@dataclass(frozen=True)
class DemoRide:
    """The ride after its setup, with everything that the script refers to by name.

    Attributes:
        bikes: by their name in the file; walk-ups join later.
        crew: an actor, with a phone, for every name.
        dice_sets: the dice that each crew member carries.
    """

    event: Event
    contest: Contest
    slots: Mapping[int, Slot]
    bikes: dict[str, Bike]
    crew: Mapping[str, Actor]
    dice_sets: Mapping[str, DiceSet]
    organiser: Actor


@dataclass(frozen=True)
class Roster:
    """The bikes and the crew of a ride, by their names in its file.

    Attributes:
        crew: an actor, with a phone, for every name.
        dice_sets: the dice that each crew member carries.
    """

    bikes: dict[str, Bike]
    crew: dict[str, Actor]
    dice_sets: dict[str, DiceSet]


def set_up_ride(script: RideScript, organiser: User, name: str, date: dt.date) -> DemoRide:
    """Create the event, its stops, groups, crews, phones, roster, contest and prizes, and open it.

    It is a practice event of no ride: whatever is tried out in it counts nowhere.
    """
    zone = script.event["time_zone"]
    event = create_event(organiser, name=name, date=date, time_zone=zone, is_listed=True, is_practice=True)
    contest = create_contest(
        event,
        get_game(GAME),
        name=script.event["contest"],
        seats_are=Contest.SeatsAre.BIKES,
        options={},
        groups=GroupSetting(**script.event["groups"]),
    )
    stops = {stop_name: add_stop(event, stop_name) for stop_name in script.event["stops"]}
    stop_names = script.event["slots"]
    set_slots(contest, [(stop, stop_names.count(stop_name)) for stop_name, stop in stops.items()])
    roster = add_groups(event, script.groups)
    open_event(event)
    organiser_actor = Actor.from_organiser(Organiser.objects.get(event=event, user=organiser))
    for prize in script.prizes:
        add_demo_prize(organiser_actor, contest, prize, stops)
    _add_page(event, script.page, stops)
    slots = {slot.ordinal: slot for slot in contest.slots.all()}
    return DemoRide(event, contest, slots, roster.bikes, roster.crew, roster.dice_sets, organiser_actor)


def _add_page(event: Event, page: Mapping[str, Any], stops: Mapping[str, Stop]) -> None:
    """Fill in the event's own page, and the places of the stops."""
    values = {
        "text": page["text"].strip(),
        "what_to_bring": "\n".join(page["what_to_bring"]),
        "next_date": get_day_next_year(event.date),
        **{f"contact_{name}": value for name, value in page["contact"].items()},
    }
    save_page(EventPage(event=event), values)
    points = [ProgrammeEntry(point.get("day", 0), point["time"], point["text"]) for point in page["programme"]]
    save_programme(event, {}, points)
    for sponsor in page["sponsors"]:
        add_sponsor(event, sponsor["name"], sponsor["link"], None)
    for place in page["places"]:
        stop = stops[place["stop"]]
        update_stop(stop, StopDetails(stop.name, address=place["address"], coordinates=parse_coordinates(place["at"])))
    known = [place for place in page["places"] if "distance" in place]
    save_distances(event, {stops[place["stop"]].pk: round(place["distance"] * 1000) for place in known})


def add_groups(event: Event, parts: Sequence[Mapping[str, Any]]) -> Roster:
    """Create the groups of a file with their crews, phones and bikes."""
    roster = Roster({}, {}, {})
    for part in parts:
        group = add_group(event, part["name"])
        roster.bikes.update(_add_bikes(event, group, part["bikes"]))
        for (role, member_name), dice_set in zip(part["crew"].items(), group.dice_sets.all(), strict=True):
            roster.crew[member_name] = _make_phone_actor(add_member(group, name=member_name, role=role))
            roster.dice_sets[member_name] = dice_set
    return roster


def add_demo_prize(organiser: Actor, contest: Contest, prize: Mapping[str, Any], stops: Mapping[str, Stop]) -> None:
    """Add a prize of a file."""
    settings = PrizeSettings(
        contest,
        prize["name"],
        prize.get("sponsor", ""),
        prize["rule"],
        prize.get("place"),
        stops[prize["stop"]].pk if "stop" in prize else None,
        prize.get("best_of"),
        ties=prize.get("ties", Prize.Ties.DECIDE),
    )
    add_prize(organiser, contest.event, uuid4(), settings)


def _make_phone_actor(member: CrewMember) -> Actor:
    device, _token = create_device(member)
    return Actor.from_device(device)


def _add_bikes(event: Event, group: Group, lines: str) -> dict[str, Bike]:
    bikes = {}
    for line in parse_bikes(lines):
        bike = Bike.objects.create(event=event, number=line.number, make=line.make, model=line.model, group=group)
        roles = [Player.Role.RIDER, *[Player.Role.PASSENGER] * (len(line.people) - 1)]
        Player.objects.bulk_create(
            Player(event=event, name=name, bike=bike, role=role) for name, role in zip(line.people, roles, strict=True)
        )
        bikes[line.bike] = bike
    return bikes
