"""A bundle whose bytes are in order, as a source for the checks of `games.core.verification`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from games.core.bundle.reading import Bundle
from games.core.canonical import canonical_json, sha256
from games.core.verification.entries import read_entries
from games.core.verification.event_log import derive_review_chain
from games.core.verification.source import Data, Head, LoggedChain, Row, SentOperation

PARTS = {"revision_rows": "row", "revision_cards": "card"}  # of the standings of a revision, with lines of their own


class BundleSource:
    """A bundle, as the checks read it."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._contests = {data["id"]: data["contest"] for data in bundle.get("cards")}

    @property
    def event(self) -> Data:
        """The event."""
        return self._bundle.event

    @property
    def is_public(self) -> bool:
        """Whether it has the public roster."""
        return bool(self._bundle.header["roster"] == "public")

    @cached_property
    def event_head(self) -> str:
        """One hash over the whole log: over the length and the last hash of every chain."""
        chains = [[data["id"], data["length"], data["head"]] for data in self._bundle.get("chains")]
        return sha256(canonical_json(sorted(chains)))

    def rows(self, section: str) -> Iterable[Row]:
        """Return the lines of a section, those of revisions with all of their standings."""
        return self._join_revisions() if section == "revisions" else self._bundle.rows[section]

    def _join_revisions(self) -> Iterator[Row]:
        for line, data in self._bundle.rows["revisions"]:
            standings = {
                f"{name}s": [row.data[name] for row in self._bundle.find(section, "revision", data["id"])]
                for section, name in PARTS.items()
            }
            yield Row(line, {**data, "standings": {**data["standings"], **standings}})

    def list_revision_chains(self) -> Iterator[tuple[str, str, Any]]:
        """Return for every revision its contest, its id, and the chains that it lists."""
        for data in self._bundle.get("revisions"):
            yield data["contest"], data["id"], data["chains"]

    def chains(self, *, of_cards: bool) -> Iterator[LoggedChain]:
        """Return the chains of scorecards, or all others."""
        kinds = {self.event["id"]: "event", derive_review_chain(self.event["id"]): "review"}
        kinds |= {contest["id"]: "contest" for contest in self._bundle.get("contests")}
        for row in self._bundle.rows["chains"]:
            id_ = row.data["id"]
            if (id_ in self._contests) == of_cards:
                card = next(self._bundle.find("cards", "id", id_), None)
                entries = self._bundle.find("entries", "chain", id_)
                yield LoggedChain(row, entries, "card" if card else kinds.get(id_), card)

    def operations(self) -> Iterator[SentOperation]:
        """Return all operations. Each entry is of one of them: that was checked when the file was read."""
        reasons, witnesses = (
            {row.data["id"]: row for row in self._bundle.rows[name]} for name in ("reasons", "witnesses")
        )
        reviews = {item["operation"]: item["id"] for item in self._bundle.get("review_items")}
        revisions = {
            data["operation"]: {"revision": data["number"], "event_head": data["event_head"]}
            for data in self._bundle.get("revisions")
        }
        for row in self._bundle.rows["operations"]:
            id_ = row.data["id"]
            yield SentOperation(
                row,
                list(read_entries(self._bundle.find("entries", "operation", id_))),
                reasons.get(id_),
                witnesses.get(id_),
                reviews.get(id_),
                revisions.get(id_),
            )

    def reviews(self) -> Iterator[tuple[Row, Data]]:
        """Return all review items, each with its operation."""
        items = {row.data["operation"]: row for row in self._bundle.rows["review_items"]}
        for operation in self._bundle.get("operations") if items else ():
            if operation["id"] in items:
                yield items[operation["id"]], operation

    def get_heads(self, lengths: Mapping[str, int]) -> Mapping[str, Head]:
        """Return the last entries of chains when they had these lengths, as far as they are still there."""
        heads = {}
        for chain, length in lengths.items():
            row = next(self._bundle.find("entries", "chain", chain, length - 1), None) if length else None
            if row is not None and row.data["seq"] == length:
                heads[chain] = Head(row.data["hash"], self._contests.get(chain, chain))
        return heads
