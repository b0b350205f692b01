"""What a bundle says of people and of things that people named: everything, or what the event's public pages show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from scorekeeper.event_rows import Shown
from scorekeeper.events.models import Event
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.line_codec import Show
from scorekeeper.players.selectors import format_public_name

Roster = Literal["public", "full"]


@dataclass(frozen=True)
class RosterNames:
    """The names in one bundle.

    Attributes:
        shows_groups: whether the public pages name the groups, because they are compared.
    """

    event: Event
    roster: Roster
    shows_groups: bool

    @property
    def is_full(self) -> bool:
        """Whether the bundle has everything."""
        return self.roster == "full"

    @property
    def shows_full_names(self) -> bool:
        """Whether people are named as they were entered, so that a name can be compared with its digest in the log."""
        return self.is_full or self.event.people_shown == Event.PeopleShown.NAMES

    @property
    def redaction(self) -> Show | None:
        """What replaces values that not everyone may see; None if the bundle has everything."""
        return None if self.is_full else self.show

    def show(self, shown: Shown, row: Any, value: Any) -> Any:
        """Return what a bundle with the public roster has in place of a value of a row."""
        match shown:
            case Shown.EVERYONE:
                return value
            case Shown.PERSON:
                return format_public_name(self.event, value)
            case Shown.GROUP:  # groups that are not compared are named on no public page
                return value if self.shows_groups else f"Group {row.ordinal}"
            case Shown.NUMBER:
                return str(row.ordinal)
            case Shown.NOBODY:
                return ""
            case Shown.REDACTED:
                # A digest of a name or reason would let anyone test a guess at it.
                return compute_digest(row.kind, row.actor_id, row.body)
