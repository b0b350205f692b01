"""An event in the database, as the checks of `games.core.verification` read it: rows as the lines of its bundle.

Everything is read in the order of a key and passed on at once, so memory does not grow with the number of entries: the
entries chain by chain, and once more operation by operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from games.core.verification.entries import LogEntry, read_entries
from games.core.verification.source import Data, Head, LoggedChain, Row, SentOperation
from scorekeeper.event_rows import EVENT_ROWS, ROWS, Rows
from scorekeeper.events.models import Event
from scorekeeper.ledger.chain_entries import OrderedGroups
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem, derive_review_chain_id
from scorekeeper.ledger.services.operation_context import IDENTITY_VERSION
from scorekeeper.line_codec import LineCodec, write_time
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.standings.models import Revision

CHUNK = 500  # rows that are read at once
BY_SECTION: Mapping[str, Rows] = {rows.section: rows for rows in EVENT_ROWS if rows.section}
# The sections whose lines have only what is not as usual.
APART = {section: (rows, columns) for rows in EVENT_ROWS for section, columns in rows.list_bundled_apart().items()}
ENTRY_COLUMNS = ("pk", "chain_id", "seq", "operation_id", "kind", "slot_id", "at", "body", "hash")
CHAIN_COLUMNS = ("id", "kind", "length", "head", "is_sealed", "is_alias")


class EventSource:
    """An event of the database."""

    is_public = False

    def __init__(self, event: Event) -> None:
        self._event = event

    @property
    def event(self) -> Data:
        """The event."""
        event = self._event
        return {
            "id": str(event.pk),
            "is_practice": event.is_practice,
            "log_version": event.log_version,
            "says_identity": event.log_version >= IDENTITY_VERSION,
        }

    def rows(self, section: str) -> Iterator[Row]:
        """Return the rows of a section."""
        if section in APART:
            rows, columns = APART[section]
            codec = LineCodec(columns)
            for row in rows.query_apart(self._event, columns):
                yield Row(None, {"id": str(row.pk), **codec.write(row)})
            return
        rows = BY_SECTION[section]
        codec = _get_codec(rows)
        for row in rows.query(self._event).order_by(*rows.order).iterator(chunk_size=CHUNK):
            yield Row(None, codec.write(row))

    def list_revision_chains(self) -> Iterator[tuple[str, str, Any]]:
        """Return for every revision its contest, its id, and the chains that it lists."""
        revisions = Revision.objects.filter(contest__event=self._event).order_by("contest", "number")
        for contest, pk, chains in revisions.values_list("contest_id", "pk", "chains").iterator(chunk_size=1):
            yield str(contest), str(pk), chains

    def chains(self, *, of_cards: bool) -> Iterator[LoggedChain]:
        """Return the chains of scorecards, or all others that belong to the event or say so."""
        return self._list_card_chains() if of_cards else self._list_own_chains()

    def _list_own_chains(self) -> Iterator[LoggedChain]:
        event, kinds = self._event, list_own_kinds(self._event)
        chains = Chain.objects.filter(Q(event=event) | Q(pk__in=kinds)).exclude(card__contest__event=event)
        entries = Entry.objects.filter(chain__event=event).exclude(chain__card__contest__event=event)
        groups = OrderedGroups(_list_entries(entries, "chain_id", "seq"), itemgetter("chain_id"))
        for chain in chains.order_by("pk").values(*CHAIN_COLUMNS).iterator(chunk_size=CHUNK):
            row = Row(None, {**chain, "id": str(chain["id"])})
            yield LoggedChain(row, map(_to_row, groups.take(chain["id"])), kinds.get(chain["id"]))

    def _list_card_chains(self) -> Iterator[LoggedChain]:
        cards = Scorecard.objects.filter(contest__event=self._event).select_related("chain").defer("chain__snapshot")
        entries = Entry.objects.filter(chain__event=self._event, chain__card__contest__event=self._event)
        groups = OrderedGroups(_list_entries(entries, "chain_id", "seq"), itemgetter("chain_id"))
        codec, columns = _get_codec(ROWS["scorecards.Seat"]), _get_codec(BY_SECTION["chains"])
        seats = Seat.objects.filter(card__contest__event=self._event).order_by("card__chain_id", "index")
        by_card = OrderedGroups(seats.select_related("card").iterator(chunk_size=CHUNK), attrgetter("card.chain_id"))
        for card in cards.order_by("chain_id").iterator(chunk_size=CHUNK):
            data = {
                "id": str(card.pk),
                "contest": str(card.contest_id),
                "seats": [codec.write(seat) for seat in by_card.take(card.chain_id)],
            }
            chain, logged = Row(None, columns.write(card.chain)), map(_to_row, groups.take(card.chain_id))
            yield LoggedChain(chain, logged, Chain.Kind.CARD, Row(None, data))

    def operations(self) -> Iterator[SentOperation]:
        """Return all operations, and those of which there are only entries."""
        entries = Entry.objects.filter(chain__event=self._event)
        groups = OrderedGroups(_list_entries(entries, "operation_id", "pk"), itemgetter("operation_id"))
        revisions = Revision.objects.filter(operation__event=self._event)
        published = {
            pk: {"revision": number, "event_head": head}
            for pk, number, head in revisions.values_list("operation_id", "number", "event_head")
        }
        codecs = {name: _get_codec(BY_SECTION[name]) for name in ("operations", "reasons", "witnesses")}
        sent = Operation.objects.filter(event=self._event).select_related("reason", "cut_witness", "review")
        for operation in sent.order_by("pk").iterator(chunk_size=CHUNK):
            yield from map(_make_missing, groups.skip_to(operation.pk))
            reason, witness = getattr(operation, "reason", None), getattr(operation, "cut_witness", None)
            review = getattr(operation, "review", None)
            yield SentOperation(
                Row(None, codecs["operations"].write(operation)),
                list(read_entries(map(_to_row, groups.take(operation.pk)))),
                None if reason is None else Row(None, codecs["reasons"].write(reason)),
                None if witness is None else Row(None, codecs["witnesses"].write(witness)),
                None if review is None else str(review.pk),
                published.get(operation.pk),
            )
        yield from map(_make_missing, groups.skip_to(None))

    def reviews(self) -> Iterator[tuple[Row, Data]]:
        """Return all review items, each with its operation."""
        codec, operation_codec = _get_codec(BY_SECTION["review_items"]), _get_codec(BY_SECTION["operations"])
        of_event = Q(operation__event=self._event) | Q(contest__event=self._event)
        items = ReviewItem.objects.filter(of_event).select_related("operation").order_by("opened_at", "pk")
        for item in items.iterator(chunk_size=CHUNK):
            yield Row(None, codec.write(item)), operation_codec.write(item.operation)

    def get_heads(self, lengths: Mapping[str, int]) -> Mapping[str, Head]:
        """Return the last entries of chains when they had these lengths, as far as they are still there."""
        heads = {}
        entries = Entry.objects.filter(chain__event=self._event).order_by()
        columns = entries.values_list("chain_id", "seq", "hash", "chain__card__contest_id")
        for chain, seq, digest, contest in columns.iterator():
            if lengths.get(str(chain)) == seq:
                heads[str(chain)] = Head(digest, str(contest or chain))
        return heads


def list_own_kinds(event: Event) -> dict[UUID, str]:
    """Return the kind of each chain that the event has, except those of scorecards."""
    contests = event.contests.values_list("pk", flat=True)
    return {
        **dict.fromkeys(contests, Chain.Kind.CONTEST),
        event.pk: Chain.Kind.EVENT,
        derive_review_chain_id(event.pk): Chain.Kind.REVIEW,
    }


def list_event_entries(event: Event, kind: str) -> Iterator[LogEntry]:
    """Return the entries of a kind in the event's own chain."""
    return read_entries(map(_to_row, _list_entries(Entry.objects.filter(chain=event.pk, kind=kind), "seq")))


def _get_codec(rows: Rows) -> LineCodec:
    return LineCodec(rows.list_bundled())


def _list_entries(entries: QuerySet[Entry], *order: str) -> Iterator[dict[str, Any]]:
    return entries.order_by(*order).values(*ENTRY_COLUMNS).iterator(chunk_size=CHUNK)


def _to_row(entry: Mapping[str, Any]) -> Row:
    data = {
        "chain": str(entry["chain_id"]),
        "seq": entry["seq"],
        "operation": str(entry["operation_id"]),
        "kind": entry["kind"],
        "slot": None if entry["slot_id"] is None else str(entry["slot_id"]),
        "at": None if entry["at"] is None else write_time(entry["at"]),
        "body": entry["body"],
        "hash": entry["hash"],
    }
    return Row(entry["pk"], data)


def _make_missing(entries: Iterator[Mapping[str, Any]]) -> SentOperation:
    return SentOperation(None, list(read_entries(map(_to_row, entries))))
