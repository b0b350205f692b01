"""Questions about odds, made from cards: the rules and what was rolled, for one seat, without names.

Each question is one that `python -m games odds` takes, so a page and the command line give the same figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from uuid import UUID

from games.core.game import Ruleset
from games.core.replay import Replay, replay
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.card_kinds import FoldedCard
from scorekeeper.scorecards.fold import Actions, sort_by_slot
from scorekeeper.scorecards.open_table import OpenTable

VALUE_SECONDS = 10  # of the worker, for the values
TARGET_SECONDS = 20  # for the chance of a total, which takes longer


@dataclass(frozen=True)
class OddsQuestion:
    """What best play comes to from here, and the chance of a final total.

    Attributes:
        ruleset: the rules, to replay the actions.
        options: of the contest, as the transcript has them.
        seats: how many there are.
        seat: whose odds are asked for.
        actions: as in a transcript.
        target: a final total to reach; None to ask for the values alone.
        beat: the numbers of hands to beat.
    """

    ruleset: Ruleset
    options: Mapping[str, Any]
    seats: int
    seat: int
    actions: Actions
    target: int | None = None
    beat: tuple[int, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Return the question as plain data."""
        data: dict[str, Any] = {
            "transcript": {
                "ruleset": self.ruleset.game.key,
                "options": dict(self.options),
                "seats": [str(number) for number in range(1, self.seats + 1)],
                "actions": list(self.actions),
            },
            "seat": self.seat,
            "seconds": VALUE_SECONDS if self.target is None else TARGET_SECONDS,
        }
        if self.target is not None:
            data["targets"] = [self.target]
        if self.beat:
            data["beat"] = list(self.beat)
        return data

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the question; equal questions have the same one, whoever asks."""
        return sha256(canonical_json(self.to_data()))

    @cached_property
    def replay(self) -> Replay:
        """The actions, played by the rules."""
        return replay(self.ruleset, self.seats, self.actions)

    def with_target(self, target: int) -> OddsQuestion:
        """Return the question that also asks for the chance of a final total."""
        return replace(self, target=target)

    def with_hands_to_beat(self, numbers: Iterable[int]) -> OddsQuestion:
        """Return the question that also asks for the chance to beat each of these hands."""
        return replace(self, beat=tuple(numbers))


def make_card_question(
    contest: Contest, card: BikeCard, slot_id: UUID | None = None, draft: Sequence[Mapping[str, Any]] = ()
) -> OddsQuestion | None:
    """Return the question about a bike's card; None if its log is damaged.

    Args:
        slot_id: the slot whose turn is being entered; None for the card as it was recorded.
        draft: the actions of that turn so far. They come after all other turns: a later turn that is recorded already
            has taken its box.
    """
    if card.damaged_from is not None or card.fold.invalid_turns:
        return None
    turns = [turn for turn in sort_by_slot(card.contest, card.turns) if slot_id is None or turn.slot_id != slot_id]
    played = [action for turn in turns for action in turn.actions]
    return _make_lone_question(contest, [*played, *draft])


def make_table_question(contest: Contest, table: OpenTable) -> OddsQuestion | None:
    """Return the question about the seat that is to act at a table; None if nobody is, or if its log is damaged."""
    if not table.awaits_seat:
        return None
    actions = [action for recorded in table.list_played_turns() for action in recorded.actions]
    if table.seat_count == 1:
        return _make_lone_question(contest, actions)
    to_act = contest.game.to_act(table.state)
    assert to_act is not None, "it awaits a seat"
    return OddsQuestion(contest.ruleset, contest.options, table.seat_count, to_act, tuple(actions))


def make_recorded_question(contest: Contest, card: FoldedCard | None, seats: int) -> OddsQuestion | None:
    """Return the question about a card of either kind as it was recorded; None if nobody is to act.

    Args:
        card: None for a bike's card on which nothing is recorded yet.
    """
    if isinstance(card, OpenTable):
        return make_table_question(contest, card)
    if seats > 1 or (card is not None and card.damaged_from is not None):
        return None
    turns = [] if card is None else card.list_played_actions(0)
    return _make_lone_question(contest, [action for _ordinal, actions in turns for action in actions])


def _make_lone_question(contest: Contest, actions: Iterable[Mapping[str, Any]]) -> OddsQuestion:
    alone = ({name: value for name, value in action.items() if name != "seat"} for action in actions)
    return OddsQuestion(contest.ruleset, contest.options, 1, 0, tuple(alone))
