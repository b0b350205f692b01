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
from games.core.sheet import ScoreSheet, place_turns
from games.core.specs import ActionSpec, Choice, ChoiceField, DiceField, DrawField, Field, NumberField
from scorekeeper.common.game_adapter import show_cell, show_total, translate
from scorekeeper.ledger.problem_messages import explain_all, problems_to_data
from scorekeeper.rulebooks.citations import Sentence, get_clause_url
from scorekeeper.scorecards.card_pad import present_card_pad
from scorekeeper.scorecards.choice_presenter import present_choice, split_choices
from scorekeeper.scorecards.dice_faces import present_faces
from scorekeeper.scorecards.offers import Offer
from scorekeeper.scorecards.turn_draft import TurnDraftEvaluation, dump_actions_field, get_dice_field

Data = Mapping[str, Any]

# Returns why a choice that is open for the turn is not possible on the card, or None.
ExplainBlockedChoice = Callable[[ActionSpec, Choice], Sentence | None]


def present_draft(
    game: Game[Any],
    evaluation: TurnDraftEvaluation,
    why_not: ExplainBlockedChoice,
    *,
    method: str = "",
    has_numbers: bool = False,
    cards_of_others: DrawField | None = None,
) -> dict[str, Any]:
    """Return the visible dice, the pad or the boxes, and the hidden fields with the draft.

    Args:
        method: the key of the offer that is entered instead of dice, if one is.
        has_numbers: whether a number that is a whole turn, such as the sum of the dice, can be entered instead of them.
        cards_of_others: the cards that all other turns of the card leave, also those after this one, if that matters.
    """
    boxes, closed = split_choices(_present_boxes(game.key, evaluation, why_not))
    boxes += _present_ends(game, evaluation)
    return {
        "modes": _present_modes(evaluation, method, evaluation.number_offers if has_numbers else ()),
        "places": _present_dice(game, evaluation),
        "faces": _list_faces(game, evaluation),
        "card_pad": _present_card_pad(evaluation, cards_of_others),
        "hint": _make_hint(evaluation),
        "boxes": boxes,
        "closed": closed,
        "closed_count": _format_closed_count(closed),
        "again": _present_next_roll(evaluation) if evaluation.can_roll_again else None,
        "can_step_back": bool(evaluation.draft.visible_dice or evaluation.draft.actions),
        "hidden": _list_hidden_fields(evaluation),
        "problems": [sentence.to_data() for sentence in explain_problems(game.key, evaluation.problems)],
    }


