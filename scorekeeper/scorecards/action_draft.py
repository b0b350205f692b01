"""An action that is being entered and is not recorded yet.

Terms: a *draft* holds the values of the form as submitted, by the name of their field: ``key:field``, where the key is
an offer's. A *press* is the one button that was pressed; its name is ``verb:key:field``. The verb ``note`` records the
action. Phones store taps with these names, so they do not change. Parsing a draft against an offer gives the action and
its problems. Only input that cannot be made into an action is a problem here; whether the rules allow the action is
checked elsewhere.

A draft needs no request and no database, so it can be used anywhere the games can run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal, NamedTuple, cast, get_args

from games.core.cards import CARDS, JOKER
from games.core.problems import NO_CLAUSE, Problem
from games.core.reading import Face
from games.core.specs import CardsField, ChoiceField, DiceField, DrawField, Field, FlagField, NumberField, PickField
from games.core.text import Params, Text, gettext_noop, ngettext_lazy
from scorekeeper.scorecards.offers import Offer

FieldValues = tuple[str, ...]
Verb = Literal["note", "tap", "back"]

FLAG_MARK = " +"  # in the value of a button: it also sets the flag of that name
MAX_VALUES = 64  # per field
MAX_VALUE_LENGTH = 80  # characters
MAX_DIGITS = 20  # of a number
MAX_BUTTONS = 13  # a number with up to this many values has a button for each; with more it is typed
NO_CARD = "-"  # for a seat that shows no card

TAP_ALL = ngettext_lazy("%(given)s of %(count)s die tapped.", "%(given)s of %(count)s dice tapped.")
TAP_MORE = ngettext_lazy("At least %(count)s die is needed.", "At least %(count)s dice are needed.")
TOO_MANY = ngettext_lazy("At most %(count)s die is allowed here.", "At most %(count)s dice are allowed here.")
NO_SUCH_FACE = gettext_noop("No die here has the face “%(face)s”. Tap it again.")
CHOOSE_DICE = gettext_noop("Choose the dice.")
CHOOSE = gettext_noop("%(field)s: choose one.")
NOT_A_NUMBER = gettext_noop("Enter a whole number, such as %(low)s.")
OUT_OF_RANGE = gettext_noop("Enter a whole number from %(low)s to %(high)s.")
CHOOSE_CARDS = ngettext_lazy(
    "%(given)s of %(count)s card chosen. Choose it.", "%(given)s of %(count)s cards chosen. Choose all of them."
)
NO_SUCH_CARD = gettext_noop("Choose a card for each seat, or “Not there”.")


class ButtonPress(NamedTuple):
    """The button that was pressed."""

    verb: Verb
    key: str
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class ActionDraft:
    """The values of the form."""

    field_values: Mapping[str, FieldValues] = dataclass_field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been entered yet."""
        return all(set(values) <= {NO_CARD} for values in self.field_values.values())

    def get_values(self, key: str, name: str) -> FieldValues:
        """Return the values of a field of an offer."""
        return self.field_values.get(f"{key}:{name}", ())

    def with_values(self, key: str, name: str, values: FieldValues) -> ActionDraft:
        """Return the draft with these values in a field."""
        return ActionDraft({**self.field_values, f"{key}:{name}": values})

    def restrict_to(self, offers: Sequence[Offer]) -> ActionDraft:
        """Return the draft with only the fields of these offers."""
        names = {f"{offer.key}:{field.name}" for offer in offers for field in offer.fields}
        return ActionDraft({name: values for name, values in self.field_values.items() if name in names})

    def apply_press(self, press: ButtonPress | None) -> ActionDraft:
        """Return the draft after a button was pressed."""
        if press is None or not press.field:
            return self
        values = self.get_values(press.key, press.field)
        if press.verb == "tap":
            return self.with_values(press.key, press.field, (*values, press.value)[:MAX_VALUES])
        if press.verb == "back":
            position = int(press.value) if press.value.isascii() and press.value.isdigit() else len(values)
            return self.with_values(press.key, press.field, values[:position] + values[position + 1 :])
        value, *flags = press.value.split(FLAG_MARK)
        set_flags = {f"{press.key}:{flag}": ("1",) for flag in flags}
        return ActionDraft({**self.field_values, **set_flags}).with_values(press.key, press.field, (value,))


