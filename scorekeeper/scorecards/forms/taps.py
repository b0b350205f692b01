"""Handling a tap on the turn form: the button that was pressed changes the draft, or completes the turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from games.core.game import Ruleset
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, parse_die_index, parse_face, undo_last_tap
from scorekeeper.scorecards.turn_form_presenter import present_other_input_methods


def completes_turn(data: QueryDict) -> bool:
    """Whether the tap completes the turn: on a box, or with a method that enters a whole turn at once."""
    return "choose" in data or "way" in data


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


def parse_whole_turn(evaluation: TurnDraftEvaluation, data: QueryDict) -> list[Mapping[str, Any]]:
    """Return the turn's actions: the dice and the choice, or an action that is a whole turn.

    A choice that is not possible with the dice is left out, so that the rules can say what is wrong with the dice.
    """
    if "choose" in data:
        kind, _colon, value = data.get("choose", "").partition(":")
        choices = [{"type": kind, field.name: value} for spec, field in evaluation.list_choices() if spec.type == kind]
        return [*evaluation.actions, *choices[:1]]
    action: dict[str, Any] = {"type": data.get("way", "")}
    methods = present_other_input_methods(evaluation, data)
    for field in next((method["fields"] for method in methods if method["type"] == action["type"]), ()):
        value = data.get(field["name"], "").strip()
        if value:
            action[field["name"]] = parse_face(value) if field["kind"] == "number" else value
    return [*evaluation.draft.actions, action]
