"""A bundle whose bytes are in order, opened for the checks: its log is read, and its contests are scored again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from games.core.bundle.layout import sha256, write_json
from games.core.bundle.log import READ_ERRORS, Log, LogEntry
from games.core.bundle.naming import Names
from games.core.bundle.reading import Bundle
from games.core.bundle.scoring import ScoredContest, Scorer
from games.core.game import Game
from games.core.problems import Malformed


class OpenBundle:
    """A bundle with its log, and its contests scored again.

    Attributes:
        games: those that this version knows, by their keys.
        unscored: by contest, why its scorecards cannot be scored by this version.
    """

    def __init__(self, bundle: Bundle, games: Mapping[str, Game[Any]]) -> None:
        self.bundle = bundle
        self.games = games
        self.names = Names(bundle)
        self.log = Log(bundle)
        self.unscored: dict[str, str] = {}
        self._scorers = {data["id"]: self._make_scorer(data, games) for data in bundle.get("contests")}

    def _make_scorer(self, contest: Mapping[str, Any], games: Mapping[str, Game[Any]]) -> Scorer | None:
        game, version = games.get(contest["game"]), contest["rules_version"]
        if game is None:
            self.unscored[contest["id"]] = f"this program does not know the game “{contest['game']}”"
        elif game.version != version:
            self.unscored[contest["id"]] = (
                f"it was played by version {version} of the rules of {game.name.fill()}, "
                f"and this program has version {game.version}"
            )
        else:
            try:
                return Scorer(self.bundle, self.log, contest, game)
            except (Malformed, *READ_ERRORS) as error:
                self.unscored[contest["id"]] = f"its options cannot be read ({error})"
        return None

    @cached_property
    def current(self) -> Mapping[str, ScoredContest]:
        """Every contest that can be scored, from the whole log."""
        return {contest: scorer.score() for contest, scorer in self._scorers.items() if scorer is not None}

    def get_scorer(self, contest: str) -> Scorer | None:
        """Return the scorer of a contest; None if this version cannot score it."""
        return self._scorers[contest]

    @cached_property
    def event_head(self) -> str:
        """One hash over the whole log: over the length and the last hash of every chain."""
        return sha256(
            write_json(sorted([data["id"], data["length"], data["head"]] for data in self.bundle.get("chains")))
        )

    @cached_property
    def entries_by_operation(self) -> Mapping[str, list[LogEntry]]:
        """The entries of each operation, in the order in which they were written."""
        found: dict[str, list[LogEntry]] = {}
        for entry in sorted(
            (entry for entries in self.log.chains.values() for entry in entries), key=lambda entry: entry.position
        ):
            found.setdefault(entry.operation, []).append(entry)
        return found
