"""The two kinds of card, behind one interface.

A game is recorded turn by turn at the stops of a ride, or action by action at tables (`Game.recorded_by`). Whatever
differs between the two is asked of the contest's `CardKind`: how cards are folded and checked, what closing a contest
and merging bikes do to them, what the organiser decides on, and what pages call it all and link to.

- `by_turn` and `by_action` implement it. The app registers them when Django starts, so that what both use need not
  import them.
- Only this module reads `recorded_by`. Pages, exports and services ask the kind for a fact or an action, never which
  kind it is. Only the kinds' own apps do (`is_of_kind`), to refuse the cards of the other.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise

from games.core.game import Game, RecordedBy, Ruleset
from games.core.problems import Problem
from games.core.sheet import Turn as TurnResult
from scorekeeper.bikes.models import Bike
from scorekeeper.common.hooks import Hook
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.scorecards.recorded_card import RecordedCard
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter

if TYPE_CHECKING:  # only a handler has one, and services ask for a kind themselves
    from scorekeeper.ledger.services.operation_context import OperationContext


class FoldedCard(Protocol):
    """A card of either kind, folded from its log.

    Attributes:
        entrants: the bike or player of each seat, in the order of play.
        length: how many entries of its log are included.
        damaged_from: the first entry that cannot be read or played; such a card must not be counted.
        turn_count: how much of it counts: its turns; a table counts as one as soon as something is recorded at it.
        is_ranked: whether its entrants are in the ranking.
        is_unfinished: whether something is missing that closing the contest would leave out.
    """

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> ContestRules: ...
    @property
    def entrants(self) -> Sequence[Bike | Player]: ...
    @property
    def state(self) -> Any: ...
    @property
    def length(self) -> int: ...
    @property
    def last_change(self) -> dt.datetime: ...
    @property
    def damaged_from(self) -> int | None: ...
    @property
    def turn_count(self) -> int: ...
    @property
    def is_ranked(self) -> bool: ...
    @property
    def is_unfinished(self) -> bool: ...

    def list_missing_slots(self) -> Sequence[UUID]:
        """Return the slots whose turns are missing, in order; nothing where turns have no slots."""

    def list_turns(self) -> Sequence[tuple[UUID, TurnResult]]:
        """Return the results of the turns that count, with their slots, in order; nothing where there are no slots."""

    def list_recording_times(self) -> Mapping[UUID, dt.datetime]:
        """Return when the server recorded each turn that counts, by slot; nothing where there are no slots.

        A correction does not change it.
        """

    def list_played_turns(self) -> Sequence[RecordedTurn]:
        """Return the recorded turns that count, in the order of play; at a table, the recorded actions."""

    def list_played_actions(self, seat: int) -> Sequence[tuple[int, Actions]]:
        """Return what a seat has done that counts, in order, with the ordinal of the slot.

        The ordinal is 0 for a retirement. Where there are no slots, it is 0 for all that the seat has done.
        """


# Why a turn is left as it is: changed by a correction, recorded as missed by the crew too, moved to another bike, the
# card's log is damaged, or the rules do not allow the card without it. "" if it can be taken back.
WhyLeft = Literal["", "changed", "repeated", "moved", "damaged", "needed"]


@dataclass(frozen=True, slots=True)
class MissedTurn:
    """A turn that a closing recorded as missed.

    Attributes:
        closing_id: the operation that closed the contest.
        bike: the bike that had the turn then.
        ordinal: which turn of the contest it is.
        slot_name: the stop, and which turn there.
        card: the folded card that has it; None if no card that counts does.
        why: why it is left; "" if it can be taken back.
    """

    closing_id: UUID
    turn_id: UUID
    bike: Bike
    ordinal: int
    slot_name: str
    card: FoldedCard | None
    why: WhyLeft


@dataclass(frozen=True, slots=True)
class CardLink:
    """A link to the organiser's page of a card.

    Attributes:
        number: of the card; 0 where an entrant has only one card, which goes by the entrant's number.
    """

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class KindWording:
    """What pages say about contests of a kind.

    Attributes:
        not_started: beside an entrant who has not started.
        nobody_started: the heading of a leaderboard without rows.
        updating: how such a leaderboard will fill.
        closing: what closing does, before the organiser chooses it.
        closing_reason: the usual reason for closing.
        setup: the label of the page at `CardKind.get_setup_url`.
        cards: the heading of the column with an entrant's cards; "" where every entrant has exactly one.
    """

    not_started: str | Promise
    nobody_started: str | Promise
    updating: str | Promise
    closing: str | Promise
    closing_reason: str | Promise
    setup: str | Promise
    cards: str | Promise = ""


@dataclass(frozen=True, slots=True)
class ExportColumns:
    """The columns of the exports in which the kinds differ.

    Attributes:
        count_key: the name, for programs, of how much an entrant has played.
        count: its heading.
        is_always_counted: whether it has a column in every game, or only where an entrant may have several cards.
        card: the heading of the column with the number of a card; "" where cards have none.
    """

    count_key: str
    count: str | Promise
    is_always_counted: bool
    card: str | Promise = ""


class CardKind(ABC):
    """What differs between the two kinds of card.

    Attributes:
        recorded_by: the games whose cards these are.
        enters_roster: whether every bike of the roster takes part, even before it has a card. Otherwise those who have
            a seat take part.
        is_shared_by_crew: whether every phone of the crew records on every card, not only on those of its group.
        is_agreed_to: whether riders agree to their cards (`scorekeeper.agreements`).
        entrant_route: the public page of what a bike or player has played.
        checklist_template: what is left to do before the contest is closed, as items of a list.
    """

    recorded_by: ClassVar[RecordedBy]
    enters_roster: ClassVar[bool]
    is_shared_by_crew: ClassVar[bool]
    is_agreed_to: ClassVar[bool]
    entrant_route: ClassVar[str]
    checklist_template: ClassVar[str]
    wording: ClassVar[KindWording]
    export: ClassVar[ExportColumns]

    def covers(self, contest: Contest) -> bool:
        """Return whether the cards of a contest are of this kind."""
        return is_of_kind(contest.game, self.recorded_by)

    # Pages

    def get_entrant_url(self, contest: Contest, entrant_id: UUID) -> str:
        """Return the URL of the public page of what a bike or player has played in a contest."""
        return reverse(self.entrant_route, args=[contest.event.slug, contest.slug, entrant_id])

    @abstractmethod
    def get_setup_url(self, contest: Contest) -> str:
        """Return the URL of the page where the organiser decides where or by whom a contest is played; "" if none."""

    @abstractmethod
    def format_card_count(self, contest: Contest) -> str:
        """Return how many cards the organiser has created, in words; "" where cards are created automatically."""

    @abstractmethod
    def list_cards(self, contest: Contest, entrant_ids: Collection[UUID]) -> Mapping[UUID, Sequence[CardLink]]:
        """Return the cards of each of these bikes or players, by the entrant's id."""

    @abstractmethod
    def get_history_url(self, event: Event, card_id: UUID) -> str:
        """Return the URL of the organiser's page with all entries of a card, where they can be corrected."""

    @abstractmethod
    def describe_closing(self, ruleset: Ruleset, unfinished_count: int, *, counts_sheets: bool = False) -> str:
        """Return what closing a contest now would do, in words.

        Args:
            ruleset: of the contest.
            unfinished_count: how many cards are unfinished (`FoldedCard.is_unfinished`).
            counts_sheets: whether bikes can have several of these.
        """

    # Figures

    @abstractmethod
    def fold_cards(
        self,
        contest: ContestRules,
        card_ids: Iterable[UUID] | None = None,
        lengths: Mapping[UUID, int] | None = None,
    ) -> Sequence[FoldedCard]:
        """Return the cards of a contest, folded from their logs, in a fixed number of statements.

        Args:
            card_ids: only these cards, and all others of the same entrants; None for all of the contest.
            lengths: read only these cards, and each card's log only up to this length.
        """

    @abstractmethod
    def number_cards(self, contest_id: UUID) -> Mapping[UUID, int]:
        """Return the number of every card, in the order they were created; nothing where cards have no numbers."""

    @abstractmethod
    def check_cards(self, contest: Contest) -> Iterator[LogDamage]:
        """Compare what is stored with the cards of a contest with their logs."""

    @abstractmethod
    def insert_projections(self, contest: ContestRules) -> None:
        """Fold the cards of a contest that has just been imported, and insert the rows that follow from their logs."""

    # Operations

    @abstractmethod
    def lock_card(self, context: OperationContext, card_id: UUID) -> RecordedCard:
        """Lock an existing card and return it, read from its log.

        Raises:
            UnknownTarget: there is no such card, its bike was merged into another, or its table was withdrawn.
            DamagedCard: its log cannot be read.
            NotAllowed: it belongs to another event than the actor's.
        """

    @abstractmethod
    def close_cards(self, context: OperationContext, contest: ContestRules) -> None:
        """Write what closing a contest adds to its cards, whose chains are all locked."""

    @abstractmethod
    def list_missed_turns(self, contest: ContestRules) -> Sequence[MissedTurn]:
        """Return the turns that closings of a contest recorded as missed and that are still there."""

    @abstractmethod
    def clear_missed_turns(self, context: OperationContext, contest: ContestRules, closing_id: UUID) -> int:
        """Void what a closing recorded as missed and nobody has touched since.

        Args:
            closing_id: the operation that closed the contest. The chains of all the contest's cards are locked.

        Returns:
            How many turns were voided.
        """

    @abstractmethod
    def list_merge_problems(self, contests: Sequence[Contest], bike: Bike, into: Bike) -> Iterator[Problem]:
        """Return what prevents a bike's cards in these contests from becoming another's, as far as known beforehand."""

    @abstractmethod
    def merge_bikes(self, context: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
        """Give what a bike has in these contests to another.

        Raises:
            CannotMerge: the rules do not allow it.
        """

    @abstractmethod
    def unmerge_bikes(self, context: OperationContext, contests: Sequence[Contest], merge: BikeMerge) -> None:
        """Give back what a merge moved in these contests.

        Raises:
            CannotUnmerge: something newer depends on it.
        """

    # Review

    @abstractmethod
    def present_review_items(self, event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
        """Return items of the event, whose contests are of this kind, with both sides and the possible decisions."""


CARD_KINDS = Hook[CardKind]()


def get_kind(game: Game[Any]) -> CardKind:
    """Return the kind of a game's cards."""
    return next(kind for kind in CARD_KINDS if kind.recorded_by == game.recorded_by)


def is_of_kind(game: Game[Any], recorded_by: RecordedBy) -> bool:
    """Return whether a game's cards are of a kind. Only for the apps of the two kinds."""
    return game.recorded_by == recorded_by
