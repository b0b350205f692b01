"""The hidden fields of the form of a turn, and what a tap in it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.http import QueryDict

from games.core.game import Ruleset
from games.core.problems import Malformed, Problem
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH
from scorekeeper.scorecards.action_draft import ActionDraft, parse_action
from scorekeeper.scorecards.turn_draft import (
    TurnDraft,
    TurnDraftEvaluation,
    parse_die_index,
    parse_draft,
    parse_face,
    undo_last_tap,
)

Problems = tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class TurnFormFields:
    """The hidden fields of a turn that is being entered.

    Attributes:
        operation: made with the page, so that a second tap is the same operation.
        reason: why the turn is recorded at another stop than its own.
    """

    operation: UUID
    takes_over: bool = False
    reason: str = ""
    dice_set: UUID | None = None

    @classmethod
    def from_data(cls, data: QueryDict, dice_set: UUID | None) -> TurnFormFields:
        """Parse the fields. Missing or unreadable ones get their defaults."""
        return cls(
            parse_uuid(data.get("operation")) or uuid4(),
            data.get("takes_over") == "1",
            data.get("reason", "").strip()[:MAX_REASON_LENGTH],
            parse_uuid(data.get("dice_set")) or dice_set,
        )

    def with_new_operation(self) -> TurnFormFields:
        """Return the fields with a new operation id."""
        return replace(self, operation=uuid4())

    def to_hidden(self) -> list[dict[str, str]]:
        """Return the fields as data for a template."""
        return [
            {"name": "operation", "value": str(self.operation)},
            {"name": "takes_over", "value": "1" if self.takes_over else ""},
            {"name": "reason", "value": self.reason},
            {"name": "dice_set", "value": str(self.dice_set or "")},
        ]


def parse_posted_draft(data: QueryDict) -> tuple[TurnDraft, Malformed | None]:
    """Return the draft that a form sent. If it cannot be read, return its dice and the error."""
    mode, held, dice = data.get("mode", ""), data.getlist("held"), data.getlist("dice")
    try:
        return parse_draft(mode, data.get("actions", ""), held, dice, data.getlist("keep")), None
    except Malformed as malformed:
        return parse_draft(mode, "", [], [*held, *dice]), malformed


def completes_turn(data: QueryDict) -> bool:
    """Whether the tap completes the turn: on a box, or with a method that enters a whole turn at once.

    The form of such a method can also switch to another.
    """
    return "choose" in data or ("way" in data and "switch" not in data)  # phones store taps with these names


def apply_tap(ruleset: Ruleset, state: Any, evaluation: TurnDraftEvaluation, data: QueryDict) -> TurnDraft:
    """Return the draft after the button that was pressed.

    Args:
        state: the card's state before the turn.
    """
    draft = evaluation.draft
    if "face" in data:
        return draft.with_die(parse_face(data.get("face", "")))
    if "back" in data:
        return undo_last_tap(ruleset, state, draft)
    if "clear" in data:
        return TurnDraft(draft.mode, draft.actions, draft.held)
    if "change" in data:
        return draft.without_die(parse_die_index(data.get("change", "")))
    if "switch" in data:
        return draft.with_mode(data.get("switch", ""))
    if "again" in data and evaluation.can_roll_again:
        return evaluation.start_next_roll()
    return draft


def parse_whole_turn(evaluation: TurnDraftEvaluation, data: QueryDict) -> tuple[list[Mapping[str, Any]], Problems]:
    """Return the turn's actions, the dice and the choice or an action that is a whole turn, and what is missing in it.

    A choice that is not possible with the dice is left out, so that the rules can say what is wrong with the dice.
    """
    if "choose" in data:
        key, _colon, value = data.get("choose", "").partition(":")
        offer = next((offer for offer in evaluation.choice_offers if offer.key == key), None)
        if offer is None:
            ends = (end.action for end in evaluation.ends if end.action is not None and end.action["type"] == key)
            return [*evaluation.actions, *ends], ()
        parsed = parse_action(offer, ActionDraft().with_values(key, offer.fields[0].name, (value,)))
        return [*evaluation.actions, parsed.action], parsed.problems
    key = data.get("way", "")
    offer = next((offer for offer in evaluation.whole_turn_offers if offer.key == key), None)
    if offer is None:
        return [*evaluation.draft.actions, {"type": key}], ()
    typed = {field.name: data.get(field.name, "").strip() for field in offer.fields}
    draft = ActionDraft({f"{key}:{name}": (value,) for name, value in typed.items() if value})
    parsed = parse_action(offer, draft)
    return [*evaluation.draft.actions, parsed.action], parsed.problems
