"""The rows of a leaderboard as plain data: what every page, export and revision shows.

- A row is *tied* when it shares its place.
- Every row says how its place was decided: by points, by cutting cards, or not at all.
- While a contest is closed, tied rows at a prize place name the next step.

Derived: the rank's label, "2=" for a shared place.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from uuid import UUID

from scorekeeper.standings.group_ranking import GroupRanking
from scorekeeper.standings.outlook import Chance, Outlook

DecidedBy = Literal["points", "cut", "level", ""]
NextStep = Literal["", "cut", "cut_again"]
ABSENT_STATUS = "absent"  # the status of a bike that has not rolled before the contest was closed


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One entrant's row.

    Attributes:
        number: the bike's number as people read it; "" for a player, whose name is not part of the row.
        rank: None for an entrant that has not rolled.
        turn_count: how many turns count; at the tables, at how many of them something was recorded.
        margin: the number that ranks entrants with the same total; None where the game has none (`Game.margin_label`).
        decided_by: how the place was decided.
        cards: what the entrant showed in the cuts that count, such as "QS", in order; None for a cut it missed.
        outlook: what the entrant can still reach, while the contest is open and the game can compute it. A row shows
            only the chance in it, so rows are not compared by the rest.
        is_withheld: whether these are the figures of a freeze, while places of other entrants are already announced.
    """

    entrant_id: UUID
    number: str
    rank: int | None
    is_tied: bool
    total: int
    turn_count: int
    status: str
    last_change: dt.datetime | None
    decided_by: DecidedBy = ""
    cards: tuple[str | None, ...] = ()
    next_step: NextStep = ""
    outlook: Outlook | None = field(default=None, compare=False)
    chance: Chance = ""
    margin: int | None = None
    is_withheld: bool = False

    @property
    def rank_label(self) -> str:
        """ "2", or "2=" for a shared place; a dash for an entrant that has not rolled."""
        if self.rank is None:
            return "–"
        return f"{self.rank}=" if self.is_tied else str(self.rank)

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is in the ranking."""
        return self.rank is not None

    @classmethod
    def unranked(cls, entrant_id: UUID, number: str, status: str) -> LeaderboardRow:
        """Return the row of an entrant that has not rolled.

        Args:
            status: "playing", or `ABSENT_STATUS` once the contest is closed.
        """
        return cls(entrant_id, number, None, False, 0, 0, status, None)

    def to_data(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            "holder": str(self.entrant_id),
            "number": self.number,
            "rank": self.rank,
            "level": self.is_tied,
            "total": self.total,
            "turns": self.turn_count,
            "status": self.status,
            "last_change": None if self.last_change is None else self.last_change.astimezone(dt.UTC).isoformat(),
            "by": self.decided_by,
            "cards": list(self.cards),
            # Only where there is one: results that were published before have no such field.
            **({} if self.margin is None else {"margin": self.margin}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> LeaderboardRow:
        """Return the row from plain data."""
        changed = data["last_change"]
        return cls(
            UUID(data["holder"]),
            data["number"],
            data["rank"],
            data["level"],
            data["total"],
            data["turns"],
            data["status"],
            None if changed is None else dt.datetime.fromisoformat(changed),
            data["by"],
            tuple(data["cards"]),
            margin=data.get("margin"),
        )


@dataclass(frozen=True, slots=True)
class CountedCut:
    """A cut of cards that decided places.

    Attributes:
        seq: the number of its entry in the contest's chain.
        cards: each entrant's number and card, such as "QS", the highest first; None for an entrant who was not there.
    """

    seq: int
    cards: tuple[tuple[UUID, str, str | None], ...]

    @property
    def entrants(self) -> tuple[UUID, ...]:
        """Those who cut, and those who had to but were not there."""
        return tuple(entrant for entrant, _number, _card in self.cards)

    def to_data(self) -> dict[str, Any]:
        """Return the cut as plain data."""
        return {"seq": self.seq, "cards": [[str(entrant), number, card] for entrant, number, card in self.cards]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CountedCut:
        """Return the cut from plain data."""
        return cls(data["seq"], tuple((UUID(entrant), number, card) for entrant, number, card in data["cards"]))


@dataclass(frozen=True, slots=True)
class BoardClass:
    """A class of a leaderboard (`standings.class_ranking`).

    Attributes:
        name: as it was when the rows were read, frozen or published.
        members: those of it who have a row, in the order of their ids.
        cuts: the cuts of cards that decided places in the class only, in order.
        tie_places: up to which place of the class ties are to be broken now; 0 for none.
    """

    id: UUID
    name: str
    members: tuple[UUID, ...]
    cuts: tuple[CountedCut, ...] = ()
    tie_places: int = field(default=0, compare=False)

    def to_data(self) -> dict[str, Any]:
        """Return the class as plain data."""
        return {
            "id": str(self.id),
            "name": self.name,
            "members": [str(member) for member in self.members],
            **({"cuts": [cut.to_data() for cut in self.cuts]} if self.cuts else {}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> BoardClass:
        """Return the class from plain data."""
        cuts = tuple(CountedCut.from_data(cut) for cut in data.get("cuts", ()))
        return cls(UUID(data["id"]), data["name"], tuple(UUID(member) for member in data["members"]), cuts)


@dataclass(frozen=True, slots=True)
class TieRule:
    """Which ties matter now.

    Attributes:
        prizes: the number of prize places; 0 when no tie has to be broken.
    """

    prizes: int

    def get_next_step(self, row: LeaderboardRow) -> NextStep:
        """Return what has to happen at the row's place, if anything. Retired seats do not cut (ROCK-27)."""
        if not row.is_tied or row.rank is None or row.rank > self.prizes or row.status == "retired":
            return ""
        return "cut_again" if row.decided_by == "cut" else "cut"


