"""An action that is being noted, before it is recorded.

Terms: a *draft* is what stands in the form, as the form sends it: words by the name of their field, ``key:field``,
where the key is an offer's. A *press* is the one button that was pressed; its name is ``verb:key:field``. Reading a
draft against an offer gives the action and what is wrong with it. What the rules forbid is theirs to say; here it is
only what cannot be made into an action.

A draft needs no request and no database, so it can be kept and read anywhere the games can run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast, get_args

from games.core.cards import CARDS
from games.core.problems import NO_CLAUSE, Problem
from games.core.reading import Face
from games.core.specs import CardsField, ChoiceField, DiceField, Field, FlagField, NumberField, PickField
from games.core.text import Params, Text, gettext_noop, ngettext_lazy
from scorekeeper.tables.offers import Offer

FieldValues = tuple[str, ...]
Verb = Literal["note", "tap", "back"]

MAX_VALUES = 64  # of one field
MAX_VALUE_LENGTH = 80  # characters of one word
MAX_BUTTONS = 13  # so many values of a number are buttons; of more, it is typed
NO_CARD = "-"  # for a seat that shows no card

TAP_ALL = ngettext_lazy("%(given)s of %(count)s die tapped.", "%(given)s of %(count)s dice tapped.")
TAP_MORE = ngettext_lazy("At least %(count)s die is needed.", "At least %(count)s dice are needed.")
TOO_MANY = ngettext_lazy("At most %(count)s die is allowed here.", "At most %(count)s dice are allowed here.")
NO_SUCH_FACE = gettext_noop("No die here has the face “%(face)s”. Tap it again.")
CHOOSE_DICE = gettext_noop("Choose the dice.")
CHOOSE = gettext_noop("%(field)s: choose one.")
NOT_A_NUMBER = gettext_noop("Enter a whole number, such as %(low)s.")
OUT_OF_RANGE = gettext_noop("Enter a whole number from %(low)s to %(high)s.")
NO_SUCH_CARD = gettext_noop("Choose a card for each seat, or “Not there”.")


class ButtonPress(NamedTuple):
    """The button that was pressed."""

    verb: Verb
    key: str
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class ActionDraft:
    """What stands in the form."""

    field_values: Mapping[str, FieldValues] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was put in yet."""
        return all(set(words) <= {NO_CARD} for words in self.field_values.values())

    def get_values(self, key: str, name: str) -> FieldValues:
        """Return what stands in a field of an offer."""
        return self.field_values.get(f"{key}:{name}", ())

    def with_values(self, key: str, name: str, words: FieldValues) -> ActionDraft:
        """Return the draft with these words in a field."""
        return ActionDraft({**self.field_values, f"{key}:{name}": words})

    def restrict_to(self, offers: Sequence[Offer]) -> ActionDraft:
        """Return the draft without what belongs to no field of these offers."""
        names = {f"{offer.key}:{one.name}" for offer in offers for one in offer.fields}
        return ActionDraft({name: words for name, words in self.field_values.items() if name in names})

    def apply_press(self, press: ButtonPress | None) -> ActionDraft:
        """Return the draft after a button was pressed."""
        if press is None or not press.field:
            return self
        words = self.get_values(press.key, press.field)
        if press.verb == "tap":
            return self.with_values(press.key, press.field, (*words, press.value)[:MAX_VALUES])
        if press.verb == "back":
            place = int(press.value) if press.value.isascii() and press.value.isdigit() else len(words)
            return self.with_values(press.key, press.field, words[:place] + words[place + 1 :])
        return self.with_values(press.key, press.field, (press.value,))


class ParsedAction(NamedTuple):
    """A draft read against an offer: the action as far as it could be read, and what is missing or unreadable."""

    action: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()


def read_draft(data: Mapping[str, Sequence[str]]) -> ActionDraft:
    """Return the draft among the fields of a form."""
    return ActionDraft(
        {
            name: tuple(word[:MAX_VALUE_LENGTH] for word in words if word)[:MAX_VALUES]
            for name, words in data.items()
            if name.count(":") == 1
        }
    )


def read_button_press(data: Mapping[str, Sequence[str]]) -> ButtonPress | None:
    """Return the button that was pressed, if any."""
    for name, words in data.items():
        verb, _colon, rest = name.partition(":")
        key, colon, asked = rest.partition(":")
        if colon and verb in get_args(Verb):
            return ButtonPress(cast(Verb, verb), key, asked, words[-1][:MAX_VALUE_LENGTH] if words else "")
    return None


def parse_action(offer: Offer, draft: ActionDraft) -> ParsedAction:
    """Return the action that the draft makes of an offer. Never raises."""
    spec = offer.spec
    action: dict[str, Any] = {"type": spec.type} if spec.seat is None else {"seat": spec.seat, "type": spec.type}
    problems: list[Problem] = []
    for one in offer.fields:
        if isinstance(one, FlagField):
            if one.required or draft.get_values(offer.key, one.name):
                action[one.name] = True
            continue
        words = draft.get_values(offer.key, one.name)
        if words or one in offer.required_fields:
            value, found = _parse_field(offer, one, draft, words)
            problems += found
            if value is not None:
                action[one.name] = value
    return ParsedAction(action, tuple(problems))


