"""A bike's card, folded from its chain. Services read it with the chain locked, pages without a lock.

It is read from the log, or from the snapshot stored beside the log, which holds the same and is faster. Decision 9 says
which is used where.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from games.core.codec import state_from_data, state_to_data
from games.core.problems import Malformed, Problem
from games.core.replay import fold_turns
from games.core.sheet import Turn as TurnResult
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.problem_messages import Subject, problem_to_data, show_subject
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.display_names import name_slots
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    Actions,
    CardFold,
    InvalidTurn,
    RecordedTurn,
    Turns,
    apply_entry,
    fold_card,
    fold_incremental,
    parse_actions,
    replay_chain,
    sort_by_slot,
)
from scorekeeper.scorecards.recorded_card import CardJudgement
from scorekeeper.scorecards.snapshot import pack_snapshot, unpack_snapshot
from scorekeeper.stops.models import Slot

RETIREMENT = gettext_noop("Retirement")


@dataclass(frozen=True)
class BikeCard:
    """A card with its current turns and their fold (a `RecordedCard`).

    Attributes:
        id: of the card, and of its chain.
        length: how many entries the chain has.
        head: the hash of the last of them.
        is_sealed: whether the contest is closed.
        dice_set_id: the dice set named in the operation, if the event has it.
        damaged_from: the first entry that cannot be read. The turns and their fold are those before it.
    """

    contest: ContestRules
    id: UUID
    bike: Bike
    length: int
    head: str
    is_sealed: bool
    turns: Turns
    fold: CardFold
    dice_set_id: UUID | None = None
    damaged_from: int | None = None

    @property
    def seat_count(self) -> int:
        """One: the bike has the card's only seat."""
        return 1

    def get_turn(self, slot_id: UUID | None) -> RecordedTurn | None:
        """Return the current turn of a slot; for None, the retirement."""
        return next((turn for turn in self.turns.values() if turn.slot_id == slot_id), None)

    def list_ordinals(self) -> list[int]:
        """Return the numbers of the slots whose turns count, in order."""
        return [
            self.contest.get_ordinal(turn.slot_id)
            for turn in sort_by_slot(self.contest, self.turns)
            if turn.slot_id is not None and turn.id in self.fold.results
        ]

    def get_state_before(self, slot_id: UUID) -> Any:
        """Return the state just before a slot's turn, after the earlier turns in slot order.

        Two phones may have recorded two stops of a bike in either order, so there may already be later turns.
        """
        ordinal = self.contest.get_ordinal(slot_id)
        order = sort_by_slot(self.contest, self.turns)
        before = [turn for turn in order if turn.slot_id and self.contest.get_ordinal(turn.slot_id) < ordinal]
        if len(before) == len(order):
            return self.fold.state
        following = self.fold.states_before.get(order[len(before)].id)
        return fold_card(self.contest, {turn.id: turn for turn in before}).state if following is None else following

    def judge_turn(self, turn_id: UUID, actions: Actions, slot_id: UUID | None = None) -> CardJudgement:
        """Judge the card with a turn in place of that in its slot; without a slot, with one more retirement."""
        others = {other.id: other for other in self.turns.values() if slot_id is None or other.slot_id != slot_id}
        return self.judge({**others, turn_id: RecordedTurn(turn_id, slot_id, actions, self.length + 1)}, turn_id)

    def judge(self, turns: Turns, new_turn_id: UUID | None = None) -> CardJudgement:
        """Judge the card with other turns than it has, and explain which of them are invalid, by their slots."""
        try:
            fold = fold_incremental(self.contest, self.turns, self.fold, turns)
        except Malformed as malformed:
            return CardJudgement(turns, self.fold, (problem_to_data(malformed.as_problem()),))
        if not fold.invalid_turns:
            return CardJudgement(turns, fold)
        problems, conflicting = [], []
        for invalid in fold.invalid_turns:
            is_new = invalid.turn_id == new_turn_id
            about = None if is_new else self._name_turn(turns[invalid.turn_id])
            found = self._find_clash(turns, invalid) or invalid.problems
            problems += [problem_to_data(problem, about) for problem in found]
            conflicting += [] if is_new else [invalid.turn_id]
        return CardJudgement(turns, fold, tuple(problems), tuple(conflicting))

    @cached_property
    def slot_names(self) -> Mapping[UUID, str]:
        """The name of every slot of the contest, by id, as pages show it."""
        return {slot: show_subject(name) for slot, name in self.slot_subjects.items()}

    @cached_property
    def slot_subjects(self) -> Mapping[UUID, str | Subject]:
        """The same names, to be translated when they are shown."""
        return name_slots(Slot.objects.filter(contest_id=self.contest.id).select_related("stop").order_by("ordinal"))

    def _name_turn(self, turn: RecordedTurn) -> str | Subject:
        return Subject(RETIREMENT) if turn.slot_id is None else self.slot_subjects.get(turn.slot_id, "")

    def _find_clash(self, turns: Turns, invalid: InvalidTurn) -> tuple[Problem, ...]:
        """Return why one changed turn does not fit beside a later one, which is then said of the later turn's figures.

        Turns are played in slot order, so the rules refuse the later turn, although it was there first. If they refuse
        the changed one for the same reason when it is played last, that is what the person who enters it has to know.
        """
        changed = [turn for turn in turns.values() if self.turns.get(turn.id) is not turn]
        if len(changed) != 1 or changed[0].id == invalid.turn_id or changed[0].slot_id is None:
            return ()
        others = {turn.id: turn for turn in turns.values() if turn is not changed[0] and turn.slot_id is not None}
        before = fold_card(self.contest, others).state
        failures = fold_turns(self.contest.ruleset, [parse_actions(self.contest, changed[0].actions)], before).failures
        found = failures[0].problems if failures else ()
        return found if [one.code for one in found] == [one.code for one in invalid.problems] else ()

    def list_taken_slots(self, turns: Turns) -> list[UUID | None]:
        """Return the slots that more than one of these turns is in; None for two retirements."""
        return [slot for slot, count in Counter(turn.slot_id for turn in turns.values()).items() if count > 1]

    def with_entry(self, entry: Entry, judged: CardJudgement | None) -> Self:
        """Return the card with one more entry of its chain, which is played again only if it was not judged."""
        turns = apply_entry(self.turns, entry)
        if judged is not None and not judged.problems and judged.is_about(turns):
            fold = judged.fold
        else:
            fold = fold_incremental(self.contest, self.turns, self.fold, turns)
        return replace(self, length=entry.seq, head=entry.hash, turns=turns, fold=fold)

    def to_snapshotable(self) -> BikeCard:
        """Return the card itself."""
        return self

    def make_snapshot(self) -> str:
        """Return the snapshot to store; "" if the card is damaged or has invalid turns, which only damage causes."""
        if self.damaged_from is not None or self.fold.invalid_turns:
            return ""
        turns = [turn.to_data() for turn in self.turns.values()]
        state = state_to_data(self.contest.ruleset.game, self.fold.state)
        return pack_snapshot(self.contest, self.head, {"turns": turns, "state": state})


