"""Plain data for the form of a table, made from offers and a draft alone.

`templates/scorecards/_offers.html` needs nothing else, so the form can be rendered anywhere the games can run. There
are three kinds of offers:

- a *button* has no fields, at most flags to set;
- *options* are a single field, where one tap on an option records the action;
- a *form* has fields and then a button of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext

from games.core.cards import CARDS, JOKER
from games.core.game import Game
from games.core.problems import Problem
from games.core.specs import CardsField, ChoiceField, DiceField, DrawField, Field, FlagField, NumberField, PickField
from scorekeeper.common.game_adapter import translate
from scorekeeper.ledger.problem_messages import explain, problem_to_data
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import (
    FLAG_MARK,
    NO_CARD,
    ActionDraft,
    format_positions,
    get_dice_range,
    list_button_values,
    parse_action,
    parse_positions,
)
from scorekeeper.scorecards.choice_presenter import present_choice, sort_choices, split_choices
from scorekeeper.scorecards.dice_faces import TemplateData, present_dice_in_sight, present_faces
from scorekeeper.scorecards.offers import Offer

MAX_VISIBLE_OPTIONS = 12  # the other options are one tap away
MAX_SHORT_LABEL = 3  # characters of a label that needs little space
MAX_LARGE_FACES = 6  # faces that fit the screen at full size


@dataclass(frozen=True)
class ActionFormState:
    """The state of the form.

    Attributes:
        names: of the seats, for fields and choices that are about a seat.
        key: of the offer that is being filled in; "" for the first.
        problems: what is wrong with that offer's draft.
        is_correction: whether the draft corrects an action; then an option is chosen first and sent with the reason.
        preview_action: describes the consequences of an action; None if they are not shown.
    """

    game: Game[Any]
    names: Sequence[str]
    draft: ActionDraft = dataclass_field(default_factory=ActionDraft)
    key: str = ""
    problems: Sequence[Problem] = ()
    is_correction: bool = False
    preview_action: Callable[[Mapping[str, Any]], str] | None = None


def present_offers(form_state: ActionFormState, offers: Sequence[Offer]) -> list[TemplateData]:
    """Return the offers in their order, each with its fields and their values."""
    open_key = form_state.key or next(
        (offer.key for offer in offers if not form_state.draft.restrict_to([offer]).is_empty), ""
    )
    presented = [_present_offer(form_state, offer, open_key or offers[0].key) for offer in offers]
    folded = [offer for offer in presented if offer["kind"] != "button"]
    for offer in folded:
        offer["is_folded"] = len(folded) > 1 or offer is not presented[0]
    return presented


def list_errors(form_state: ActionFormState, offers: Sequence[Offer]) -> list[dict[str, str]]:
    """Return the problems for the error summary, each with a link to its field."""
    offer = next((offer for offer in offers if offer.key == form_state.key), None)
    errors = []
    for problem in form_state.problems:
        name = get_field_name(problem)
        has_field = offer is not None and any(field.name == name for field in offer.fields)
        sentence = explain_problem(form_state.game, problem)
        errors.append({"field_id": _make_id(form_state.key, name) if has_field else "offers", **sentence.to_data()})
    return errors


def explain_problem(game: Game[Any], problem: Problem) -> Sentence:
    """Return a problem as a sentence that cites its clause."""
    return explain(game.key, problem_to_data(problem))


def _present_problems(form_state: ActionFormState, problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [explain_problem(form_state.game, problem).to_data() for problem in problems]


def get_field_name(problem: Problem) -> str:
    """Return the name of the action's field that a problem is about: "dice" of "actions[0].dice[2]"."""
    return (problem.field or "").rpartition(".")[2].partition("[")[0]