class ParsedAction(NamedTuple):
    """A draft parsed against an offer: the action as far as it could be read, and what is missing or unreadable."""

    action: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()


def read_draft(data: Mapping[str, Sequence[str]]) -> ActionDraft:
    """Return the draft from the fields of a form."""
    return ActionDraft(
        {
            name: tuple(value[:MAX_VALUE_LENGTH] for value in values if value)[:MAX_VALUES]
            for name, values in data.items()
            if name.count(":") == 1
        }
    )


def read_button_press(data: Mapping[str, Sequence[str]]) -> ButtonPress | None:
    """Return the button that was pressed, if any."""
    for name, values in data.items():
        verb, _colon, rest = name.partition(":")
        key, colon, field = rest.partition(":")
        if colon and verb in get_args(Verb):
            return ButtonPress(cast(Verb, verb), key, field, values[-1][:MAX_VALUE_LENGTH] if values else "")
    return None


def parse_action(offer: Offer, draft: ActionDraft) -> ParsedAction:
    """Return the action that the draft enters for an offer. Never raises."""
    spec = offer.spec
    action: dict[str, Any] = {"type": spec.type} if spec.seat is None else {"seat": spec.seat, "type": spec.type}
    problems: list[Problem] = []
    for field in offer.fields:
        if isinstance(field, FlagField):
            if field.required or draft.get_values(offer.key, field.name):
                action[field.name] = True
            continue
        values = draft.get_values(offer.key, field.name)
        if values or field in offer.required_fields:
            value, found = _parse_field(offer, field, draft, values)
            problems += found
            if value is not None:
                action[field.name] = value
    return ParsedAction(action, tuple(problems))


def draft_from_action(offer: Offer, action: Mapping[str, Any]) -> ActionDraft:
    """Return the draft that enters this action for the offer."""
    draft = ActionDraft()
    for field in offer.fields:
        if field.name in action and not (isinstance(field, FlagField) and not action[field.name]):
            draft = draft.with_values(offer.key, field.name, _format_field(field, action[field.name]))
    return draft


def get_dice_range(offer: Offer, field: DiceField | DrawField, draft: ActionDraft) -> tuple[int, int]:
    """Return how many dice or cards a field takes at least and at most, as far as the draft determines it."""
    if isinstance(field, DrawField):
        return field.count, field.count
    low, high, less_pick, like_pick = field.count
    picked = sum(len(value.split()) for value in draft.get_values(offer.key, less_pick or like_pick or ""))
    if less_pick:
        return max(0, low - picked), max(0, high - picked)
    return (picked, picked) if like_pick and picked else (low, high)


def list_button_values(field: NumberField) -> tuple[int, ...]:
    """Return the values of a number field, if they are few enough for a button each; otherwise nothing."""
    values = field.values or (tuple(range(field.low, field.high + 1)) if field.high - field.low < MAX_BUTTONS else ())
    return values if len(values) <= MAX_BUTTONS else ()


def parse_positions(field: PickField, values: FieldValues) -> tuple[int, ...]:
    """Return the positions of the picked dice in the row of dice on show."""
    positions = {int(part) for value in values for part in value.split() if _is_number(part)}
    return tuple(sorted(position for position in positions if position < len(field.showing)))


def format_positions(field: PickField, dice: Sequence[Face]) -> str:
    """Return the positions of these dice in the row on show, as one form value."""
    free = list(range(len(field.showing)))
    positions = []
    for die in dice:
        position = next((position for position in free if field.showing[position] == die), None)
        if position is not None:
            free.remove(position)
            positions.append(position)
    return " ".join(map(str, sorted(positions)))


