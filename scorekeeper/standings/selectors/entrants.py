"""Who stands in a contest and with what: each holder of one card or of several, folded from the log.

Terms: an *entrant* is a bike or a player with what their cards come to together. Contests whose turns are recorded at
the stops have one card a bike (`folded_cards.fold_cards`); at the tables somebody may
sit at several (`tables.selectors.tables.fold_tables`).
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
    """A holder and what their cards come to.

    Attributes:
        turns_done: how many turns stand; at the tables, at how many of them something was noted.
        takes_part: whether the holder is in the ranking.
        length: how many entries of the holder's cards were taken in.
        reach: what the standing can still come to; None where the game does not tell, or where further cards may come.
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
        """What holders are sorted by where nothing else tells them apart."""
        return get_sort_key(self.holder)


def get_bike_number(holder: Bike | Player) -> str:
    """Return a bike's number; "" for a player, whose name is kept out of standings so that it can be erased."""
    return holder.label if isinstance(holder, Bike) else ""


def get_sort_key(holder: Bike | Player) -> tuple[int, int, str]:
    """Return what level holders are sorted by, on every page and in every file: a bike's number, a player's name."""
    return (
        make_sort_key(holder.number, holder.suffix, None)
        if isinstance(holder, Bike)
        else make_sort_key(None, None, holder.name)
    )


def make_sort_key(number: int | None, suffix: int | None, name: str | None) -> tuple[int, int, str]:
    """Return what `by_number` does: of a bike's number and suffix, or of a player's name, the rest being None."""
    return (number or 0, suffix or 0, (name or "").casefold())


@dataclass(frozen=True)
class FoldedContest:
    """A contest as its log stands: cards of the one kind or tables of the other, and who stands with what.

    Attributes:
        tables: all that were drawn up; the damaged among them count for nobody.
    """

    contest: ContestRules
    entrants: Sequence[Entrant]
    cards: Sequence[FoldedCard] = ()
    tables: Sequence[TableWithHolders] = ()

    @property
    def undamaged_tables(self) -> list[TableWithHolders]:
        """The tables that count."""
        return [table for table in self.tables if table.damaged_from is None]


def fold_contest(
    contest: ContestRules, card_ids: Iterable[UUID] | None = None, lengths: Mapping[UUID, int] | None = None
) -> FoldedContest:
    """Fold a contest, or those entrants whose cards are named; a fixed number of statements.

    A table whose log is damaged is named in the program's log and counts for nobody: the others go on.

    Args:
        lengths: read each card's chain only so far, and only the cards named.
    """
    if contest.ruleset.game.recorded_by == "turn":
        cards = fold_cards(contest, card_ids, lengths)
        return FoldedContest(contest, [_make_card_entrant(contest.ruleset.game, card) for card in cards], cards=cards)
    # Whoever sits at several tables is followed with all of them; those met there may have others again.
    holders = None if card_ids is None else list_holder_ids(contest.id, card_ids)
    tables = fold_tables(contest, None if holders is None else list_card_ids(contest.id, holders), lengths)
    for table in tables:
        if table.damaged_from is not None:
            log.error("damaged_card", card=str(table.id), entry=table.damaged_from)
    whole = [table for table in tables if table.damaged_from is None]
    entrants = _list_table_entrants(contest.ruleset.game, whole)
    followed = [one for one in entrants if holders is None or one.holder_id in holders]
    return FoldedContest(contest, followed, tables=tables)


def _make_card_entrant(game: Game[object], card: FoldedCard) -> Entrant:
    bike = card.seat.bike
    assert bike is not None, "turns are noted for bikes"
    reach = game.reach(card.fold.state, 0)
    return Entrant(bike, card.standing, card.turn_count, card.is_ranked, card.log_length, card.last_change, reach)


def _list_table_entrants(game: Game[object], tables: Sequence[TableWithHolders]) -> list[Entrant]:
    places: dict[UUID, list[tuple[TableWithHolders, int]]] = {}
    holders: dict[UUID, Bike | Player] = {}
    for table in tables:
        for index, holder in enumerate(table.holders):
            holders[holder.pk] = holder
            places.setdefault(holder.pk, []).append((table, index))
    return [_make_table_entrant(game, holders[holder], seats) for holder, seats in places.items()]


def _make_table_entrant(
    game: Game[object], holder: Bike | Player, seats: Sequence[tuple[TableWithHolders, int]]
) -> Entrant:
    standings = [game.standing(table.state, index) for table, index in seats]
    reach = None if game.many_cards else game.reach(seats[0][0].state, seats[0][1])
    played = sum(table.fold.applied_count > 0 for table, _index in seats)
    return Entrant(
        holder=holder,
        standing=game.combine(standings),
        turn_count=played,
        is_ranked=played > 0,
        log_length=sum(table.length for table, _index in seats),
        last_change=max(table.log.last_change for table, _index in seats),
        reach=reach,
    )