def _present_offer(form_state: ActionFormState, offer: Offer, open_key: str) -> TemplateData:
    data = {
        "key": offer.key,
        "id": offer.key.replace(".", "-"),
        "label": translate(offer.spec.label),
        "alternative_label": "" if offer.alternative is None else translate(offer.alternative.label),
        "is_open": offer.key == open_key,
        "fields": [],
        "kind": "form",
        "is_ready": _is_ready(offer, form_state.draft),
        "errors": [],
        "preview": "",
    }
    if form_state.key == offer.key:
        names = {field.name for field in offer.fields}
        data["errors"] = _present_problems(
            form_state, (problem for problem in form_state.problems if get_field_name(problem) not in names)
        )
    by_tap = None if form_state.is_correction else offer.one_tap_field
    if by_tap is not None:
        data |= {"kind": "options", **_present_options(form_state, offer, by_tap)}
    elif not form_state.is_correction and not offer.required_fields and len(offer.fields) == len(_list_flags(offer)):
        data["kind"] = "button"
        if form_state.preview_action is not None:
            data["preview"] = form_state.preview_action(parse_action(offer, form_state.draft).action)
    in_options = () if by_tap is None else (by_tap, _get_scoring_flag(offer))
    data["fields"] = [
        _present_field(form_state, offer, field)
        for field in offer.fields
        if field not in in_options and not (isinstance(field, FlagField) and field.required)
    ]
    return data


def _list_flags(offer: Offer) -> list[Field]:
    return [field for field in offer.fields if isinstance(field, FlagField)]


def _get_scoring_flag(offer: Offer) -> FlagField | None:
    """Return the flag that adds points to a selection: then each selection can be recorded with and without it."""
    return next((flag for flag in offer.flags if flag.points is not None), None)


def _is_ready(offer: Offer, draft: ActionDraft) -> bool:
    """Whether the button of a form is enabled: the dice have been entered, as far as the server knows.

    If the number of dice depends on a pick, the button is always enabled, since the pick is only sent with the form.
    """
    dice = [field for field in offer.required_fields if isinstance(field, DiceField) and not field.single]
    fixed = {field.name for field in dice if not (field.count.less_pick or field.count.like_pick)}
    return not any(problem.field in fixed for problem in parse_action(offer, draft).problems)


def _present_field(form_state: ActionFormState, offer: Offer, field: Field) -> TemplateData:
    values = form_state.draft.get_values(offer.key, field.name)
    data: TemplateData = {
        "kind": field.kind,
        "name": f"{offer.key}:{field.name}",
        "id": _make_id(offer.key, field.name),
        "label": translate(field.label),
        "is_quiet": not (field.required or field is offer.alternative),
        "errors": [],
    }
    if form_state.key == offer.key:
        about = [problem for problem in form_state.problems if get_field_name(problem) == field.name]
        data["errors"] = _present_problems(form_state, about)
    if isinstance(field, DiceField):
        return data | _present_dice(form_state, offer, field, values)
    if isinstance(field, PickField):
        return data | _present_pick(form_state, offer, field, values)
    if isinstance(field, ChoiceField):
        choices = _present_choices(form_state, field)
        return data | {"choices": [{**choice, "is_chosen": choice["value"] in values} for choice in choices]}
    if isinstance(field, NumberField):
        buttons = [{"value": str(value), "is_chosen": str(value) in values} for value in list_button_values(field)]
        return data | {"values": buttons, "low": field.low, "high": field.high, "value": values[0] if values else ""}
    if isinstance(field, CardsField):
        given = values if len(values) == len(field.seats) else (NO_CARD,) * len(field.seats)
        seats = [{"name": form_state.names[seat], "card": card} for seat, card in zip(field.seats, given, strict=True)]
        return data | {"seats": seats, "cards": list(CARDS), "no_card": NO_CARD}
    if isinstance(field, DrawField):
        cards = [*field.cards, *[JOKER][: field.jokers]]
        return data | {"cards": cards, "places": [*values, *[""] * field.count][: field.count]}
    return data | {"is_set": bool(values)}


