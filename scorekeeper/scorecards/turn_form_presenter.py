"""The presenter of the turn form: a draft as plain data for the template.

It needs neither the database nor a request. `templates/scorecards/_turn_draft.html` uses nothing else, so it can be
rendered wherever the games run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game
from games.core.problems import Problem
from games.core.sheet import ScoreSheet
from games.core.specs import ActionSpec, Choice, ChoiceField, Field
from scorekeeper.common.game_adapter import translate
from scorekeeper.ledger.problem_messages import explain_all, problems_to_data
from scorekeeper.rulebooks.citations import Sentence, get_clause_url
from scorekeeper.scorecards.choice_presenter import present_choice, split_choices
from scorekeeper.scorecards.dice_faces import present_faces
from scorekeeper.scorecards.offers import Offer
from scorekeeper.scorecards.turn_draft import TurnDraftEvaluation, dump_actions_field, get_dice_field

Data = Mapping[str, Any]

# Returns why a choice that is open for the turn is not possible on the card, or None.
ExplainBlockedChoice = Callable[[ActionSpec, Choice], Sentence | None]


def present_draft(game: Game[Any], evaluation: TurnDraftEvaluation, why_not: ExplainBlockedChoice) -> dict[str, Any]:
    """Return the visible dice, the pad or the boxes, and the hidden fields with the draft."""
    boxes, closed = split_choices(_present_boxes(game.key, evaluation, why_not))
    return {
        "modes": _present_modes(evaluation),
        "places": _present_dice(evaluation),
        "faces": _list_faces(game, evaluation),
        "hint": _make_hint(evaluation),
        "boxes": boxes,
        "closed": closed,
        "closed_count": _format_closed_count(closed),
        "can_roll_again": evaluation.can_roll_again,
        "can_step_back": bool(evaluation.draft.visible_dice or evaluation.draft.actions),
        "hidden": _list_hidden_fields(evaluation),
        "problems": [sentence.to_data() for sentence in explain_problems(game.key, evaluation.problems)],
    }


def present_whole_turn(offer: Offer, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form of an action that records a whole turn without dice.

    Args:
        typed: what a form sent; it stays in the fields of the same names.
    """
    fields = [_present_field(field, typed.get(field.name, "")) for field in offer.fields]
    return {"type": offer.key, "label": translate(offer.spec.label), "fields": fields}


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
    offers = evaluation.dice_offers
    if len(offers) < 2:
        return []
    # The last offer takes the turn's final dice. It is the shortest and the usual method, so it comes first.
    return [
        {
            "type": offer.key,
            "label": _("Final dice") if offer is offers[-1] else _("Roll by roll"),
            "current": offer is evaluation.dice_offer,
        }
        for offer in reversed(offers)
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


def _list_faces(game: Game[Any], evaluation: TurnDraftEvaluation) -> list[dict[str, Any]]:
    if evaluation.dice_offer is None or evaluation.is_complete:
        return []
    return present_faces(game, get_dice_field(evaluation.dice_offer))


def _make_hint(evaluation: TurnDraftEvaluation) -> str:
    offer = evaluation.dice_offer
    if offer is not None and not evaluation.is_complete:
        words, nth = {"count": evaluation.dice_needed}, offer.spec.nth
        if nth is None:
            return (
                ngettext("Tap the %(count)s die rolled", "Tap the %(count)s dice rolled", evaluation.dice_needed)
                % words
            )
        text = ngettext(
            "Roll %(number)s of %(of)s: tap the die rolled",
            "Roll %(number)s of %(of)s: tap the %(count)s dice rolled",
            evaluation.dice_needed,
        )
        return text % {**words, **nth._asdict()}
    return "" if evaluation.offers else _("Nothing more can be recorded on this scorecard.")


def _present_boxes(
    game_key: str, evaluation: TurnDraftEvaluation, why_not: ExplainBlockedChoice
) -> Iterator[dict[str, Any]]:
    for offer in evaluation.choice_offers:
        assert offer.only_choice is not None
        for choice in offer.only_choice.choices:
            blocked = why_not(offer.spec, choice) if choice.open else None
            presented = present_choice(game_key, choice, (), blocked)
            yield {**presented, "value": f"{offer.key}:{choice.value}"}


def _format_closed_count(closed: Sequence[object]) -> str:
    count = len(closed)
    return ngettext("%(count)s closed box", "%(count)s closed boxes", count) % {"count": count} if count else ""


def _list_hidden_fields(evaluation: TurnDraftEvaluation) -> list[dict[str, str]]:
    return [
        {"name": "mode", "value": evaluation.draft.mode},
        {"name": "actions", "value": dump_actions_field(evaluation.draft.actions)},
    ]


def _present_field(field: Field, typed: Any) -> dict[str, Any]:
    data = {"name": field.name, "label": translate(field.label), "kind": field.kind, "value": typed}
    if isinstance(field, ChoiceField):
        return data | {"choices": [{"value": c.value, "label": translate(c.label)} for c in field.choices if c.open]}
    return data
