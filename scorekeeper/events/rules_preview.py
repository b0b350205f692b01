"""What the options of a contest lead to, in words: the rules, the empty score sheet, and an example that is scored.

All of it comes from the game: the sentences of its handout, the sheet before the first action, and the game's example,
played by the same rules as a scorecard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.core.game import Game, Ruleset
from games.core.handouts import list_rules_in_words
from games.core.replay import replay
from scorekeeper.common.game_adapter import find_fragment, show_cell, translate


class SheetLine(NamedTuple):
    """A line of the score sheet.

    Attributes:
        section: the heading above it; "" for none, and where the line before has the same.
        empty, example: what it shows before the first turn, and at the end of the example; None for nothing.
    """

    section: str
    label: str
    empty: int | str | None
    example: int | str | None
    is_total: bool


class RulesPreview(NamedTuple):
    """What the options lead to.

    Attributes:
        sentences: the rules.
        lines: the score sheet; none where the game has no example.
        turns: what happens in the example, turn by turn.
    """

    sentences: Sequence[str]
    lines: Sequence[SheetLine]
    turns: Sequence[str]


def has_preview(game: Game[Any]) -> bool:
    """Return whether a game has anything to show: a picture of its options, rules in words or an example."""
    setup = game.ruleset().setup
    return find_fragment(game, "preview.html") is not None or bool(game.handouts(setup) or game.example(setup))


def make_rules_preview(ruleset: Ruleset) -> RulesPreview:
    """Return what the options lead to."""
    game, setup = ruleset.game, ruleset.setup
    points = list_rules_in_words(game.handouts(setup))
    sentences = [translate(point.text, point.params) for point in points]
    actions = game.example(setup)
    if not actions:
        return RulesPreview(sentences, (), ())
    start, end = game.start(ruleset, 1), replay(ruleset, 1, actions).state
    lines, section = [], None
    for blank, filled in zip(game.sheet(start).lines, game.sheet(end).lines, strict=True):
        heading = filled.section if filled.section != section else None
        section = filled.section
        lines.append(
            SheetLine(
                "" if heading is None else translate(heading),
                translate(filled.label),
                show_cell(blank.cells[0]) if blank.cells[0].points else None,  # a total of 0 is an empty total
                show_cell(filled.cells[0]),
                filled.kind == "total",
            )
        )
    return RulesPreview(sentences, lines, _describe_turns(ruleset, actions))


def _describe_turns(ruleset: Ruleset, actions: Sequence[Any]) -> list[str]:
    """Return what was thrown in each turn of an example, and what it was worth, where turns are worth points."""
    game, state = ruleset.game, ruleset.game.start(ruleset, 1)
    found: list[str] = []
    if not game.points_of_turns:
        return []
    throws: list[str] = []
    for data in actions:
        if "dice" in data:
            throws.append(" ".join(map(str, data["dice"])))
        state = game.play(state, ruleset.read_action(data, 1))
        turns = game.turns(state, 0)
        if len(turns) > len(found):
            params = {
                "dice": _(", then ").join(throws),
                "label": translate(turns[-1].label),
                "points": turns[-1].points,
            }
            text = _("%(dice)s. %(label)s: %(points)s") if throws else _("%(label)s: %(points)s")
            found.append(text % params)
            throws = []
    return found
