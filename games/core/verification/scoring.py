"""Scores scorecards by the rule books, and ranks their entrants: from the log and the rules alone.

This is a second reading of the log, beside that which writes the rows of the server (`scorekeeper.scorecards.fold`), so
a fault in one of them shows as a difference.

Terms: a *turn* is what counts in a slot, or one recorded action at a table. Entries record turns, change them, void
them, or restore voided ones. A *moment* is the log at some time: now, or when a revision was published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.core.actions import Retire
from games.core.canonical import canonical_json, sha256
from games.core.cards import CARDS, Card
from games.core.game import Game, Ruleset
from games.core.problems import Malformed
from games.core.ranking import Ranking, rank
from games.core.replay import fold_turns, replay_from
from games.core.standing import Reach, Standing
from games.core.verification.entries import READ_ERRORS, LogEntry
from games.core.verification.event_log import EventLog
from games.core.verification.source import Data

Lengths = Mapping[str, int]


class CardTurn(NamedTuple):
    """A turn that counts: its slot (None at a table, and for a retirement), its actions, its last entry."""

    id: str
    slot: str | None
    actions: Sequence[Any]
    seq: int


class Cut(NamedTuple):
    """A cut of cards, by entrant."""

    seq: int
    cards: Mapping[str, Card | None]


class ScoredCard(NamedTuple):
    """A scorecard, played by the rules.

    Attributes:
        entrants: of its seats; none if it does not count.
        failure: what is wrong with its log; "" if nothing is.
    """

    entrants: Sequence[str]
    state: Any
    turn_count: int = 0
    is_ranked: bool = False
    failure: str = ""


@dataclass(slots=True)
class EntrantScore:
    """What an entrant's scorecards come to.

    Attributes:
        standings: of each scorecard.
        turns: how many turns count.
        length: how many entries of the scorecards are included.
        last_change: when the last of them was written.
        reach: the best and worst standing still possible, of the last scorecard.
    """

    standings: list[Standing] = field(default_factory=list)
    turns: int = 0
    is_ranked: bool = False
    length: int = 0
    last_change: str = ""
    reach: Reach | None = None


class RankedRow(NamedTuple):
    """An entrant's line of the standings, with the names of its figures in a report."""

    rank: int
    level: bool
    total: int
    turns: int
    status: str
    by: str
    cards: list[str | None]


@dataclass
class Moment:
    """A contest at some time.

    Attributes:
        lengths: of the chains; None for the whole log.
        entrants: the scores of all that have a seat.
        sheets: by scorecard and entrant, the digest of the points; not for the whole log.
        card_count: how many scorecards were scored.
    """

    lengths: Lengths | None = None
    entrants: dict[str, EntrantScore] = field(default_factory=dict)
    sheets: dict[tuple[str, str], str] = field(default_factory=dict)
    card_count: int = 0

    def get_length(self, chain: str, whole: int) -> int:
        """Return how many entries a chain had; `whole` is how many it has now."""
        return whole if self.lengths is None else self.lengths.get(chain, 0)


class RankedContest(NamedTuple):
    """The places of a contest.

    Attributes:
        rows: by entrant, in the order of their places.
        stale_cuts: the entries of cuts that do not count.
    """

    ranking: Ranking[str]
    rows: Mapping[str, RankedRow]
    stale_cuts: Sequence[int]


