"""Making the bundle of an event: a temporary file, so that a slow download holds no transaction."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Self

from games.core.bundle.layout import BundleWriter
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.selectors.bundle_lines import StandingsWithheld, write_lines
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.events.models import Event
from scorekeeper.standings.services.refresh import refresh_standings

__all__ = ["BundleFile", "StandingsWithheld", "make_bundle"]

IN_MEMORY = 8 * 2**20  # bytes, before a file is made
CHUNK = 2**18  # bytes
DIGEST_IN_NAME = 12  # characters


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
