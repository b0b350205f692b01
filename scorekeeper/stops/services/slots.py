"""Assigning the turns of a contest to stops.

Derived: the contest's number of turns. It is written only here, together with the slots.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import lock_unfrozen_contest
from scorekeeper.stops.models import Slot, Stop


@transaction.atomic
def set_slots(contest: Contest, counts: Sequence[tuple[Stop, int]]) -> None:
    """Set how many turns of the contest are rolled at each stop.

    Existing slots keep their ids, so that a page that was opened earlier still refers to the same turn.

    Args:
        contest: the contest; its game takes the number of turns from the slots.
        counts: stops of the contest's event in the order of the ride, each with its number of turns.

    Raises:
        ContestFrozen: the contest has entries, or was closed.
        LookupError: the game does not take its turns from stops.
        Malformed: the rule book does not allow so many turns, or so few.
        ValueError: a stop belongs to another event.
    """
    current = lock_unfrozen_contest(contest)
    if current.game.slot_option is None:
        raise LookupError(current.game_key)
    if any(stop.event_id != current.event_id for stop, _turns in counts):
        raise ValueError("a stop of another event cannot hold turns of this contest")
    stops = [stop for stop, turns in counts for _turn in range(turns)]
    current.options = {**current.options, current.game.slot_option: len(stops)}
    current.game.ruleset(current.options)
    current.save(update_fields=["options"])
    existing = {slot.ordinal: slot for slot in current.slots.all()}
    for ordinal, stop in enumerate(stops, 1):
        slot = existing.pop(ordinal, None) or Slot(contest=current, ordinal=ordinal)
        slot.stop = stop
        slot.save()
    current.slots.filter(pk__in=[slot.pk for slot in existing.values()]).delete()
    contest.options = current.options
