"""What may be done now as the pages ask for it: plain data, made of offers and a draft alone.

`templates/tables/_offers.html` is made of exactly this, so it can be made anywhere the games can run. Of an offer there
are three kinds: a *button* has nothing to fill, at most flags to set; *options* are one field of which a tap on an
option does it all; a *form* has fields and then a button of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.cards import CARDS
from games.core.game import Game
from games.core.problems import Problem
from games.core.specs import CardsField, Choice, ChoiceField, DiceField, Field, FlagField, NumberField, PickField
from scorekeeper.common.game_adapter import translate
from scorekeeper.rulebooks.citations import Sentence, cite
from scorekeeper.scorecards.problem_messages import explain, problem_to_data
from scorekeeper.tables.action_draft import (
    NO_CARD,
    ActionDraft,
    format_positions,
    get_dice_range,
    list_button_values,
    parse_action,
    parse_positions,
)
from scorekeeper.tables.dice_faces import TemplateData, present_dice_in_sight, present_faces
from scorekeeper.tables.offers import Offer
from scorekeeper.tables.wording import get_choice_label

MAX_VISIBLE_OPTIONS = 12  # so many options are shown; more are a tap away
MAX_SHORT_LABEL = 3  # characters of a label that needs little room
MAX_LARGE_FACES = 6  # faces that fit the screen at their full size


@dataclass(frozen=True)
class ActionFormState:
    """What the form is made for.

    Attributes:
        names: of the seats, for fields and choices that are about one.
        key: of the offer the person is at; "" for the first.
        problems: what is wrong with that offer's draft.
        corrects: whether the draft puts something right; then an option is chosen first and sent with the reason.
        foresee: says what an action would bring about; None where that is not told.
    """

    game: Game[Any]
    names: Sequence[str]
    draft: ActionDraft = field(default_factory=ActionDraft)
    key: str = ""
    problems: Sequence[Problem] = ()
    is_correction: bool = False
    preview_action: Callable[[Mapping[str, Any]], str] | None = None


def present_offers(asking: ActionFormState, offers: Sequence[Offer]) -> list[TemplateData]:
    """Return the offers in their order, each with its fields and what stands in them."""
    at = asking.key or next((offer.key for offer in offers if not asking.draft.restrict_to([offer]).is_empty), "")
    shown = [_present_offer(asking, offer, at or offers[0].key) for offer in offers]
    folded = [offer for offer in shown if offer["kind"] != "button"]
    for offer in folded:
        offer["folds"] = len(folded) > 1 or offer is not shown[0]
    return shown


def list_errors(asking: ActionFormState, offers: Sequence[Offer]) -> list[dict[str, str]]:
    """Return the problems as the error summary takes them, each leading to its field."""
    offer = next((offer for offer in offers if offer.key == asking.key), None)
    errors = []
    for problem in asking.problems:
        name = get_field_name(problem)
        known = offer is not None and any(one.name == name for one in offer.fields)
        sentence = explain_problem(asking.game, problem)
        errors.append({"field_id": _make_id(asking.key, name) if known else "offers", **sentence.to_data()})
    return errors


def explain_problem(game: Game[Any], problem: Problem) -> Sentence:
    """Return a problem as a sentence that cites its clause."""
    return explain(game.key, problem_to_data(problem))


def _present_problems(asking: ActionFormState, problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [explain_problem(asking.game, problem).to_data() for problem in problems]


def get_field_name(problem: Problem) -> str:
    """Return the name of the action's field that a problem is about: "dice" of "actions[0].dice[2]"."""
    return (problem.field or "").rpartition(".")[2].partition("[")[0]


