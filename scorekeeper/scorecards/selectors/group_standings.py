"""How a group's bikes stand among themselves, in each contest whose turns are noted at the stops.

It is made of the cards of the group alone, each folded from its own log, and ranked as everything is: by
`games.core.ranking.rank`. So it can be told wherever these logs are, whatever else is known there.

Terms: a bike *takes part* from the first turn that stands on its card. Cards that were cut are left aside, for they
decide between all bikes of a contest and not within a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.db.models import Prefetch

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.display_names import format_riders
from scorekeeper.scorecards.fold import replay_chain
from scorekeeper.scorecards.models import Entry, Seat
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops


@dataclass(frozen=True, slots=True)
class GroupStandingsRow:
    """A bike of the group.

    Attributes:
        place: "2", or "2=" for a shared one; "" for a bike that does not take part.
        noted: how many turns stand on its card.
        is_damaged: whether its card's log cannot be read; such a card has no place.
    """

    bike_id: UUID
    number: str
    riders: str
    place: str
    total: int
    turn_count: int
    is_retired: bool = False
    is_damaged: bool = False


@dataclass(frozen=True, slots=True)
class GroupStandings:
    """A contest with the group's bikes: the best first, those without a place last, in the order of their numbers.

    Attributes:
        turns: how many turns a whole card has.
    """

    contest: Contest
    slot_count: int
    rows: Sequence[GroupStandingsRow]

    @property
    def has_places(self) -> bool:
        """Whether anybody has a place."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class _RankedCard:
    """A card as it was read.

    Attributes:
        standing: where its seat stands; None where no turn stands on it.
        noted: how many turns stand.
    """

    standing: Standing | None
    turn_count: int
    is_damaged: bool = False


CardsByBike = Mapping[UUID, _RankedCard]  # by bike


def list_group_standings(group: Group) -> list[GroupStandings]:
    """Return how the group stands in each contest; the number of statements does not grow with the bikes."""
    players = Prefetch("players", queryset=Player.objects.order_by("-role", "name"))
    of_group = Bike.objects.filter(group=group, event=group.event_id, merged_into=None)
    bikes = list(of_group.order_by("number", "suffix").prefetch_related(players))
    contests = list_contests_at_stops(group.event)
    played = {contest.pk: get_contest_rules(contest.pk) for contest in contests}
    cards = _read_cards(played, [bike.pk for bike in bikes])
    return [
        GroupStandings(contest, played[contest.pk].slot_count, _rank(bikes, cards[contest.pk])) for contest in contests
    ]


def _read_cards(played: Mapping[UUID, ContestRules], bikes: Sequence[UUID]) -> Mapping[UUID, CardsByBike]:
    """Return the cards by their contests: two statements."""
    seats = Seat.objects.filter(contest__in=played, bike__in=bikes)
    holders = {seat.card_id: (seat.contest_id, seat.bike_id) for seat in seats}
    cards: dict[UUID, dict[UUID, _RankedCard]] = {contest: {} for contest in played}
    logs = Entry.objects.filter(chain__in=holders).order_by("chain_id", "seq")
    for card, log in groupby(logs, key=lambda entry: entry.chain_id):
        contest, bike = holders[card]
        assert bike is not None, "turns are noted for bikes"
        cards[contest][bike] = _fold_card(played[contest], list(log))
    return cards


def _fold_card(contest: ContestRules, log: Sequence[Entry]) -> _RankedCard:
    read = replay_chain(contest, log)
    if read.damaged_from is not None:
        return _RankedCard(None, 0, is_damaged=True)
    standing = contest.ruleset.game.standing(read.fold.state, 0) if read.turns else None
    return _RankedCard(standing, len(read.fold.results))


def _rank(bikes: Sequence[Bike], cards: CardsByBike) -> list[GroupStandingsRow]:
    here = [(bike, cards.get(bike.pk, _EMPTY_CARD)) for bike in bikes]
    standings = {bike.pk: card.standing for bike, card in here if card.standing is not None}
    places: dict[UUID, str] = {}
    for place in rank(standings).places:
        places |= dict.fromkeys(place.seats, f"{place.rank}=" if len(place.seats) > 1 else str(place.rank))
    rows = {bike.pk: _make_row(bike, card, places.get(bike.pk, "")) for bike, card in here}
    return [*(rows.pop(bike) for bike in places), *rows.values()]


def _make_row(bike: Bike, card: _RankedCard, place: str) -> GroupStandingsRow:
    riders = format_riders(player.name for player in bike.players.all())
    total = 0 if card.standing is None else card.standing.total
    is_retired = card.standing is not None and card.standing.status == "retired"
    return GroupStandingsRow(bike.pk, bike.label, riders, place, total, card.turn_count, is_retired, card.is_damaged)


_EMPTY_CARD = _RankedCard(None, 0)  # the card of a bike that has not rolled
