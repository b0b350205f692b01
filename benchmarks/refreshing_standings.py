"""Refreshing the standings after one card has changed: ``python benchmarks/refreshing_standings.py``.

Three databases contain a contest of 10,000, 100,000 and 1,000,000 cards. Twenty of the cards were recorded turn by
turn. The others are bare rows: a bike, a chain with one entry, a card, a seat and a standings row. In each round, one
turn after the other is corrected, and only the refresh is timed: from the stale card to the commit. Then the contest is
closed and cards are cut for a tie, and the same is measured again, since every change may now undo a cut. The query of
a screen is measured too: the best fifty rows.

Rounds are interleaved, and the medians of five rounds are compared. The script exits with status 1 if a refresh takes
more than twice as long among a million cards as among ten thousand.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS = 5
RECORDED_BIKES = 20
TIED = 2  # of the recorded cards
GOAL = 2.0
BEST_ROWS = 50
ARMS = ("open contest", "closed, with a cut", f"best {BEST_ROWS} rows")

# `md5` makes matching ids; the order key has the byte format of `games.core.standing`.
BARE_ROWS = """
CREATE TEMPORARY TABLE bare AS
    SELECT number, md5('bike' || number)::uuid AS bike, md5('card' || number)::uuid AS card,
           1 + mod(number, 250) AS total
    FROM generate_series(1001, 1000 + %(cards)s) AS number;
INSERT INTO bikes_bike (id, event_id, number, suffix, make, model, is_walk_up)
    SELECT bike, %(event)s, number, 1, '', '', false FROM bare;
INSERT INTO scorecards_chain (id, event_id, kind, length, head, is_sealed, is_alias, snapshot)
    SELECT card, %(event)s, 'card', 1, '', false, false, '' FROM bare;
INSERT INTO scorecards_scorecard (id, chain_id, contest_id) SELECT card, card, %(contest)s FROM bare;
INSERT INTO scorecards_seat (id, card_id, index, contest_id, bike_id, is_only)
    SELECT md5('seat' || number)::uuid, card, 0, %(contest)s, bike, true FROM bare;
INSERT INTO scorecards_entry (chain_id, seq, operation_id, kind, body, hash, at)
    SELECT card, 1, %(operation)s, 'record', '{}', '', now() FROM bare;
INSERT INTO standings_standingsrow (id, contest_id, bike_id, total, order_key, tie_key, status, turns_done, log_length)
    SELECT card, %(contest)s, bike, total,
           '\\x810181'::bytea || set_byte('\\x00'::bytea, 0, total), 0, 'playing', 1, 1 FROM bare;
