"""What the form at a table carries: the draft, the button that was pressed, and what makes an operation of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from django.http import QueryDict

from scorekeeper.scorecards.forms.noting import LONGEST_REASON
from scorekeeper.tables.draft import Draft, Press, read_draft, read_press

MOST_DIGITS = 9  # of a length


@dataclass(frozen=True, slots=True)
class ActingForm:
    """The form as it was sent, or as it is first shown.

    Attributes:
        operation: made with the page, so that a second tap is the same operation.
        seen: how many entries the card's chain had when the page was made.
        reason: why, where a closed contest is changed or something is corrected.
    """

    seen: int
    operation: UUID = field(default_factory=uuid4)
    reason: str = ""
    draft: Draft = field(default_factory=Draft)
    press: Press | None = None

    @classmethod
    def from_data(cls, data: QueryDict, seen: int) -> ActingForm:
        """Read the form; what is missing or unreadable is made anew.

        Args:
            seen: what to take where the form does not say it.
        """
        fields = {name: data.getlist(name) for name in data}
        said = data.get("seen", "")
        is_number = said.isascii() and said.isdigit() and len(said) <= MOST_DIGITS
        return cls(
            int(said) if is_number else seen,
            read_operation(data),
            data.get("reason", "").strip()[:LONGEST_REASON],
            read_draft(fields),
            read_press(fields),
        )

    @property
    def key(self) -> str:
        """The key of the offer whose button was pressed."""
        return "" if self.press is None else self.press.key

    @property
    def is_noting(self) -> bool:
        """Whether the button notes the action; any other tap only goes on with the draft."""
        return self.press is not None and self.press.verb == "note"

    def pressed(self) -> ActingForm:
        """Return the form with the draft as the button leaves it."""
        return replace(self, draft=self.draft.after(self.press))

    def renewed(self, seen: int, draft: Draft) -> ActingForm:
        """Return the form for another try, seen afresh."""
        return ActingForm(seen, uuid4(), self.reason, draft, self.press)


def read_operation(data: QueryDict) -> UUID:
    """Return the operation's id that a form carries, or a new one."""
    try:
        return UUID(data.get("operation", ""))
    except ValueError:
        return uuid4()
