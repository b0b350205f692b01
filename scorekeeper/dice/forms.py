"""The forms of a test of dice: starting it, and the throws that are entered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.common.labels import label_value
from scorekeeper.dice.die_data import EventDie
from scorekeeper.dice.models import DiceTest
from scorekeeper.dice.services import MAX_THROWS


class StartTestForm(forms.ModelForm[DiceTest]):
    """Which dice are tested, and of which kind they are."""

    die = forms.TypedChoiceField(label=_("Kind of dice"), coerce=int, widget=forms.RadioSelect)

    class Meta:
        model = DiceTest
        fields = ("name",)
        help_texts = {"name": _("A name to find them again, such as “Rita’s dice”.")}

    def __init__(self, *args: Any, dice: Sequence[EventDie], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dice = dice
        field = self.fields["die"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(number, _describe_die(die)) for number, die in enumerate(dice)]
        if len(dice) == 1:
            field.initial = 0

    def get_die(self) -> EventDie:
        """Return the kind that was chosen."""
        return self.dice[self.cleaned_data["die"]]


class ThrowsForm(forms.Form):
    """What a page sends: all throws, or one tap, with the revision that the page had."""

    revision = forms.IntegerField(min_value=0)
    throws = forms.CharField(required=False, max_length=4 * MAX_THROWS)
    face = forms.CharField(required=False)
    undo = forms.CharField(required=False)

    def __init__(self, *args: Any, test: DiceTest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.test = test
        self.faces = [str(face.face) for face in EventDie.from_data(test.die).kind.faces]

    @property
    def sends_all(self) -> bool:
        """Whether a script sent all throws."""
        return "throws" in self.data

    def clean_throws(self) -> list[int]:
        """Return the positions of the faces."""
        text = self.cleaned_data["throws"]
        parts = text.split(",") if text else []
        if len(parts) > MAX_THROWS or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
            raise ValidationError(_("These are no throws."))
        found = [int(part) for part in parts]
        if any(position >= len(self.faces) for position in found):
            raise ValidationError(_("These are no throws."))
        return found

    def clean_face(self) -> int | None:
        """Return the position of the face that was tapped."""
        face = self.cleaned_data["face"]
        if face and face not in self.faces:
            raise ValidationError(_("The die has no such face."))
        return self.faces.index(face) if face else None

    def get_throws(self) -> list[int]:
        """Return all throws, with the tap or without the last one."""
        if self.sends_all:
            throws: list[int] = self.cleaned_data["throws"]
            return throws
        before = list(self.test.throws)
        if self.cleaned_data["undo"]:
            return before[:-1]
        face = self.cleaned_data["face"]
        return before if face is None else [*before, face][:MAX_THROWS]


def _describe_die(die: EventDie) -> str:
    faces = ", ".join(translate(face.word) for face in die.kind.faces)
    return label_value(translate(die.kind.label), faces)
