"""A contest as a state machine: every possible step, in any order, checked by an independent reader of its log.

Terms: a *machine* executes a run of steps, each of them an operation of the crew or of the organiser. A step that is
not possible in the current state is refused, and that is tested too. Now and then, and at the end of every run, the
reference reader (`tests.scorekeeper.raw_log`) computes the results from the log. Everything else is checked against
them: receipts, the review list, the standings, stale cuts, official revisions. At the end of a run, `manage.py verify`
must not find any damage either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from games.core.standing import Standing
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.tables import get_table
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns, correct_actions
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review, revert_review_decision
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.models import Revision, StandingsState
from scorekeeper.standings.selectors.leaderboard import get_leaderboard, get_live_leaderboard
from scorekeeper.standings.selectors.missed_turns import get_last_closing_id, list_closing_misses
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.closure import clear_missed_turns, close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.games.sampling import list_specs, sample
from tests.scorekeeper.raw_log import Chains, RawResult, fold_card, fold_contest, fold_tables, read_chains
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn

SEEDS = st.integers(0, 2**32 - 1)
PICKS = st.integers(0, 7)  # an index into any list, modulo its length
WHO = st.integers(0, 2)
CREW = st.integers(1, 2)
DECISIONS = st.sampled_from(["keep", "apply"])
# Turns at the stops by game: few boxes and few points, so that there are many ties and many conflicts.
TURNS: Mapping[str, Sequence[list[dict[str, Any]]]] = {
    "rock-yahtzee": (
        make_paper_turn("chance", 5),
        make_paper_turn("chance", 6),
        make_paper_turn("fives", 5),
        make_paper_turn("sixes", 6),
        make_paper_turn("aces", 0),
        make_final_turn([1, 2, 3, 4, 6], "chance"),
        make_final_turn([6, 6, 6, 6, 6], "yahtzee"),
        make_final_turn([5, 5, 1, 2, 3], "fives"),
    ),
    "dice-run": (
        *([{"type": "paper", "total": total}] for total in (5, 6, 6, 31)),
        *([{"type": "throw", "dice": dice}] for dice in ([1] * 5, [1, 1, 1, 1, 2], [6] * 5, [6] * 4)),
    ),
    # Some repeat a card that the hand may hold by then, and two draw too many.
    "poker-run": tuple(
        [{"type": "draw", "cards": cards.split()}] for cards in ("2S", "2H", "KD", "KC", "10H", "AS", "3C 4C", "QD QD")
    ),
}
ROLLS = st.integers(0, 7)
Send = Callable[[UUID], Receipt]


class Scene(NamedTuple):
    """The initial state of a run; afterwards, it is rolled back to this.

    Attributes:
        actors: an organiser, and two crew members.
        entrants: the bikes of a contest at the stops, in one group; none at the tables.
        cards: the tables; none at the stops.
    """

    contest: Contest
    actors: Sequence[Actor]
    entrants: Sequence[UUID] = ()
    cards: Sequence[UUID] = ()


class ContestMachine(RuleBasedStateMachine):
    """The steps of every contest, and the checks against its log."""

    scene: ClassVar[Scene]

    def __init__(self) -> None:
        super().__init__()
        self.before = transaction.savepoint()
        self.contest = Contest.objects.get(pk=self.scene.contest.pk)
        self.played = get_contest_rules(self.contest.pk)
        self.chance = Random(0)  # for the ids of operations, so that a run can be repeated
        self.acknowledged: dict[UUID, Receipt] = {}
        self.published: dict[int, tuple[object, RawResult]] = {}

    def teardown(self) -> None:
        """Check the whole run, and roll it back."""
        try:
            self.check_against_log()
            damage = list(list_damage(self.contest.event))
            assert not damage, damage
        finally:
            transaction.savepoint_rollback(self.before)
            # Callbacks for a commit that never happens; every later savepoint would search all of them.
            connection.run_on_commit.clear()

    def send(self, by: Actor, send: Send) -> Receipt | None:
        """Send an operation; return None if it was refused without a trace."""
        operation = UUID(int=self.chance.getrandbits(128), version=4)
        try:
            receipt = send(operation)
        except RecordingError:
            assert not Operation.objects.filter(pk=operation).exists(), "it was refused, but left a trace"
            return None
        assert receipt.outcome != "recorded" or by.is_organiser or self.is_open, "a late entry was recorded"
        self.acknowledged[operation] = receipt
        if self.chance.random() < 0.2:
            assert send(operation) == receipt, "a duplicate got a different receipt"
        return receipt

    @property
    def is_open(self) -> bool:
        """Whether the crew's entries count."""
        return self.contest.status == Contest.Status.OPEN

    @property
    def desk(self) -> Actor:
        """The organiser."""
        return self.scene.actors[0]

    # The steps that every contest has.

    @precondition(lambda self: self.is_open)
    @rule()
    def close(self) -> None:
        self.send(self.desk, lambda operation: close_contest(self.desk, operation, self.contest.pk, "r"))
        self.contest.refresh_from_db()

    @precondition(lambda self: not self.is_open)
    @rule(takes_back=st.booleans())
    def reopen(self, takes_back: bool) -> None:
        closing = get_last_closing_id(self.contest) if takes_back else None
        self.send(self.desk, lambda operation: reopen_contest(self.desk, operation, self.contest.pk, "r", closing))
        self.contest.refresh_from_db()

    @precondition(lambda self: self.is_open)
    @rule(pick=PICKS)
    def clear_missed(self, pick: int) -> None:
        fills = list_closing_misses(self.contest)
        if fills:
            fill = fills[pick % len(fills)]
            left = {turn.turn_id for turn in fill.left}
            self.send(
                self.desk,
                lambda operation: clear_missed_turns(self.desk, operation, self.contest.pk, fill.closing_id, "r"),
            )
            after = [now for now in list_closing_misses(self.contest) if now.closing_id == fill.closing_id]
            assert not any(now.untouched for now in after), "something was not taken back"
            assert {turn.turn_id for now in after for turn in now.left} == left, "what was touched is not left"

    @precondition(lambda self: not self.is_open)
    @rule()
    def publish(self) -> None:
        receipt = self.send(self.desk, lambda operation: publish_contest(self.desk, operation, self.contest.pk, "r"))
        self.contest.refresh_from_db()
        if receipt is not None:
            revision = Revision.objects.get(operation=receipt.operation_id)
            self.published[revision.number] = (revision.standings, self.fold(read_chains()))

    @rule(pick=PICKS, decision=DECISIONS)
    def settle(self, pick: int, decision: str) -> None:
        items = list(ReviewItem.objects.filter(settled_at=None).order_by("opened_at", "pk"))
        if items:
            item = items[pick % len(items)]
            self.send(self.desk, lambda operation: decide_review(self.desk, operation, item.pk, decision, "r"))

    @rule()
    def undo(self) -> None:
        item = ReviewItem.objects.exclude(settled_at=None).order_by("settled_at").first()
        if item is not None:
            self.send(self.desk, lambda operation: revert_review_decision(self.desk, operation, item.pk, "r"))

    @precondition(lambda self: not self.is_open)
    @rule(cards=st.permutations(["2S", "KH", "KD", "AC", None]))
    def cut(self, cards: list[str | None]) -> None:
        places = self.fold(read_chains()).places
        counts = Counter(rank for rank, _ in places.values())
        tied = sorted(entrant for entrant, (rank, _) in places.items() if counts[rank] > 1)
        group = [UUID(entrant) for entrant in tied if places[entrant][0] == places[tied[0]][0]]
        cards_shown = dict(zip(group, cards, strict=False))
        self.send(self.desk, lambda operation: record_cut(self.desk, operation, self.contest.pk, cards_shown, "W"))

    @rule()
    def refresh(self) -> None:
        self.check_against_log()

    # The checks against the log.

    def fold(self, chains: Chains) -> RawResult:
        """Return the results from the log."""
        return fold_contest(chains.get(self.contest.pk, []), self.fold_standings(chains))

    def fold_standings(self, chains: Chains) -> Mapping[str, Standing]:
        """Return the standing of every ranked entrant."""
        raise NotImplementedError

    def check_against_log(self) -> None:
        """Check everything that is derived from the log against it."""
        chains = read_chains()
        self._check_operations(chains)
        refresh_standings(self.contest.pk)
        raw = self.fold(chains)
        live = get_live_leaderboard(self.contest)
        assert {str(row.entrant_id): (row.rank, row.total) for row in live.rows if row.is_ranked} == raw.places
        state = StandingsState.objects.filter(pk=self.contest.pk).first()
        assert (state.stale_cuts if state else []) == raw.stale_cuts
        self._check_revisions()

    def _check_operations(self, chains: Chains) -> None:
        """Every acknowledged operation exists once: in the log, also if it changed nothing there, or in review."""
        written = Counter(UUID(body["op"]) for bodies in chains.values() for body in bodies)
        recorded = Counter(
            UUID(body["op"]) for bodies in chains.values() for body in bodies if body["kind"] == "record"
        )
        in_review = set(ReviewItem.objects.values_list("operation_id", flat=True))
        receipts = dict(Operation.objects.filter(pk__in=self.acknowledged).values_list("pk", "receipt"))
        assert all(count == 1 for count in recorded.values()), "an entry counts twice"
        for operation, receipt in self.acknowledged.items():
            assert Receipt.from_data(receipts[operation]) == receipt
            assert written[operation] >= len(receipt.entries)
            assert written[operation] or not receipt.is_applied, "it was acknowledged, and is not in the log"
            assert receipt.is_applied or operation in in_review, "it neither counts nor is in review"

    def _check_revisions(self) -> None:
        """An official revision contains the results at the time of publishing, and never changes."""
        revisions = dict(Revision.objects.values_list("number", "standings"))
        assert revisions.keys() == self.published.keys()
        for number, (standings, raw) in self.published.items():
            assert revisions[number] == standings
            rows = revisions[number]["rows"]
            assert {row["holder"]: (row["rank"], row["total"]) for row in rows} == raw.places
        if self.contest.status == Contest.Status.OFFICIAL:
            official = get_leaderboard(self.contest).rows
            places = {str(row.entrant_id): (row.rank, row.total) for row in official if row.is_ranked}
            assert places == self.published[max(self.published)][1].places