def present_whole_turn(offer: Offer, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form of an action that records a whole turn without dice.

    Args:
        typed: what a form sent; it stays in the fields of the same names.
    """
    fields = [_present_field(field, typed.get(field.name, ""), len(offer.fields)) for field in offer.fields]
    return {"type": offer.key, "label": translate(offer.spec.label), "fields": fields}


def explain_problems(game_key: str, problems: Sequence[Problem]) -> list[Sentence]:
    """Return the problems as sentences, each with its clause."""
    return explain_all(game_key, problems_to_data(problems))


def present_sheet(game_key: str, sheet: ScoreSheet, ordinals: Sequence[int]) -> list[dict[str, Any]]:
    """Return the score sheet of one seat, line by line, each with the URL of its clause.

    Args:
        ordinals: the numbers of the slots whose turns count, in order.
    """
    return [
        {
            "label": translate(line.label),
            "points": show_cell(line.cells[0]),
            "turns": list(line.cells[0].turns),
            "kind": line.kind,
            "section": "" if line.section is None else translate(line.section),
            "href": get_clause_url(game_key, line.rule),
        }
        for line in place_turns(sheet.lines, ordinals)
    ]


def _present_modes(
    evaluation: TurnDraftEvaluation, method: str, number_offers: Sequence[Offer]
) -> list[dict[str, Any]]:
    """Return the ways to enter the turn; none if there is only one."""
    offers = evaluation.dice_offers
    # The last offer takes the turn's final dice. It is the shortest and the usual method, so it comes first.
    modes = [
        {
            "type": offer.key,
            "label": _label_mode(offer, offers),
            "current": offer is evaluation.dice_offer and not method,
        }
        for offer in reversed(offers)
    ]
    for offer in number_offers:
        modes.append({"type": offer.key, "label": translate(offer.fields[0].label), "current": offer.key == method})
    return modes if len(modes) > 1 else []


def _label_mode(offer: Offer, offers: Sequence[Offer]) -> str:
    if len(offers) == 1:
        return translate(get_dice_field(offer).label)
    return _("Final dice") if offer is offers[-1] else _("Roll by roll")


def _present_dice(game: Game[Any], evaluation: TurnDraftEvaluation) -> list[dict[str, Any]]:
    draft, complete = evaluation.draft, evaluation.is_complete
    kind = ("keep" if evaluation.can_keep_dice else "change") if complete else "tapped"
    offer = evaluation.dice_offer
    field = None if offer is None else get_dice_field(offer)
    faces = {face["value"]: face for face in present_faces(game, field)} if isinstance(field, DiceField) else {}
    dice = [
        {
            **faces.get(str(face), {"face": face}),
            "index": index,
            "kind": kind,
            "is_chosen": kind == "keep" and draft.is_pinned(index),
        }
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
    field = get_dice_field(evaluation.dice_offer)
    return [] if isinstance(field, DrawField) else present_faces(game, field)


def _present_card_pad(evaluation: TurnDraftEvaluation, cards_of_others: DrawField | None) -> dict[str, Any] | None:
    if evaluation.dice_offer is None or evaluation.is_complete:
        return None
    field = get_dice_field(evaluation.dice_offer)
    return present_card_pad(field, evaluation.draft.dice, cards_of_others) if isinstance(field, DrawField) else None


def _make_hint(evaluation: TurnDraftEvaluation) -> str:
    offer = evaluation.dice_offer
    if offer is not None and not evaluation.is_complete:
        words, nth = {"count": evaluation.dice_needed}, offer.spec.nth
        if isinstance(get_dice_field(offer), DrawField):
            text = ngettext(
                "Tap the card: its rank, then its suit",
                "Tap the %(count)s cards: each its rank, then its suit",
                evaluation.dice_needed,
            )
            return text % words
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


def _present_next_roll(evaluation: TurnDraftEvaluation) -> dict[str, Any]:
    """Return the button that throws again: its text for each number of dice not kept, and which roll this is."""
    assert evaluation.dice_offer is not None
    dice, nth = evaluation.draft.visible_dice, evaluation.dice_offer.spec.nth
    text = _("Throw all dice again") if evaluation.rolls_all_again else _("Throw the other dice again")
    labels = [
        {
            "count": count,
            "text": ngettext("Throw %(count)s die again", "Throw %(count)s dice again", count) % {"count": count}
            if count
            else _("All dice are kept"),
        }
        for count in range(len(dice) + 1)
        if evaluation.can_keep_dice
    ]
    return {
        "text": text,
        "labels": labels,
        "nth": "" if nth is None else _("Roll %(number)s of %(of)s") % nth._asdict(),
    }


def _present_boxes(
    game_key: str, evaluation: TurnDraftEvaluation, why_not: ExplainBlockedChoice
) -> Iterator[dict[str, Any]]:
    for offer in evaluation.choice_offers:
        assert offer.only_choice is not None
        for choice in offer.only_choice.choices:
            blocked = why_not(offer.spec, choice) if choice.open else None
            presented = present_choice(game_key, choice, (), blocked)
            yield {**presented, "value": f"{offer.key}:{choice.value}"}


def _present_ends(game: Game[Any], evaluation: TurnDraftEvaluation) -> list[dict[str, Any]]:
    """Return a button for each way to end the turn without a choice; they look like boxes.

    Where turns have no points of their own, it says what the whole card then comes to. No points say then which button
    is the best one, so the only way to go on is marked as that.
    """
    own = _("Record turn")
    if evaluation.dice_offer is not None and not game.points_of_turns:
        own = translate(evaluation.dice_offer.spec.label)
    return [
        {
            "value": f"{'' if end.action is None else end.action['type']}:",
            "label": own if end.label is None else translate(end.label),
            "points": end.points if game.points_of_turns else None,
            "note": "" if game.points_of_turns else show_total(game, end.total),
            "is_main": not (game.points_of_turns or evaluation.can_roll_again) and len(evaluation.ends) == 1,
            "why": {},
        }
        for end in evaluation.ends
    ]


def _format_closed_count(closed: Sequence[object]) -> str:
    count = len(closed)
    return ngettext("%(count)s closed box", "%(count)s closed boxes", count) % {"count": count} if count else ""


def _list_hidden_fields(evaluation: TurnDraftEvaluation) -> list[dict[str, str]]:
    return [
        {"name": "mode", "value": evaluation.draft.mode},
        {"name": "actions", "value": dump_actions_field(evaluation.draft.actions)},
    ]


def _present_field(field: Field, typed: Any, count: int) -> dict[str, Any]:
    """Return a field of an action.

    Args:
        count: how many fields the action has. A number by itself is entered with large keys.
    """
    data = {"name": field.name, "label": translate(field.label), "kind": field.kind, "value": typed}
    if isinstance(field, ChoiceField):
        return data | {"choices": [{"value": c.value, "label": translate(c.label)} for c in field.choices if c.open]}
    if count == 1 and isinstance(field, NumberField) and not field.values:
        limits = _("From %(low)s to %(high)s") % {"low": field.low, "high": field.high}
        return data | {"has_keys": True, "high": field.high, "limits": limits}
    return data
