"""Texts for bikes, slots, boxes and results, as pages and messages show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game, Ruleset
from games.core.sheet import Turn as TurnResult
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import show_total, translate
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.common.word_lists import join_and
from scorekeeper.ledger.problem_messages import Subject, show_subject
from scorekeeper.scorecards.turn_draft import make_initial_state
from scorekeeper.stops.models import Slot

TURN_AT_STOP = gettext_noop("%(stop)s, turn %(number)s")


def format_riders(names: Iterable[str]) -> str:
    """Return the people on a bike as one text: "Ann and Bo"."""
    return join_and(names)


def format_bike(bike: Bike, riders: str) -> str:
    """Return a bike as messages name it: "Bike 57, Ann and Bo"."""
    if not riders:
        return _("Bike %(number)s") % {"number": bike.label}
    return _("Bike %(number)s, %(riders)s") % {"number": bike.label, "riders": riders}


def format_damage_notice(entry: int) -> str:
    """Return the notice for a card whose log cannot be read from an entry on."""
    return _("The log of this scorecard is damaged from entry %(entry)s on. Only what comes before that is shown.") % {
        "entry": entry
    }


def label_slots(slots: Iterable[Slot]) -> Mapping[Any, str]:
    """Return each slot's name, by id: its stop, and which turn of the contest it is if the stop has several."""
    return {slot: show_subject(name) for slot, name in name_slots(slots).items()}


def name_slots(slots: Iterable[Slot]) -> Mapping[Any, str | Subject]:
    """Return the same names, to be translated when they are shown."""
    by_stop: dict[Any, list[Slot]] = {}
    for slot in slots:
        by_stop.setdefault(slot.stop_id, []).append(slot)
    names: dict[Any, str | Subject] = {}
    for at_stop in by_stop.values():
        for slot in at_stop:
            params = {"stop": slot.stop.name, "number": slot.ordinal}
            names[slot.pk] = slot.stop.name if len(at_stop) == 1 else Subject(TURN_AT_STOP, params)
    return names


def label_lines(ruleset: Ruleset) -> Mapping[str | None, str]:
    """Return the labels of the score sheet's lines, by key; None is the key of a missed turn."""
    lines = ruleset.game.sheet(make_initial_state(ruleset)).lines
    return {**{line.key: translate(line.label) for line in lines}, None: _("Missed")}


def format_result(game: Game[Any], turn: TurnResult | None) -> str:
    """Return a turn's result: "Small straight, 30 points", or the cards drawn where turns have no points.

    None means that the rules leave the turn out.
    """
    if turn is None:
        return _("does not count: the rules do not allow it on this scorecard")
    label = translate(turn.label)
    if turn.line is None:
        return label
    if not game.points_of_turns:
        return show_faces(turn.dice)
    return _("%(box)s, %(points)s") % {"box": label, "points": format_points(turn.points)}


def format_points(points: int) -> str:
    """Return points with their unit: "30 points"."""
    return ngettext("%(points)s point", "%(points)s points", points) % {"points": points}


def format_total(game: Game[Any], total: int) -> str:
    """Return the total of a card: "131 points", or what the game shows instead of the number."""
    shown = show_total(game, total)
    return shown if isinstance(shown, str) else format_points(shown)
