"""The form at a table: the draft, the button that was pressed, and the fields that make it an operation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from django.http import QueryDict

from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH
from scorekeeper.scorecards.action_draft import ActionDraft, ButtonPress, read_button_press, read_draft

MAX_DIGITS = 9  # of a chain's length


@dataclass(frozen=True, slots=True)
class ActionForm:
    """The form as it was sent, or as it is first shown.

    Attributes:
        seen_length: how many entries the table's chain had when the page was made.
        operation: the operation's id, made with the page, so that a second tap is the same operation.
        reason: why a closed contest is changed, or an action corrected.
    """

    seen_length: int
    operation: UUID = field(default_factory=uuid4)
    reason: str = ""
    draft: ActionDraft = field(default_factory=ActionDraft)
    press: ButtonPress | None = None

    @classmethod
    def from_data(cls, data: QueryDict, default_length: int) -> ActionForm:
        """Read the form; missing or unreadable fields get default values.

        Args:
            default_length: the chain's length to use if the form does not say it.
        """
        fields = {name: data.getlist(name) for name in data}
        seen_text = data.get("seen", "")
        is_number = seen_text.isascii() and seen_text.isdigit() and len(seen_text) <= MAX_DIGITS
        return cls(
            int(seen_text) if is_number else default_length,
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
        """Whether the button records the action; any other tap only changes the draft."""
        return self.press is not None and self.press.verb == "note"

    def apply_press(self) -> ActionForm:
        """Return the form with the button applied to the draft."""
        return replace(self, draft=self.draft.apply_press(self.press))

    def for_retry(self, seen_length: int, draft: ActionDraft) -> ActionForm:
        """Return the form for another try, with a new operation id."""
        return ActionForm(seen_length, uuid4(), self.reason, draft, self.press)


def read_operation_id(data: QueryDict) -> UUID:
    """Return the operation id of a form, or a new one."""
    try:
        return UUID(data.get("operation", ""))
    except ValueError:
        return uuid4()