@dataclass(frozen=True, kw_only=True)
class FoldedBikeCard(BikeCard):
    """A card folded from its log, with what standings and reports ask (a `FoldedCard`).

    - The bike is *ranked* from the first turn that counts on its card, or by retiring.
    - A card without a current turn (its only entry was voided or moved away) is not ranked and has no missing turns.

    Attributes:
        last_change: when the last entry was written.
    """

    last_change: dt.datetime

    def with_entry(self, entry: Entry, judged: CardJudgement | None) -> Self:
        """Return the card with one more entry of its chain."""
        return replace(super().with_entry(entry, judged), last_change=entry.at)

    @property
    def entrants(self) -> tuple[Bike]:
        """The bike that has the card's only seat."""
        return (self.bike,)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.fold.state

    @property
    def turn_count(self) -> int:
        """How many turns count."""
        return len(self.fold.results)

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is in the ranking."""
        return bool(self.turns)

    @property
    def is_unfinished(self) -> bool:
        """Whether turns are missing."""
        return bool(self.list_missing_slots())

    def list_missing_slots(self) -> list[UUID]:
        """Return the slots without a turn, in order; none once the card is finished (TABLE-2, TABLE-3)."""
        if not self.is_ranked or self.contest.ruleset.game.standing(self.state, 0).status != "playing":
            return []
        taken = {turn.slot_id for turn in self.turns.values()}
        return [slot for slot in self.contest.slots if slot not in taken]

    def list_turns(self) -> Sequence[tuple[UUID, TurnResult]]:
        """Return the results of the turns that count, with their slots, in the order of the slots."""
        return [
            (turn.slot_id, self.fold.results[turn.id])
            for turn in sort_by_slot(self.contest, self.turns)
            if turn.slot_id is not None and turn.id in self.fold.results
        ]

    def list_recording_times(self) -> Mapping[UUID, dt.datetime]:
        """Return when the server recorded each turn that counts, by slot. A correction does not change it."""
        return {
            turn.slot_id: turn.origin.recorded_at
            for turn in self.turns.values()
            if turn.slot_id is not None and turn.origin is not None and turn.id in self.fold.results
        }

    def list_played_turns(self) -> Sequence[RecordedTurn]:
        """Return the turns that count, and last the retirement, if there is one."""
        invalid = {turn.turn_id for turn in self.fold.invalid_turns}
        return [turn for turn in sort_by_slot(self.contest, self.turns) if turn.id not in invalid]

    def list_played_actions(self, seat: int) -> Sequence[tuple[int, Actions]]:
        """Return the actions of the turns that count with the ordinals of their slots, a retirement with 0."""
        return [
            (0 if turn.slot_id is None else self.contest.get_ordinal(turn.slot_id), turn.actions)
            for turn in self.list_played_turns()
        ]


def load_snapshot(contest: ContestRules, chain: Chain) -> tuple[Turns, CardFold] | None:
    """Return a card's turns and fold from its chain's snapshot, without reading the log; None if there is none."""
    try:
        data = unpack_snapshot(contest, chain)
        if data is None:
            return None
        turns = {turn.id: turn for turn in map(RecordedTurn.from_data, data["turns"])}
        state = state_from_data(contest.ruleset, data["state"])
        in_slots = [turn.id for turn in sort_by_slot(contest, turns) if turn.slot_id is not None]
        results = dict(zip(in_slots, contest.ruleset.game.turns(state, 0), strict=True))
    except ENTRY_READ_ERRORS:
        return None
    return turns, CardFold(state, results)


def make_card(contest: ContestRules, chain: Chain, bike: Bike, turns: Turns, fold: CardFold) -> BikeCard:
    """Return the card of a chain that was read to its end."""
    return BikeCard(contest, chain.pk, bike, chain.length, chain.head, chain.is_sealed, turns, fold)


def fold_chain(contest: ContestRules, chain: Chain, bike: Bike) -> BikeCard:
    """Read a card's chain and fold as much of it as can be read."""
    return fold_entries(contest, chain, bike, list(Entry.objects.filter(chain_id=chain.pk).order_by("seq")))


def fold_entries(contest: ContestRules, chain: Chain, bike: Bike, entries: Sequence[Entry]) -> BikeCard:
    """Fold as much of a card's chain as can be read.

    Args:
        entries: the whole chain, in order.
    """
    replay = replay_chain(contest, entries)
    card = make_card(contest, chain, bike, replay.turns, replay.fold)
    return card if replay.damaged_from is None else replace(card, damaged_from=replay.damaged_from)
