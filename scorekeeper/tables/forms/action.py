"""What the form at a table carries: the draft, the button that was pressed, and what makes an operation of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from django.http import QueryDict

from scorekeeper.scorecards.forms.turn_fields import MAX_REASON_LENGTH
from scorekeeper.tables.action_draft import ActionDraft, ButtonPress, read_button_press, read_draft

MAX_DIGITS = 9  # of a length


@dataclass(frozen=True, slots=True)
class ActionForm:
    """The form as it was sent, or as it is first shown.

    Attributes:
        operation: made with the page, so that a second tap is the same operation.
        seen: how many entries the card's chain had when the page was made.
        reason: why, where a closed contest is changed or something is corrected.
    """

    seen_length: int
    operation: UUID = field(default_factory=uuid4)
    reason: str = ""
    draft: ActionDraft = field(default_factory=ActionDraft)
    press: ButtonPress | None = None

    @classmethod
    def from_data(cls, data: QueryDict, seen: int) -> ActionForm:
        """Read the form; what is missing or unreadable is made anew.

        Args:
            seen: what to take where the form does not say it.
        """
        fields = {name: data.getlist(name) for name in data}
        said = data.get("seen", "")
        is_number = said.isascii() and said.isdigit() and len(said) <= MAX_DIGITS
        return cls(
            int(said) if is_number else seen,
            read_operation_id(data),
            data.get("reason", "").strip()[:MAX_REASON_LENGTH],
            read_draft(fields),
            read_button_press(fields),
        )

    @property
    def key(self) -> str:
        """The key of the offer whose button was pressed."""
        return "" if self.press is None else self.press.key

    @property
    def is_recording(self) -> bool:
        """Whether the button notes the action; any other tap only goes on with the draft."""
        return self.press is not None and self.press.verb == "note"

    def apply_press(self) -> ActionForm:
        """Return the form with the draft as the button leaves it."""
        return replace(self, draft=self.draft.apply_press(self.press))

    def for_retry(self, seen: int, draft: ActionDraft) -> ActionForm:
        """Return the form for another try, seen afresh."""
        return ActionForm(seen, uuid4(), self.reason, draft, self.press)


def read_operation_id(data: QueryDict) -> UUID:
    """Return the operation's id that a form carries, or a new one."""
    try:
        return UUID(data.get("operation", ""))
    except ValueError:
        return uuid4()