"""


def run_arm(cards: int, url: str) -> None:
    """Fill a database, then reply to each input line with the milliseconds of one round."""
    start_django(url)
    ride = Ride(cards)
    print("ready", flush=True)
    for line in sys.stdin:
        match line.strip():
            case "close":
                ride.close()
                print("closed", flush=True)
            case "refresh":
                print(json.dumps(ride.measure_refresh()), flush=True)
            case "show":
                print(json.dumps(ride.measure_best_rows()), flush=True)


class Ride:
    """A contest with many cards, a few of which were really recorded."""

    def __init__(self, cards: int) -> None:
        from django.contrib.auth.models import User
        from django.db import connection

        from scorekeeper.bikes.models import Bike
        from scorekeeper.events.models import Contest, Event, Organiser
        from scorekeeper.ledger.actors import Actor
        from scorekeeper.ledger.models import Operation
        from scorekeeper.standings.services.refresh import refresh_standings
        from scorekeeper.stops.models import Slot, Stop

        event = Event.objects.create(name="Big day", slug="big-day", date=dt.date(2026, 6, 20), state="open")
        organiser = Organiser.objects.create(event=event, user=User.objects.create(username="alice"))
        self.contest = Contest.objects.create(
            event=event, name="Yahtzee", slug="yahtzee", game_key="rock-yahtzee", rules_version=1
        )
        stop = Stop.objects.create(event=event, name="Parks", ordinal=1)
        self.slots = [Slot.objects.create(contest=self.contest, stop=stop, ordinal=number) for number in range(1, 6)]
        self.desk = Actor.from_organiser(organiser)
        self.bikes = [Bike.objects.create(event=event, number=number) for number in range(1, RECORDED_BIKES + 1)]
        for bike in self.bikes:
            self._record_turns(bike.pk)
        refresh_standings(self.contest.pk)
        operation = Operation.objects.values_list("pk", flat=True)[0]
        values = {"cards": cards - RECORDED_BIKES, "event": event.pk, "contest": self.contest.pk}
        with connection.cursor() as cursor:
            for statement in BARE_ROWS.split(";\n"):
                if statement.strip():
                    cursor.execute(statement, {**values, "operation": operation})
            cursor.execute("VACUUM ANALYZE")
        self.round = 0

    def _record_turns(self, bike: UUID) -> None:
        from scorekeeper.scorecards.services.turns import TurnInput, record_turn

        for slot, box in zip(self.slots, ("chance", "aces", "twos", "threes", "fours"), strict=True):
            actions = [{"type": "paper", "box": box, "points": 20 if box == "chance" else 0}]
            record_turn(self.desk, uuid4(), TurnInput(self.contest.pk, bike, slot.pk, actions))

    def close(self) -> None:
        """Close the contest and record a cut for the first recorded cards, without writing to the other cards."""
        from scorekeeper.ledger.models import Chain, StaleCard
        from scorekeeper.ledger.services.operation_context import OperationContext
        from scorekeeper.ledger.services.recording import RECORDED, OperationResult, record
        from scorekeeper.standings.services.refresh import refresh_standings

        self.contest.status = "closed"
        self.contest.save()
        cards = {str(bike.pk): card for bike, card in zip(self.bikes[:TIED], ("QS", "KH"), strict=True)}

        def cut(context: OperationContext) -> OperationResult:
            chain = context.lock_or_create_chain(self.contest.pk, Chain.Kind.CONTEST)
            context.append(chain, "cut", data={"cards": cards})
            return RECORDED

        record(uuid4(), "cut", self.desk, {}, cut)
        self._correct(self.bikes[0].pk, 30)
        self._correct(self.bikes[1].pk, 30)
        refresh_standings(self.contest.pk)
        assert not StaleCard.objects.exists()

    def _correct(self, bike: UUID, points: int) -> None:
        from scorekeeper.scorecards.contest_rules import derive_card_id
        from scorekeeper.scorecards.models import Turn
        from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns

        turn = Turn.objects.get(card=derive_card_id(self.contest.pk, bike), line="chance")
        target = CorrectionTarget(turn.pk, turn.seq, [{"type": "paper", "box": "chance", "points": points}])
        amend_turns(self.desk, uuid4(), self.contest.pk, bike, [target], "misread the dice")

    def measure_refresh(self) -> list[float]:
        """Correct every recorded card, and return how long each refresh took."""
        from scorekeeper.standings.services.refresh import refresh_standings

        self.round += 1
        taken = []
        for number, bike in enumerate(self.bikes):
            self._correct(bike.pk, 10 + (self.round + number) % 15)
            start = perf_counter()
            assert refresh_standings(self.contest.pk)
            taken.append((perf_counter() - start) * 1000)
        return taken

    def measure_best_rows(self) -> list[float]:
        """Return how long each query of the best rows took."""
        from scorekeeper.standings.models import StandingsRow

        best = StandingsRow.objects.filter(contest=self.contest).order_by("-order_key", "tie_key")
        taken = []
        for _ in range(RECORDED_BIKES):
            start = perf_counter()
            assert len(best[:BEST_ROWS]) == BEST_ROWS
            taken.append((perf_counter() - start) * 1000)
        return taken


class Arm:
    """A separate process with a contest of this many cards."""

    def __init__(self, cards: int, url: str) -> None:
        command = [sys.executable, __file__, str(cards), url]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def send(self, command: str = "") -> Any:
        """Send a command and return the reply; without a command, wait for the next reply."""
        assert self.process.stdin
        assert self.process.stdout
        if command:
            print(command, file=self.process.stdin, flush=True)
        reply = self.process.stdout.readline()
        if not reply:
            sys.exit("An arm has died.")
        return json.loads(reply) if reply.startswith("[") else reply

    def stop(self) -> None:
        """End the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    with ExitStack() as stack:
        arms: dict[int, Arm] = {}
        for cards in SIZES:
            arms[cards] = Arm(cards, stack.enter_context(scratch_database(str(cards))))
            stack.callback(arms[cards].stop)
            arms[cards].send()
        measured: dict[str, dict[int, list[float]]] = {name: {cards: [] for cards in SIZES} for name in ARMS}
        for name, command in zip(ARMS, ("refresh", "refresh", "show"), strict=True):
            if name == ARMS[1]:
                for arm in arms.values():
                    arm.send("close")
            for _ in range(ROUNDS):
                for cards, arm in arms.items():
                    measured[name][cards].append(median(arm.send(command)))
    for name, by_size in measured.items():
        for cards, taken in by_size.items():
            print(f"{name:20} {cards:9,} cards {median(taken):7.2f} ms   ({min(taken):.2f} to {max(taken):.2f})")
    ratios = [median(measured[name][SIZES[-1]]) / median(measured[name][SIZES[0]]) for name in ARMS]
    for name, ratio in zip(ARMS, ratios, strict=True):
        print(f"{name}: a hundred times the cards take {ratio:.2f} times as long (goal: {GOAL:.0f} or less)")
    return 0 if max(ratios) <= GOAL else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_arm(int(sys.argv[1]), sys.argv[2])
    else:
        sys.exit(main())
