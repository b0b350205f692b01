"""The demo ride as `live_screens.py` changes it: a rider gets another name, a turn is recorded."""

from __future__ import annotations

import time
from itertools import count, product
from uuid import uuid4

from django.urls import reverse

from scorekeeper.common.pubsub import publish_change
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot


class LiveRide:
    """The ride, and who notes.

    Attributes:
        board: the address of its leaderboard.
        stream: the address of the board's stream.
    """

    def __init__(self) -> None:
        event = Event.objects.get()
        self._contest = next(contest for contest in event.contests.all() if not contest.is_table_game)
        address = [event.slug, self._contest.slug]
        self.board, self.stream = reverse("results:leaderboard", args=address), reverse("live:board", args=address)
        device, _token = create_device(CrewMember.objects.filter(role=CrewMember.Role.ROAD_CAPTAIN)[0])
        self._actor = Actor.from_device(device)
        slots = Slot.objects.filter(contest=self._contest).order_by("ordinal")
        self._turns = product(slots, event.bikes.filter(merged_into=None))
        self._player = Player.objects.filter(event=event).exclude(bike=None)[0]
        self._numbers = count(1)

    def rename(self) -> float:
        """Give a rider another name; return when it was announced."""
        Player.objects.filter(pk=self._player.pk).update(name=f"Rider {next(self._numbers)}")
        at = time.monotonic()
        publish_change(self._contest.pk)
        return at

    def record(self) -> None:
        """Record the next turn that nobody has rolled: in the box of its ordinal, by its final dice."""
        slot, bike = next(self._turns)
        dice = [slot.ordinal] * 5
        box = ["aces", "twos", "threes", "fours", "fives"][slot.ordinal - 1]
        actions = [{"type": "result", "dice": dice}, {"type": "score", "box": box}]
        note = TurnInput(self._contest.pk, bike.pk, slot.pk, actions, takes_over=True)
        assert record_turn(self._actor, uuid4(), note).outcome == "recorded"
