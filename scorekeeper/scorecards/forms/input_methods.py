"""The methods of entering a whole turn, and their form: final dice and a box, points from a paper card, or missed.

`list_input_methods` derives them from the game's action specs on an empty card: an action with dice followed by a
choice, or a single action that is a whole turn. Correcting a turn and recording a missing one use the same form.

Cards are typed instead of dice where a turn draws them: its own cards first, then those that were bought after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.cards import SUIT_SIGNS
from games.core.game import Ruleset
from games.core.specs import ChoiceField, DrawField, Field
from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.missed_action import get_missed_action
from scorekeeper.scorecards.offers import Offer, list_offers
from scorekeeper.scorecards.turn_draft import TurnDraft, evaluate_draft, get_dice_field, make_initial_state, parse_face

SAME_DICE = "same"  # the dice as recorded, by whichever method
SEPARATORS = " ,;-"

Actions = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class InputMethods:
    """The methods of entering a whole turn of the game.

    Attributes:
        dice: the type and the field of the action that takes the final dice.
        choice: the type and the field of the choice that ends the turn; None if nothing is chosen.
        choices: the values and labels of that choice.
        end: the actions that end a turn with these dice where nothing is chosen.
        has_long_faces: whether some face has more than one character, so that dice are typed with spaces.
        without_dice: the actions that are a whole turn.
        cards: how many cards a turn draws; None if it is about dice.
        bought: the type and the field of the action that buys a card after the last turn, and how many may be bought;
            None if none can be.
        closing_types: the types of the actions that may follow the last turn.
    """

    dice: tuple[str, str]
    choice: tuple[str, str] | None
    choices: Sequence[tuple[str, str]]
    without_dice: Sequence[Offer]
    end: Actions = ()
    has_long_faces: bool = False
    cards: int | None = None
    bought: tuple[str, str, int] | None = None
    closing_types: frozenset[str] = frozenset()

    def list_required_fields(self, method: str) -> set[str]:
        """Return the form fields that a method needs, out of "dice", "choice" and "points"."""
        if method == SAME_DICE:
            return {"choice"}
        if method == self.dice[0]:
            return {"dice"} if self.choice is None else {"dice", "choice"}
        return {"choice" if isinstance(field, ChoiceField) else "points" for field in self._list_fields(method)}

    def build_actions(self, method: str, faces: Sequence[Any], choice: str, points: int | None) -> Actions:
        """Return the actions of a turn entered with this method."""
        if method == self.dice[0] and self.cards is not None and self.bought is not None:
            kind, field, _most = self.bought
            drawn = {"type": method, self.dice[1]: list(faces[: self.cards])}
            return (drawn, *({"type": kind, field: face} for face in faces[self.cards :]))
        if method == self.dice[0]:
            thrown = {"type": method, self.dice[1]: list(faces)}
            return (thrown, *self.end) if self.choice is None else (thrown, self.build_choice(choice))
        values = {
            field.name: choice if isinstance(field, ChoiceField) else points for field in self._list_fields(method)
        }
        return ({"type": method, **values},)

    def keep_closing_actions(self, actions: Actions, before: Actions) -> Actions:
        """Return the corrected actions of a turn with what closed it before, such as that no card is bought.

        Bought cards are kept unless the cards were typed, and then those that were typed count.
        """
        closing = tuple(action for action in before if action["type"] in self.closing_types)
        if self.bought is None or actions[0]["type"] != self.dice[0]:
            return (*actions, *closing)
        kind, _field, most = self.bought
        is_full = len(actions) - 1 >= most
        return (*actions, *(action for action in closing if action["type"] != kind and not is_full))

    def build_choice(self, choice: str) -> Mapping[str, Any]:
        """Return the action that ends a turn with dice, where something is chosen."""
        assert self.choice is not None, "without a choice there is no method with the same dice"
        return {"type": self.choice[0], self.choice[1]: choice}

    def _list_fields(self, method: str) -> Sequence[Field]:
        return next((offer.fields for offer in self.without_dice if offer.key == method), ())


def list_input_methods(ruleset: Ruleset) -> InputMethods:
    """Return the methods of entering a turn of the ruleset, derived from an empty card."""
    state = make_initial_state(ruleset)
    fresh = evaluate_draft(ruleset, state, TurnDraft())
    assert fresh.dice_offer is not None, "a game recorded by turn takes dice"
    field = get_dice_field(fresh.dice_offer)
    if isinstance(field, DrawField):
        drawn = (fresh.dice_offer.key, field.name)
        bought = _find_bought(ruleset, state)
        return InputMethods(
            drawn, None, (), fresh.whole_turn_offers, (), True, field.count, bought, ruleset.game.closing_types
        )
    rolled = evaluate_draft(ruleset, state, TurnDraft(dice=(field.faces[0].face,) * fresh.dice_needed))
    has_long_faces = any(len(str(face.face)) > 1 for face in field.faces)
    if not rolled.choice_offers:
        (end,) = rolled.ends
        ending = () if end.action is None else (end.action,)
        dice = (fresh.dice_offer.key, field.name)
        return InputMethods(dice, None, (), fresh.whole_turn_offers, ending, has_long_faces)
    offer = rolled.choice_offers[0]
    assert offer.only_choice is not None
    order = ruleset.game.sheet(state).lines
    labels = {str(value.value): translate(value.label) for value in offer.only_choice.choices}
    choices = [(line.key, labels[line.key]) for line in order if line.key in labels]
    dice, choice = (fresh.dice_offer.key, field.name), (offer.key, offer.only_choice.name)
    return InputMethods(dice, choice, choices, fresh.whole_turn_offers, has_long_faces=has_long_faces)


def _find_bought(ruleset: Ruleset, state: Any) -> tuple[str, str, int] | None:
    """Return the type and the field of the action that buys a card after the last turn, and how many may be bought."""
    missed = get_missed_action(ruleset)
    while missed is not None:
        offers = list_offers(ruleset.game, state)
        for offer in offers:
            field = offer.entry_field
            if offer.spec.type in ruleset.game.closing_types and isinstance(field, DrawField):
                return offer.spec.type, field.name, 1 if offer.spec.nth is None else offer.spec.nth.of
        if all(offer.spec.type != missed for offer in offers):
            break
        state = ruleset.game.play(state, ruleset.read_action({"type": missed}, 1))
    return None


def read_typed_cards(typed: str) -> str:
    """Return typed cards as their codes: in capitals, with the letter of a suit for its sign. What is no card stays."""
    for letter, sign in SUIT_SIGNS.items():
        typed = typed.replace(sign, letter)
    return typed.replace("\ufe0e", "").replace("\ufe0f", "").upper()


class InputMethodForm(forms.Form):
    """The method of entering a turn, and its fields. The fields that the method needs are required.

    The rules, not the form, decide what is allowed. Nothing that was typed is ignored: a value that the chosen method
    does not use is an error at its field.
    """

    CONDITIONAL_FIELDS = ("dice", "choice", "points")  # only needed by some methods
    use_required_attribute = False

    way = forms.ChoiceField(  # the method; phones store taps with this field's name, so it stays
        label=gettext_lazy("What do you want to enter?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what you want to enter.")},
    )
    dice = forms.CharField(
        label=gettext_lazy("Dice"),
        max_length=60,
        help_text=gettext_lazy("Enter the final dice one after the other, such as 34552."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter the dice, such as 34552.")},
    )
    choice = forms.ChoiceField(label=gettext_lazy("Box"), error_messages={"required": gettext_lazy("Choose a box.")})
    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        help_text=gettext_lazy("Enter points only for a turn from a paper card."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Enter the points on the paper card."),
            "invalid": gettext_lazy("Enter the points in digits, such as 22."),
        },
    )

    def __init__(self, methods: InputMethods, with_dice: Sequence[tuple[str, str]], *args: Any, **kwargs: Any):
        """Make the form.

        Args:
            with_dice: the methods with dice, and their labels. The game names those without dice.
        """
        super().__init__(*args, **kwargs)
        self.methods = methods
        without_dice = [(offer.key, translate(offer.spec.label)) for offer in methods.without_dice]
        method_field, choice_field = self.fields["way"], self.fields["choice"]
        method_field.choices = [*with_dice, *without_dice]  # type: ignore[attr-defined]
        choice_field.choices = [("", _("Choose")), *methods.choices]  # type: ignore[attr-defined]
        if methods.choice is None:
            del self.fields["choice"]
        if methods.cards is not None:
            del self.fields["points"]
            self._ask_for_cards()
        elif methods.has_long_faces:
            self.fields["dice"].help_text = _("Enter the final dice with spaces between them, such as 3 12 5.")
        # With JavaScript, typing dice selects the method that takes them. Without it, the person has to.
        self.fields["dice"].widget.attrs |= {"data-chooses": methods.dice[0], "data-chooses-in": self.add_prefix("way")}

    def _ask_for_cards(self) -> None:
        field = self.fields["dice"]
        field.label = _("Cards")
        field.help_text = _(
            "Rank (2 to 10, J, Q, K or A), then suit: S spades, H hearts, D diamonds, C clubs. Put spaces between "
            "cards, such as KS 10H. A joker is JOKER."
        )
        if self.methods.bought is not None:
            field.help_text = _("%(how)s At the last stop, cards that were bought follow those drawn.") % {
                "how": field.help_text
            }
        field.error_messages["required"] = _("Enter the cards, such as KS 10H.")
        field.widget.attrs["inputmode"] = "text"
        field.widget.attrs["autocapitalize"] = "characters"

    def full_clean(self) -> None:
        """Require what the chosen method needs. The page marks no field as optional, since each may be needed."""
        needed = self.methods.list_required_fields(str(self["way"].value() or ""))
        conditional = [self.fields[name] for name in self.CONDITIONAL_FIELDS if name in self.fields]
        for name in self.CONDITIONAL_FIELDS:
            if name in self.fields:
                self.fields[name].required = name in needed
        super().full_clean()
        for field in conditional:
            field.required = True

    def clean(self) -> dict[str, Any]:
        """Add an error to each filled field that the chosen method does not use."""
        method = self.cleaned_data.get("way") or ""
        labels = dict(self.fields["way"].choices)  # type: ignore[attr-defined]
        for name in self.CONDITIONAL_FIELDS if method else ():
            if name in self.fields and name not in self.methods.list_required_fields(method) and self._is_changed(name):
                text = _(
                    "You chose “%(method)s”, which does not use this. Choose another option above, or change this back."
                )
                self.add_error(name, text % {"method": labels[method]})
        return self.cleaned_data

    def _is_changed(self, name: str) -> bool:
        """Whether a field was changed on the page. The order of dice does not matter."""
        values = (self[name].value(), self.initial.get(name))
        typed, shown = ("" if value is None else str(value).strip() for value in values)
        if name == "dice":
            return bool(typed) and sorted(self._list_faces(typed)) != sorted(self._list_faces(shown))
        return bool(typed) and typed != shown

    @property
    def actions(self) -> Actions:
        """The actions of the turn that was entered."""
        data = self.cleaned_data
        faces = [parse_face(face) for face in self._list_faces(data["dice"])]
        return self.methods.build_actions(data["way"], faces, data.get("choice", ""), data.get("points"))

    def _list_faces(self, typed: str) -> list[str]:
        if self.methods.cards is not None:
            typed = read_typed_cards(typed)
        if self.methods.has_long_faces:
            return "".join(" " if character in SEPARATORS else character for character in typed).split()
        return [face for face in typed if face not in SEPARATORS]
