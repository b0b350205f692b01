"""Wrong clocks, and clocks that are put forward and back: scores do not depend on anyone's clock.

In Edmonton, where the ride is, clocks went from two o'clock to three on 8 March 2026, at 09:00 UTC, and go from two
o'clock to one on 1 November, at 08:00 UTC.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.services.devices import create_device
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.faults.figures import Figures
from tests.scorekeeper.api.conftest import Operation, Send, list_outcomes, post, rollback_at_end
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.conftest import desk

__all__ = ["desk"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Clock = Callable[[int], dt.datetime]  # the time at the nth step
# The third cell from the end.
WHEN = re.compile(r"<td>[^<]*(?:<time[^>]*>[^<]*</time>)?</td>(?=<td>[^<]*</td><td>[^<]*</td></tr>)")
HOURS_48 = dt.timedelta(hours=48)
SUMMER_TIME, WINTER_TIME = dt.datetime(2026, 3, 8, 9, tzinfo=dt.UTC), dt.datetime(2026, 11, 1, 8, tzinfo=dt.UTC)


def right(step: int) -> dt.datetime:
    return dt.datetime(2026, 6, 20, 16, step, tzinfo=dt.UTC)


def put_back(step: int) -> dt.datetime:
    """48 hours back for some steps, ahead for others."""
    return right(step) + (-HOURS_48, dt.timedelta(0), HOURS_48)[step % 3]


def into_summer(step: int) -> dt.datetime:
    """Every step ten minutes after the one before; one hour of the day is skipped in the middle."""
    return SUMMER_TIME + dt.timedelta(minutes=10 * (step - 7))


def into_winter(step: int) -> dt.datetime:
    """Every step ten minutes after the one before; one hour of the day is repeated in the middle."""
    return WINTER_TIME + dt.timedelta(minutes=10 * (step - 7))


class Day:
    """A ride, with each step at the time that the clock shows."""

    def __init__(self, ride: Ride, organiser: Actor, clock: Clock) -> None:
        self._ride = ride
        self._organiser = organiser
        self._clock = clock
        self._steps = count()
        self._phone = Client()
        self.receipts: list[Any] = []
        self.tables: list[Any] = []
        with self._at_next():
            self._phone.cookies[DEVICE_COOKIE] = create_device(ride.rita)[1]

    def play(self, batches: list[list[Operation]]) -> None:
        """Send everything, close the contest, cut cards for two tied bikes, and publish the results."""
        contest = self._ride.contest
        ids = iter(UUID(int=number, version=4) for number in count(1))
        for operations in batches:
            with self._at_next():
                answer = post(self._phone, {"operations": operations})
                self.receipts += [_without_hashes(receipt) for receipt in answer.json()["receipts"]]
            self._save_results()
        one, two = (self._ride.bikes[number].pk for number in (1, 2))
        for do in (
            lambda: close_contest(self._organiser, next(ids), contest.pk, "the ride is over"),
            lambda: record_cut(self._organiser, next(ids), contest.pk, {one: "QS", two: "10H"}, "Ida"),
            lambda: publish_contest(self._organiser, next(ids), contest.pk, "as it stands"),
        ):
            with self._at_next():
                self.receipts.append(do().outcome)
            self._save_results()

    def _save_results(self) -> None:
        """Save the leaderboard and the JSON export, without times."""
        address = [self._ride.event.slug, self._ride.contest.slug]
        with self._at_next():
            refresh_standings(self._ride.contest.pk)
            page = Client().get(reverse("results:leaderboard", args=address)).content.decode()
            file = Client().get(reverse("results:export", args=[*address, "export.json"]))
            standings = json.loads(file.getvalue())["standings"]
        rows = re.findall(r'<tr id="row-.*?</tr>', page, re.DOTALL)
        assert rows
        self.tables.append([_read_words(WHEN.sub("", row)) for row in rows])
        self.tables.append([{**row, "last_change": None} for row in standings])

    @contextmanager
    def _at_next(self) -> Iterator[None]:
        with time_machine.travel(self._clock(next(self._steps)), tick=False):
            yield


def _without_hashes(receipt: dict[str, Any]) -> dict[str, Any]:
    """Return the receipt without the parts that depend on the time."""
    entries = [(entry["chain"], entry["seq"]) for entry in receipt["entries"]]
    return {**receipt, "entries": entries, "review": bool(receipt["review"])}


def _read_words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


@pytest.mark.slow
def test_scores_do_not_depend_on_the_servers_clock(
    ride: Ride, desk: Actor, turn_operation: Callable[..., Operation], figures: Figures
) -> None:
    first, second = turn_operation(1, 1, "chance", 24), turn_operation(2, 2, "chance", 24)
    amended = {"turn": second["id"], "seq": 1, "actions": [{"type": "paper", "box": "fives", "points": 20}]}
    batches = [
        [first, turn_operation(3, 1, "sixes", 12)],
        [second, turn_operation(1, 1, "chance", 23)],  # a conflict
        [turn_operation(1, 3, "yahtzee", 50), turn_operation(2, 1, "yahtzee", 50)],
        [turn_operation(1, 2, "chance", 9), first],  # refused, and a duplicate
        [{**turn_operation(2, 2, "fives", 20), "kind": "amend", "targets": [amended], "reason": "read wrongly"}],
        [turn_operation(2, 3, "aces", 4), turn_operation(4, 5, "yahtzee", 50)],
    ]
    for field in ("slot", "actions"):
        batches[4][0].pop(field)
    days = {}
    for clock in (right, put_back, into_summer, into_winter):
        with rollback_at_end():
            days[clock] = Day(ride, desk, clock)
            days[clock].play(batches)
            times = [entry.at for entry in Entry.objects.order_by("pk")]
            assert (times == sorted(times)) == (clock is not put_back)

    usual = days.pop(right)
    assert [one if isinstance(one, str) else one["outcome"] for one in usual.receipts] == [
        *("recorded", "recorded", "recorded", "conflict", "recorded", "recorded", "refused", "recorded"),
        *("recorded", "recorded", "recorded", "recorded", "recorded", "recorded"),
    ]
    *_, page, _file = usual.tables
    assert page[0] == "1 1 Ann Cut cards: queen of spades. 3 turns missed 2/5 74"
    assert [row.split()[-1] for row in page] == ["74", "74", "50", "12", *["–"] * 4]
    for day in days.values():
        assert day.receipts == usual.receipts
        assert day.tables == usual.tables
    figures.add(
        "13 · clocks",
        f"the server's clock put 48 hours back and ahead between {len(batches) + 3} steps of a ride, and taken through "
        "both clock changes of its zone: the same receipts, standings and pages after each step; phones send no time",
    )


def test_a_phones_time_is_never_used(
    ride: Ride, send: Send, crew_client: CrewClient, turn_operation: Callable[..., Operation]
) -> None:
    ahead = timezone.now() + HOURS_48

    assert list_outcomes(send({**turn_operation(1, 1, "chance", 20), "at": ahead.isoformat()})) == ["unreadable"]
    answer = post(
        crew_client(ride.rita),
        {"operations": [turn_operation(1, 1, "chance", 20)]},
        Date=ahead.strftime("%a, %d %b %Y %H:%M:%S GMT"),
    )

    assert list_outcomes(answer.json()["receipts"]) == ["recorded"]
    assert Entry.objects.get().at < ahead - dt.timedelta(hours=47)
