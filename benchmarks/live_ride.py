"""The demo ride and the changes that the benchmarks of live screens make: renaming a rider, recording a turn."""

from __future__ import annotations

import time
from itertools import count, product
from uuid import uuid4

from django.urls import reverse

from scorekeeper.audience.reveals import get_reveal
from scorekeeper.audience.services import reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.common.pubsub import publish_change
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot


class LiveRide:
    """The ride, and the crew member who records turns.

    Attributes:
        bikes: all of them; each records its next turn once they have all recorded one more.
        board: the path of its leaderboard.
        stream: the path of the leaderboard's stream.
    """

    def __init__(self) -> None:
        event = Event.objects.get()
        self.event = event
        self.contest = next(contest for contest in event.contests.all() if contest.game.slot_option)
        address = [event.slug, self.contest.slug]
        self.board, self.stream = reverse("results:leaderboard", args=address), reverse("live:board", args=address)
        device, _token = create_device(CrewMember.objects.filter(role=CrewMember.Role.ROAD_CAPTAIN)[0])
        self._actor = Actor.from_device(device)
        self.bikes = list(event.bikes.filter(merged_into=None))
        slots = Slot.objects.filter(contest=self.contest).order_by("ordinal")
        self._turns = product(slots, enumerate(self.bikes))
        self._player = Player.objects.filter(event=event).exclude(bike=None)[0]
        self._numbers = count(1)

    def rename(self) -> float:
        """Rename a rider; return the time at which the change was published."""
        Player.objects.filter(pk=self._player.pk).update(name=f"Rider {next(self._numbers)}")
        published_at = time.monotonic()
        publish_change(self.contest.pk)
        return published_at

    def record(self) -> Bike:
        """Record the next turn that nobody has rolled, and return whose it is: final dice, in the box of its ordinal.

        How many of the dice count differs, so that the reveal has many places.
        """
        slot, (number, bike) = next(self._turns)
        counting = 1 + number // 5 ** (slot.ordinal - 1) % 5
        dice = [slot.ordinal] * counting + [6] * (5 - counting)
        box = ["aces", "twos", "threes", "fours", "fives"][slot.ordinal - 1]
        actions = [{"type": "result", "dice": dice}, {"type": "score", "box": box}]
        turn = TurnInput(self.contest.pk, bike.pk, slot.pk, actions, takes_over=True)
        assert record_turn(self._actor, uuid4(), turn).outcome == "recorded"
        return bike

    def start_reveal(self) -> int:
        """Begin to reveal the leaderboard; return how many steps follow, each with another place."""
        start_reveal(self.event, [self.contest])
        reveal = get_reveal(self.event)
        assert reveal is not None
        return reveal.last_step

    def reveal(self, step: int) -> None:
        """Announce the place of a step."""
        reveal_to_step(self.event, step)