def draft_from_action(offer: Offer, action: Mapping[str, Any]) -> ActionDraft:
    """Return the draft that makes this action of the offer."""
    draft = ActionDraft()
    for one in offer.fields:
        if one.name in action and not (isinstance(one, FlagField) and not action[one.name]):
            draft = draft.with_values(offer.key, one.name, _format_field(one, action[one.name]))
    return draft


def get_dice_range(offer: Offer, one: DiceField, draft: ActionDraft) -> tuple[int, int]:
    """Return how many dice a field takes at least and at most, as far as the draft says it."""
    low, high, less_pick, like_pick = one.count
    picked = sum(len(word.split()) for word in draft.get_values(offer.key, less_pick or like_pick or ""))
    if less_pick:
        return max(0, low - picked), max(0, high - picked)
    return (picked, picked) if like_pick and picked else (low, high)


def list_button_values(one: NumberField) -> tuple[int, ...]:
    """Return the values a number may have, where they are few enough for a button each; else nothing."""
    values = one.values or (tuple(range(one.low, one.high + 1)) if one.high - one.low < MAX_BUTTONS else ())
    return values if len(values) <= MAX_BUTTONS else ()


def parse_positions(one: PickField, words: FieldValues) -> tuple[int, ...]:
    """Return the places of a pick in the row of dice showing."""
    places = {int(part) for word in words for part in word.split() if part.isascii() and part.isdigit()}
    return tuple(sorted(place for place in places if place < len(one.showing)))


def format_positions(one: PickField, dice: Sequence[Face]) -> str:
    """Return the places at which such dice are showing, as one word."""
    free = list(range(len(one.showing)))
    places = []
    for die in dice:
        place = next((place for place in free if one.showing[place] == die), None)
        if place is not None:
            free.remove(place)
            places.append(place)
    return " ".join(map(str, sorted(places)))


def _parse_field(offer: Offer, one: Field, draft: ActionDraft, words: FieldValues) -> tuple[Any, list[Problem]]:
    if isinstance(one, DiceField):
        return _parse_dice(one, words, *get_dice_range(offer, one, draft))
    if isinstance(one, PickField):
        dice = [one.showing[place] for place in parse_positions(one, words)]
        may_be_empty = bool(words) and any(not pick.dice for pick in one.picks)
        return (dice, []) if dice or may_be_empty else (None, [_make_problem("nothing_chosen", one, CHOOSE_DICE)])
    if isinstance(one, ChoiceField):
        value = next((choice.value for choice in one.choices if str(choice.value) in words[:1]), None)
        return value, [] if value is not None else [_make_problem("nothing_chosen", one, CHOOSE)]
    if isinstance(one, NumberField):
        return _parse_number(one, words)
    assert isinstance(one, CardsField)
    return _parse_cards(one, words)


def _parse_dice(one: DiceField, words: FieldValues, low: int, high: int) -> tuple[Any, list[Problem]]:
    known = {str(face.face): face.face for face in one.faces}
    faces = [known[word] for word in words if word in known]
    problems = [_make_problem("no_such_face", one, NO_SUCH_FACE, {"face": word}) for word in words if word not in known]
    given = {"given": len(faces)}
    if len(faces) < low:
        text = TAP_ALL if low == high else TAP_MORE
        problems.append(_make_problem("dice_missing", one, CHOOSE if one.single else text, {**given, "count": low}))
    elif len(faces) > high:
        problems.append(_make_problem("too_many_dice", one, TOO_MANY, {**given, "count": high}))
    if one.single:
        return faces[0] if faces else None, problems
    return faces, problems


def _parse_number(one: NumberField, words: FieldValues) -> tuple[int | None, list[Problem]]:
    params = {"low": one.low, "high": one.high}
    word = words[0].strip() if words else ""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None, [_make_problem("no_number", one, CHOOSE if list_button_values(one) else NOT_A_NUMBER, params)]
    number = int(word)
    if not one.low <= number <= one.high:
        return None, [_make_problem("out_of_range", one, OUT_OF_RANGE, params)]
    return number, []


def _parse_cards(one: CardsField, words: FieldValues) -> tuple[Any, list[Problem]]:
    if len(words) != len(one.seats) or not set(words) <= {NO_CARD, *CARDS}:
        return None, [_make_problem("no_such_card", one, NO_SUCH_CARD)]
    shown = zip(one.seats, words, strict=True)
    return {str(seat): None if word == NO_CARD else word for seat, word in shown}, []


def _format_field(one: Field, value: Any) -> FieldValues:
    if isinstance(one, PickField):
        return tuple(format_positions(one, value).split())
    if isinstance(one, DiceField):
        return (str(value),) if one.single else tuple(map(str, value))
    if isinstance(one, FlagField):
        return ("1",)
    if isinstance(one, CardsField):
        return tuple(value.get(str(seat)) or NO_CARD for seat in one.seats)
    return (str(value),)


def _make_problem(code: str, one: Field, text: Text, params: Params | None = None) -> Problem:
    return Problem(code, NO_CLAUSE, text, one.name, params={"field": one.label, **(params or {})})
