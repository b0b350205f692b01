"""The fields of the turn form besides the dice: the operation's id, and details of how the turn is recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.http import QueryDict

from games.core.problems import Malformed
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.scorecards.turn_draft import TurnDraft, parse_draft

MAX_REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class TurnFormFields:
    """The hidden fields of a turn that is being entered.

    Attributes:
        operation: made with the page, so that a second tap is the same operation.
        reason: why the turn is recorded at another stop than its own.
    """

    operation: UUID
    takes_over: bool = False
    reason: str = ""
    dice_set: UUID | None = None

    @classmethod
    def from_data(cls, data: QueryDict, dice_set: UUID | None) -> TurnFormFields:
        """Parse the fields. Missing or unreadable ones get their defaults."""
        return cls(
            parse_uuid(data.get("operation")) or uuid4(),
            data.get("takes_over") == "1",
            data.get("reason", "").strip()[:MAX_REASON_LENGTH],
            parse_uuid(data.get("dice_set")) or dice_set,
        )

    def with_new_operation(self) -> TurnFormFields:
        """Return the fields with a new operation id."""
        return replace(self, operation=uuid4())

    def to_hidden(self) -> list[dict[str, str]]:
        """Return the fields as data for a template."""
        return [
            {"name": "operation", "value": str(self.operation)},
            {"name": "takes_over", "value": "1" if self.takes_over else ""},
            {"name": "reason", "value": self.reason},
            {"name": "dice_set", "value": str(self.dice_set or "")},
        ]


def parse_posted_draft(data: QueryDict) -> tuple[TurnDraft, Malformed | None]:
    """Return the draft that a form sent. If it cannot be read, return its dice and the error."""
    mode, held, dice = data.get("mode", ""), data.getlist("held"), data.getlist("dice")
    try:
        return parse_draft(mode, data.get("actions", ""), held, dice, data.getlist("keep")), None
    except Malformed as malformed:
        return parse_draft(mode, "", [], [*held, *dice]), malformed
