"""A large ride: many copies of a few scorecards that were really recorded, each with a valid log of its own.

The benchmarks use it too.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import User
from django.db.models import Model

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain, Entry, Operation, StaleCard
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.tables.services import create_tables

REAL_BIKES = 4  # bikes, each with different points
BOXES = (("fives", 15), ("sixes", 18), ("fours", 8), ("aces", 2))
TURNS = 1 + len(BOXES)
RUN = ["C", 2, 3, 4, 5, 6]
Entrants = Sequence[Bike] | Sequence[Player]


def copy_card(card_id: UUID, tables: Sequence[Entrants]) -> None:
    """Copy the card, with all its entries, once for each of the tables, with these entrants in its seats."""
    card = Scorecard.objects.select_related("chain").get(pk=card_id)
    by_model: dict[type[Model], list[Model]] = {each: [] for each in (Operation, Chain, Scorecard, Seat, Entry, Turn)}
    pattern = _CardTemplate(card)
    for entrants in tables:
        for row in _CardCopy(pattern, entrants).list_rows():
            by_model[type(row)].append(row)
    for model, rows in by_model.items():
        model._default_manager.bulk_create(rows)
    StaleCard.objects.create(contest_id=card.contest_id)


class _CardTemplate:
    """A card with all rows that belong to it, read once."""

    def __init__(self, card: Scorecard):
        self.card = card
        self.seats = list(card.seats.order_by("index"))
        self.entries = list(card.chain.entries.order_by("seq"))
        self.operations = list(Operation.objects.filter(pk__in={entry.operation_id for entry in self.entries}))
        self.turns = list(card.turns.all())


class _CardCopy:
    """A copy of a card, in which the ids of the card, its entrants and its operations are replaced."""

    def __init__(self, pattern: _CardTemplate, entrants: Entrants):
        self.pattern = pattern
        self.card, self.seats, self.entries = pattern.card, pattern.seats, pattern.entries
        # The id of a bike's card is derived from the bike's id.
        card = pattern.card
        new_id = uuid5(card.contest_id, str(entrants[0].pk))
        self.new = {card.pk: new_id, **{entry.operation_id: uuid4() for entry in self.entries}}
        for seat, entrant in zip(self.seats, entrants, strict=True):
            self.new[seat.bike_id or seat.player_id or card.pk] = entrant.pk

    def list_rows(self) -> list[Model]:
        new_id = self.new[self.card.pk]
        entries: list[Entry] = []
        for entry in self.entries:
            body = {**json.loads(self._rewrite(entry.body)), "prev": entries[-1].hash if entries else ""}
            text = canonical_json(body)
            entries.append(
                Entry(
                    chain_id=new_id,
                    seq=entry.seq,
                    operation_id=self.new[entry.operation_id],
                    kind=entry.kind,
                    slot_id=entry.slot_id,
                    body=text,
                    hash=sha256(text),
                    at=entry.at,
                )
            )
        chain = Chain(id=new_id, event_id=self.card.chain.event_id, kind=Chain.Kind.CARD)
        chain.length, chain.head = len(entries), entries[-1].hash
        return [
            *self._list_operations(),
            chain,
            Scorecard(id=new_id, chain_id=new_id, contest_id=self.card.contest_id),
            *self._list_seats(),
            *entries,
            *self._list_turns(),
        ]

    def _rewrite(self, text: str) -> str:
        for old, new in self.new.items():
            text = text.replace(str(old), str(new))
        return text

    def _list_operations(self) -> list[Operation]:
        operations = [copy(operation) for operation in self.pattern.operations]
        for operation in operations:
            operation.pk = self.new[operation.pk]
        return operations

    def _list_seats(self) -> list[Seat]:
        return [
            Seat(
                card_id=self.new[self.card.pk],
                index=seat.index,
                contest_id=seat.contest_id,
                bike_id=seat.bike_id and self.new[seat.bike_id],
                player_id=seat.player_id and self.new[seat.player_id],
                is_only=seat.is_only,
            )
            for seat in self.seats
        ]

    def _list_turns(self) -> list[Turn]:
        turns = [copy(turn) for turn in self.pattern.turns]
        for turn in turns:
            turn.pk, turn.card_id = self.new[turn.pk], self.new[self.card.pk]
        return turns


@dataclass(frozen=True)
class LargeRide:
    """A ride with the same number of seats at the stops, all in one group, and at the tables.

    Attributes:
        captain: the road captain of the group.
        card, table: ids of a card of turns and of a table that were really recorded.
    """

    event: Event
    stop: Stop
    captain: CrewMember
    card: UUID
    table: UUID
    yahtzee: Contest
    rogue: Contest
    bikes: list[Bike]
    players: list[Player]
    desk: Actor

    def publish(self) -> None:
        for contest in (self.yahtzee, self.rogue):
            close_contest(self.desk, uuid4(), contest.pk, "the ride is over")
            publish_contest(self.desk, uuid4(), contest.pk, "as it stands")
            refresh_standings(contest.pk)


def make_large_ride(user: User, seats: int, turns: int = TURNS) -> LargeRide:
    """Set up a ride on which everyone plays: a few bikes and one table are recorded, the others are copies.

    Args:
        turns: how many turns a bike has, at most five.
    """
    event = Event.objects.create(name="Ride", slug=f"ride-of-{seats}", date=dt.date(2026, 6, 20), state="open")
    desk = Actor.from_organiser(Organiser.objects.create(event=event, user=user))
    yahtzee, rogue = (
        Contest.objects.create(
            event=event, name=slug, slug=slug, game_key=slug, rules_version=1, ordinal=ordinal, seats_are=seats_are
        )
        for ordinal, (slug, seats_are) in enumerate((("rock-yahtzee", "bikes"), ("rogue", "players")), 1)
    )
    stop = Stop.objects.create(event=event, name="Parks", ordinal=1)
    slots = [Slot.objects.create(contest=yahtzee, stop=stop, ordinal=number) for number in range(1, turns + 1)]
    group = Group.objects.create(event=event, name="Group one", ordinal=1)
    captain = CrewMember.objects.create(group=group, name="Rita", role=CrewMember.Role.ROAD_CAPTAIN)
    bikes = Bike.objects.bulk_create(Bike(event=event, number=number, group=group) for number in range(1, seats + 1))
    players = Player.objects.bulk_create(
        Player(event=event, name=f"Rider {bike.number}", bike=bike, role="rider") for bike in bikes
    )
    for number, bike in enumerate(bikes[:REAL_BIKES]):
        for slot, (box, points) in zip(slots, (("chance", 20 + number), *BOXES), strict=False):
            actions = [{"type": "paper", "box": box, "points": points}]
            record_turn(desk, uuid4(), TurnInput(yahtzee.pk, bike.pk, slot.pk, actions))
        copy_card(derive_card_id(yahtzee.pk, bike.pk), [[bike] for bike in bikes[REAL_BIKES + number :: REAL_BIKES]])
    deal = uuid4()
    create_tables(desk, deal, rogue.pk, [[player.pk for player in players[:2]]])
    card = uuid5(deal, "0")
    for seen, action in ((1, {"type": "roll", "dice": RUN}), (2, {"type": "keep", "dice": RUN})):
        record_action(desk, uuid4(), NewAction(card, seen, [{"seat": 0, **action}]))
    copy_card(
        card, [players[at : at + 2] for at in range(2, seats - 1, 2)]
    )  # with an odd number, the last player has no table
    for contest in (yahtzee, rogue):
        refresh_standings(contest.pk)
    bike_card = derive_card_id(yahtzee.pk, bikes[0].pk)
    return LargeRide(event, stop, captain, bike_card, card, yahtzee, rogue, bikes, players, desk)
