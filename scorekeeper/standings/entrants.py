"""The entrants of a contest with their results, folded from the log.

Terms: an *entrant* is a bike or a player. Its result combines all its cards. The kind of the cards folds them
(`scorecards.card_kinds`): at the stops each bike has one card, at the tables a player may have several.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from games.core.game import Game
from games.core.standing import Reach, Standing
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber, pad_number
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_bike_number
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import ContestRules

log = structlog.get_logger("tailgunner.standings")

EntrantSortKey = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """An entrant and the combined result of their cards.

    Attributes:
        turn_count: how many turns count; at the tables, at how many of them something was recorded.
        is_ranked: whether the entrant is in the ranking.
        log_length: how many entries of the entrant's cards are included.
        reach: the best and worst standing still possible; None where the game cannot compute it, or where more cards
            may follow.
    """

    entrant: Bike | Player
    standing: Standing
    turn_count: int
    is_ranked: bool
    log_length: int
    last_change: dt.datetime
    reach: Reach | None = None

    @property
    def entrant_id(self) -> UUID:
        """The id of the bike or the player."""
        return self.entrant.pk

    @property
    def number(self) -> str:
        """The bike's number; "" for a player."""
        return get_bike_number(self.entrant)

    @property
    def sort_key(self) -> EntrantSortKey:
        """The sort key among tied entrants."""
        return get_sort_key(self.entrant)


def get_sort_key(entrant: Bike | Player) -> EntrantSortKey:
    """Return the sort key among tied entrants, on every page and in every file: a bike's number or a player's name."""
    return (
        make_sort_key(entrant.number, entrant.suffix, entrant.sheet, None)
        if isinstance(entrant, Bike)
        else make_sort_key(None, None, None, entrant.name)
    )


def make_sort_key(number: BikeNumber | None, suffix: int | None, sheet: int | None, name: str | None) -> EntrantSortKey:
    """Return the same key from a bike's number, suffix and sheet, or from a player's name; the others are None."""
    return ("" if number is None else pad_number(number), suffix or 0, sheet or 0, (name or "").casefold())


def get_margin(game: Game[Any], order: tuple[int, ...]) -> int | None:
    """Return the number that ranks entrants with the same total; None where the game has none.

    Args:
        order: of the entrant's standing. One that was stored by an earlier version may not have the number yet.
    """
    return order[2] if game.margin_label is not None and len(order) > 2 else None


@dataclass(frozen=True)
class FoldedContest:
    """A contest folded from its log: its entrants with their results, and its cards.

    Attributes:
        cards: all that were folded, including damaged ones, which are not counted.
    """

    contest: ContestRules
    entrant_results: Sequence[EntrantResult]
    cards: Sequence[FoldedCard] = ()

    @property
    def undamaged_cards(self) -> list[FoldedCard]:
        """The cards whose logs are not damaged: those that count."""
        return [card for card in self.cards if card.damaged_from is None]


def fold_contest(
    contest: ContestRules, card_ids: Iterable[UUID] | None = None, lengths: Mapping[UUID, int] | None = None
) -> FoldedContest:
    """Fold a contest, or only the entrants of the given cards, in a fixed number of statements.

    A card whose log is damaged is reported in the program's log and is not counted. The others are.

    Args:
        card_ids: fold only the entrant_results of these cards.
        lengths: read only these cards, and each card's chain only up to this length.
    """
    named = None if card_ids is None else set(card_ids)
    game = contest.ruleset.game
    cards = get_kind(game).fold_cards(contest, named, lengths)
    for card in cards:
        if card.damaged_from is not None:
            log.error("damaged_card", card=str(card.id), entry=card.damaged_from)
    entrant_results = _list_entrant_results(game, [card for card in cards if card.damaged_from is None])
    if named is not None:
        # An entrant is folded with all of its cards. The others there are left out: they may have still more cards.
        entrants = {entrant.pk for card in cards if card.id in named for entrant in card.entrants}
        entrant_results = [
            entrant_result for entrant_result in entrant_results if entrant_result.entrant_id in entrants
        ]
    return FoldedContest(contest, entrant_results, cards)


def _list_entrant_results(game: Game[object], cards: Iterable[FoldedCard]) -> list[EntrantResult]:
    seats_by_entrant: dict[UUID, list[tuple[FoldedCard, int]]] = {}
    entrants: dict[UUID, Bike | Player] = {}
    for card in cards:
        for index, entrant in enumerate(card.entrants):
            entrants[entrant.pk] = entrant
            seats_by_entrant.setdefault(entrant.pk, []).append((card, index))
    return [_make_entrant_result(game, entrants[entrant], seats) for entrant, seats in seats_by_entrant.items()]


def _make_entrant_result(
    game: Game[object], entrant: Bike | Player, seats: Sequence[tuple[FoldedCard, int]]
) -> EntrantResult:
    return EntrantResult(
        entrant=entrant,
        standing=game.combine([game.standing(card.state, index) for card, index in seats]),
        turn_count=sum(card.turn_count for card, _index in seats),
        is_ranked=any(card.is_ranked for card, _index in seats),
        log_length=sum(card.length for card, _index in seats),
        last_change=max(card.last_change for card, _index in seats),
        reach=None if game.many_cards else game.reach(seats[0][0].state, seats[0][1]),
    )
