"""Two sheets for each bike instead of one: ``python benchmarks/recording_sheets.py``.

Pairs of arms in one process, on a scratch database on the local PostgreSQL, through all middleware:

- a tap: a turn of a dice run, recorded on the phone's page, which names the next bike. The group has 40 bikes, with one
  sheet each or with two;
- a queue: 100 turns of a poker run in one request to `POST /api/v1/operations`, for 880 bikes with one hand each or for
  440 with two, so that both arms have as many scorecards;
- the leaderboard of these 880 hands, once all five cards of each are recorded.

The arms take turns, request by request, and the medians are compared: a second sheet should cost what another bike
costs. The script exits with status 1 if a queue or the leaderboard takes more than 1.25 times as long with two sheets,
or a tap more than 1.5 times: its line has twice as many rows.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

if TYPE_CHECKING:
    from django.test import Client

    from scorekeeper.bikes.models import Bike
    from scorekeeper.events.models import Contest

HANDS, TURNS, QUEUE = 880, 5, 100
GROUP = 40  # bikes
PAGES = 15
GOALS = {"a tap": 1.5, "a queue of 100": 1.25, "a leaderboard of 880": 1.25}
RANKS, SUITS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), "SHDC"


class Arm:
    """An event whose bikes have one sheet each or two.

    Attributes:
        sheets: every sheet, bike by bike.
        phone: of a crew member who records them.
    """

    contest: Contest
    sheets: Sequence[Bike]
    phone: Client

    def __init__(self, slug: str, game: str, bikes: int, each: int) -> None:
        from django.test import Client
        from django.utils import timezone

        from scorekeeper.bikes.models import Bike
        from scorekeeper.bikes.selectors import list_sheets
        from scorekeeper.crew.access import DEVICE_COOKIE
        from scorekeeper.crew.models import CrewMember, Group
        from scorekeeper.crew.services.devices import create_device
        from scorekeeper.events.models import Contest, Event
        from scorekeeper.ledger.actors import Actor
        from scorekeeper.players.models import Player
        from scorekeeper.scorecards.services.sheet_sales import sell_sheet
        from scorekeeper.stops.models import Slot, Stop

        event = Event.objects.create(
            name=slug, slug=slug, date=timezone.localdate(), time_zone="UTC", state=Event.State.OPEN
        )
        self.contest = Contest.objects.create(
            event=event,
            name=slug,
            slug=slug,
            game_key=game,
            rules_version=1,
            options={"turns": TURNS},
            sheets_max=each,
        )
        stops = Stop.objects.bulk_create(
            Stop(event=event, name=f"Stop {number}", ordinal=number) for number in range(1, TURNS + 1)
        )
        Slot.objects.bulk_create(Slot(contest=self.contest, stop=stop, ordinal=stop.ordinal) for stop in stops)
        group = Group.objects.create(event=event, name="Group", ordinal=1)
        member = CrewMember.objects.create(group=group, name="Rita", role=CrewMember.Role.ROAD_CAPTAIN)
        rows = Bike.objects.bulk_create(Bike(event=event, number=number, group=group) for number in range(1, bikes + 1))
        Player.objects.bulk_create(
            Player(event=event, name=f"Rider {bike.number}", bike=bike, role=Player.Role.RIDER) for bike in rows
        )
        device, token = create_device(member)
        for bike in rows if each > 1 else ():
            sell_sheet(Actor.from_device(device), uuid4(), bike.pk, self.contest.pk, 2)
        self.sheets = list(list_sheets(self.contest))
        self.phone = Client(SERVER_NAME="localhost")
        self.phone.cookies[DEVICE_COOKIE] = token
        self.slots = list(Slot.objects.filter(contest=self.contest).order_by("ordinal"))

    def list_taps(self) -> Iterator[Callable[[], None]]:
        """Yield a tap for each sheet that records its next turn by its sum, stop by stop."""
        from django.urls import reverse

        for slot in self.slots:
            for number, sheet in enumerate(self.sheets):
                form: dict[str, Any] = {"contest": self.contest.pk, "slot": slot.pk, "operation": uuid4()}
                form |= {"way": "paper", "total": 5 + number % 26, "save": "paper"}
                address = reverse("scorecards:card", args=[sheet.pk])

                def tap(address: str = address, form: dict[str, Any] = form) -> None:
                    response = self.phone.post(address, form, headers={"HX-Request": "true"})
                    assert b"turn-result" in response.content, response.content.decode()

                yield tap

    def list_queues(self) -> Iterator[Callable[[], None]]:
        """Yield requests with 100 turns each: a card at each stop for each hand, stop by stop."""
        turns = (
            {
                "id": str(uuid4()),
                "kind": "turn",
                "contest": str(self.contest.pk),
                "bike": str(sheet.pk),
                "slot": str(slot.pk),
                "actions": [{"type": "draw", "cards": [_draw_card(number, slot.ordinal)]}],
            }
            for slot in self.slots
            for number, sheet in enumerate(self.sheets)
        )
        while operations := list(islice(turns, QUEUE)):

            def send(operations: list[Any] = operations) -> None:
                body = {"operations": operations}
                response: Any = self.phone.post("/api/v1/operations", body, content_type="application/json")
                assert {receipt["outcome"] for receipt in response.json()["receipts"]} == {"recorded"}

            yield send

    def show_leaderboard(self) -> None:
        """Request the leaderboard of the contest."""
        from django.test import Client
        from django.urls import reverse

        address = reverse("results:leaderboard", args=[self.contest.event.slug, self.contest.slug])
        assert Client(SERVER_NAME="localhost").get(address).status_code == 200


def _draw_card(hand: int, turn: int) -> str:
    """Return a card that the hand does not hold yet."""
    place = (hand * 7 + turn * 11) % 52
    return RANKS[place % 13] + SUITS[place // 13]


def compare(pairs: Iterator[Sequence[Callable[[], None]]]) -> tuple[float, float]:
    """Return the median time of each arm, in milliseconds. The first round fills caches."""
    taken: list[tuple[float, float]] = []
    for pair in pairs:
        times = []
        for run in pair:
            start = perf_counter()
            run()
            times.append((perf_counter() - start) * 1000)
        taken.append((times[0], times[1]))
    return median(one for one, _two in taken[1:]), median(two for _one, two in taken[1:])


def measure() -> dict[str, tuple[float, float]]:
    """Return the medians with one sheet for each bike and with two."""
    from django.core.management import call_command
    from django.db import connection

    from scorekeeper.standings.models import StandingsRow
    from scorekeeper.standings.services.refresh import refresh_standings

    call_command("collectstatic", interactive=False, verbosity=0)
    groups = [Arm(f"dice-{each}", "dice-run", GROUP, each) for each in (1, 2)]
    rides = [Arm(f"poker-{each}", "poker-run", HANDS // each, each) for each in (1, 2)]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    taps, queues = (
        zip(*lists, strict=False) for lists in ([a.list_taps() for a in groups], [a.list_queues() for a in rides])
    )
    found = {"a tap": compare(taps), "a queue of 100": compare(queues)}
    for arm in rides:
        refresh_standings(arm.contest.pk)
        assert StandingsRow.objects.filter(contest=arm.contest, turns_done=TURNS).count() == HANDS
    pages = ([arm.show_leaderboard for arm in rides] for _ in range(PAGES + 1))
    return found | {"a leaderboard of 880": compare(pages)}


def main() -> int:
    before = os.getloadavg()
    with scratch_database("sheets") as url:
        start_django(url)
        found = measure()
        from django.db import connections

        connections.close_all()
    is_met = True
    for name, (one, two) in found.items():
        is_met &= two / one <= GOALS[name]
        print(
            f"{name:21} one sheet a bike {one:7.1f} ms   two {two:7.1f} ms   "
            f"ratio {two / one:.2f} (goal: {GOALS[name]} or less)"
        )
    print(f"load average before {before[0]:.1f}, after {os.getloadavg()[0]:.1f}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
