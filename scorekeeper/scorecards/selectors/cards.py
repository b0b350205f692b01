"""The cards of bikes, read without a lock: one for a page, to judge a draft before it is sent, or all of a contest.

A card may have changed by the time something is recorded, so recording locks the card and judges again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

import structlog
from django.db.models import Exists, F

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import is_sheet_of
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.bike_card import BikeCard, FoldedBikeCard, fold_entries
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, make_contest_rules
from scorekeeper.scorecards.fold import replay_chain
from scorekeeper.scorecards.models import Seat
from scorekeeper.stops.models import Slot

log = structlog.get_logger("tailgunner.standings")


class ContestAtStops(NamedTuple):
    """A contest whose turns the crews record at the stops.

    Attributes:
        slots: in the order of play, with their stops.
        has_others: whether the event has another one.
    """

    contest: Contest
    slots: list[Slot]
    has_others: bool


def get_bike(event: Event, bike_id: UUID) -> Bike:
    """Return a bike of the event, or a further sheet, with its group; an alias leads to the bike it was merged into.

    Raises:
        Bike.DoesNotExist: the event has no such bike.
    """
    bike = Bike.entrants.select_related("group", "merged_into__group").get(pk=bike_id, event=event)
    return bike.merged_into or bike


def get_card(contest: Contest, slots: Iterable[Slot], bike: Bike) -> BikeCard:
    """Return the bike's card in the contest; an empty one if nothing is recorded yet. One statement reads its log.

    Args:
        slots: all of the contest's slots, in the order of play.
    """
    card_id = derive_card_id(contest.pk, bike.pk)
    # The snapshot is not needed, and would be repeated in every row.
    chained = Entry.objects.filter(chain_id=card_id).select_related("chain").defer("chain__snapshot")
    entries = list(chained.order_by("seq"))
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
    for contest in list_contests_at_stops(event):
        sheets = Bike.entrants.filter(is_sheet_of(contest.pk), event=event)
        for bike in sheets.select_related("group", "merged_into__group"):
            if derive_card_id(contest.pk, bike.pk) == card_id:
                return contest, bike.merged_into or bike
    return None


def find_contest_at_stops(event: Event, contest_id: UUID) -> ContestAtStops | None:
    """Return a contest recorded at the stops, in one statement.

    Returns:
        None if the event has no such contest, or the contest has no slots.
    """
    rows = Slot.objects.filter(contest__event=event, contest__seats_are=Contest.SeatsAre.BIKES)
    own = rows.filter(contest=contest_id).annotate(has_others=Exists(rows.exclude(contest=contest_id)))
    slots = list(own.select_related("contest", "stop").order_by("ordinal"))
    if not slots or not is_of_kind(slots[0].contest.game, "turn"):
        return None
    return ContestAtStops(slots[0].contest, list(slots), slots[0].has_others)


def list_slots(contest: Contest) -> list[Slot]:
    """Return the contest's slots with their stops, in the order of play."""
    return list(Slot.objects.filter(contest=contest).select_related("stop").order_by("ordinal"))


def list_contests_at_stops(event: Event) -> list[Contest]:
    """Return the contests whose turns the crews record at the stops, in order."""
    contests = Contest.objects.filter(event=event, seats_are=Contest.SeatsAre.BIKES)
    return [contest for contest in contests.order_by("ordinal", "name") if is_of_kind(contest.game, "turn")]


def fold_bike_cards(
    contest: ContestRules,
    card_ids: Iterable[UUID] | None = None,
    lengths: Mapping[UUID, int] | None = None,
    *,
    include_damaged: bool = False,
) -> list[FoldedBikeCard]:
    """Return the cards that have an entry, in the order of their ids, in two statements however many there are.

    A card whose log is damaged is reported in the program's log and left out. The others are returned.

    Args:
        card_ids: only these cards; None for all of the contest.
        lengths: read only these cards, and each card's chain only up to this length.
        include_damaged: also return damaged cards, as far as they can be read; their figures must not be counted.
    """
    entries = Entry.objects.filter(chain__card__contest_id=contest.id)
    seats = Seat.objects.filter(contest_id=contest.id, index=0).select_related("bike")
    if lengths is None:
        # A bike that was merged after a revision still has its own place in it.
        seats = seats.filter(bike__merged_into=None)
    if card_ids is not None:
        wanted = list(card_ids)
        entries, seats = entries.filter(chain_id__in=wanted), seats.filter(card_id__in=wanted)
    by_card = {seat.card_id: seat for seat in seats.annotate(is_sealed=F("card__chain__is_sealed"))}
    folded = []
    for card_id, chain in split_by_chain(entries.order_by("chain_id", "seq").iterator(), lengths):
        seat = by_card.get(card_id)
        if seat is None or seat.bike is None:
            continue
        replay, last = replay_chain(contest, chain), chain[-1]
        if replay.damaged_from is not None:
            log.error("damaged_card", card=str(card_id), entry=replay.damaged_from)
        if replay.damaged_from is None or include_damaged:
            folded.append(
                FoldedBikeCard(
                    contest=contest,
                    id=card_id,
                    bike=seat.bike,
                    length=last.seq,
                    head=last.hash,
                    is_sealed=seat.is_sealed,
                    turns=replay.turns,
                    fold=replay.fold,
                    last_change=last.at,
                    damaged_from=replay.damaged_from,
                )
            )
    return folded