def _parse_field(offer: Offer, field: Field, draft: ActionDraft, values: FieldValues) -> tuple[Any, list[Problem]]:
    if isinstance(field, DiceField):
        return _parse_dice(field, values, *get_dice_range(offer, field, draft))
    if isinstance(field, PickField):
        dice = [field.showing[position] for position in parse_positions(field, values)]
        may_be_empty = bool(values) and any(not pick.dice for pick in field.picks)
        return (dice, []) if dice or may_be_empty else (None, [_make_problem("nothing_chosen", field, CHOOSE_DICE)])
    if isinstance(field, ChoiceField):
        value = next((choice.value for choice in field.choices if str(choice.value) in values[:1]), None)
        return value, [] if value is not None else [_make_problem("nothing_chosen", field, CHOOSE)]
    if isinstance(field, NumberField):
        return _parse_number(field, values)
    if isinstance(field, DrawField):
        return _parse_draw(field, values)
    assert isinstance(field, CardsField)
    return _parse_cards(field, values)


def _parse_dice(field: DiceField, values: FieldValues, low: int, high: int) -> tuple[Any, list[Problem]]:
    known = {str(face.face): face.face for face in field.faces}
    faces = [known[value] for value in values if value in known]
    problems = [
        _make_problem("no_such_face", field, NO_SUCH_FACE, {"face": value}) for value in values if value not in known
    ]
    given = {"given": len(faces)}
    if len(faces) < low:
        text = TAP_ALL if low == high else TAP_MORE
        problems.append(_make_problem("dice_missing", field, CHOOSE if field.single else text, {**given, "count": low}))
    elif len(faces) > high:
        problems.append(_make_problem("too_many_dice", field, TOO_MANY, {**given, "count": high}))
    if field.single:
        return faces[0] if faces else None, problems
    return faces, problems


def _parse_number(field: NumberField, values: FieldValues) -> tuple[int | None, list[Problem]]:
    params = {"low": field.low, "high": field.high}
    text = values[0].strip() if values else ""
    digits = text.removeprefix("-")
    if not _is_number(digits):
        return None, [_make_problem("no_number", field, CHOOSE if list_button_values(field) else NOT_A_NUMBER, params)]
    number = int(text)
    if not field.low <= number <= field.high:
        return None, [_make_problem("out_of_range", field, OUT_OF_RANGE, params)]
    return number, []


def _is_number(text: str) -> bool:
    """Whether a text is a number without a sign, and no longer than `int` can read."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def _parse_cards(field: CardsField, values: FieldValues) -> tuple[Any, list[Problem]]:
    if len(values) != len(field.seats) or not set(values) <= {NO_CARD, *CARDS}:
        return None, [_make_problem("no_such_card", field, NO_SUCH_CARD)]
    pairs = zip(field.seats, values, strict=True)
    return {str(seat): None if value == NO_CARD else value for seat, value in pairs}, []


def _parse_draw(field: DrawField, values: FieldValues) -> tuple[Any, list[Problem]]:
    """Return the cards that were chosen; the rules decide which may come."""
    cards = [value for value in values if value in CARDS or value == JOKER]
    if len(cards) != field.count:
        return None, [_make_problem("cards_missing", field, CHOOSE_CARDS, {"given": len(cards), "count": field.count})]
    return (cards[0] if field.single else cards), []


def _format_field(field: Field, value: Any) -> FieldValues:
    if isinstance(field, PickField):
        return tuple(format_positions(field, value).split())
    if isinstance(field, DiceField):
        return (str(value),) if field.single else tuple(map(str, value))
    if isinstance(field, FlagField):
        return ("1",)
    if isinstance(field, DrawField):
        return (value,) if field.single else tuple(value)
    if isinstance(field, CardsField):
        return tuple(value.get(str(seat)) or NO_CARD for seat in field.seats)
    return (str(value),)


def _make_problem(code: str, field: Field, text: Text, params: Params | None = None) -> Problem:
    return Problem(code, NO_CLAUSE, text, field.name, params={"field": field.label, **(params or {})})
