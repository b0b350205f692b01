"""QR codes as pictures that the templates can draw."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _

from scorekeeper.common.date_wording import format_date
from scorekeeper.common.languages import get_english, speaking
from scorekeeper.common.qr import QUICK_MASK, make_qr_code
from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.pdf_compiler import compile_pdf, get_templates_version

LOG_LENGTH = 12  # characters of the log's hash on every page


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What every page of a document says around its content.

    Attributes:
        title: of the document.
        contest: its name; "" for documents of the whole event.
        status: how official the figures are.
        log: the hash of the log that the document was made from.
        note: a sentence below the head of every page, such as that another revision follows; "" for none.
    """

    title: str
    event: Event
    contest: str
    status: str
    log: str
    note: str = ""

    def to_data(self) -> dict[str, Any]:
        """Return the texts."""
        event = self.event
        return {
            "title": self.title,
            "event": event.name,
            "date": format_date(event.date, _("j F Y")),
            "contest": self.contest,
            "status": self.status,
            "log": _("Log %(hash)s") % {"hash": self.log[:LOG_LENGTH]},
            "note": self.note,
            "practice": _("Practice") if event.is_practice else "",
            "practice_hint": _("Nothing here counts.") if event.is_practice else "",
            # The numbers are filled in by the template, which alone knows them.
            "page": _("Page {page} of {pages}"),
        }


@dataclass(frozen=True)
class PrintDocument:
    """A document.

    Attributes:
        template: the name of its template.
        body: what the template shows inside the frame.
        slug: the name of its file, without the event and the ending.
        language: of its texts, the current one.
    """

    template: str
    paper: Paper
    frame: PageFrame
    body: Mapping[str, Any]
    slug: str
    language: str = field(default_factory=lambda: get_language() or get_english())

    @property
    def digest(self) -> str:
        """A digest of what it shows, and of how it looks."""
        return sha256(canonical_json([get_templates_version(), self.template, self._data]))

    @property
    def file_name(self) -> str:
        """The name of the file, as people find it again among others."""
        return make_file_name(self.frame.event, self.slug, self.paper)

    @property
    def _data(self) -> dict[str, Any]:
        language, _dash, region = self.language.partition("-")
        return {
            "paper": "us-letter" if self.paper == Paper.LETTER else "a4",
            "language": language,
            "region": region or None,
            "direction": "rtl" if get_language_info(self.language)["bidi"] else "ltr",
            "frame": self._frame,
            "body": self.body,
        }

    @cached_property
    def _frame(self) -> dict[str, Any]:
        with speaking(self.language):
            return self.frame.to_data()

    @property
    def event(self) -> Event:
        """The event that it is about."""
        return self.frame.event

    def make(self, made_at: dt.datetime) -> tuple[str, bytes]:
        """Return the name of the file and its content.

        Raises:
            PrintFailed, PrintBusy: as in `compile_pdf`.
        """
        return self.file_name, self.make_pdf(made_at)

    def make_pdf(self, made_at: dt.datetime) -> bytes:
        """Return the file.

        Raises:
            PrintFailed, PrintBusy: as in `compile_pdf`.
        """
        local = made_at.astimezone(self.frame.event.zone)
        with speaking(self.language):
            text = _("Made %(time)s") % {"time": format_date(local, _("j M Y, H:i"))}
        return compile_pdf(self.template, {**self._data, "made": text}, made_at)


def make_file_name(event: Event, slug: str, paper: Paper) -> str:
    """Return the name of a document's file."""
    practice = "practice-" if event.is_practice else ""
    return f"{practice}{event.slug}-{slug}-{paper.value}.pdf"


def draw_qr_code(text: str) -> str:
    """Return the QR code of a text as SVG."""
    code = make_qr_code(text, mask=QUICK_MASK)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {code.size} {code.size}" shape-rendering="crispEdges">'
        f'<path d="{code.path}" fill="#000"/></svg>'
    )
