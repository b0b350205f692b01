"""The parts of a contest that the log depends on: its ruleset and its slots, cached.

Both are frozen once the contest has a card or was closed, so they are cached for the life of the process. Names, status
and anything else that may change are not cached here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction

from games.core.game import Ruleset
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.events.models import Contest
from scorekeeper.events.odds_setting import get_odds_data
from scorekeeper.events.sheet_setting import get_sheet_data
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.stops.models import Slot

# Run for every operation until the contest is frozen.
_CONTEST_QUERY = CompiledQuery(lambda contest: Contest.objects.filter(pk=contest), {"contest": UUID(int=1)})
_SLOTS_QUERY = CompiledQuery(
    lambda contest: Slot.objects.filter(contest_id=contest).order_by("ordinal"), {"contest": UUID(int=1)}
)

CACHE_SIZE = 256  # contests; a federation's big day has fewer
_cache: dict[UUID, ContestRules] = {}


@dataclass(frozen=True)
class ContestRules:
    """What folding a card needs: the ruleset, and the order and stop of every slot."""

    id: UUID
    event_id: UUID
    ruleset: Ruleset
    slots: Mapping[UUID, tuple[int, UUID]]  # slot id → its ordinal, and the id of its stop
    rules_digest: str = ""  # of all of this; the first entry of every card has it

    def get_ordinal(self, slot_id: UUID) -> int:
        """Return the slot's position in the order of play."""
        return self.slots[slot_id][0]

    def get_stop_id(self, slot_id: UUID | None) -> UUID | None:
        """Return the stop of a slot; None for no slot, or one of another contest."""
        return self.slots[slot_id][1] if slot_id is not None and slot_id in self.slots else None

    def list_slots_at_same_stop(self, slot_id: UUID) -> list[UUID]:
        """Return all slots of the stop that the slot belongs to, in order."""
        stop = self.slots[slot_id][1]
        return [slot for slot, (_, at) in self.slots.items() if at == stop]

    @cached_property
    def slot_count(self) -> int:
        """How many turns the contest has."""
        return len(self.slots)


def get_contest_rules(contest_id: UUID) -> ContestRules:
    """Return the contest's ruleset and slots, from memory once they are frozen.

    Raises:
        Contest.DoesNotExist: there is no such contest.
    """
    cached = _cache.get(contest_id)
    if cached is not None:
        return cached
    found = _CONTEST_QUERY.fetch(contest=contest_id)
    if not found:
        raise Contest.DoesNotExist
    return make_contest_rules(found[0], _SLOTS_QUERY.fetch(contest=contest_id))


def make_contest_rules(contest: Contest, slots: Iterable[Slot]) -> ContestRules:
    """Return the ruleset and slots of a contest that has been read already, from memory once they are frozen.

    Args:
        slots: all of the contest's slots in their order, read after the contest or together with it.
    """
    cached = _cache.get(contest.pk)
    if cached is not None:
        return cached
    slot_order = {slot.pk: (slot.ordinal, slot.stop_id) for slot in slots}
    digest = compute_rules_digest(contest, slot_order)
    contest_rules = ContestRules(contest.pk, contest.event_id, contest.ruleset, slot_order, digest)
    if contest.frozen_at is not None:
        # Not before the commit: if this transaction froze the contest, it may still be rolled back.
        transaction.on_commit(partial(_add_to_cache, contest_rules))
    return contest_rules


def compute_rules_digest(contest: Contest, slots: Mapping[UUID, tuple[int, UUID]]) -> str:
    """Return the digest of the rules that the first entry of every card has. It freezes the rules, as closing does.

    Args:
        slots: as in `ContestRules.slots`.
    """
    rules = {
        "game": contest.game_key,
        "version": contest.rules_version,
        "options": contest.options,
        "seats": contest.seats_are,
        "slots": sorted([ordinal, str(slot), str(stop)] for slot, (ordinal, stop) in slots.items()),
        **get_odds_data(contest),
        **get_sheet_data(contest),
    }
    return sha256(canonical_json(rules))


def clear_contest_rules_cache() -> None:
    """Empty the cache, for when the whole database has been replaced."""
    _cache.clear()


def _add_to_cache(contest_rules: ContestRules) -> None:
    if len(_cache) >= CACHE_SIZE:
        _cache.clear()
    _cache[contest_rules.id] = contest_rules


def derive_card_id(contest_id: UUID, entrant_id: UUID) -> UUID:
    """Return the id of a bike's or player's card. It is the same on every device that computes it."""
    return uuid5(contest_id, str(entrant_id))


def derive_turn_id(operation_id: UUID, card_id: UUID, slot_id: UUID | None) -> UUID:
    """Return the id of a turn whose operation wrote several turns."""
    return uuid5(NAMESPACE_URL, f"{operation_id}/{card_id}/{slot_id}")
