"""Where the checks read an event from, and what they find.

Rows are plain data, as a bundle's lines have them (`games.core.bundle.layout`): ids and times are texts. A bundle reads
them from its file, the server from its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from games.core.canonical import is_same
from games.core.verification.entries import LogEntry

Data = Mapping[str, Any]

DIFFERS = "it does not match the log"
MISSING = "it is missing, but it is in the log"


class Row(NamedTuple):
    """A row of an event.

    Attributes:
        line: its number in the file; in a database, the key of an entry, and None of any other row.
    """

    line: int | None
    data: Data


class Fault(NamedTuple):
    """Something that does not fit together.

    Attributes:
        section: the section of a bundle that the row is in.
        data: of the row; of one that is missing, what the log says about it.
        what: as a sentence. `{about}` in it stands for another row.
        fields: those that differ. If the sentence is `DIFFERS`, they have to be added to it.
        about: the id of the other row.
    """

    section: str
    data: Data
    what: str
    fields: Sequence[str] = ()
    line: int | None = None
    about: str = ""


class LoggedChain(NamedTuple):
    """A chain with its entries, which are read only once.

    Attributes:
        kind: what it is for, by its id; None if nothing has this id.
        card: the scorecard whose log it is.
    """

    row: Row
    entries: Iterable[Row]
    kind: str | None
    card: Row | None = None


class SentOperation(NamedTuple):
    """An operation with everything that belongs to it.

    Attributes:
        row: None if only its entries are there.
        entries: those that it wrote, in the order of writing.
        reason, witness: the texts that its digest was made with.
        review: the id of its review item.
        revision: the one that it published.
    """

    row: Row | None
    entries: Sequence[LogEntry]
    reason: Row | None = None
    witness: Row | None = None
    review: str | None = None
    revision: Data | None = None


class Head(NamedTuple):
    """The hash of an entry of a chain, and the contest that the chain belongs to."""

    hash: str
    contest: str | None


class Source(Protocol):
    """An event that can be checked. Whatever is iterated here is read on the way, and not kept."""

    @property
    def event(self) -> Data:
        """The event. `says_identity`, where it is known, says whether the first entries of its chains name it."""

    @property
    def is_public(self) -> bool:
        """Whether names and reasons were left out, and the digests of operations made without them."""

    def rows(self, section: str) -> Iterable[Row]:
        """Return the rows of a section, those of revisions with all of their standings."""

    def list_revision_chains(self) -> Iterable[tuple[str, str, Any]]:
        """Return for every revision its contest, its id, and the chains that it lists."""

    def chains(self, *, of_cards: bool) -> Iterable[LoggedChain]:
        """Return the chains of scorecards, or all others."""

    def operations(self) -> Iterable[SentOperation]:
        """Return all operations, and those of which there are only entries."""

    def reviews(self) -> Iterable[tuple[Row, Data]]:
        """Return all review items, each with its operation."""

    def get_heads(self, lengths: Mapping[str, int]) -> Mapping[str, Head]:
        """Return the last entries of chains when they had these lengths, as far as they are still there."""


def compare(section: str, row: Row, pairs: Mapping[str, tuple[object, object]]) -> Iterator[Fault]:
    """Return a single fault that names all fields in which a row differs from the log; nothing where they agree.

    Args:
        pairs: for each field, the value in the row and the value in the log.
    """
    if differing := [name for name, values in pairs.items() if not is_same(*values)]:
        yield Fault(section, row.data, DIFFERS, differing, row.line)


def guard(name: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    """Return the faults that a check finds; if it fails on the data that it reads, that is one, too."""
    try:
        yield from faults
    except Exception as error:  # noqa: BLE001 - data that raises any error was not written by us
        yield Fault(
            "", {"name": name}, f"it cannot be checked any further ({type(error).__name__}: {str(error)[:200]})"
        )


def read_lengths(chains: Any) -> dict[str, int] | None:
    """Return how long each chain was when a revision was published, by its list; None if that cannot be read."""
    try:
        lengths = {chain: length for chain, length, _head in chains}
    except (TypeError, ValueError):
        return None
    is_right = all(isinstance(chain, str) and isinstance(length, int) for chain, length in lengths.items())
    return lengths if is_right else None
