"""A contest as the log needs it: its ruleset and its slots.

Both freeze with the first card, so what was read once can be kept for as long as the process lives. Names, status and
whatever else may change is not kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction

from games.core.game import Ruleset
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.stops.models import Slot

CACHE_SIZE = 256  # contests; a federation's big day has fewer
_cache: dict[UUID, ContestRules] = {}


@dataclass(frozen=True)
class ContestRules:
    """What is needed to fold a card: the ruleset, and the order and stop of every slot."""

    id: UUID
    event_id: UUID
    ruleset: Ruleset
    slots: Mapping[UUID, tuple[int, UUID]]  # slot → its place in the order, and its stop
    rules_digest: str = ""  # the digest that cards keep of all of this

    def get_ordinal(self, slot_id: UUID) -> int:
        """Return the slot's place in the order of play."""
        return self.slots[slot_id][0]

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
    known = _cache.get(contest_id)
    if known is not None:
        return known
    contest = Contest.objects.get(pk=contest_id)
    slots = Slot.objects.filter(contest_id=contest_id).order_by("ordinal").values_list("pk", "ordinal", "stop_id")
    order = {slot: (ordinal, stop) for slot, ordinal, stop in slots}
    rules = compute_rules_digest(contest, order)
    played = ContestRules(contest.pk, contest.event_id, contest.ruleset, order, rules)
    if contest.frozen_at is not None:
        # Not before the commit: what froze it a moment ago, in this same transaction, may come to nothing.
        transaction.on_commit(partial(_add_to_cache, played))
    return played


def compute_rules_digest(contest: Contest, slots: Mapping[UUID, tuple[int, UUID]]) -> str:
    """Return what the first entry of every card says of the rules that it is played by, which are frozen by then.

    Args:
        slots: as a played contest has them.
    """
    rules = {
        "game": contest.game_key,
        "version": contest.rules_version,
        "options": contest.options,
        "seats": contest.seats_are,
        "slots": sorted([ordinal, str(slot), str(stop)] for slot, (ordinal, stop) in slots.items()),
    }
    return sha256(canonical_json(rules))


def clear_contest_rules_cache() -> None:
    """Keep none of the contests that were read so far, for where the whole database is another one now."""
    _cache.clear()


def _add_to_cache(played: ContestRules) -> None:
    if len(_cache) >= CACHE_SIZE:
        _cache.clear()
    _cache[played.id] = played


def derive_card_id(contest_id: UUID, holder_id: UUID) -> UUID:
    """Return the id of the card that a bike or a player holds, the same wherever it is worked out."""
    return uuid5(contest_id, str(holder_id))


def derive_review_chain_id(event_id: UUID) -> UUID:
    """Return the id of the chain that tells which operations of an event were put before the organiser."""
    return uuid5(event_id, "review")


def derive_turn_id(operation_id: UUID, card_id: UUID, slot_id: UUID | None) -> UUID:
    """Return the id of one of several turns that one operation wrote."""
    return uuid5(NAMESPACE_URL, f"{operation_id}/{card_id}/{slot_id}")
