"""Verification: whether an event's log is in order, and its rows are those that follow from the log.

`python -m games verify` gives it the lines of a bundle, and `manage.py verify` the rows of the database. Each adds what
only it has.

source.py      what is checked: rows as plain data, chains, operations; and what is found
entries.py     an entry of the log
event_log.py   a fold of the log: what it says about the rows of an event
chains.py      chains, link by link; scorecards, their seats and flags
contests.py    the status of contests, their rules and settings
classes.py     who is in which class, and cuts for classes
bikes.py       which bikes there are, and which further sheets
operations.py  operations, their reasons and witnesses, and entries under review
scoring.py     scorecards played by the rules, and their entrants ranked
revisions.py   official revisions, and their figures

Each chain, and each operation with its entries, is read once and forgotten, so memory does not grow with the number of
entries. What a check reads may be anything: a check that fails on its data is itself a fault, and the others go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.core.canonical import canonical_json
from games.core.game import Game
from games.core.verification.bikes import check_bikes, check_sheets
from games.core.verification.chains import CardChecks, check_own_chains
from games.core.verification.classes import check_classes
from games.core.verification.contests import ContestFacts, check_contest, read_contests
from games.core.verification.event_log import EventLog
from games.core.verification.operations import check_operations, check_reviews
from games.core.verification.revisions import check_revisions
from games.core.verification.source import Fault, Source, guard


class Verification:
    """Checks an event, once.

    Attributes:
        log: what the log says, once all faults were listed.
        contests: what is known of each contest; their scorecards are scored when all faults were listed.
    """

    def __init__(self, source: Source, games: Mapping[str, Game[Any]], *, any_version: bool = False) -> None:
        """Take an event to check.

        Args:
            any_version: score also what was played by another version of the rules, as the server does.
        """
        self._any_version = any_version
        self.source = source
        self.log = EventLog()
        self.contests: Mapping[str, ContestFacts] = {}
        self._games = games

    def list_faults(self) -> Iterator[Fault]:
        """Return everything that does not fit together."""
        return guard("the event", self._list_faults())

    def _list_faults(self) -> Iterator[Fault]:
        source, log, reviewed = self.source, self.log, set[str]()
        yield from guard("the contests", self._read_contests())
        yield from guard("the chains", check_own_chains(source, log))
        cards = CardChecks(log, self.contests)
        yield from guard("the scorecards", cards.check(source))
        yield from guard("the identity of the event", _check_identity(source, log))
        yield from guard("the operations", check_operations(source, reviewed))
        yield from guard("the entries under review", check_reviews(source, log, reviewed))
        yield from guard("the bikes", check_bikes(source, log))
        yield from guard("the further sheets", check_sheets(source, log))
        yield from guard("the classes", check_classes(source, log))
        yield from guard("the revisions", check_revisions(source, log, self.contests))
        for id_, contest in self.contests.items():
            other_rules = cards.other_rules.get(id_)
            checked = check_contest(contest, log, has_cards=id_ in cards.begun, other_rules=other_rules)
            yield from guard(f"contest {id_}", checked)

    def _read_contests(self) -> Iterator[Fault]:
        """Read the contests. Without them, the log is still checked."""
        self.contests = read_contests(self.source, self._games, any_version=self._any_version)
        yield from ()


def _check_identity(source: Source, log: EventLog) -> Iterator[Fault]:
    """Compare the event with what the first entries of its chains say about it. Older logs say nothing."""
    event = source.event
    expected = canonical_json({"id": event["id"], "practice": event["is_practice"]})
    allowed = {expected, "null"}
    if "says_identity" in event:
        allowed = {expected if event["says_identity"] else "null"}
    kind = "a practice event" if event["is_practice"] else "not a practice event"
    version = f", with version {event['log_version']} of the log" if "log_version" in event else ""
    for identity, chain in log.identities.items():
        if identity not in allowed:
            text = f"it is {kind}{version}, but {{about}} says {identity}"
            yield Fault("event", event, text, ("id", "is_practice", "log_version"), about=chain)
