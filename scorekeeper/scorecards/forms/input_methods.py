"""What a turn can be made of, and the fields that say it: final dice and a box, a paper card, or missed.

It is read off the game's action specs on a fresh card (`list_ways`): an action that takes dice followed by a choice,
or one action that is a turn by itself. Correcting a turn and noting one that is missing ask in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.game import Ruleset
from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.turn_draft import TurnDraft, evaluate_draft, get_dice_field, make_initial_state, parse_face
from scorekeeper.scorecards.turn_form_presenter import present_other_input_methods

SAME_DICE = "same"  # the dice as they were noted, however that was
SEPARATORS = " ,;-"

Actions = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class InputMethods:
    """What a turn of the game can be made of.

    Attributes:
        dice: type and field of the action that takes the final dice.
        choice: type and field of the choice that ends the turn, with its values and labels.
        alone: actions that are a turn by themselves, as `show_other_ways` gives them.
    """

    dice: tuple[str, str]
    choice: tuple[str, str]
    choices: Sequence[tuple[str, str]]
    without_dice: Sequence[Mapping[str, Any]]

    def list_required_fields(self, way: str) -> set[str]:
        """Return which of the form's fields a way needs: "dice", "choice", "points"."""
        if way == SAME_DICE:
            return {"choice"}
        if way == self.dice[0]:
            return {"dice", "choice"}
        return {"choice" if field["kind"] == "choice" else "points" for field in self._fields(way)}

    def build_actions(self, way: str, faces: Sequence[Any], choice: str, points: int | None) -> Actions:
        """Return the actions of a turn noted so."""
        if way == self.dice[0]:
            return ({"type": way, self.dice[1]: list(faces)}, self.build_choice(choice))
        values = {field["name"]: choice if field["kind"] == "choice" else points for field in self._fields(way)}
        return ({"type": way, **values},)

    def build_choice(self, choice: str) -> Mapping[str, Any]:
        """Return the action that ends a turn with dice."""
        return {"type": self.choice[0], self.choice[1]: choice}

    def _fields(self, way: str) -> Sequence[Mapping[str, Any]]:
        return next((shown["fields"] for shown in self.without_dice if shown["type"] == way), ())


def list_input_methods(ruleset: Ruleset) -> InputMethods:
    """Return what a turn of the ruleset can be made of, read off a fresh card."""
    state = make_initial_state(ruleset)
    fresh = evaluate_draft(ruleset, state, TurnDraft())
    assert fresh.dice_spec is not None, "a game recorded by turn takes dice"
    field = get_dice_field(fresh.dice_spec)
    rolled = evaluate_draft(ruleset, state, TurnDraft(dice=(field.faces[0].face,) * fresh.dice_needed))
    spec, choice = rolled.list_choices()[0]
    order = ruleset.game.sheet(state).lines
    labels = {str(one.value): translate(one.label) for one in choice.choices}
    choices = [(line.key, labels[line.key]) for line in order if line.key in labels]
    ways = present_other_input_methods(fresh, {})
    return InputMethods((fresh.dice_spec.type, field.name), (spec.type, choice.name), choices, ways)


class InputMethodForm(forms.Form):
    """How a turn is known. What the way chosen needs is required; what the rules allow is theirs to say.

    Nothing that was typed is ignored: what the way chosen has no use for is an error at its field.
    """

    CONDITIONAL_FIELDS = ("dice", "choice", "points")  # needed by some ways only
    use_required_attribute = False

    way = forms.ChoiceField(
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
            with_dice: the ways that have dice, with their labels; those without are the game's to name.
        """
        super().__init__(*args, **kwargs)
        self.methods = methods
        alone = [(shown["type"], shown["label"]) for shown in methods.without_dice]
        way, choice = self.fields["way"], self.fields["choice"]
        way.choices = [*with_dice, *alone]  # type: ignore[attr-defined]
        choice.choices = [("", _("Choose")), *methods.choices]  # type: ignore[attr-defined]
        # With a script, typing dice chooses the way that takes them; without one, the form asks.
        self.fields["dice"].widget.attrs |= {"data-chooses": methods.dice[0], "data-chooses-in": self.add_prefix("way")}

    def full_clean(self) -> None:
        """Ask for what the way chosen needs. On the page no field is called optional: each may be needed."""
        needed = self.methods.list_required_fields(str(self["way"].value() or ""))
        for name in self.CONDITIONAL_FIELDS:
            self.fields[name].required = name in needed
        super().full_clean()
        for name in self.CONDITIONAL_FIELDS:
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        """Refuse what was typed into a field that the way chosen does not use."""
        way = self.cleaned_data.get("way") or ""
        labels = dict(self.fields["way"].choices)  # type: ignore[attr-defined]
        for name in self.CONDITIONAL_FIELDS if way else ():
            if name not in self.methods.list_required_fields(way) and self._is_changed(name):
                text = _(
                    "You chose “%(way)s”, which does not use this. Choose another option above, or change this back."
                )
                self.add_error(name, text % {"way": labels[way]})
        return self.cleaned_data

    def _is_changed(self, name: str) -> bool:
        """Whether a field holds something other than what the page was made with; the order of dice does not matter."""
        values = (self[name].value(), self.initial.get(name))
        typed, shown = ("" if value is None else str(value).strip() for value in values)
        if name == "dice":
            return bool(typed) and sorted(_list_faces(typed)) != sorted(_list_faces(shown))
        return bool(typed) and typed != shown

    @property
    def actions(self) -> Actions:
        """The turn's actions as the form says they should be."""
        data = self.cleaned_data
        faces = [parse_face(face) for face in _list_faces(data["dice"])]
        return self.methods.build_actions(data["way"], faces, data["choice"], data["points"])


def _list_faces(typed: str) -> list[str]:
    return [face for face in typed if face not in SEPARATORS]
