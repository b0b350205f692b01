"""Making the bundle of an event: a temporary file, so that a slow download holds no transaction.

Bundles that take longer to make than a page may are made by an app above this one, which shows how far it is. The *key*
of a bundle is a digest of everything that it says, which is found without making it. Most of a bundle is the log, and
the log has its head.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Self

from django.db.models import Count, Max

from games.core.bundle.layout import BundleWriter
from scorekeeper.bundles.bundle_lines import StandingsWithheld, list_setup_lines, write_lines
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.common.hooks import Hook
from scorekeeper.common.languages import in_english
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.standings.selectors.log_head import get_current_head
from scorekeeper.standings.services.refresh import refresh_standings

__all__ = ["BundleFile", "StandingsWithheld", "make_bundle"]
IN_MEMORY = 8 * 2**20  # bytes, before a file is made
CHUNK = 2**18  # bytes
DIGEST_IN_NAME = 12  # characters
MAX_AT_ONCE = 1_000  # entries of the log of a bundle that is made while the browser waits: well under a second
FORMAT = 1  # increase it when the same event is written in another way
StartMaking = Callable[[Event, Roster, bool], str]
# Asks for the bundle of an event with a roster, for everyone (true) or for organisers; returns the address that shows
# how far it is, or has the file.
LARGE_BUNDLES = Hook[StartMaking]()


@dataclass(frozen=True)
class BundleFile:
    """A bundle, and the SHA-256 of all its bytes."""

    file: IO[bytes]
    digest: str
    name: str

    def read_chunks(self) -> Iterator[bytes]:
        """Return the bytes, once."""
        while chunk := self.file.read(CHUNK):
            yield chunk

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the file. Repeating it does nothing."""
        self.file.close()


@in_english
def make_bundle(event: Event, roster: Roster) -> BundleFile:
    """Return the bundle of an event as it is now. Its name says the roster and begins to say the digest.

    The caller closes it.

    Raises:
        StandingsWithheld: the standings are frozen, and the roster is public.
    """
    for contest in event.contests.values_list("pk", flat=True):
        refresh_standings(contest)
    writer = BundleWriter()
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - read later, and then closed
    try:
        with consistent_snapshot():
            for line in write_lines(writer, event, roster):
                file.write(line)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    practice = "practice-" if event.is_practice else ""
    name = f"{practice}{event.slug}-{roster}-{writer.digest[:DIGEST_IN_NAME]}.bundle.jsonl"
    bundle = BundleFile(file, writer.digest, name)
    # A response to a HEAD request is never read, nor closed by every server.
    weakref.finalize(bundle, file.close)
    return bundle


def is_large(event: Event) -> bool:
    """Whether the bundle of an event takes longer to make than a page may."""
    return Entry.objects.filter(chain__event=event)[: MAX_AT_ONCE + 1].count() > MAX_AT_ONCE


def start_making(event: Event, roster: Roster, *, is_public: bool) -> str:
    """Ask for a large bundle; return the address at which it is, or will be."""
    (start,) = LARGE_BUNDLES
    return start(event, roster, is_public)


def compute_key(event: Event, roster: Roster) -> str:
    """Return the key of a bundle. Operations are never changed, and only erasing changes a digest of one."""
    freeze = get_freeze(event)
    operations = Operation.objects.filter(event=event).aggregate(count=Count("pk"), last=Max("received_at"))
    parts = [
        FORMAT,
        roster,
        get_current_head(event.pk),
        operations["count"],
        str(operations["last"]),
        None if freeze is None else [str(freeze.at), freeze.step, freeze.version],
        [[section, data] for section, data in list_setup_lines(event, roster)],
    ]
    return sha256(canonical_json(parts))
