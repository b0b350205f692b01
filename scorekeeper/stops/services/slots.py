"""Giving the turns of a contest to stops.

Derived: the contest's number of turns. It is written here, with the slots, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import lock_unfrozen_contest
from scorekeeper.stops.models import Slot, Stop


@transaction.atomic
def set_slots(contest: Contest, counts: Sequence[tuple[Stop, int]]) -> None:
    """Say which stop holds how many turns of the contest.

    A slot that stays keeps its id, so that a page opened before still means the same turn.

    Args:
        contest: whose turns they are; its game takes its number of turns from them.
        counts: stops of the contest's event in the order they are reached, each with its number of turns.

    Raises:
        ContestFrozen: dice have been noted.
        LookupError: the game does not take its turns from stops.
        Malformed: the rule book does not allow that many turns, or that few.
        ValueError: a stop is of another event.
    """
    current = lock_unfrozen_contest(contest)
    if current.game.slot_option is None:
        raise LookupError(current.game_key)
    if any(stop.event_id != current.event_id for stop, _turns in counts):
        raise ValueError("a stop of another event cannot hold turns of this contest")
    places = [stop for stop, turns in counts for _turn in range(turns)]
    current.options = {**current.options, current.game.slot_option: len(places)}
    current.game.ruleset(current.options)
    current.save(update_fields=["options"])
    standing = {slot.ordinal: slot for slot in current.slots.all()}
    for ordinal, stop in enumerate(places, 1):
        slot = standing.pop(ordinal, None) or Slot(contest=current, ordinal=ordinal)
        slot.stop = stop
        slot.save()
    current.slots.filter(pk__in=[slot.pk for slot in standing.values()]).delete()
    contest.options = current.options
