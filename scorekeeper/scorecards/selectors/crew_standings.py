"""The standings within a group, in each contest whose turns are recorded at the stops.

They need only the cards of the group, each folded from its own log, and are ranked like all standings, by
`games.core.ranking.rank`. So a phone that has these logs can show them without anything else.

While the standings of the event are frozen, each card counts as it was at the freeze. That is by the times in the log,
which come from the server; entries that are still pending on a phone have the phone's time, and all of them are the
crew's own. The reveal does not change the places within a group, so they stay frozen until the freeze is lifted.

A bike is ranked once its card has a turn. Cut cards are ignored, since they break ties between all bikes of a contest,
not within a group.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Entry
from scorekeeper.players.selectors import read_riders
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.display_names import format_riders
from scorekeeper.scorecards.fold import replay_chain
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.non_starters import find_non_starters


@dataclass(frozen=True, slots=True)
class CrewStandingsRow:
    """A bike of the group.

    Attributes:
        place: "2", or "2=" for a shared place; "" for a bike that is not ranked.
        turn_count: how many turns its card has.
        is_damaged: whether its card's log is damaged; such a card has no place.
        is_non_starter: whether it did not start.
    """

    bike_id: UUID
    number: str
    riders: str
    place: str
    total: int
    turn_count: int
    is_retired: bool = False
    is_damaged: bool = False
    is_non_starter: bool = False


@dataclass(frozen=True, slots=True)
class CrewStandings:
    """A contest with the group's bikes: the best first, those without a place last, by number.

    Attributes:
        slot_count: how many turns a complete card has.
    """

    contest: Contest
    slot_count: int
    rows: Sequence[CrewStandingsRow]

    @property
    def has_places(self) -> bool:
        """Whether any bike has a place."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class _RankedCard:
    """A card that was read from its log.

    Attributes:
        standing: the standing of its seat; None if the card has no turn.
        turn_count: how many turns the card has.
    """

    standing: Standing | None
    turn_count: int
    is_damaged: bool = False


CardsByBike = Mapping[UUID, _RankedCard]  # by bike


def list_crew_standings(group: Group, frozen_at: dt.datetime | None = None) -> list[CrewStandings]:
    """Return the group's standings in each contest. The number of queries does not depend on the number of bikes.

    Args:
        frozen_at: the time of the freeze; None for the current standings.
    """
    of_group = Bike.entrants.filter(group=group, event=group.event_id, merged_into=None)
    sheets = list(of_group.order_by("number", "suffix", "sheet"))
    contests = list_contests_at_stops(group.event)
    rules_by_contest = {contest.pk: get_contest_rules(contest.pk) for contest in contests}
    non_starters = find_non_starters(sheets)
    cards = _read_cards(rules_by_contest, [sheet.pk for sheet in sheets], frozen_at)
    riders = read_riders(sheets)
    return [
        CrewStandings(
            contest,
            rules_by_contest[contest.pk].slot_count,
            _rank(
                {
                    sheet: format_riders(riders.list_names(contest, sheet))
                    for sheet in sheets
                    if sheet.sheet_contest_id in (None, contest.pk)
                },
                cards[contest.pk],
                non_starters,
            ),
        )
        for contest in contests
    ]


def _read_cards(
    rules_by_contest: Mapping[UUID, ContestRules], bikes: Sequence[UUID], frozen_at: dt.datetime | None
) -> Mapping[UUID, CardsByBike]:
    """Return the cards by contest, with two queries."""
    seats = Seat.objects.filter(contest__in=rules_by_contest, bike__in=bikes)
    entrants = {seat.card_id: (seat.contest_id, seat.bike_id) for seat in seats}
    cards: dict[UUID, dict[UUID, _RankedCard]] = {contest: {} for contest in rules_by_contest}
    logs = Entry.objects.filter(chain__in=entrants).order_by("chain_id", "seq")
    for card, log in split_by_chain(logs):
        contest, bike = entrants[card]
        assert bike is not None, "turns are recorded for bikes"
        at_freeze = [entry for entry in log if frozen_at is None or entry.at <= frozen_at]
        cards[contest][bike] = _fold_card(rules_by_contest[contest], at_freeze)
    return cards


def _fold_card(contest: ContestRules, log: Sequence[Entry]) -> _RankedCard:
    replay = replay_chain(contest, log)
    if replay.damaged_from is not None:
        return _RankedCard(None, 0, is_damaged=True)
    standing = contest.ruleset.game.standing(replay.fold.state, 0) if replay.turns else None
    return _RankedCard(standing, len(replay.fold.results))


def _rank(riders: Mapping[Bike, str], cards: CardsByBike, non_starters: Collection[UUID]) -> list[CrewStandingsRow]:
    bikes_with_cards = [(bike, cards.get(bike.pk, _EMPTY_CARD)) for bike in riders]
    standings = {bike.pk: card.standing for bike, card in bikes_with_cards if card.standing is not None}
    places: dict[UUID, str] = {}
    for place in rank(standings).places:
        places |= dict.fromkeys(place.seats, f"{place.rank}=" if len(place.seats) > 1 else str(place.rank))
    rows = {
        bike.pk: _make_row(bike, riders[bike], card, places.get(bike.pk, ""), bike.pk in non_starters)
        for bike, card in bikes_with_cards
    }
    return [*(rows.pop(bike) for bike in places), *rows.values()]


def _make_row(bike: Bike, riders: str, card: _RankedCard, place: str, is_non_starter: bool) -> CrewStandingsRow:
    total = 0 if card.standing is None else card.standing.total
    is_retired = card.standing is not None and card.standing.status == "retired"
    flags = {"is_retired": is_retired, "is_damaged": card.is_damaged, "is_non_starter": is_non_starter}
    return CrewStandingsRow(bike.pk, bike.label, riders, place, total, card.turn_count, **flags)


_EMPTY_CARD = _RankedCard(None, 0)  # the card of a bike that has not rolled