class StopsMachine(ContestMachine):
    """A game whose turns are entered at the stops."""

    def fold_standings(self, chains: Chains) -> Mapping[str, Standing]:
        """Return the standing of every bike that has a turn or has retired."""
        ordinals = {str(slot): ordinal for slot, (ordinal, _) in self.played.slots.items()}
        cards = {str(bike): chains.get(derive_card_id(self.contest.pk, bike), []) for bike in self.scene.entrants}
        folded = {bike: fold_card(self.played.ruleset, bodies, ordinals) for bike, bodies in cards.items()}
        return {bike: standing for bike, standing in folded.items() if standing is not None}

    def _bike(self, pick: int) -> UUID:
        return self.scene.entrants[pick % len(self.scene.entrants)]

    def _turn(self, bike: UUID, pick: int) -> Turn | None:
        turns = list(Turn.objects.filter(card=derive_card_id(self.contest.pk, bike)).order_by("slot__ordinal"))
        return turns[pick % len(turns)] if turns else None

    def _get_turn(self, roll: int) -> list[dict[str, Any]]:
        return TURNS[self.contest.game_key][roll]

    def _enter(self, by: Actor, bike: int, slot: int, roll: int) -> None:
        slots = list(self.played.slots)
        entry = TurnInput(self.contest.pk, self._bike(bike), slots[slot % len(slots)], self._get_turn(roll), reason="r")
        self.send(by, lambda operation: record_turn(by, operation, entry))

    @rule(who=WHO, bike=PICKS, slot=PICKS, roll=ROLLS)
    def enter(self, who: int, bike: int, slot: int, roll: int) -> None:
        self._enter(self.scene.actors[who], bike, slot, roll)

    @precondition(lambda self: self.is_open)
    @rule(who=WHO, bike=PICKS, rolls=st.lists(ROLLS, min_size=2, max_size=5))
    def enter_several(self, who: int, bike: int, rolls: list[int]) -> None:
        for slot, roll in enumerate(rolls):
            self._enter(self.scene.actors[who], bike, slot, roll)

    @precondition(lambda self: not self.is_open)
    @rule(who=CREW, bike=PICKS, slot=PICKS, roll=ROLLS)
    def enter_late(self, who: int, bike: int, slot: int, roll: int) -> None:
        self._enter(self.scene.actors[who], bike, slot, roll)

    @rule(who=WHO, bike=PICKS, pick=PICKS, roll=st.none() | ROLLS, slot=st.none() | PICKS, behind=st.integers(0, 5))
    def correct_or_void(self, who: int, bike: int, pick: int, roll: int | None, slot: int | None, behind: int) -> None:
        turn = self._turn(self._bike(bike), pick)
        if turn is None:
            return
        slots, by = list(self.played.slots), self.scene.actors[who]
        to = None if slot is None else slots[slot % len(slots)]
        entered = None if roll is None else self._get_turn(roll)
        targets = [CorrectionTarget(turn.pk, turn.seq - (behind == 5), entered, to)]
        self.send(
            by, lambda operation: amend_turns(by, operation, self.contest.pk, self._bike(bike), targets, "misread")
        )

    @rule(who=WHO, bike=PICKS, to=PICKS, pick=PICKS)
    def move(self, who: int, bike: int, to: int, pick: int) -> None:
        turn, by = self._turn(self._bike(bike), pick), self.scene.actors[who]
        if turn is None:
            return
        target = (self.contest.pk, self._bike(bike), self._bike(to), turn.pk, turn.seq)
        self.send(by, lambda operation: move_turn(by, operation, *target, "wrong bike"))

    @rule(who=WHO, bike=PICKS)
    def leave(self, who: int, bike: int) -> None:
        by = self.scene.actors[who]
        self.send(by, lambda operation: retire_bike(by, operation, self.contest.pk, self._bike(bike), "flat tyre"))


