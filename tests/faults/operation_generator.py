"""A busy ride: phones that share its scorecards and tables, and send every kind of operation that a phone can send.

A phone reads a scorecard, as its page would show it, before it corrects or moves anything there. What others do at
the same moment makes some of that stale, as in real use. Several phones enter the same turn or action, equal or not.
Without signal a phone reads nothing: while the database is down, it only enters turns.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import psycopg

from games.core.registry import find_games
from games.core.replay import replay
from tests.faults import log_checks
from tests.faults.phones import Phone
from tests.faults.ride import BOXES, TIED, FaultRide
from tests.games.sampling import list_specs, sample

Operation = dict[str, Any]

TWINS = 30  # the last entered turns and actions, which another phone may enter again
NUMBERS = 12  # given by walk-ups


class OperationGenerator:
    """Generates what the phones of one ride send."""

    def __init__(self, ride: FaultRide, database: str | Path, seed: int) -> None:
        self.ride = ride
        self._database = database
        self._seed = seed
        self._bikes = ride.bikes[TIED:]
        self._unused: defaultdict[Random, list[str]] = defaultdict(list)  # bikes, by the phone that registered them
        self._last: list[Operation] = []
        self._box = {bike: Random(bike).sample(BOXES, len(ride.slots)) for bike in ride.bikes}

    def make_phones(self, port: int, count: int, batch: int) -> list[Phone]:
        """Return the phones of the ride, each with this many operations to come."""
        phones = [
            Phone(port, cookie, [], batch=batch, source=self.make_operations(number, count))
            for number, cookie in enumerate(self.ride.phones)
        ]
        phones[0].queue += self.make_ties()
        for number, phone in enumerate(phones):
            phone.queue += self.make_mistake(number)
        return phones

    def make_operations(self, number: int, count: int) -> Iterator[Operation]:
        """Generate operations for a phone, each at the moment it is requested.

        Args:
            number: the phone's number.
            count: how many; after some fifty, every kind has occurred.
        """
        chance = Random(f"{self._seed}, {number}")
        deck = [make for make, times in self._DECK.items() for _ in range(times)]
        chance.shuffle(deck)
        for make in islice(cycle(deck), count):
            yield {"id": _make_id(chance), **self._make(make, chance)}

    def make_ties(self) -> list[Operation]:
        """Return turns after which two pairs of bikes are tied, above all others.

        Only the first pair is tied at a prize place of the whole contest. Such a tie is cut before any tie in a class.
        """
        boxes = ("yahtzee", "large_straight", "full_house", "sixes", "fives")
        dice = ([6] * 5, [2, 3, 4, 5, 6], [6, 6, 6, 5, 5], [6] * 5)
        chance = Random(self._seed)
        return [
            {"id": _make_id(chance), **self._make_turn(bike, slot, rolled, box)}
            for number, bike in enumerate(self.ride.bikes[:TIED])
            for slot, rolled, box in zip(
                self.ride.slots, (*dice, [5] * 5 if number < TIED // 2 else [5, 5, 5, 5, 1]), boxes, strict=True
            )
        ]

    def make_mistake(self, number: int) -> list[Operation]:
        """Return a phone's registration of a bike and its withdrawal: a ride too short for luck has one too."""
        chance = Random(f"{self._seed}, mistake of {number}")
        bike = _make_id(chance)
        return [
            {"id": _make_id(chance), "kind": "register_bike", "bike": bike, "number": NUMBERS + 1 + number},
            {"id": _make_id(chance), "kind": "withdraw_bike", "bike": bike},
        ]

    def _make(self, make: Callable[[OperationGenerator, Random], Operation | None], chance: Random) -> Operation:
        try:
            return make(self, chance) or self._turn(chance)
        except (psycopg.Error, sqlite3.Error):
            return self._turn(chance)

    def _turn(self, chance: Random) -> Operation:
        bike, number = chance.choice(self._bikes), chance.randrange(len(self.ride.slots))
        dice = [chance.randint(1, 6) for _ in range(5)]
        box = self._box[bike][number] if bike in self._box else chance.choice(BOXES)
        return self._remember(self._make_turn(bike, self.ride.slots[number], dice, box))

    def _make_turn(self, bike: str, slot: str, dice: list[int], box: str) -> Operation:
        actions = [{"type": "result", "dice": dice}, {"type": "score", "box": box}]
        return {"kind": "turn", "contest": self.ride.contest, "bike": bike, "slot": slot, "actions": actions}

    def _duplicate(self, chance: Random) -> Operation | None:
        """Enter again what another phone has just entered."""
        return dict(chance.choice(self._last)) if self._last else None

    def _remember(self, operation: Operation) -> Operation:
        self._last = [*self._last[1 - TWINS :], operation]
        return operation

    def _amend(self, chance: Random) -> Operation | None:
        """Correct the dice of a turn."""
        found = self._find_turn(chance)
        if found is None:
            return None
        bike, turn, current = found
        dice = [chance.randint(1, 6) for _ in range(5)]
        actions = [{"type": "result", "dice": dice}, *current.actions[1:]]
        return self._amend_with(bike, {"turn": turn, "seq": current.seq, "actions": actions})

    def _void(self, chance: Random) -> Operation | None:
        found = self._find_turn(chance)
        return found and self._amend_with(found[0], {"turn": found[1], "seq": found[2].seq})

    def _unretire(self, chance: Random) -> Operation | None:
        """Undo a bike's retirement."""
        found = self._find_turn(chance, has_left=True)
        return found and self._amend_with(found[0], {"turn": found[1], "seq": found[2].seq})

    def _amend_with(self, bike: str, target: dict[str, Any]) -> Operation:
        where = {"contest": self.ride.contest, "bike": bike}
        return {"kind": "amend", **where, "targets": [target], "reason": "misread"}

    def _move(self, chance: Random) -> Operation | None:
        found = self._find_turn(chance)
        if found is None:
            return None
        bike, turn, current = found
        other = chance.choice([one for one in self._bikes if one != bike])
        where = {"contest": self.ride.contest, "bike": bike, "to_bike": other}
        return {"kind": "move", **where, "turn": turn, "seq": current.seq, "reason": "wrong bike"}

    def _register(self, chance: Random) -> Operation:
        """Register a bike under a number that another has. Half of these bikes get turns."""
        bike = _make_id(chance)
        (self._bikes if chance.random() < 0.5 else self._unused[chance]).append(bike)
        return {"kind": "register_bike", "bike": bike, "number": chance.randint(1, NUMBERS)}

    def _withdraw(self, chance: Random) -> Operation | None:
        """Undo a registration by this phone."""
        unused = self._unused[chance]
        return {"kind": "withdraw_bike", "bike": unused.pop()} if unused else None

    def _retire(self, chance: Random) -> Operation:
        bike = chance.choice(self._bikes)
        return {"kind": "retire", "contest": self.ride.contest, "bike": bike, "reason": "flat tyre"}

    def _check(self, chance: Random) -> Operation:
        """Tick an item of the check-in list for a bike, or untick it."""
        bike, item = chance.choice(self._bikes), chance.choice(self.ride.check_items)
        return {"kind": "check", "bike": bike, "item": item, "checked": chance.random() < 0.7}

    def _agree(self, chance: Random) -> Operation:
        """Agree to a bike's card, or no longer. Whether it still says what was seen does not matter here."""
        seen = {
            "contest": self.ride.contest,
            "bike": chance.choice(self._bikes),
            "digest": f"{chance.randint(1, 3):064x}",
        }
        return {"kind": "agree", **seen, "agreed": chance.random() < 0.7}

    def _mark_did_not_start(self, chance: Random) -> Operation:
        """Say that a bike did not start: one that has no turns, if there is one. Now and then, take it back."""
        unused = self._unused[chance]
        bike = chance.choice(unused) if unused else chance.choice(self._bikes)
        return {"kind": "did_not_start", "bike": bike, "value": chance.random() < 0.8}

    def _act(self, chance: Random) -> Operation | None:
        """Do one of the actions that a table offers now."""
        table = chance.choice(self.ride.tables)
        bodies = log_checks.read_chain(self._database, table)
        seats = len(log_checks.read_seats(bodies))
        ruleset = find_games()["rogue"].ruleset({})
        done = [action for one in log_checks.read_current(bodies).values() for action in one.actions]
        offered = list_specs(ruleset, replay(ruleset, seats, done).state)
        usual = [spec for spec in offered if spec.type != "retire"] or offered
        if not usual:
            return None
        actions = [sample(chance.choice(usual), chance)]
        return self._remember({"kind": "action", "card": table, "seen": len(bodies), "actions": actions})

    def _correct(self, chance: Random) -> Operation | None:
        """Void the last action at a table, or one that later actions depend on."""
        table = chance.choice(self.ride.tables)
        current = log_checks.read_current(log_checks.read_chain(self._database, table))
        if not current:
            return None
        action = list(current)[-1] if chance.random() < 0.7 else chance.choice(list(current))
        targets = [{"turn": action, "seq": current[action].seq}]
        return {"kind": "correct", "card": table, "targets": targets, "reason": "slipped"}

    def _find_turn(self, chance: Random, *, has_left: bool = False) -> tuple[str, str, log_checks.CurrentEntry] | None:
        """Return a bike and a turn or retirement on its scorecard; None if a few bikes have none."""
        for bike in chance.sample(self._bikes, min(6, len(self._bikes))):
            bodies = log_checks.read_chain(self._database, log_checks.get_card_id(self.ride, bike))
            found = [
                (turn, one) for turn, one in log_checks.read_current(bodies).items() if (one.slot is None) == has_left
            ]
            if found:
                return bike, *chance.choice(found)
        return None

    _DECK: dict[Callable[[OperationGenerator, Random], Operation | None], int] = {
        _turn: 16,
        _duplicate: 4,
        _act: 6,
        _amend: 3,
        _void: 2,
        _move: 2,
        _register: 2,
        _withdraw: 2,
        _retire: 2,
        _unretire: 1,
        _correct: 2,
        _check: 2,
        _agree: 2,
        _mark_did_not_start: 2,
    }


def _make_id(chance: Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))
