"""The context of a page about one card: who has it open, and what the pages shared by both kinds of card ask of it.

`CardContext` (recorded turn by turn) and `TableContext` (action by action) implement it. A *turn* is here whatever was
recorded at once: a bike's turn at a stop, or an action at a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import RecordedTurn, Turns
from scorekeeper.scorecards.services.corrections import CorrectionTarget


@dataclass(frozen=True, slots=True)
class PageWording:
    """What the shared pages say about a kind of card.

    Attributes:
        changed: the title of a page that is out of date, since someone else has changed the card.
        turn_gone: what is said about a turn that no longer counts.
        history: the title of the history.
        entries: the heading above what was recorded.
        correct: the title of the page that corrects.
        void: the title of the page that voids.
        void_effect: what voiding does.
    """

    changed: str | Promise
    turn_gone: str | Promise
    history: str | Promise
    entries: str | Promise
    correct: str | Promise
    void: str | Promise
    void_effect: str | Promise


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why turns cannot simply be voided, and what can be done instead.

    Attributes:
        correct_url: the page on which the turns that depend on each other are corrected together.
        takes_decision: whether that page takes the void as its first decision, sent by a button.
        all_later_url: the page that voids all later turns too; "" if there is none.
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
        entry_page: the page on which turns are recorded.
        turn_field: the field of forms and URLs that names a turn.
        history_template: the part of the history that differs.
    """

    actor: Actor
    event: Event
    contest: Contest

    wording: ClassVar[PageWording]
    entry_page: ClassVar[str]
    turn_field: ClassVar[str]
    history_template: ClassVar[str]

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the card in messages."""

    @property
    @abstractmethod
    def turns(self) -> Turns:
        """The turns that count and can be corrected, in the order they were recorded."""

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
    def name_turns(self, turns: Sequence[RecordedTurn]) -> str:
        """Return turns in words, with their place: "Parks: Small straight, 30 points"."""

    @abstractmethod
    def describe_turn(self, turn: RecordedTurn) -> str:
        """Return what was recorded, in words: "Small straight, 30 points"."""

    def describe_turns(self, turns: Sequence[RecordedTurn]) -> list[str]:
        """Return what was recorded as each of these turns, in words."""
        return [self.describe_turn(turn) for turn in turns]

    @abstractmethod
    def describe_undone(self, turn: RecordedTurn) -> str:
        """Return what is said after a turn was undone."""

    @abstractmethod
    def list_with_later_turns(self, turn: RecordedTurn) -> list[RecordedTurn]:
        """Return a turn and all that were played after it, if those can be voided together; otherwise the turn."""

    @abstractmethod
    def find_undoable(self, turn_id: UUID | None) -> RecordedTurn | None:
        """Return the turn if it can be undone now."""

    @abstractmethod
    def find_obstacle(self, turns: Sequence[RecordedTurn]) -> Obstacle | None:
        """Return why the rules do not allow these turns to be voided; None if they do."""

    @abstractmethod
    def amend(self, operation_id: UUID, targets: Sequence[CorrectionTarget], reason: str) -> Receipt:
        """Correct or void turns of the card, all of them or none.

        Raises:
            ReasonRequired, MalformedOperation, UnknownTarget, NotAllowed, IdReused: as the service does.
        """

    @abstractmethod
    def get_form_url(self, undone: RecordedTurn, receipt: Receipt) -> str:
        """Return the URL of the form, filled with a turn that was undone.

        Args:
            receipt: of the operation that voided it.
        """

    @abstractmethod
    def present_history(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return what the history shows: for `history_template`, and for its `sheet_template`, the score sheet.

        Args:
            query: the parameters of the URL.
        """

    def find_target(self, request: HttpRequest) -> RecordedTurn | None:
        """Return the turn a page is about; None if it no longer counts, or if the card is damaged.

        Raises:
            Http404: the request names no turn.
        """
        turn_id = parse_uuid(get_request_data(request).get(self.turn_field))
        if turn_id is None:
            raise Http404
        return None if self.is_damaged else self.turns.get(turn_id)

    def get_url(self, page: str, **query: object) -> str:
        """Return the URL of a page about the card, for the crew or for the organiser."""
        return self.get_page_url(page, query)

    def get_history_url(self, turn_id: UUID | None = None) -> str:
        """Return the URL of the history, on the page that a turn is on."""
        return self.get_url("history", **({} if turn_id is None else {"at": turn_id}))


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