def _present_offer(asking: ActionFormState, offer: Offer, at: str) -> TemplateData:
    shown = {
        "key": offer.key,
        "id": offer.key.replace(".", "-"),
        "label": translate(offer.spec.label),
        "one": "" if offer.alternative is None else translate(offer.alternative.label),
        "is_open": offer.key == at,
        "fields": [],
        "kind": "form",
        "is_ready": _is_ready(offer, asking.draft),
        "errors": [],
        "then": "",
    }
    if asking.key == offer.key:
        names = {one.name for one in offer.fields}
        shown["errors"] = _present_problems(
            asking, (one for one in asking.problems if get_field_name(one) not in names)
        )
    by_tap = None if asking.is_correction else offer.one_tap_field
    if by_tap is not None:
        shown |= {"kind": "options", **_present_options(asking, offer, by_tap)}
    elif not asking.is_correction and not offer.required_fields and len(offer.fields) == len(_list_flags(offer)):
        shown["kind"] = "button"
        if asking.preview_action is not None:
            shown["then"] = asking.preview_action(parse_action(offer, asking.draft).action)
    shown["fields"] = [
        _present_field(asking, offer, one)
        for one in offer.fields
        if one is not by_tap and not (isinstance(one, FlagField) and one.required)
    ]
    return shown


def _list_flags(offer: Offer) -> list[Field]:
    return [one for one in offer.fields if isinstance(one, FlagField)]


def _is_ready(offer: Offer, draft: ActionDraft) -> bool:
    """Whether the button of a form can be pressed: the dice are in, as far as this can be known here.

    Where the count hangs on a pick, whose marks are seen only when they are sent, the button is open from the start.
    """
    dice = [one for one in offer.required_fields if isinstance(one, DiceField) and not one.single]
    fixed = {one.name for one in dice if not (one.count.less_pick or one.count.like_pick)}
    return not any(problem.field in fixed for problem in parse_action(offer, draft).problems)


def _present_field(asking: ActionFormState, offer: Offer, one: Field) -> TemplateData:
    words = asking.draft.get_values(offer.key, one.name)
    shown: TemplateData = {
        "kind": one.kind,
        "name": f"{offer.key}:{one.name}",
        "id": _make_id(offer.key, one.name),
        "label": translate(one.label),
        "is_quiet": not (one.required or one is offer.alternative),
        "errors": [],
    }
    if asking.key == offer.key:
        about = [problem for problem in asking.problems if get_field_name(problem) == one.name]
        shown["errors"] = _present_problems(asking, about)
    if isinstance(one, DiceField):
        return shown | _present_dice(asking, offer, one, words)
    if isinstance(one, PickField):
        return shown | _present_pick(asking, offer, one, words)
    if isinstance(one, ChoiceField):
        choices = [_present_choice(asking, choice) for choice in _sort_choices(one)]
        return shown | {"choices": [{**choice, "is_chosen": choice["value"] in words} for choice in choices]}
    if isinstance(one, NumberField):
        values = [{"value": str(value), "is_chosen": str(value) in words} for value in list_button_values(one)]
        return shown | {"values": values, "low": one.low, "high": one.high, "value": words[0] if words else ""}
    if isinstance(one, CardsField):
        given = words if len(words) == len(one.seats) else (NO_CARD,) * len(one.seats)
        seats = [{"name": asking.names[seat], "card": card} for seat, card in zip(one.seats, given, strict=True)]
        return shown | {"seats": seats, "cards": list(CARDS), "not_there": NO_CARD}
    return shown | {"is_set": bool(words)}


def _present_dice(asking: ActionFormState, offer: Offer, one: DiceField, words: Sequence[str]) -> TemplateData:
    faces = present_faces(asking.game, one)
    is_large = len(offer.required_fields) == 1 and len(faces) <= MAX_LARGE_FACES
    if one.single:
        chosen = [{**face, "is_chosen": face["value"] in words} for face in faces]
        return {"kind": "die", "faces": chosen, "is_large": is_large}
    by_value = {face["value"]: face for face in faces}
    least, most = get_dice_range(offer, one, asking.draft)
    name = f"{offer.key}:{one.name}"
    known = [(index, by_value[word]) for index, word in enumerate(words) if word in by_value]
    tapped = [{**face, "index": index, "kind": "change", "name": name} for index, face in known]
    places = [*tapped, *({"face": ""} for _place in range(max(one.count.high, len(words)) - len(tapped)))]
    pick = one.count.like_pick or one.count.less_pick
    return {
        "faces": faces,
        "tap": f"tap:{name}",
        "back": f"back:{name}",
        "places": places,
        "most": max(most, len(tapped)),
        "least": least,
        "count": _format_count(least, most),
        "is_large": is_large,
        "pick": f"{offer.key}:{pick}" if pick else "",
        "pick_is": "like" if one.count.like_pick else "less",
        "low": one.count.low,
        "high": one.count.high,
    }


