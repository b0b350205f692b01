"""The presenter of the turn form: a draft as plain data for the template.

It needs neither the database nor a request. `templates/scorecards/_turn_draft.html` uses nothing else, so it can be
rendered wherever the games run.
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
from scorekeeper.ledger.problem_messages import explain_all, problems_to_data
from scorekeeper.rulebooks.citations import Sentence, cite, get_clause_url
from scorekeeper.scorecards.turn_draft import TurnDraftEvaluation, dump_actions_field, get_dice_field

Data = Mapping[str, Any]

# Returns why a choice that is open for the turn is not possible on the card, or None.
ExplainBlockedChoice = Callable[[ActionSpec, Choice], Sentence | None]


def present_draft(game_key: str, evaluation: TurnDraftEvaluation, why_not: ExplainBlockedChoice) -> dict[str, Any]:
    """Return the visible dice, the pad or the boxes, and the hidden fields with the draft."""
    boxes, closed = _present_boxes(game_key, evaluation, why_not)
    return {
        "modes": _present_modes(evaluation),
        "places": _present_dice(evaluation),
        "faces": [] if evaluation.is_complete else _list_faces(evaluation),
        "hint": _make_hint(evaluation),
        "boxes": boxes,
        "closed": closed,
        "closed_count": _format_closed_count(closed),
        "can_roll_again": evaluation.can_roll_again,
        "can_step_back": bool(evaluation.draft.visible_dice or evaluation.draft.actions),
        "hidden": _list_hidden_fields(evaluation),
        "problems": [sentence.to_data() for sentence in explain_problems(game_key, evaluation.problems)],
    }


def present_other_input_methods(evaluation: TurnDraftEvaluation, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that record a whole turn without dice, each type once: a missed turn, a paper card.

    Args:
        typed: what a form sent; it stays in the fields of the same names.
    """
    methods: dict[str, dict[str, Any]] = {}
    for spec in evaluation.specs:
        if spec.type != Retire.type and spec not in evaluation.dice_specs and _has_simple_fields(spec):
            method = methods.setdefault(spec.type, {"type": spec.type, "label": translate(spec.label), "fields": {}})
            _merge_fields(method["fields"], spec, typed)
    return [{**method, "fields": list(method["fields"].values())} for method in methods.values()]


def explain_problems(game_key: str, problems: Sequence[Problem]) -> list[Sentence]:
    """Return the problems as sentences, each with its clause."""
    return explain_all(game_key, problems_to_data(problems))


def present_sheet(game_key: str, sheet: ScoreSheet) -> list[dict[str, Any]]:
    """Return the score sheet of one seat, line by line, each with the URL of its clause."""
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


def _present_modes(evaluation: TurnDraftEvaluation) -> list[dict[str, Any]]:
    specs = evaluation.dice_specs
    if len(specs) < 2:
        return []
    # The last spec takes the turn's final dice. It is the shortest and the usual method, so it comes first.
    return [
        {
            "type": spec.type,
            "label": _("Final dice") if spec is specs[-1] else _("Roll by roll"),
            "current": spec is evaluation.dice_spec,
        }
        for spec in reversed(specs)
    ]


def _present_dice(evaluation: TurnDraftEvaluation) -> list[dict[str, Any]]:
    draft, complete = evaluation.draft, evaluation.is_complete
    kind = ("keep" if evaluation.can_roll_again else "change") if complete else "tapped"
    dice = [
        {"face": face, "index": index, "kind": kind, "is_chosen": kind == "keep" and draft.is_pinned(index)}
        for index, face in enumerate(draft.visible_dice)
    ]
    held = [{**die, "name": "held"} for die in dice[: len(draft.held)]]
    tapped = [{**die, "name": "dice"} for die in dice[len(draft.held) :]]
    if kind != "keep":
        held = [{**die, "kind": "held"} for die in held]
    missing_count = max(0, evaluation.dice_needed - len(draft.dice))
    return [*held, *tapped, *({"face": ""} for _index in range(missing_count))]


def _list_faces(evaluation: TurnDraftEvaluation) -> list[dict[str, str]]:
    if evaluation.dice_spec is None:
        return []
    return [{"value": str(face.face), "face": str(face.face)} for face in get_dice_field(evaluation.dice_spec).faces]


def _make_hint(evaluation: TurnDraftEvaluation) -> str:
    spec = evaluation.dice_spec
    if spec is not None and not evaluation.is_complete:
        words = {"count": evaluation.dice_needed}
        if spec.nth is None:
            return (
                ngettext("Tap the %(count)s die rolled", "Tap the %(count)s dice rolled", evaluation.dice_needed)
                % words
            )
        text = ngettext(
            "Roll %(number)s of %(of)s: tap the die rolled",
            "Roll %(number)s of %(of)s: tap the %(count)s dice rolled",
            evaluation.dice_needed,
        )
        return text % {**words, **spec.nth._asdict()}
    return "" if evaluation.specs else _("Nothing more can be recorded on this scorecard.")


def _present_boxes(
    game_key: str, evaluation: TurnDraftEvaluation, why_not: ExplainBlockedChoice
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    boxes: list[dict[str, Any]] = []
    closed: list[dict[str, Any]] = []
    for spec, field in evaluation.list_choices():
        for choice in field.choices:
            reason = _explain_closed_choice(game_key, choice) or why_not(spec, choice)
            box = {"value": f"{spec.type}:{choice.value}", "label": translate(choice.label), "points": choice.points}
            if reason is None:
                boxes.append(box)
            else:
                closed.append({**box, "why": reason.to_data()})
    return boxes, closed


def _explain_closed_choice(game_key: str, choice: Choice) -> Sentence | None:
    if choice.open or choice.why_not is None:
        return None
    return cite(game_key, choice.rule, translate(choice.why_not, choice.params))


def _format_closed_count(closed: Sequence[object]) -> str:
    count = len(closed)
    return ngettext("%(count)s closed box", "%(count)s closed boxes", count) % {"count": count} if count else ""


def _list_hidden_fields(evaluation: TurnDraftEvaluation) -> list[dict[str, str]]:
    return [
        {"name": "mode", "value": evaluation.draft.mode},
        {"name": "actions", "value": dump_actions_field(evaluation.draft.actions)},
    ]


def _has_simple_fields(spec: ActionSpec) -> bool:
    return all(isinstance(field, (ChoiceField, NumberField)) for field in spec.fields)


def _merge_fields(fields: dict[str, dict[str, Any]], spec: ActionSpec, typed: Mapping[str, Any]) -> None:
    """Merge the fields of specs of one type into everything they offer. The rules decide which values fit together."""
    for field in spec.fields:
        initial = {"label": translate(field.label), "kind": field.kind, "value": typed.get(field.name, "")}
        field_data = fields.setdefault(field.name, {"name": field.name, **initial})
        if isinstance(field, ChoiceField):
            choices = [{"value": c.value, "label": translate(c.label)} for c in field.choices if c.open]
            field_data["choices"] = [*field_data.get("choices", ()), *choices]
        elif isinstance(field, NumberField):
            field_data["low"] = min(field.low, field_data.get("low", field.low))
            field_data["high"] = max(field.high, field_data.get("high", field.high))
