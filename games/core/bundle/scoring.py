"""Scores every scorecard again by the rule books, and ranks the contests: from the log and the rules alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.core.actions import Retire
from games.core.bundle.log import READ_ERRORS, CardTurn, Cut, Lengths, Log, LogEntry, read_seats, read_turns
from games.core.bundle.reading import Bundle
from games.core.game import Game, Ruleset
from games.core.problems import Malformed
from games.core.ranking import rank
from games.core.replay import fold_turns, replay_from
from games.core.standing import Standing


class ScoredCard(NamedTuple):
    """A scorecard, played by the rules.

    Attributes:
        entrants: of its seats.
        failure: why it cannot be played; "" if it can.
    """

    id: str
    entrants: tuple[str, ...]
    state: Any
    turn_count: int
    is_ranked: bool
    failure: str = ""


class ScoredRow(NamedTuple):
    """An entrant's line of the standings, with the names of its figures in a report."""

    rank: int
    level: bool
    total: int
    turns: int
    status: str
    by: str
    cards: tuple[str | None, ...]


@dataclass(frozen=True)
class ScoredContest:
    """A contest, played again.

    Attributes:
        rows: by entrant, in the order of their places.
        stale_cuts: the entries of cuts that do not count.
    """

    cards: Sequence[ScoredCard]
    rows: Mapping[str, ScoredRow]
    stale_cuts: Sequence[int] = field(default_factory=tuple)


class Scorer:
    """Plays the scorecards of one contest.

    Raises:
        Malformed: on creation, if the game's options cannot be read.
    """

    def __init__(self, bundle: Bundle, log: Log, contest: Mapping[str, Any], game: Game[Any]) -> None:
        self._log = log
        self._contest = contest
        self._event: str = bundle.event["id"]
        self.ruleset: Ruleset = game.ruleset(contest["options"])
        self._ordinals = {
            data["id"]: data["ordinal"] for data in bundle.get("slots") if data["contest"] == contest["id"]
        }
        self._cards = [data for data in bundle.get("cards") if data["contest"] == contest["id"]]

    def score(self, lengths: Lengths | None = None) -> ScoredContest:
        """Play all scorecards and rank their entrants.

        Args:
            lengths: as it was when the chains had these lengths; None for the whole log.
        """
        merged = self._log.list_merged(self._event, lengths)
        cards = []
        for card in self._cards:
            entries = self._log.list_entries(card["id"], lengths)
            if entries and (scored := self._score_card(card, entries)) is not None:
                cards.append(scored)
        status = self._log.get_status(self._contest["id"])
        # While a contest is open, cuts do not count. A revision is published while it is closed.
        cuts = self._log.list_cuts(self._contest["id"], lengths)
        counted = cuts if lengths is not None or status != "open" else []
        return self._rank(cards, merged, counted)

    def _score_card(self, card: Mapping[str, Any], entries: Sequence[LogEntry]) -> ScoredCard | None:
        game = self.ruleset.game
        try:
            turns = read_turns(entries)
            if game.recorded_by == "action":
                return self._play_table(card["id"], read_seats(entries), turns)
            return self._play_turns(card["id"], tuple(seat["bike"] for seat in card["seats"]), turns)
        except (*READ_ERRORS, Malformed) as error:
            text = error.message() if isinstance(error, Malformed) else f"{type(error).__name__}: {error}"
            return ScoredCard(card["id"], (), None, 0, False, f"its log cannot be read ({text:.200})")

    def _play_turns(self, card: str, entrants: tuple[str, ...], turns: Sequence[CardTurn]) -> ScoredCard | None:
        if not entrants:
            return None  # of a bike that was withdrawn
        last = len(self._ordinals) + 1
        order = sorted(turns, key=lambda turn: (last if turn.slot is None else self._ordinals[turn.slot], turn.seq))
        read = [[self.ruleset.read_action(data, 1) for data in turn.actions] for turn in order]
        failure = ""
        for turn, actions in zip(order, read, strict=True):
            if (turn.slot is None) != isinstance(actions[-1], Retire):
                failure = f"entry {turn.seq} records something at a stop that does not belong there"
        folded = fold_turns(self.ruleset, read)
        if folded.failures:
            first = folded.failures[0]
            failure = f"the turn of entry {order[first.turn].seq} is not allowed: {first.problems[0].message()}"
        count = sum(turn.slot is not None for turn in order)
        return ScoredCard(card, entrants, folded.state, count, bool(turns), failure)

    def _play_table(self, card: str, entrants: tuple[str, ...], turns: Sequence[CardTurn]) -> ScoredCard | None:
        if not entrants:
            return None  # the table was withdrawn
        state = self.ruleset.game.start(self.ruleset, len(entrants))
        for turn in turns:
            replay = replay_from(self.ruleset, state, turn.actions)
            state = replay.state
            if replay.failure is not None:
                failure = f"the action of entry {turn.seq} is not allowed: {replay.problems[0].message()}"
                return ScoredCard(card, entrants, state, 0, False, failure)
        return ScoredCard(card, entrants, state, int(bool(turns)), bool(turns))

    def _rank(self, cards: Sequence[ScoredCard], merged: set[str], cuts: Sequence[Cut]) -> ScoredContest:
        game = self.ruleset.game
        by_entrant: dict[str, list[tuple[ScoredCard, int]]] = {}
        for card in cards:
            for seat, entrant in enumerate(() if card.failure else card.entrants):
                if entrant not in merged:
                    by_entrant.setdefault(entrant, []).append((card, seat))
        standings: dict[str, Standing] = {}
        counts: dict[str, int] = {}
        for entrant, seats in by_entrant.items():
            if any(card.is_ranked for card, _seat in seats):
                standings[entrant] = game.combine([game.standing(card.state, seat) for card, seat in seats])
                counts[entrant] = sum(card.turn_count for card, _seat in seats)
        ranking = rank(standings, [cut.cards for cut in cuts])
        rows = {}
        for place in ranking.places:
            for entrant in place.seats:
                shown = [cuts[index].cards[entrant] for index in place.cuts]
                is_level = len(place.seats) > 1
                rows[entrant] = ScoredRow(
                    rank=place.rank,
                    level=is_level,
                    total=standings[entrant].total,
                    turns=counts[entrant],
                    status=standings[entrant].status,
                    by="cut" if shown else "level" if is_level else "points",
                    cards=tuple(None if card is None else str(card) for card in shown),
                )
        return ScoredContest(cards, rows, tuple(cuts[index].seq for index in ranking.stale_cuts))
