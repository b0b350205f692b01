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

KEPT = 256  # contests; a federation's big day has fewer
_kept: dict[UUID, PlayedContest] = {}


@dataclass(frozen=True)
class PlayedContest:
    """What is needed to fold a card: the ruleset, and the order and stop of every slot."""

    id: UUID
    event_id: UUID
    ruleset: Ruleset
    slots: Mapping[UUID, tuple[int, UUID]]  # slot → its place in the order, and its stop
    rules: str = ""  # the digest that cards keep of all of this

    def ordinal(self, slot_id: UUID) -> int:
        """Return the slot's place in the order of play."""
        return self.slots[slot_id][0]

    def slots_at_stop_of(self, slot_id: UUID) -> list[UUID]:
        """Return all slots of the stop that the slot belongs to, in order."""
        stop = self.slots[slot_id][1]
        return [slot for slot, (_, at) in self.slots.items() if at == stop]

    @cached_property
    def slot_count(self) -> int:
        """How many turns the contest has."""
        return len(self.slots)


def get_played_contest(contest_id: UUID) -> PlayedContest:
    """Return the contest's ruleset and slots, from memory once they are frozen.

    Raises:
        Contest.DoesNotExist: there is no such contest.
    """
    known = _kept.get(contest_id)
    if known is not None:
        return known
    contest = Contest.objects.get(pk=contest_id)
    slots = Slot.objects.filter(contest_id=contest_id).order_by("ordinal").values_list("pk", "ordinal", "stop_id")
    order = {slot: (ordinal, stop) for slot, ordinal, stop in slots}
    rules = get_rules_digest(contest, order)
    played = PlayedContest(contest.pk, contest.event_id, contest.ruleset, order, rules)
    if contest.frozen_at is not None:
        # Not before the commit: what froze it a moment ago, in this same transaction, may come to nothing.
        transaction.on_commit(partial(_keep, played))
    return played


def get_rules_digest(contest: Contest, slots: Mapping[UUID, tuple[int, UUID]]) -> str:
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


def forget_contests() -> None:
    """Keep none of the contests that were read so far, for where the whole database is another one now."""
    _kept.clear()


def _keep(played: PlayedContest) -> None:
    if len(_kept) >= KEPT:
        _kept.clear()
    _kept[played.id] = played


def card_id_for(contest_id: UUID, holder_id: UUID) -> UUID:
    """Return the id of the card that a bike or a player holds, the same wherever it is worked out."""
    return uuid5(contest_id, str(holder_id))


def review_chain_id(event_id: UUID) -> UUID:
    """Return the id of the chain that tells which operations of an event were put before the organiser."""
    return uuid5(event_id, "review")


def turn_id_for(operation_id: UUID, card_id: UUID, slot_id: UUID | None) -> UUID:
    """Return the id of one of several turns that one operation wrote."""
    return uuid5(NAMESPACE_URL, f"{operation_id}/{card_id}/{slot_id}")
