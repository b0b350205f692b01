"""The seats of a table with their totals, the outcome, and the score sheet: plain data for the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.core.game import Game
from scorekeeper.common.game_adapter import show_cell, show_total, translate
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.scorecards.offers import get_seat_to_act

TemplateData = dict[str, Any]


def present_seats(game: Game[Any], state: Any, names: Sequence[str]) -> list[TemplateData]:
    """Return the seats in the order of play, with their totals and whose turn it is."""
    to_act = None if game.is_finished(state) else get_seat_to_act(game, state)
    standings = [game.standing(state, seat) for seat in range(len(names))]
    return [
        {
            "name": name,
            "total": show_total(game, standing.total),
            "is_to_act": seat == to_act and len(names) > 1,
            "is_retired": standing.status == "retired",
        }
        for seat, (name, standing) in enumerate(zip(names, standings, strict=True))
    ]


def describe_outcome(game: Game[Any], state: Any, names: Sequence[str]) -> str:
    """Return how a finished game ended; "" while it is in play."""
    if not game.is_finished(state):
        return ""
    winners = [names[seat] for seat in game.winners(state)]
    if len(names) == 1:
        return _("Finished.")
    if len(winners) == 1:
        return _("%(name)s has won.") % {"name": winners[0]}
    return _("%(names)s have won, tied with each other.") % {"names": join_names(winners)}


def present_sheet(game: Game[Any], state: Any) -> list[TemplateData]:
    """Return the score sheet line by line, each with the points of every seat."""
    return [
        {
            "label": translate(line.label),
            "points": [show_cell(cell) for cell in line.cells],
            "kind": line.kind,
            "section": "" if line.section is None else translate(line.section),
            "rule": line.rule,
        }
        for line in game.sheet(state).lines
    ]
