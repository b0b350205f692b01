"""Frames: what a screen shows one after the other. A frame has one page, or one for every ten of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from scorekeeper.audience.group_presenter import GroupsPresenter
from scorekeeper.audience.leaderboard_presenter import LeaderboardPresenter
from scorekeeper.ledger.canonical import canonical_json, sha256


class ScreenFrame(Protocol):
    """What every frame has; its template gets the frame as `frame`."""

    @property
    def template(self) -> str:
        """The template of its element, which has the attribute `data-board`."""
        ...

    @property
    def row_count(self) -> int:
        """How many rows its pages show; 0 for a frame without rows."""
        ...

    def get_digest(self) -> str:
        """Return a digest of everything that it shows."""
        ...


@dataclass(frozen=True)
class ScreenBoard:
    """A contest on the screen, or its groups, which have pages of their own after it.

    Attributes:
        groups: the groups, if the pages show them and not the contest's rows.
        to_play: a line with the bikes that are to play next; "" if there are none.
        tie: a line with the bikes whose cards are to be cut; "" if there are none.
    """

    leaderboard: LeaderboardPresenter
    to_play: str = ""
    tie: str = ""
    groups: GroupsPresenter | None = None

    @property
    def template(self) -> str:
        """The template of the rows or of the groups."""
        return "live/_board.html" if self.groups is None else "live/_groups.html"

    @property
    def row_count(self) -> int:
        """How many rows its pages show."""
        return len(self.leaderboard.rows if self.groups is None else self.groups.rows)

    def get_digest(self) -> str:
        """Return a digest of everything that it shows."""
        return sha256(canonical_json([self.leaderboard.get_digest(), self.to_play, self.tie, self.groups is not None]))


@dataclass(frozen=True)
class ScreenPanel:
    """Any other frame. When something on it changes, all of it is sent.

    Attributes:
        id: of its element.
        context: what its template shows; the digest is made of its `repr`, so it has plain values and dataclasses.
    """

    id: str
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    row_count: int = 0

    def get_digest(self) -> str:
        """Return a digest of everything that it shows."""
        return sha256(canonical_json([self.id, repr(sorted(self.context.items()))]))


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A bike or player on the podium; `number` is "" for a player."""

    number: str
    people: str
    total: int | str | None


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A step of the podium.

    Attributes:
        label: "1st".
        total: the name of the figure that counts: "Points".
        places: those who have the place; several if they share it.
    """

    label: str
    rank: int
    total: str
    places: tuple[PodiumPlace, ...]
