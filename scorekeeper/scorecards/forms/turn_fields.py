"""What the card's form carries besides the dice: the operation's id and how the turn is noted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.http import QueryDict

from games.core.problems import Malformed
from scorekeeper.scorecards.turn_draft import TurnDraft, parse_draft

MAX_REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class TurnFormFields:
    """The hidden fields of a turn that is being noted.

    Attributes:
        operation: made with the page, so that a second tap is the same operation.
        reason: why the turn is noted at another stop than its own.
    """

    operation: UUID
    takes_over: bool = False
    reason: str = ""
    dice_set: UUID | None = None

    @classmethod
    def from_data(cls, data: QueryDict, dice_set: UUID | None) -> TurnFormFields:
        """Read the fields; what is missing or unreadable is made anew."""
        return cls(
            _parse_uuid(data.get("operation")) or uuid4(),
            data.get("takes_over") == "1",
            data.get("reason", "").strip()[:MAX_REASON_LENGTH],
            _parse_uuid(data.get("dice_set")) or dice_set,
        )

    def with_new_operation(self) -> TurnFormFields:
        """Return the fields with a new operation's id."""
        return replace(self, operation=uuid4())

    def to_hidden(self) -> list[dict[str, str]]:
        """Return the fields as a template writes them."""
        return [
            {"name": "operation", "value": str(self.operation)},
            {"name": "takes_over", "value": "1" if self.takes_over else ""},
            {"name": "reason", "value": self.reason},
            {"name": "dice_set", "value": str(self.dice_set or "")},
        ]


def parse_posted_draft(data: QueryDict) -> tuple[TurnDraft, Malformed | None]:
    """Return the draft a form sent; one that cannot be read keeps its dice and says what is wrong."""
    mode, held, dice = data.get("mode", ""), data.getlist("held"), data.getlist("dice")
    try:
        return parse_draft(mode, data.get("actions", ""), held, dice, data.getlist("keep")), None
    except Malformed as malformed:
        return parse_draft(mode, "", [], [*held, *dice]), malformed


def _parse_uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None