class Scorer:
    """Plays the scorecards of one contest, one after the other.

    Attributes:
        now: the contest by the whole log.
        moments: the contest when each revision was published, by its id.
    """

    def __init__(self, contest: Data, ruleset: Ruleset, ordinals: Mapping[str, int], revisions: Mapping[str, Lengths]):
        self.ruleset = ruleset
        self.now = Moment()
        self.moments = {revision: Moment(lengths) for revision, lengths in revisions.items()}
        self._contest: str = contest["id"]
        self._ordinals = ordinals

    def add(self, card: Data, entries: Sequence[LogEntry], *, is_read: bool) -> str:
        """Play a scorecard; return what is wrong with its log, "" if nothing is.

        Args:
            entries: its chain.
            is_read: whether that is all of it. Otherwise, it counts only in the moments before what cannot be read.
        """
        scored: dict[int, ScoredCard] = {}
        whole = len(entries) if is_read else len(entries) + 1
        for moment in (self.now, *self.moments.values()):
            length = moment.get_length(card["id"], whole)
            if not 0 < length <= len(entries):
                continue
            if length not in scored:
                scored[length] = self._score(card, entries[:length])
            self._count(moment, card["id"], scored[length], entries[length - 1])
        return scored[whole].failure if whole in scored else ""

    def _count(self, moment: Moment, card: str, scored: ScoredCard, last: LogEntry) -> None:
        game = self.ruleset.game
        moment.card_count += bool(scored.entrants or scored.failure)
        for seat, entrant in enumerate(scored.entrants):
            score = moment.entrants.setdefault(entrant, EntrantScore())
            score.standings.append(game.standing(scored.state, seat))
            score.turns += scored.turn_count
            score.is_ranked |= scored.is_ranked
            score.length += last.seq
            score.last_change = max(score.last_change, last.body["at"])
            if moment.lengths is None:
                score.reach = None if game.many_cards else game.reach(scored.state, seat)
            else:
                sheet = game.sheet(scored.state)
                points = {line.key: line.cells[seat].points for line in sheet.lines}
                moment.sheets[card, entrant] = digest_sheet(sheet.totals[seat], points)

    def _score(self, card: Data, entries: Sequence[LogEntry]) -> ScoredCard:
        try:
            turns = read_turns(entries)
            if self.ruleset.game.recorded_by == "action":
                return self._play_table(read_seats(entries), turns)
            return self._play_turns([seat["bike"] for seat in card["seats"]], turns)
        except (*READ_ERRORS, Malformed) as error:
            text = error.message() if isinstance(error, Malformed) else f"{type(error).__name__}: {error}"
            return ScoredCard((), None, failure=f"its log cannot be replayed ({text:.200})")

    def _play_turns(self, entrants: Sequence[str], turns: Sequence[CardTurn]) -> ScoredCard:
        last = len(self._ordinals) + 1
        order = sorted(turns, key=lambda turn: (last if turn.slot is None else self._ordinals[turn.slot], turn.seq))
        played, failure = [], ""
        for turn in order:
            actions = [self.ruleset.read_action(data, 1) for data in turn.actions]
            if (turn.slot is None) == isinstance(actions[-1], Retire):
                played.append((turn, actions))
            else:
                failure = f"entry {turn.seq} records something at a stop that does not belong there"
        folded = fold_turns(self.ruleset, [actions for _turn, actions in played])
        if folded.failures:
            first = folded.failures[0]
            failure = f"the turn of entry {played[first.turn][0].seq} is not allowed: {first.problems[0].message()}"
        failed = {one.turn for one in folded.failures}
        count = sum(number not in failed and turn.slot is not None for number, (turn, _) in enumerate(played))
        return ScoredCard(entrants, folded.state, count, bool(turns), failure)

    def _play_table(self, entrants: Sequence[str], turns: Sequence[CardTurn]) -> ScoredCard:
        if not entrants:
            return ScoredCard((), None)  # the table was withdrawn
        state = self.ruleset.game.start(self.ruleset, len(entrants))
        for turn in turns:
            replay = replay_from(self.ruleset, state, turn.actions)
            state = replay.state
            if replay.failure is not None:
                failure = f"the action of entry {turn.seq} is not allowed: {replay.problems[0].message()}"
                return ScoredCard((), state, failure=failure)
        return ScoredCard(entrants, state, int(bool(turns)), bool(turns))

    def rank(self, log: EventLog, moment: Moment) -> RankedContest:
        """Rank the entrants. While a contest is open, cuts do not count; a revision is published while it is closed."""
        game = self.ruleset.game
        merged = log.list_merged(moment.lengths)
        standings = {
            entrant: game.combine(score.standings)
            for entrant, score in moment.entrants.items()
            if score.is_ranked and entrant not in merged
        }
        is_open = moment.lengths is None and log.get_status(self._contest) == "open"
        cuts = read_cuts(log, self._contest, moment.lengths)
        ranking = rank(standings, [] if is_open else [cut.cards for cut in cuts])
        stale = range(len(cuts)) if is_open else ranking.stale_cuts
        rows = {}
        for place in ranking.places:
            for entrant in place.seats:
                shown = [cuts[index].cards[entrant] for index in place.cuts]
                is_level = len(place.seats) > 1
                rows[entrant] = RankedRow(
                    rank=place.rank,
                    level=is_level,
                    total=standings[entrant].total,
                    turns=moment.entrants[entrant].turns,
                    status=standings[entrant].status,
                    by="cut" if shown else "level" if is_level else "points",
                    cards=[None if card is None else str(card) for card in shown],
                )
        return RankedContest(ranking, rows, [cuts[index].seq for index in stale])


