"""The context of a page about one card: who has it open, and what the pages shared by both kinds of card ask of it.

`CardContext` (by turn) and `TableContext` (by action) implement it. *Recorded* stands for either, a
bike's turn at a stop or an action at a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn, Turns
from scorekeeper.scorecards.forms.correction import TappedReasonForm
from scorekeeper.scorecards.services.corrections import CorrectionTarget


@dataclass(frozen=True, slots=True)
class PageWording:
    """What the shared pages say about a kind of card.

    Attributes:
        changed: the title of a page that is out of date, since someone else has changed the card.
        gone: what is said about a turn or action that no longer counts.
        history: the title of the history.
        entries: the heading above what was recorded.
        correct: the title of the page that corrects.
        void: the title of the page that voids.
        void_effect: what voiding does.
    """

    changed: str | Promise
    gone: str | Promise
    history: str | Promise
    entries: str | Promise
    correct: str | Promise
    void: str | Promise
    void_effect: str | Promise


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why something cannot simply be voided, and what can be done instead.

    Attributes:
        correct_url: the page on which what depends on each other is corrected together.
        takes_decision: whether that page takes the void as its first decision, sent by a button.
        all_later_url: the page that voids all that came later too; "" if there is none.
    """

    sentence: Sentence
    correct_url: str
    correct_label: str
    takes_decision: bool = False
    all_later_url: str = ""
    all_later_label: str = ""


@dataclass(frozen=True)
class PageContext(ABC):
    """A card, and the person who has it open.

    Attributes:
        entry_page: the page to record on.
        target_field: the field of forms and URLs that names what a page is about.
        history_template: the part of the history that differs.
        usual_reasons: why something is corrected or voided most often: keys, and texts as the log has them.
    """

    actor: Actor
    event: Event
    contest: Contest

    wording: ClassVar[PageWording]
    entry_page: ClassVar[str]
    target_field: ClassVar[str]
    history_template: ClassVar[str]
    usual_reasons: ClassVar[Sequence[tuple[str, str]]]

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the card in messages."""

    @property
    @abstractmethod
    def recorded(self) -> Turns:
        """What counts and can be corrected, by id, in the order it was recorded."""

    @property
    @abstractmethod
    def is_damaged(self) -> bool:
        """Whether the log cannot be read to its end, so that nothing can be recorded or corrected."""

    @property
    @abstractmethod
    def is_sealed(self) -> bool:
        """Whether the contest is closed."""

    @property
    @abstractmethod
    def may_correct(self) -> bool:
        """Whether the pages take the actor's corrections. What they take may still go to review."""

    @property
    @abstractmethod
    def frame(self) -> tuple[str, Mapping[str, Any]]:
        """The template around every page about the card, and its variables."""

    @abstractmethod
    def get_page_url(self, page: str, query: Mapping[str, object]) -> str:
        """Return the URL of a page about the card, with this query string."""

    @abstractmethod
    def reload(self) -> Self:
        """Return the context with the current state of the card."""

    @abstractmethod
    def name_recorded(self, several: Sequence[RecordedTurn]) -> str:
        """Return what was recorded, in words, with its place: "Parks: Small straight, 30 points"."""

    @abstractmethod
    def describe(self, recorded: RecordedTurn) -> str:
        """Return what was recorded, in words: "Small straight, 30 points"."""

    def describe_all(self, several: Sequence[RecordedTurn]) -> list[str]:
        """Return each of several in words."""
        return [self.describe(recorded) for recorded in several]

    @abstractmethod
    def describe_undone(self, recorded: RecordedTurn) -> str:
        """Return what is said after something was undone."""

    @abstractmethod
    def list_with_later(self, recorded: RecordedTurn) -> list[RecordedTurn]:
        """Return what is given and all that came after it, if that can be voided together; otherwise it alone."""

    @abstractmethod
    def find_undoable(self, recorded_id: UUID | None) -> RecordedTurn | None:
        """Return what has this id, if it can be undone now."""

    @abstractmethod
    def find_obstacle(self, several: Sequence[RecordedTurn]) -> Obstacle | None:
        """Return why the rules do not allow these to be voided; None if they do."""

    @abstractmethod
    def amend(self, operation_id: UUID, targets: Sequence[CorrectionTarget], reason: str) -> Receipt:
        """Correct or void what is recorded on the card, all of it or nothing.

        Raises:
            ReasonRequired, MalformedOperation, UnknownTarget, NotAllowed, IdReused: as the service does.
        """

    @abstractmethod
    def get_form_url(self, undone: RecordedTurn, receipt: Receipt) -> str:
        """Return the URL of the form, filled with what was undone.

        Args:
            receipt: of the operation that voided it.
        """

    def get_move_url(self, recorded: RecordedTurn) -> str:
        """Return the URL of the page that moves this to another card; "" if nothing can be moved."""
        return ""

    def make_reason_form(self, data: QueryDict | None) -> TappedReasonForm:
        """Return the form of the reason why something is corrected or voided."""
        return TappedReasonForm(self.usual_reasons, data)

    @abstractmethod
    def present_history(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return what the history shows: for `history_template`, and for its `sheet_template`, the score sheet.

        Args:
            query: the parameters of the URL.
        """

    def find_target(self, request: HttpRequest) -> RecordedTurn | None:
        """Return what a page is about; None if it no longer counts, or if the card is damaged.

        Raises:
            Http404: the request names nothing.
        """
        target_id = parse_uuid(get_request_data(request).get(self.target_field))
        if target_id is None:
            raise Http404
        return None if self.is_damaged else self.recorded.get(target_id)

    def get_url(self, page: str, **query: object) -> str:
        """Return the URL of a page about the card, for the crew or for the organiser."""
        return self.get_page_url(page, query)

    def get_history_url(self, recorded_id: UUID | None = None) -> str:
        """Return the URL of the history, on the page that a turn or action is on."""
        return self.get_url("history", **({} if recorded_id is None else {"at": recorded_id}))


def add_query(url: str, query: Mapping[str, object]) -> str:
    """Return a URL with more parameters."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(query, doseq=True)}" if query else url


def render_page(
    request: HttpRequest,
    page_context: PageContext,
    title: str | Promise,
    part: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Render a page about a card in the crew's or the organiser's frame, or its part alone."""
    template, variables = page_context.frame
    urls = {"page_url": request.path, "history_url": page_context.get_url("history")}
    shared = {"event": page_context.event, "title": title, **urls}
    return render_partial(request, template, part, {**shared, **variables, **context}, status)


def make_page_errors(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return the entries of the error summary for errors that no field can fix."""
    return [{"field_id": "", "text": text} for text in texts]


def make_reason_errors(error: str) -> list[dict[str, str]]:
    """Return the entry of the error summary that links to the reason; nothing if the error is ""."""
    return [{"field_id": "reason", "text": error}] if error else []


def list_form_errors(form: forms.Form) -> list[dict[str, str]]:
    """Return the entries of the error summary for the visible fields of a form that was sent."""
    return [
        {"field_id": f"{field.auto_id}_0" if field.use_fieldset else field.auto_id, "text": str(text)}
        for field in (form.visible_fields() if form.is_bound else ())
        for text in field.errors
    ]
