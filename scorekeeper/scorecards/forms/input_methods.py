"""The methods of entering a whole turn, and their form: final dice and a box, points from a paper card, or missed.

`list_input_methods` derives them from the game's action specs on an empty card: an action with dice followed by a
choice, or a single action that is a whole turn. Correcting a turn and recording a missing one use the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.game import Ruleset
from games.core.specs import ChoiceField, Field
from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.offers import Offer
from scorekeeper.scorecards.turn_draft import TurnDraft, evaluate_draft, get_dice_field, make_initial_state, parse_face

SAME_DICE = "same"  # the dice as recorded, by whichever method
SEPARATORS = " ,;-"

Actions = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class InputMethods:
    """The methods of entering a whole turn of the game.

    Attributes:
        dice: the type and the field of the action that takes the final dice.
        choice: the type and the field of the choice that ends the turn.
        choices: the values and labels of that choice.
        without_dice: the actions that are a whole turn.
    """

    dice: tuple[str, str]
    choice: tuple[str, str]
    choices: Sequence[tuple[str, str]]
    without_dice: Sequence[Offer]

    def list_required_fields(self, method: str) -> set[str]:
        """Return the form fields that a method needs, out of "dice", "choice" and "points"."""
        if method == SAME_DICE:
            return {"choice"}
        if method == self.dice[0]:
            return {"dice", "choice"}
        return {"choice" if isinstance(field, ChoiceField) else "points" for field in self._list_fields(method)}

    def build_actions(self, method: str, faces: Sequence[Any], choice: str, points: int | None) -> Actions:
        """Return the actions of a turn entered with this method."""
        if method == self.dice[0]:
            return ({"type": method, self.dice[1]: list(faces)}, self.build_choice(choice))
        values = {
            field.name: choice if isinstance(field, ChoiceField) else points for field in self._list_fields(method)
        }
        return ({"type": method, **values},)

    def build_choice(self, choice: str) -> Mapping[str, Any]:
        """Return the action that ends a turn with dice."""
        return {"type": self.choice[0], self.choice[1]: choice}

    def _list_fields(self, method: str) -> Sequence[Field]:
        return next((offer.fields for offer in self.without_dice if offer.key == method), ())


def list_input_methods(ruleset: Ruleset) -> InputMethods:
    """Return the methods of entering a turn of the ruleset, derived from an empty card."""
    state = make_initial_state(ruleset)
    fresh = evaluate_draft(ruleset, state, TurnDraft())
    assert fresh.dice_offer is not None, "a game recorded by turn takes dice"
    field = get_dice_field(fresh.dice_offer)
    rolled = evaluate_draft(ruleset, state, TurnDraft(dice=(field.faces[0].face,) * fresh.dice_needed))
    offer = rolled.choice_offers[0]
    assert offer.only_choice is not None
    order = ruleset.game.sheet(state).lines
    labels = {str(value.value): translate(value.label) for value in offer.only_choice.choices}
    choices = [(line.key, labels[line.key]) for line in order if line.key in labels]
    dice, choice = (fresh.dice_offer.key, field.name), (offer.key, offer.only_choice.name)
    return InputMethods(dice, choice, choices, fresh.whole_turn_offers)


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
        max_length=40,
        help_text=gettext_lazy("The final dice, one after the other, such as 34552."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter the dice, such as 34552.")},
    )
    choice = forms.ChoiceField(label=gettext_lazy("Box"), error_messages={"required": gettext_lazy("Choose a box.")})
    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        help_text=gettext_lazy("Only for a turn from a paper card."),
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
        # With JavaScript, typing dice selects the method that takes them. Without it, the person has to.
        self.fields["dice"].widget.attrs |= {"data-chooses": methods.dice[0], "data-chooses-in": self.add_prefix("way")}

    def full_clean(self) -> None:
        """Require what the chosen method needs. The page marks no field as optional, since each may be needed."""
        needed = self.methods.list_required_fields(str(self["way"].value() or ""))
        for name in self.CONDITIONAL_FIELDS:
            self.fields[name].required = name in needed
        super().full_clean()
        for name in self.CONDITIONAL_FIELDS:
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        """Add an error to each filled field that the chosen method does not use."""
        method = self.cleaned_data.get("way") or ""
        labels = dict(self.fields["way"].choices)  # type: ignore[attr-defined]
        for name in self.CONDITIONAL_FIELDS if method else ():
            if name not in self.methods.list_required_fields(method) and self._is_changed(name):
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
            return bool(typed) and sorted(_list_faces(typed)) != sorted(_list_faces(shown))
        return bool(typed) and typed != shown

    @property
    def actions(self) -> Actions:
        """The actions of the turn that was entered."""
        data = self.cleaned_data
        faces = [parse_face(face) for face in _list_faces(data["dice"])]
        return self.methods.build_actions(data["way"], faces, data["choice"], data["points"])


def _list_faces(typed: str) -> list[str]:
    return [face for face in typed if face not in SEPARATORS]