class TablesMachine(ContestMachine):
    """A game that is entered action by action."""

    def fold_standings(self, chains: Chains) -> Mapping[str, Standing]:
        """Return the standing of every player who has played."""
        return fold_tables(self.played.ruleset, [chains[card] for card in self.scene.cards])

    def _table(self, pick: int) -> TableWithEntrants:
        table = get_table(self.contest.event, self.scene.cards[pick % len(self.scene.cards)])
        assert table is not None, "no table is withdrawn in a run"
        return table

    def _draw(self, state: Any, chance: Random) -> dict[str, Any] | None:
        """Return an action that is possible now."""
        ruleset = self.played.ruleset
        offered = list_specs(ruleset, state)
        usual = [spec for spec in offered if spec.type != "retire"]
        if not offered:
            return None
        return sample(chance.choice(usual if usual and chance.random() < 0.95 else offered), chance)

    def _enter(self, who: int, table: TableWithEntrants, action: dict[str, Any] | None, behind: int = 0) -> None:
        if action is None:
            return
        by, entry = self.scene.actors[who], NewAction(table.id, max(table.length - behind, 1), [action], reason="r")
        self.send(by, lambda operation: record_action(by, operation, entry))

    @rule(who=WHO, pick=PICKS, count=st.integers(1, 4), seed=SEEDS)
    def enter(self, who: int, pick: int, count: int, seed: int) -> None:
        chance = Random(seed)
        for _ in range(count):
            table = self._table(pick)
            self._enter(who, table, self._draw(table.state, chance))

    @rule(who=WHO, pick=PICKS, behind=st.integers(1, 3), seed=SEEDS)
    def enter_from_an_old_page(self, who: int, pick: int, behind: int, seed: int) -> None:
        table = self._table(pick)
        actions = list(table.turns.values())
        state = table.state_before(actions[-behind].id) if behind <= len(actions) else table.state
        self._enter(who, table, self._draw(state, Random(seed)), behind)

    @precondition(lambda self: not self.is_open)
    @rule(who=CREW, pick=PICKS, seed=SEEDS)
    def enter_late(self, who: int, pick: int, seed: int) -> None:
        table = self._table(pick)
        self._enter(who, table, self._draw(table.state, Random(seed)))

    @rule(who=WHO, pick=PICKS, action=PICKS, seed=SEEDS, is_void=st.booleans(), behind=st.integers(0, 5))
    def correct_or_void(self, who: int, pick: int, action: int, seed: int, *, is_void: bool, behind: int) -> None:
        table, by = self._table(pick), self.scene.actors[who]
        latest = list(table.turns.values())[-8:][::-1]  # corrections are mostly about the latest entries
        if not latest:
            return
        target = latest[action % len(latest)]
        other = None if is_void else self._draw(table.state_before(target.id), Random(seed))
        if other is None and not is_void:
            return
        targets = [CorrectionTarget(target.id, target.seq - (behind == 5), None if other is None else [other])]
        self.send(by, lambda operation: correct_actions(by, operation, table.id, targets, "misread"))
