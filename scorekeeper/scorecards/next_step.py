"""What is next at a table, in one line: whose turn it is, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.core.game import Game
from games.core.specs import ActionSpec, DiceField
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.word_lists import join_or
from scorekeeper.scorecards.offers import Offer, get_seat_to_act


def describe_next_step(game: Game[Any], state: Any, names: Sequence[str], offers: Sequence[Offer]) -> str:
    """Return what is next: "Ann: throw 4 dice or end the turn"; "" if nothing can be recorded.

    Args:
        names: of the seats.
        offers: what can be recorded now.
    """
    steps = list(dict.fromkeys(_describe_step(offer.spec) for offer in offers))
    if not steps:
        return ""
    seat = offers[0].spec.seat if offers[0].spec.seat is not None else get_seat_to_act(game, state)
    name = pgettext("what anyone at the table does next", "Next") if seat is None else names[seat]
    return _("%(name)s: %(steps)s") % {"name": name, "steps": join_or(steps)}


def _describe_step(spec: ActionSpec) -> str:
    if spec.prompt is not None:
        return translate(spec.prompt)
    dice = [field for field in spec.fields if isinstance(field, DiceField) and field.required]
    low, high = sum(field.count.low for field in dice), sum(field.count.high for field in dice)
    if not dice:
        return translate(spec.label)
    if low != high:
        return _("throw %(low)s or %(high)s dice") % {"low": low, "high": high}
    return ngettext("throw %(count)s die", "throw %(count)s dice", high) % {"count": high}
