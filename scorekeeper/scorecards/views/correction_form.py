"""What the page to correct asks of the form of each kind of card.

`TurnCorrection` has the turns of a bike, which are judged together. `ActionCorrection` has one action at a table after
the other, each in the state that the ones before it leave.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from django.utils.translation import gettext as _

from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import TurnChange
from scorekeeper.scorecards.forms.correction import TappedReasonForm
from scorekeeper.scorecards.views.page_context import PageContext, make_page_errors


@dataclass(frozen=True, kw_only=True)
class CorrectionForm(ABC):
    """The form as it was sent, or as it is first shown.

    Attributes:
        refusals: why the rules, or the page, do not allow the correction as a whole.
        page_errors: other errors that no field can fix.
        page_part: the main part of the page.
        template: what is entered; the part adds the reason's operation and the way back.
        entries_id: the element that refusals are shown at.
    """

    reason: TappedReasonForm
    refusals: tuple[Sentence, ...] = ()
    page_errors: tuple[str, ...] = ()

    page_part: ClassVar[str] = "scorecards/_correct.html"
    template: ClassVar[str]
    entries_id: ClassVar[str]

    @property
    @abstractmethod
    def stale_message(self) -> str:
        """What has changed since the page was made, in words; "" if nothing has."""

    @abstractmethod
    def refresh(self) -> Self:
        """Return the form about the current entries, with what was typed."""

    @abstractmethod
    def apply_button(self) -> CorrectionStep:
        """Return what the pressed button does."""

    @abstractmethod
    def find_invalid(self, changes: Sequence[TurnChange]) -> Self | None:
        """Return the form that says what the rules do not allow with these changes; None if they allow everything."""

    @abstractmethod
    def describe_saved(self, changes: Sequence[TurnChange], after: PageContext) -> str:
        """Return a message that says what was corrected, for the history.

        Args:
            after: the context with the card as it is then.
        """

    @abstractmethod
    def list_field_errors(self) -> list[dict[str, Any]]:
        """Return what is wrong with the fields, for the error summary."""

    @abstractmethod
    def present(self) -> dict[str, Any]:
        """Return the variables of the template."""

    def list_errors(self) -> list[dict[str, Any]]:
        """Return everything that is wrong, for the error summary."""
        refusals = [{"field_id": self.entries_id, **sentence.to_data()} for sentence in self.refusals]
        return [*make_page_errors(self.page_errors), *refusals, *self.list_field_errors()]

    def for_retry(self, text: str) -> Self:
        """Return the form about the current entries with what was typed, a new operation id, and what has happened."""
        errors = (text, _("Check it, then try again."))
        return replace(self.refresh(), reason=self.reason.for_retry(), page_errors=errors)


@dataclass(frozen=True)
class CorrectionStep:
    """What a button does: it shows a form, or it asks for changes to be saved.

    Attributes:
        form: the form that is shown next, or again if the changes are refused.
        changes: the changes to save; None if the form is only shown.
    """

    form: CorrectionForm
    changes: Sequence[TurnChange] | None = None
    status: int = 200