NO_TIES = TieRule(0)


def add_next_steps(rows: Sequence[LeaderboardRow], rule: TieRule) -> list[LeaderboardRow]:
    """Return the rows, each with the next step that its tie needs."""
    return [replace(row, next_step=rule.get_next_step(row)) for row in rows]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard.

    Attributes:
        status: of the contest: open, closed or official.
        turns_per_card: how many turns a card has; 0 where the contest has no slots.
        as_of: when the figures last changed, or for a revision, when it was published.
        revision: the number of the revision shown; None while the figures are unofficial.
        needs_revision: whether the log has grown since the last revision.
        last_revision: the number of the last revision, shown or not; 0 for none.
        standings_version: the version of the game's `combine` that the totals come from; None for the current one.
        frozen_at: since when the rows are frozen for the audience; None if they are not, or are all announced.
        is_being_revealed: whether some of the rows are announced already.
        groups: the groups in order, made from these rows; None where they are not compared.
        cuts: the cuts of cards that decided places, in the order they were made.
        missed_turns: how many turns of each entrant are recorded as missed; those without any are left out.
        classes: the classes that have members among these rows, in order; none while some of the rows are withheld.
    """

    rows: tuple[LeaderboardRow, ...]
    status: str
    turns_per_card: int
    as_of: dt.datetime | None = None
    revision: int | None = None
    needs_revision: bool = False
    last_revision: int = 0
    standings_version: int | None = None
    frozen_at: dt.datetime | None = None
    is_being_revealed: bool = False
    groups: GroupRanking | None = None
    cuts: tuple[CountedCut, ...] = ()
    missed_turns: Mapping[UUID, int] = field(default_factory=dict, hash=False)
    classes: tuple[BoardClass, ...] = ()

    def find_class(self, class_id: UUID | None) -> BoardClass | None:
        """Return one of its classes; None if it has no such class."""
        return next((one for one in self.classes if one.id == class_id), None)

    @property
    def is_official(self) -> bool:
        """Whether the rows are those of a revision."""
        return self.revision is not None
