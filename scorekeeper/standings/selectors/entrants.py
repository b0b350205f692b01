"""Who stands in a contest and with what: each holder of one card or of several, folded from the log.

Terms: an *entrant* is a bike or a player with what their cards come to together. Contests whose turns are noted at the
stops have one card a bike (`folding.fold_cards`); at the tables somebody may sit at several (`tables.fold_tables`).
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
from scorekeeper.scorecards.played import PlayedContest
from scorekeeper.standings.selectors.folding import FoldedCard, fold_cards
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.selectors.folding import fold_tables, list_cards_of, list_holders_at

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
    turns_done: int
    takes_part: bool
    length: int
    last_change: dt.datetime
    reach: Reach | None = None

    @property
    def holder_id(self) -> UUID:
        """The id of the bike or the player."""
        return self.holder.pk

    @property
    def number(self) -> str:
        """The bike's number; "" for a player."""
        return get_number(self.holder)

    @property
    def by_number(self) -> tuple[int, int, str]:
        """What holders are sorted by where nothing else tells them apart."""
        return by_number(self.holder)


def get_number(holder: Bike | Player) -> str:
    """Return a bike's number; "" for a player, whose name is kept out of standings so that it can be erased."""
    return holder.label if isinstance(holder, Bike) else ""


def by_number(holder: Bike | Player) -> tuple[int, int, str]:
    """Return what level holders are sorted by, on every page and in every file: a bike's number, a player's name."""
    return (
        sort_key(holder.number, holder.suffix, None) if isinstance(holder, Bike) else sort_key(None, None, holder.name)
    )


def sort_key(number: int | None, suffix: int | None, name: str | None) -> tuple[int, int, str]:
    """Return what `by_number` does: of a bike's number and suffix, or of a player's name, the rest being None."""
    return (number or 0, suffix or 0, (name or "").casefold())


@dataclass(frozen=True)
class FoldedContest:
    """A contest as its log stands: cards of the one kind or tables of the other, and who stands with what.

    Attributes:
        tables: all that were drawn up; the damaged among them count for nobody.
    """

    contest: PlayedContest
    entrants: Sequence[Entrant]
    cards: Sequence[FoldedCard] = ()
    tables: Sequence[SeatedTable] = ()

    @property
    def whole_tables(self) -> list[SeatedTable]:
        """The tables that count."""
        return [table for table in self.tables if table.damaged_from is None]


def fold_contest(
    contest: PlayedContest, card_ids: Iterable[UUID] | None = None, lengths: Mapping[UUID, int] | None = None
) -> FoldedContest:
    """Fold a contest, or those entrants whose cards are named; a fixed number of statements.

    A table whose log is damaged is named in the program's log and counts for nobody: the others go on.

    Args:
        lengths: read each card's chain only so far, and only the cards named.
    """
    if contest.ruleset.game.recorded_by == "turn":
        cards = fold_cards(contest, card_ids, lengths)
        return FoldedContest(contest, [_of_card(contest.ruleset.game, card) for card in cards], cards=cards)
    # Whoever sits at several tables is followed with all of them; those met there may have others again.
    holders = None if card_ids is None else list_holders_at(contest.id, card_ids)
    tables = fold_tables(contest, None if holders is None else list_cards_of(contest.id, holders), lengths)
    for table in tables:
        if table.damaged_from is not None:
            log.error("damaged_card", card=str(table.id), entry=table.damaged_from)
    whole = [table for table in tables if table.damaged_from is None]
    entrants = _list_at_tables(contest.ruleset.game, whole)
    followed = [one for one in entrants if holders is None or one.holder_id in holders]
    return FoldedContest(contest, followed, tables=tables)


def _of_card(game: Game[object], card: FoldedCard) -> Entrant:
    bike = card.seat.bike
    assert bike is not None, "turns are noted for bikes"
    reach = game.reach(card.fold.state, 0)
    return Entrant(bike, card.standing, card.turns_done, card.takes_part, card.length, card.last_change, reach)


def _list_at_tables(game: Game[object], tables: Sequence[SeatedTable]) -> list[Entrant]:
    places: dict[UUID, list[tuple[SeatedTable, int]]] = {}
    holders: dict[UUID, Bike | Player] = {}
    for table in tables:
        for index, holder in enumerate(table.holders):
            holders[holder.pk] = holder
            places.setdefault(holder.pk, []).append((table, index))
    return [_at_tables(game, holders[holder], seats) for holder, seats in places.items()]


def _at_tables(game: Game[object], holder: Bike | Player, seats: Sequence[tuple[SeatedTable, int]]) -> Entrant:
    standings = [game.standing(table.state, index) for table, index in seats]
    reach = None if game.many_cards else game.reach(seats[0][0].state, seats[0][1])
    played = sum(table.fold.played > 0 for table, _index in seats)
    return Entrant(
        holder=holder,
        standing=game.combine(standings),
        turns_done=played,
        takes_part=played > 0,
        length=sum(table.length for table, _index in seats),
        last_change=max(table.log.last_change for table, _index in seats),
        reach=reach,
    )
