"""The choices of a field as plain data for `components/box_grid.html` and `components/closed_boxes.html`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.core.specs import Choice, ChoiceField
from scorekeeper.common.game_adapter import translate
from scorekeeper.rulebooks.citations import Sentence, cite
from scorekeeper.scorecards.action_wording import get_choice_label

TemplateData = dict[str, Any]


def present_choice(
    game_key: str, choice: Choice, names: Sequence[str] = (), blocked: Sentence | None = None
) -> TemplateData:
    """Return a choice with its points, or the reason why it is closed.

    Args:
        names: of the seats, for a choice that is about a seat.
        blocked: why it is not possible although the action's own field leaves it open.
    """
    sentence = blocked
    if not choice.open and choice.why_not is not None:
        sentence = cite(game_key, choice.rule, translate(choice.why_not, choice.params))
    return {
        "value": str(choice.value),
        "label": get_choice_label(choice, names),
        "points": choice.points,
        "why": {} if sentence is None else sentence.to_data(),
    }


def sort_choices(field: ChoiceField) -> list[Choice]:
    """Return the choices of a field, the open ones with the most points first."""
    return sorted(field.choices, key=lambda choice: (not choice.open, -(choice.points or 0)))


def split_choices(choices: Iterable[TemplateData]) -> tuple[list[TemplateData], list[TemplateData]]:
    """Return the open choices and the closed ones."""
    presented = list(choices)
    return [choice for choice in presented if not choice["why"]], [choice for choice in presented if choice["why"]]
