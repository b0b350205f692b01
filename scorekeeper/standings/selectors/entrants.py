"""The entrants of a contest with their results, folded from the log.

Terms: an *entrant* is a bike or a player with the combined result of all their cards. Contests whose turns are recorded
at the stops have one card for each bike (`folded_cards.fold_cards`). At the tables, a player may sit at several
(`tables.selectors.tables.fold_tables`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from games.core.game import Game
from games.core.standing import Reach, Standing
from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.standings.selectors.folded_cards import FoldedCard, fold_cards
from scorekeeper.tables.open_table import TableWithHolders
from scorekeeper.tables.selectors.tables import fold_tables, list_card_ids, list_holder_ids

log = structlog.get_logger("tailgunner.standings")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A holder and the combined result of their cards.

    Attributes:
        turn_count: how many turns count; at the tables, at how many of them something was recorded.
        is_ranked: whether the holder is in the ranking.
        log_length: how many entries of the holder's cards are included.
        reach: the best and worst standing still possible; None where the game cannot compute it, or where more cards
            may follow.
    """

    holder: Bike | Player
    standing: Standing
    turn_count: int
    is_ranked: bool
    log_length: int
    last_change: dt.datetime
    reach: Reach | None = None

    @property
    def holder_id(self) -> UUID:
        """The id of the bike or the player."""
        return self.holder.pk

    @property
    def number(self) -> str:
        """The bike's number; "" for a player."""
        return get_bike_number(self.holder)

    @property
    def sort_key(self) -> tuple[int, int, str]:
        """The sort key among tied holders."""
        return get_sort_key(self.holder)


def get_bike_number(holder: Bike | Player) -> str:
    """Return a bike's number; "" for a player: names are not part of the standings, so that they can be erased."""
    return holder.label if isinstance(holder, Bike) else ""


def get_sort_key(holder: Bike | Player) -> tuple[int, int, str]:
    """Return the sort key among tied holders, on every page and in every file: a bike's number or a player's name."""
    return (
        make_sort_key(holder.number, holder.suffix, None)
        if isinstance(holder, Bike)
        else make_sort_key(None, None, holder.name)
    )


def make_sort_key(number: int | None, suffix: int | None, name: str | None) -> tuple[int, int, str]:
    """Return the same key from a bike's number and suffix, or from a player's name; the other arguments are None."""
    return (number or 0, suffix or 0, (name or "").casefold())


@dataclass(frozen=True)
class FoldedContest:
    """A contest folded from its log: its entrants, and its cards or its tables.

    Attributes:
        cards: for a contest at the stops.
        tables: for a contest at the tables: all of them, including damaged ones, which are not counted.
    """

    contest: ContestRules
    entrants: Sequence[Entrant]
    cards: Sequence[FoldedCard] = ()
    tables: Sequence[TableWithHolders] = ()

    @property
    def undamaged_tables(self) -> list[TableWithHolders]:
        """The tables whose logs are not damaged: those that count."""
        return [table for table in self.tables if table.damaged_from is None]


def fold_contest(
    contest: ContestRules, card_ids: Iterable[UUID] | None = None, lengths: Mapping[UUID, int] | None = None
) -> FoldedContest:
    """Fold a contest, or only the entrants of the given cards, in a fixed number of statements.

    A table whose log is damaged is reported in the program's log and is not counted. The others are.

    Args:
        card_ids: fold only the entrants of these cards.
        lengths: read only these cards, and each card's chain only up to this length.
    """
    if contest.ruleset.game.recorded_by == "turn":
        cards = fold_cards(contest, card_ids, lengths)
        return FoldedContest(contest, [_make_card_entrant(contest.ruleset.game, card) for card in cards], cards=cards)
    # A holder is folded with all of its tables. The others there are left out: they may sit at still more tables.
    holders = None if card_ids is None else list_holder_ids(contest.id, card_ids)
    tables = fold_tables(contest, None if holders is None else list_card_ids(contest.id, holders), lengths)
    for table in tables:
        if table.damaged_from is not None:
            log.error("damaged_card", card=str(table.id), entry=table.damaged_from)
    undamaged = [table for table in tables if table.damaged_from is None]
    entrants = _list_table_entrants(contest.ruleset.game, undamaged)
    requested = [entrant for entrant in entrants if holders is None or entrant.holder_id in holders]
    return FoldedContest(contest, requested, tables=tables)


def _make_card_entrant(game: Game[object], card: FoldedCard) -> Entrant:
    bike = card.seat.bike
    assert bike is not None, "turns are recorded for bikes"
    reach = game.reach(card.fold.state, 0)
    return Entrant(bike, card.standing, card.turn_count, card.is_ranked, card.log_length, card.last_change, reach)


def _list_table_entrants(game: Game[object], tables: Sequence[TableWithHolders]) -> list[Entrant]:
    seats_by_holder: dict[UUID, list[tuple[TableWithHolders, int]]] = {}
    holders: dict[UUID, Bike | Player] = {}
    for table in tables:
        for index, holder in enumerate(table.holders):
            holders[holder.pk] = holder
            seats_by_holder.setdefault(holder.pk, []).append((table, index))
    return [_make_table_entrant(game, holders[holder], seats) for holder, seats in seats_by_holder.items()]


def _make_table_entrant(
    game: Game[object], holder: Bike | Player, seats: Sequence[tuple[TableWithHolders, int]]
) -> Entrant:
    standings = [game.standing(table.state, index) for table, index in seats]
    reach = None if game.many_cards else game.reach(seats[0][0].state, seats[0][1])
    tables_played = sum(table.fold.applied_count > 0 for table, _index in seats)
    return Entrant(
        holder=holder,
        standing=game.combine(standings),
        turn_count=tables_played,
        is_ranked=tables_played > 0,
        log_length=sum(table.length for table, _index in seats),
        last_change=max(table.log.last_change for table, _index in seats),
        reach=reach,
    )
