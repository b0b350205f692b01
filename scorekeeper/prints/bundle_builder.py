"""What builds a file for printing, and the bundle of an event as one of these."""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.services import CHUNK, StandingsWithheld, compute_key, make_bundle
from scorekeeper.events.models import Event
from scorekeeper.prints.print_source import NothingToPrint

ENDING = ".jsonl"  # of the names of these files, and of no document


class FileBuilder(Protocol):
    """Makes a file: a document that is printed, or the bundle of an event."""

    @property
    def event(self) -> Event:
        """The event that it is about."""

    @property
    def digest(self) -> str:
        """A digest of everything that the file shows: two with the same digest are the same file."""

    def make(self, made_at: dt.datetime) -> tuple[str, bytes]:
        """Return the name of the file and its content."""


@dataclass(frozen=True)
class BundleBuilder:
    """Makes the bundle of an event."""

    event: Event
    roster: Roster

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the bundle says."""
        return compute_key(self.event, self.roster)

    def make(self, made_at: dt.datetime) -> tuple[str, bytes]:
        """Return the name of the file, and its content compressed.

        Raises:
            NothingToPrint: the standings were frozen meanwhile, and the bundle is for everyone.
        """
        try:
            bundle = make_bundle(self.event, self.roster)
        except StandingsWithheld:
            raise NothingToPrint from None
        compressor = zlib.compressobj()
        with bundle:
            parts = [compressor.compress(chunk) for chunk in bundle.read_chunks()]
        return bundle.name, b"".join([*parts, compressor.flush()])


def read_content(content: bytes) -> Iterator[bytes]:
    """Return the bytes of a bundle from its compressed content, in parts."""
    decompressor = zlib.decompressobj()
    while content:
        yield decompressor.decompress(content, CHUNK)
        content = decompressor.unconsumed_tail
    yield decompressor.flush()
