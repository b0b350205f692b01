"""Handling a tap on the turn form: the button that was pressed changes the draft, or completes the turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from games.core.game import Ruleset
from games.core.problems import Problem
from scorekeeper.scorecards.action_draft import ActionDraft, parse_action
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, parse_die_index, parse_face, undo_last_tap

Problems = tuple[Problem, ...]


def completes_turn(data: QueryDict) -> bool:
    """Whether the tap completes the turn: on a box, or with a method that enters a whole turn at once."""
    return "choose" in data or "way" in data  # phones store taps with these names, so they do not change


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
            return list(evaluation.actions), ()
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