def _format_count(least: int, most: int) -> str:
    if least == most:
        return ngettext("%(count)s die", "%(count)s dice", most) % {"count": most}
    return _("%(least)s to %(most)s dice") % {"least": least, "most": most}


def _present_pick(asking: ActionFormState, offer: Offer, one: PickField, words: Sequence[str]) -> TemplateData:
    """Return the dice to mark, or where the field is all there is, the ready selections to choose from."""
    chosen = parse_positions(one, tuple(words))
    if offer.one_tap_field is one:
        choices = _list_pick_options(asking.game, offer, one)
        marked = {str(place) for place in chosen}
        choices = [{**choice, "is_chosen": set(choice["value"].split()) == marked} for choice in choices]
        return {"kind": "choice", "choices": choices}
    dice = present_dice_in_sight(asking.game, offer.spec, one)
    places = [{**die, "kind": "keep", "index": place, "is_chosen": place in chosen} for place, die in enumerate(dice)]
    return {"dice": places}


def _present_options(asking: ActionFormState, offer: Offer, one: PickField | ChoiceField) -> TemplateData:
    if isinstance(one, PickField):
        options, closed = _list_pick_options(asking.game, offer, one), []
    else:
        choices = [_present_choice(asking, choice) for choice in _sort_choices(one)]
        options = [choice for choice in choices if not choice["why"]]
        closed = [choice for choice in choices if choice["why"]]
    # One option alone in the fold would take as much room there as in sight.
    cut = MAX_VISIBLE_OPTIONS if len(options) > MAX_VISIBLE_OPTIONS + 1 else len(options)
    more = len(options) - cut
    return {
        "name": f"note:{offer.key}:{one.name}",
        "options": options[:cut],
        "are_short": all(option["label"] and len(option["label"]) <= MAX_SHORT_LABEL for option in options),
        "more": options[cut:],
        "more_count": ngettext("%(count)s more", "%(count)s more", more) % {"count": more},
        "closed": closed,
        "closed_count": ngettext("%(count)s closed", "%(count)s closed", len(closed)) % {"count": len(closed)},
        "id_of_options": _make_id(offer.key, one.name),
    }


def _list_pick_options(game: Game[Any], offer: Offer, one: PickField) -> list[TemplateData]:
    showing = present_dice_in_sight(game, offer.spec, one)
    picks = sorted(one.picks, key=lambda pick: -(pick.points or 0))
    options: list[TemplateData] = []
    for pick in picks:
        places = format_positions(one, pick.dice)
        dice = [showing[int(place)] for place in places.split()]
        label = "" if dice else _("None of them")
        options.append({"value": places, "dice": dice, "label": label, "points": pick.points, "why": {}})
    return options


def _sort_choices(one: ChoiceField) -> list[Choice]:
    return sorted(one.choices, key=lambda choice: (not choice.open, -(choice.points or 0)))


def _present_choice(asking: ActionFormState, choice: Choice) -> TemplateData:
    why: dict[str, str] = {}
    if not choice.open and choice.why_not is not None:
        why = cite(asking.game.key, choice.rule, translate(choice.why_not, choice.params)).to_data()
    return {
        "value": str(choice.value),
        "label": get_choice_label(choice, asking.names),
        "points": choice.points,
        "why": why,
    }


def _make_id(key: str, name: str) -> str:
    return f"{key}-{name}".replace(".", "-")
