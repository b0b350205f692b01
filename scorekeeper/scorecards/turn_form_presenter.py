"""What an entry page shows of a draft, as plain data: no rows of the database, no request.

`templates/scorecards/_turn_draft.html` is made of exactly this, so it can be made anywhere the games can run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.actions import Retire
from games.core.problems import Problem
from games.core.sheet import ScoreSheet
from games.core.specs import ActionSpec, Choice, ChoiceField, NumberField
from scorekeeper.common.game_adapter import translate
from scorekeeper.rulebooks.citations import Sentence, cite, get_clause_url
from scorekeeper.scorecards.problem_messages import explain_all, problems_to_data
from scorekeeper.scorecards.turn_draft import TurnDraftEvaluation, dump_actions_field, get_dice_field

Data = Mapping[str, Any]

# Why a choice that the turn itself leaves open cannot stand on the card, or None.
ExplainBlockedChoice = Callable[[ActionSpec, Choice], Sentence | None]


def present_draft(game_key: str, opened: TurnDraftEvaluation, why_not: ExplainBlockedChoice) -> dict[str, Any]:
    """Return the dice in sight, the pad or the boxes, and the hidden fields that carry the draft."""
    boxes, closed = _present_boxes(game_key, opened, why_not)
    return {
        "modes": _present_modes(opened),
        "places": _present_dice(opened),
        "faces": [] if opened.is_complete else _list_faces(opened),
        "hint": _make_hint(opened),
        "boxes": boxes,
        "closed": closed,
        "closed_count": _format_closed_count(closed),
        "can_roll_again": opened.can_roll_again,
        "can_step_back": bool(opened.draft.visible_dice or opened.draft.actions),
        "hidden": _list_hidden_fields(opened),
        "problems": [sentence.to_data() for sentence in explain_problems(game_key, opened.problems)],
    }


def present_other_input_methods(opened: TurnDraftEvaluation, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that note the whole turn without dice, each type once: a missed turn, a paper card.

    Args:
        typed: what a form sent, to be kept in the fields of the same names.
    """
    ways: dict[str, dict[str, Any]] = {}
    for spec in opened.specs:
        if spec.type != Retire.type and spec not in opened.dice_specs and _has_simple_fields(spec):
            way = ways.setdefault(spec.type, {"type": spec.type, "label": translate(spec.label), "fields": {}})
            _merge_fields(way["fields"], spec, typed)
    return [{**way, "fields": list(way["fields"].values())} for way in ways.values()]


def explain_problems(game_key: str, problems: Sequence[Problem]) -> list[Sentence]:
    """Return the problems as sentences, each with its clause."""
    return explain_all(game_key, problems_to_data(problems))


def present_sheet(game_key: str, sheet: ScoreSheet) -> list[dict[str, Any]]:
    """Return the score sheet of one seat, line by line, each with the address of its clause."""
    return [
        {
            "label": translate(line.label),
            "points": line.cells[0].points,
            "turns": list(line.cells[0].turns),
            "kind": line.kind,
            "section": "" if line.section is None else translate(line.section),
            "href": get_clause_url(game_key, line.rule),
        }
        for line in sheet.lines
    ]


def _present_modes(opened: TurnDraftEvaluation) -> list[dict[str, Any]]:
    specs = opened.dice_specs
    if len(specs) < 2:
        return []
    # The last offered takes the turn's final dice: the shortest way, and the usual one, so it comes first.
    return [
        {
            "type": spec.type,
            "label": _("Final dice") if spec is specs[-1] else _("Roll by roll"),
            "current": spec is opened.dice_spec,
        }
        for spec in reversed(specs)
    ]


def _present_dice(opened: TurnDraftEvaluation) -> list[dict[str, Any]]:
    draft, complete = opened.draft, opened.is_complete
    what = ("keep" if opened.can_roll_again else "change") if complete else "tapped"
    shown = [
        {"face": face, "index": place, "kind": what, "is_chosen": what == "keep" and draft.is_pinned(place)}
        for place, face in enumerate(draft.visible_dice)
    ]
    held = [{**die, "name": "held"} for die in shown[: len(draft.held)]]
    tapped = [{**die, "name": "dice"} for die in shown[len(draft.held) :]]
    if what != "keep":
        held = [{**place, "kind": "held"} for place in held]
    missing = max(0, opened.dice_needed - len(draft.dice))
    return [*held, *tapped, *({"face": ""} for _place in range(missing))]


def _list_faces(opened: TurnDraftEvaluation) -> list[dict[str, str]]:
    if opened.dice_spec is None:
        return []
    return [{"value": str(face.face), "face": str(face.face)} for face in get_dice_field(opened.dice_spec).faces]


def _make_hint(opened: TurnDraftEvaluation) -> str:
    spec = opened.dice_spec
    if spec is not None and not opened.is_complete:
        words = {"count": opened.dice_needed}
        if spec.nth is None:
            return ngettext("Tap the %(count)s die rolled", "Tap the %(count)s dice rolled", opened.dice_needed) % words
        text = ngettext(
            "Roll %(number)s of %(of)s: tap the die rolled",
            "Roll %(number)s of %(of)s: tap the %(count)s dice rolled",
            opened.dice_needed,
        )
        return text % {**words, **spec.nth._asdict()}
    return "" if opened.specs else _("Nothing more can be recorded on this scorecard.")


def _present_boxes(
    game_key: str, opened: TurnDraftEvaluation, why_not: ExplainBlockedChoice
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    boxes: list[dict[str, Any]] = []
    closed: list[dict[str, Any]] = []
    for spec, field in opened.list_choices():
        for choice in field.choices:
            why = _explain_closed_choice(game_key, choice) or why_not(spec, choice)
            box = {"value": f"{spec.type}:{choice.value}", "label": translate(choice.label), "points": choice.points}
            if why is None:
                boxes.append(box)
            else:
                closed.append({**box, "why": why.to_data()})
    return boxes, closed


def _explain_closed_choice(game_key: str, choice: Choice) -> Sentence | None:
    if choice.open or choice.why_not is None:
        return None
    return cite(game_key, choice.rule, translate(choice.why_not, choice.params))


def _format_closed_count(closed: Sequence[object]) -> str:
    count = len(closed)
    return ngettext("%(count)s closed box", "%(count)s closed boxes", count) % {"count": count} if count else ""


def _list_hidden_fields(opened: TurnDraftEvaluation) -> list[dict[str, str]]:
    return [
        {"name": "mode", "value": opened.draft.mode},
        {"name": "actions", "value": dump_actions_field(opened.draft.actions)},
    ]


def _has_simple_fields(spec: ActionSpec) -> bool:
    return all(isinstance(field, (ChoiceField, NumberField)) for field in spec.fields)


def _merge_fields(fields: dict[str, dict[str, Any]], spec: ActionSpec, typed: Mapping[str, Any]) -> None:
    """Join the fields of specs of one type: what they offer together. The rules say which pairs fit."""
    for field in spec.fields:
        fresh = {"label": translate(field.label), "kind": field.kind, "value": typed.get(field.name, "")}
        shown = fields.setdefault(field.name, {"name": field.name, **fresh})
        if isinstance(field, ChoiceField):
            choices = [{"value": c.value, "label": translate(c.label)} for c in field.choices if c.open]
            shown["choices"] = [*shown.get("choices", ()), *choices]
        elif isinstance(field, NumberField):
            shown["low"] = min(field.low, shown.get("low", field.low))
            shown["high"] = max(field.high, shown.get("high", field.high))
