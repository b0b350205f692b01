"""What an entry page shows of a draft, as plain data: no rows of the database, no request.

`templates/scorecards/_card.html` is made of exactly this, so it can be made anywhere the games can run.
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
from scorekeeper.common.rules import say
from scorekeeper.rulebooks.citing import Sentence, cite, link_clause
from scorekeeper.scorecards.draft import OpenDraft, get_dice_field, write_actions_field
from scorekeeper.scorecards.explaining import explain_all, list_problem_data

Data = Mapping[str, Any]

# Why a choice that the turn itself leaves open cannot stand on the card, or None.
WhyNot = Callable[[ActionSpec, Choice], Sentence | None]


def show_draft(game_key: str, opened: OpenDraft, why_not: WhyNot) -> dict[str, Any]:
    """Return the dice in sight, the pad or the boxes, and the hidden fields that carry the draft."""
    boxes, closed = _show_boxes(game_key, opened, why_not)
    return {
        "modes": _show_modes(opened),
        "places": _show_places(opened),
        "faces": [] if opened.is_complete else _list_faces(opened),
        "hint": _hint(opened),
        "boxes": boxes,
        "closed": closed,
        "closed_count": _count_closed(closed),
        "can_go_on": opened.can_go_on,
        "can_step_back": bool(opened.draft.showing or opened.draft.actions),
        "hidden": _hidden(opened),
        "problems": [sentence.to_data() for sentence in show_problems(game_key, opened.problems)],
    }


def show_other_ways(opened: OpenDraft, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that note the whole turn without dice, each type once: a missed turn, a paper card.

    Args:
        typed: what a form sent, to be kept in the fields of the same names.
    """
    ways: dict[str, dict[str, Any]] = {}
    for spec in opened.specs:
        if spec.type != Retire.type and spec not in opened.dice_specs and _is_simple(spec):
            way = ways.setdefault(spec.type, {"type": spec.type, "label": say(spec.label), "fields": {}})
            _add_fields(way["fields"], spec, typed)
    return [{**way, "fields": list(way["fields"].values())} for way in ways.values()]


def show_problems(game_key: str, problems: Sequence[Problem]) -> list[Sentence]:
    """Return the problems as sentences, each with its clause."""
    return explain_all(game_key, list_problem_data(problems))


def show_sheet(game_key: str, sheet: ScoreSheet) -> list[dict[str, Any]]:
    """Return the score sheet of one seat, line by line, each with the address of its clause."""
    return [
        {
            "label": say(line.label),
            "points": line.cells[0].points,
            "turns": list(line.cells[0].turns),
            "kind": line.kind,
            "section": "" if line.section is None else say(line.section),
            "href": link_clause(game_key, line.rule),
        }
        for line in sheet.lines
    ]


def _show_modes(opened: OpenDraft) -> list[dict[str, Any]]:
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


def _show_places(opened: OpenDraft) -> list[dict[str, Any]]:
    draft, complete = opened.draft, opened.is_complete
    what = ("keep" if opened.can_go_on else "change") if complete else "tapped"
    shown = [
        {"face": face, "index": place, "kind": what, "is_chosen": what == "keep" and draft.is_pinned(place)}
        for place, face in enumerate(draft.showing)
    ]
    held = [{**die, "name": "held"} for die in shown[: len(draft.held)]]
    tapped = [{**die, "name": "dice"} for die in shown[len(draft.held) :]]
    if what != "keep":
        held = [{**place, "kind": "held"} for place in held]
    missing = max(0, opened.needed - len(draft.dice))
    return [*held, *tapped, *({"face": ""} for _place in range(missing))]


def _list_faces(opened: OpenDraft) -> list[dict[str, str]]:
    if opened.dice_spec is None:
        return []
    return [{"value": str(face.face), "face": str(face.face)} for face in get_dice_field(opened.dice_spec).faces]


def _hint(opened: OpenDraft) -> str:
    spec = opened.dice_spec
    if spec is not None and not opened.is_complete:
        words = {"count": opened.needed}
        if spec.nth is None:
            return ngettext("Tap the %(count)s die rolled", "Tap the %(count)s dice rolled", opened.needed) % words
        text = ngettext(
            "Roll %(number)s of %(of)s: tap the die rolled",
            "Roll %(number)s of %(of)s: tap the %(count)s dice rolled",
            opened.needed,
        )
        return text % {**words, **spec.nth._asdict()}
    return "" if opened.specs else _("Nothing more can be noted on this card.")


def _show_boxes(game_key: str, opened: OpenDraft, why_not: WhyNot) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    boxes: list[dict[str, Any]] = []
    closed: list[dict[str, Any]] = []
    for spec, field in opened.list_choices():
        for choice in field.choices:
            why = _why_closed(game_key, choice) or why_not(spec, choice)
            box = {"value": f"{spec.type}:{choice.value}", "label": say(choice.label), "points": choice.points}
            if why is None:
                boxes.append(box)
            else:
                closed.append({**box, "why": why.to_data()})
    return boxes, closed


def _why_closed(game_key: str, choice: Choice) -> Sentence | None:
    if choice.open or choice.why_not is None:
        return None
    return cite(game_key, choice.rule, say(choice.why_not, choice.params))


def _count_closed(closed: Sequence[object]) -> str:
    count = len(closed)
    return ngettext("%(count)s closed box", "%(count)s closed boxes", count) % {"count": count} if count else ""


def _hidden(opened: OpenDraft) -> list[dict[str, str]]:
    return [
        {"name": "mode", "value": opened.draft.mode},
        {"name": "actions", "value": write_actions_field(opened.draft.actions)},
    ]


def _is_simple(spec: ActionSpec) -> bool:
    return all(isinstance(field, (ChoiceField, NumberField)) for field in spec.fields)


def _add_fields(fields: dict[str, dict[str, Any]], spec: ActionSpec, typed: Mapping[str, Any]) -> None:
    """Join the fields of specs of one type: what they offer together. The rules say which pairs fit."""
    for field in spec.fields:
        fresh = {"label": say(field.label), "kind": field.kind, "value": typed.get(field.name, "")}
        shown = fields.setdefault(field.name, {"name": field.name, **fresh})
        if isinstance(field, ChoiceField):
            choices = [{"value": c.value, "label": say(c.label)} for c in field.choices if c.open]
            shown["choices"] = [*shown.get("choices", ()), *choices]
        elif isinstance(field, NumberField):
            shown["low"] = min(field.low, shown.get("low", field.low))
            shown["high"] = max(field.high, shown.get("high", field.high))
