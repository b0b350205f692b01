"""Turns a template and plain data into a PDF. The only module that uses Typst.

Invariants:
- Texts that people typed reach a template only as JSON data. No template evaluates data as markup.
- Only the fonts in `FONT_FOLDERS` are used, so a document looks the same on every machine. The templates import no
  packages, so nothing is ever downloaded.
- A template reads files of `TEMPLATES` only.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import structlog
import typst

from scorekeeper.ledger.canonical import sha256

log = structlog.get_logger("tailgunner.prints")

TEMPLATES = Path(__file__).parent / "typst"
# The second has letters of a few scripts that the first has not: Armenian and Georgian.
FONT_FOLDERS = (Path(__file__).parent / "fonts", Path(__file__).parents[1] / "results" / "fonts")
MAX_AT_ONCE = 2  # documents that one process lays out at the same time; each uses a core
MAX_WAIT = 20  # seconds until a document has its turn

_turns = BoundedSemaphore(MAX_AT_ONCE)


class PrintFailed(Exception):
    """A document could not be made from its data."""


class PrintBusy(Exception):
    """Too many documents are being made at this moment."""


def compile_pdf(template: str, data: Mapping[str, Any], made_at: dt.datetime) -> bytes:
    """Return a document.

    Args:
        template: the name of a template, such as "standings".
        data: what the document shows, as JSON values.
        made_at: when it was made, for the file's own properties.

    Raises:
        PrintFailed: the data cannot be laid out. The log says why.
        PrintBusy: too many other documents are being made.
    """
    with _take_turn():
        try:
            compiler = typst.Compiler(root=TEMPLATES, font_paths=_load_fonts(), ignore_system_fonts=True)
            pdf = compiler.compile(
                TEMPLATES / f"{template}.typ",
                format="pdf",
                sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
                timestamp=int(made_at.timestamp()),
            )
        except BaseException as error:
            # A defect in the library arrives as a panic, which is no `Exception`.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            log.error("print_failed", template=template, error=str(error)[:500])
            raise PrintFailed(template) from error
    assert isinstance(pdf, bytes)
    return pdf


@contextmanager
def _take_turn() -> Iterator[None]:
    if not _turns.acquire(timeout=MAX_WAIT):
        raise PrintBusy
    try:
        yield
    finally:
        _turns.release()


@cache
def _load_fonts() -> typst.Fonts:
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(path) for path in FONT_FOLDERS]
    )


@cache
def get_templates_version() -> str:
    """Return a digest of the templates and the version of the library, on which the looks of all documents depend."""
    files = sorted(TEMPLATES.glob("*.typ"))
    return sha256("\n".join([version("typst"), *(file.read_text("utf-8") for file in files)]))