def digest_sheet(total: int, points: Mapping[str, int | None]) -> str:
    """Return a digest of the points of a scorecard: in all, and by line."""
    return sha256(canonical_json([total, points]))


def read_turns(entries: Sequence[LogEntry]) -> list[CardTurn]:
    """Return the turns of a scorecard that count, in the order in which they were first recorded."""
    turns: dict[str, CardTurn] = {}
    for entry in entries:
        for change in entry.data.get("changes", ()):
            turns = _apply_change(turns, change, entry.seq)
        if entry.body["actions"]:
            turn_id = entry.data.get("turn", entry.operation)
            turns[turn_id] = CardTurn(turn_id, entry.body["slot"], entry.body["actions"], entry.seq)
    return list(turns.values())


def _apply_change(turns: dict[str, CardTurn], change: Data, seq: int) -> dict[str, CardTurn]:
    turn_id, actions = change["turn"], change["actions"]
    after = dict(turns)
    if turn_id in turns:
        if actions is None:
            del after[turn_id]
        else:
            after[turn_id] = CardTurn(turn_id, change["slot"] or turns[turn_id].slot, actions, seq)
        return after
    if actions is None or "restores" not in change:
        return after
    order = list(turns.values())
    place = list(turns).index(change["after"]) + 1 if change["after"] in turns else 0
    restored = CardTurn(turn_id, change["slot"], actions, seq)
    return {turn.id: turn for turn in (*order[:place], restored, *order[place:])}


def read_seats(entries: Sequence[LogEntry]) -> tuple[str, ...]:
    """Return the entrants of a table's seats, in the order of play; none once the table was withdrawn."""
    seats: tuple[str, ...] = ()
    for entry in entries:
        if entry.kind == "deal":
            seats = tuple(entrant for seat in entry.data["seats"] for entrant in seat.values())
        elif entry.kind == "reseat":
            seats = tuple(entry.data["into"] if entrant == entry.data["bike"] else entrant for entrant in seats)
        elif entry.kind == "withdraw":
            return ()
    return seats


def read_cuts(log: EventLog, contest: str, lengths: Lengths | None) -> list[Cut]:
    """Return the cuts of a contest in the order in which they were made; a correction keeps its cut's place."""
    return _fold_cuts(log.list_entries(contest, "cut"), contest, lengths)


def read_class_cuts(log: EventLog, contest: str, class_id: str, lengths: Lengths | None) -> list[Cut]:
    """Return the cuts of a class of a contest, likewise."""
    entries = [entry for entry in log.list_entries(contest, "class_cut") if entry.data["class"] == class_id]
    return _fold_cuts(entries, contest, lengths)


def _fold_cuts(entries: Iterable[LogEntry], contest: str, lengths: Lengths | None) -> list[Cut]:
    cuts: list[Cut] = []
    for entry in entries:
        if lengths is not None and entry.seq > lengths.get(contest, 0):
            break
        cards = {entrant: None if card is None else CARDS[card] for entrant, card in entry.data["cards"].items()}
        corrected = [index for index, other in enumerate(cuts) if other.seq == entry.data.get("corrects")]
        if corrected:
            cuts[corrected[0]] = Cut(entry.seq, cards)
        else:
            cuts.append(Cut(entry.seq, cards))
    return cuts


def make_scorer(
    contest: Data,
    slots: Sequence[Data],
    games: Mapping[str, Game[Any]],
    revisions: Mapping[str, Lengths],
    *,
    any_version: bool,
) -> Scorer | str:
    """Return the scorer of a contest, or why its scorecards cannot be scored."""
    game, version = games.get(contest["game"]), contest["rules_version"]
    if game is None:
        return f"this program does not know the game “{contest['game']}”"
    if game.version != version and not any_version:
        return (
            f"it was played by version {version} of the rules of {game.name.fill()}, "
            f"and this program has version {game.version}"
        )
    try:
        ruleset = game.ruleset(contest["options"])
    except (Malformed, *READ_ERRORS) as error:
        return f"its options cannot be read ({error})"
    return Scorer(contest, ruleset, {slot["id"]: slot["ordinal"] for slot in slots}, revisions)
