"""Cards read without a lock, for pages and for judging a draft before it is sent.

A card may have changed by the time something is recorded, so recording locks the card and judges again.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.card_state import CardState, fold_entries
from scorekeeper.scorecards.contest_rules import derive_card_id, make_contest_rules
from scorekeeper.scorecards.models import Seat
from scorekeeper.stops.models import Slot


def get_bike(event: Event, bike_id: UUID) -> Bike:
    """Return a bike of the event with its group; an alias leads to the bike it was merged into.

    Raises:
        Bike.DoesNotExist: the event has no such bike.
    """
    bike = Bike.objects.select_related("group", "merged_into__group").get(pk=bike_id, event=event)
    return bike.merged_into or bike


def get_card(contest: Contest, slots: Iterable[Slot], bike: Bike) -> CardState:
    """Return the bike's card in the contest; an empty one if nothing is recorded yet. One statement reads its log.

    Args:
        slots: all of the contest's slots, in the order of play.
    """
    card_id = derive_card_id(contest.pk, bike.pk)
    # The snapshot is not needed, and would be repeated in every row.
    log = Entry.objects.filter(chain_id=card_id).select_related("chain").defer("chain__snapshot").order_by("seq")
    entries = list(log)
    if entries:
        chain = entries[0].chain
    else:
        sealed = contest.status != Contest.Status.OPEN
        chain = Chain(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD, is_sealed=sealed)
    return fold_entries(make_contest_rules(contest, slots), chain, bike, entries)


def find_contest_and_bike(event: Event, card_id: UUID) -> tuple[Contest, Bike] | None:
    """Return the contest and the bike of a card of the event, or None; an alias leads to the bike it was merged into.

    A card's id is derived from its contest and its bike, so bikes for which nothing is recorded yet are found too.
    """
    seats = Seat.objects.select_related("contest", "bike__group", "bike__merged_into__group")
    seat = seats.filter(card_id=card_id, index=0, contest__event=event).first()
    if seat is not None:
        return None if seat.bike is None else (seat.contest, seat.bike.merged_into or seat.bike)
    bikes = list(Bike.objects.filter(event=event).select_related("group", "merged_into__group"))
    for contest in list_contests_at_stops(event):
        for bike in bikes:
            if derive_card_id(contest.pk, bike.pk) == card_id:
                return contest, bike.merged_into or bike
    return None


def find_contest_with_slots(event: Event, contest_id: UUID) -> tuple[Contest, list[Slot]] | None:
    """Return a contest recorded at the stops, with its slots in the order of play and their stops; one statement.

    Returns:
        None if the event has no such contest, or the contest has no slots.
    """
    rows = Slot.objects.filter(contest=contest_id, contest__event=event, contest__seats_are=Contest.SeatsAre.BIKES)
    slots = list(rows.select_related("contest", "stop").order_by("ordinal"))
    if not slots or not is_of_kind(slots[0].contest.game, "turn"):
        return None
    return slots[0].contest, slots


def list_slots(contest: Contest) -> list[Slot]:
    """Return the contest's slots with their stops, in the order of play."""
    return list(Slot.objects.filter(contest=contest).select_related("stop").order_by("ordinal"))


def list_contests_at_stops(event: Event) -> list[Contest]:
    """Return the contests whose turns the crews record at the stops, in order."""
    contests = Contest.objects.filter(event=event, seats_are=Contest.SeatsAre.BIKES)
    return [contest for contest in contests.order_by("ordinal", "name") if is_of_kind(contest.game, "turn")]
