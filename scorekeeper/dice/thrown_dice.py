"""The dice that were thrown on a card, turn by turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.core.game import IllegalAction
from games.core.problems import Malformed
from games.core.reading import Face
from scorekeeper.scorecards.card_kinds import FoldedCard
from scorekeeper.scorecards.fold import RecordedTurn

Thrown = Counter[tuple[str, Face]]  # by the key of the kind, and the face


def list_thrown_dice(card: FoldedCard) -> Iterator[tuple[RecordedTurn, Thrown]]:
    """Yield the current turns of a card with the dice that were thrown in each, in the order of play.

    Corrected and voided turns count as they are now. A turn that cannot be played is left out.
    """
    state = card.contest.ruleset.game.start(card.contest.ruleset, len(card.holders))
    for turn in card.list_played_turns():
        try:
            state, thrown = _play(card, state, turn)
        except (IllegalAction, Malformed):
            continue
        yield turn, thrown


def _play(card: FoldedCard, state: Any, turn: RecordedTurn) -> tuple[Any, Thrown]:
    """Return the state after a turn, and the dice thrown in it.

    Raises:
        IllegalAction, Malformed: the turn cannot be played.
    """
    ruleset = card.contest.ruleset
    thrown: Thrown = Counter()
    for data in turn.actions:
        action = ruleset.read_action(data, len(card.holders))
        before, state = state, ruleset.game.play(state, action)
        for key, faces in ruleset.game.thrown_dice(before, action).items():
            thrown.update((key, face) for face in faces)
    return state, thrown
