"""Text templates, their plural forms and their translation."""

from __future__ import annotations

import pytest

from games.core.text import Text, gettext_noop, ngettext_lazy, pgettext_noop

DICE = ngettext_lazy("%(count)s die of %(box)s: %(dice)s", "%(count)s dice of %(box)s: %(dice)s")
CHANCE = gettext_noop("Chance")


class Backwards:
    """A translator that reverses every text except the names of placeholders."""

    def gettext(self, message: str, /) -> str:
        return {"Chance": "ecnahC"}[message]

    def pgettext(self, context: str, message: str, /) -> str:
        return {("month", "May"): "yaM"}[context, message]

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        assert (singular, plural) == (DICE.template, DICE.plural)
        return "%(dice)s :%(box)s eid" if number == 1 else "%(dice)s :%(box)s ecid"


def test_a_template_is_filled_with_numbers_words_texts_and_lists() -> None:
    assert DICE.fill({"count": 2, "box": CHANCE, "dice": (3, "C")}) == "2 dice of Chance: 3, C"
    assert DICE.fill({"count": 1, "box": "x", "dice": (CHANCE, 4)}) == "1 die of x: Chance, 4"
    assert DICE.fill({"count": 0, "box": "x", "dice": ()}) == "0 dice of x: "


def test_a_context_tells_the_same_words_apart() -> None:
    month = pgettext_noop("month", "May")
    assert month.fill() == "May"
    assert month.fill(translator=Backwards()) == "yaM"


def test_template_and_parameters_are_both_translated() -> None:
    filled = DICE.fill({"count": 2, "box": CHANCE, "dice": (CHANCE, 1)}, Backwards())
    assert filled == "ecnahC, 1 :ecnahC ecid"
    assert DICE.fill({"count": 1, "box": CHANCE, "dice": ()}, Backwards()) == " :ecnahC eid"


def test_a_percent_sign_in_a_parameter_is_left_alone() -> None:
    assert Text("“%(name)s”").fill({"name": "100%(x)s"}) == "“100%(x)s”"


def test_a_placeholder_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        Text("%(missing)s").fill({"other": 1})