def _present_dice(form_state: ActionFormState, offer: Offer, field: DiceField, values: Sequence[str]) -> TemplateData:
    faces = present_faces(form_state.game, field)
    is_large = len(offer.required_fields) == 1 and len(faces) <= MAX_LARGE_FACES
    if field.single:
        chosen = [{**face, "is_chosen": face["value"] in values} for face in faces]
        return {"kind": "die", "faces": chosen, "is_large": is_large}
    by_value = {face["value"]: face for face in faces}
    least, most = get_dice_range(offer, field, form_state.draft)
    name = f"{offer.key}:{field.name}"
    known = [(index, by_value[value]) for index, value in enumerate(values) if value in by_value]
    tapped = [{**face, "index": index, "kind": "change", "name": name} for index, face in known]
    places = [*tapped, *({"face": ""} for _place in range(max(field.count.high, len(values)) - len(tapped)))]
    pick = field.count.like_pick or field.count.less_pick
    return {
        "faces": faces,
        "tap": f"tap:{name}",
        "back": f"back:{name}",
        "places": places,
        "most": max(most, len(tapped)),
        "least": least,
        "count": _format_count(least, most),
        "is_large": is_large,
        # The line above the form says how many dice to throw.
        "is_label_hidden": is_large and least == most and not form_state.is_correction,
        "pick": f"{offer.key}:{pick}" if pick else "",
        "pick_is": "like" if field.count.like_pick else "less",
        "low": field.count.low,
        "high": field.count.high,
    }


def _format_count(least: int, most: int) -> str:
    if least == most:
        return ngettext("%(count)s die", "%(count)s dice", most) % {"count": most}
    return _("%(least)s to %(most)s dice") % {"least": least, "most": most}


def _present_pick(form_state: ActionFormState, offer: Offer, field: PickField, values: Sequence[str]) -> TemplateData:
    """Return the dice to mark, or ready-made selections if this is the only field."""
    chosen = parse_positions(field, tuple(values))
    if offer.one_tap_field is field:
        choices = _list_pick_options(form_state.game, offer, field, None)
        marked = {str(position) for position in chosen}
        choices = [{**choice, "is_chosen": set(choice["value"].split()) == marked} for choice in choices]
        return {"kind": "choice", "choices": choices}
    dice = present_dice_in_sight(form_state.game, offer.spec, field)
    places = [
        {**die, "kind": "keep", "index": position, "is_chosen": position in chosen} for position, die in enumerate(dice)
    ]
    return {"dice": places}


def _present_options(form_state: ActionFormState, offer: Offer, field: PickField | ChoiceField) -> TemplateData:
    if isinstance(field, PickField):
        options = _list_pick_options(form_state.game, offer, field, _get_scoring_flag(offer))
        closed: list[TemplateData] = []
    else:
        options, closed = split_choices(_present_choices(form_state, field))
    # Folding away a single option would save no space.
    cut = MAX_VISIBLE_OPTIONS if len(options) > MAX_VISIBLE_OPTIONS + 1 else len(options)
    more = len(options) - cut
    return {
        "name": f"note:{offer.key}:{field.name}",
        "options": options[:cut],
        "are_short": all(option["label"] and len(option["label"]) <= MAX_SHORT_LABEL for option in options),
        "more": options[cut:],
        "more_count": ngettext("%(count)s more", "%(count)s more", more) % {"count": more},
        "closed": closed,
        "closed_count": npgettext("choices", "%(count)s closed", "%(count)s closed", len(closed))
        % {"count": len(closed)},
        "id_of_options": _make_id(offer.key, field.name),
    }


def _list_pick_options(game: Game[Any], offer: Offer, field: PickField, flag: FlagField | None) -> list[TemplateData]:
    showing = present_dice_in_sight(game, offer.spec, field)
    options: list[TemplateData] = []
    for pick in field.picks:
        positions = format_positions(field, pick.dice)
        dice = [showing[int(position)] for position in positions.split()]
        label = "" if dice else _("None of them")
        options.append({"value": positions, "dice": dice, "label": label, "points": pick.points, "why": {}})
    if flag is not None:
        options += [_set_flag(option, flag) for option in options]
    return sorted(options, key=lambda option: -(option["points"] or 0))


def _set_flag(option: TemplateData, flag: FlagField) -> TemplateData:
    """Return an option that sets a flag too."""
    points = None if option["points"] is None else option["points"] + (flag.points or 0)
    return {
        **option,
        "value": f"{option['value']}{FLAG_MARK}{flag.name}",
        "points": points,
        "extra": f"+ {translate(flag.label)}",
    }


def _present_choices(form_state: ActionFormState, field: ChoiceField) -> list[TemplateData]:
    return [present_choice(form_state.game.key, choice, form_state.names) for choice in sort_choices(field)]


def _make_id(key: str, name: str) -> str:
    return f"{key}-{name}".replace(".", "-")
