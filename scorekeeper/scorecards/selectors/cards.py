"""Cards read without a lock, for pages and for judging a draft before it is sent.

A card may have changed by the time something is recorded, so recording locks the card and judges again.
"""

from __future__ import annotations

from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.card_state import CardState, fold_chain
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.models import Chain, Seat
from scorekeeper.stops.models import Slot


def get_bike(event: Event, bike_id: UUID) -> Bike:
    """Return a bike of the event with its group; an alias leads to the bike it was merged into.

    Raises:
        Bike.DoesNotExist: the event has no such bike.
    """
    bike = Bike.objects.select_related("group", "merged_into__group").get(pk=bike_id, event=event)
    return bike.merged_into or bike


def get_card(contest: Contest, bike: Bike) -> CardState:
    """Return the bike's card in the contest; an empty one if nothing is recorded yet."""
    card_id = derive_card_id(contest.pk, bike.pk)
    chain = Chain.objects.filter(pk=card_id).first()
    if chain is None:
        sealed = contest.status != Contest.Status.OPEN
        chain = Chain(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD, is_sealed=sealed)
    return fold_chain(get_contest_rules(contest.pk), chain, bike)


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


def list_slots(contest: Contest) -> list[Slot]:
    """Return the contest's slots with their stops, in the order of play."""
    return list(Slot.objects.filter(contest=contest).select_related("stop").order_by("ordinal"))


def list_contests_at_stops(event: Event) -> list[Contest]:
    """Return the contests whose turns the crews record at the stops, in order."""
    contests = Contest.objects.filter(event=event, seats_are=Contest.SeatsAre.BIKES)
    return [contest for contest in contests.order_by("ordinal", "name") if contest.game.recorded_by == "turn"]
