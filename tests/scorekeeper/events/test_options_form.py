"""Where the options form shows the messages of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from games.core.problems import Malformed
from games.core.text import Text
from scorekeeper.events.forms.options.fields import make_field
from scorekeeper.events.forms.options.form import OptionsForm
from scorekeeper.events.forms.options.form_data import make_draft
from scorekeeper.events.options_summary import list_editable_options
from tests.games.toy.game import PigRace


class Fussy(PigRace):
    """A game that rejects any combination of options, with an error at the path."""

    def __init__(self, path: str | None) -> None:
        self.path = path

    def set_up(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        raise Malformed(self.path, Text("No."))


@pytest.mark.parametrize(
    ("path", "field", "text"),
    [
        ("options.goal", "options.goal", "Goal: No."),
        ("options.yard", "options.yard.name", "Yard: No."),
        ("options.yard.colour", "options.yard.name", "Yard: No."),
        ("options.yard.fences[1]", "options.yard.fences", "Yard, Fences: No."),
        ("options.yard.pens", "options.yard.pens", "Yard, Pens: No."),
        ("options.yard.pens[1]", "options.yard.pens.1.name", "Pens, Pen 2: No."),
        ("options.yard.pens[1].size", "options.yard.pens.1.size.width", "Pens, Pen 2, Size: No."),
        ("options.yard.pens[1].roofed", "options.yard.pens.1.roofed", "Pens, Pen 2, Roofed: No."),
        ("options.yard.pens[10]", "options.yard.pens", "Yard, Pens: No."),
        ("options.yards", "__all__", "No."),
        ("options", "__all__", "No."),
        (None, "__all__", "No."),
    ],
)
def test_a_message_of_the_rules_is_shown_at_its_field_or_the_nearest_enclosing_one(
    path: str | None, field: str, text: str
) -> None:
    game = Fussy(path)
    draft = make_draft(list_editable_options(game), {option.name: option.default for option in game.declared_options})
    form = OptionsForm(draft, game=game, draft=draft, fixed_options={})

    assert form.errors == {field: [text]}
    assert form.ruleset is None


def test_an_option_type_without_a_field_raises_a_type_error() -> None:
    class Colour:
        name, label, help, default = "colour", Text("Colour"), Text("Of the pig."), "pink"

        def read(self, value: object, path: str) -> str:
            return str(value)

    with pytest.raises(TypeError, match="Colour"):
        make_field(Colour(), is_in_row=False)
