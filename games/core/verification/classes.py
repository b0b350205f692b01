"""Checks of classes against the log: who has which, who was in which when a contest was closed, and cuts for classes.

- Classes are settings until something is recorded. So a bike or a person is compared with the last entry about it, and
  each entry with the one before.
- Closing a contest lists the members of its classes, and later corrections say who of them is in which. A revision has
  the members that it was published with. Who was merged with another bike since is not compared: the people went along.
- The places of a class follow from the rows of the revision, and from the cuts that it has of the class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.core.ranking import rank
from games.core.standing import Standing
from games.core.verification.entries import LogEntry
from games.core.verification.event_log import EventLog
from games.core.verification.scoring import Lengths, read_class_cuts
from games.core.verification.source import Data, Fault, Row, Source

DIFFERS = "its classes are not those in the log"


def check_classes(source: Source, log: EventLog) -> Iterator[Fault]:
    """Compare the classes of bikes and people with the corrections in the log."""
    stored: dict[str, set[str]] = {}
    for row in source.rows("class_members"):
        subject = row.data["bike"] or row.data["player"]
        stored.setdefault(subject, set()).add(row.data["class"])
    logged: dict[str, list[str]] = {}
    for entry, change in log.class_changes:
        subject = change.get("bike") or change["player"]
        if subject in logged and logged[subject] != change["from"]:
            text = "it corrects other classes of {about} than the entry before left"
            yield Fault("entries", {"chain": entry.chain, "seq": entry.seq}, text, line=entry.line, about=subject)
        logged[subject] = change["to"]
    there = {row.data["id"] for section in ("bikes", "players") for row in source.rows(section)}
    for subject, classes in logged.items():
        if subject in there and sorted(stored.get(subject, ())) != classes:
            yield Fault("class_members", {"id": subject}, DIFFERS)


def check_revision_classes(row: Row, log: EventLog, lengths: Lengths) -> Iterator[Fault]:
    """Compare the members and the cuts of the classes of a revision with the log as it was when it was published."""
    revision, standings = row.data, row.data["standings"]
    classes: list[Data] = standings.get("classes", [])
    entries = [
        entry
        for entry in log.list_entries(revision["contest"], "close", "set_classes")
        if entry.seq <= lengths.get(revision["contest"], 0)
    ]
    published: dict[str, list[str]] = {}
    for one in classes:
        for member in one["members"]:
            published.setdefault(member, []).append(one["id"])
    merged = log.list_merge_parties()
    shown = {each["holder"] for each in (*standings["rows"], *standings.get("absent", ()))}
    for entrant, expected in _fold_members(entries).items():
        if entrant in shown and entrant not in merged and sorted(published.get(entrant, ())) != expected:
            text = "{about} is not in the classes that the log says"
            yield Fault("revisions", revision, text, ("standings",), row.line, entrant)
    for one in classes:
        yield from _check_cuts(row, one, log, lengths)


def _fold_members(entries: list[LogEntry]) -> Mapping[str, list[str]]:
    """Return the classes of every entrant that the log knows them of; of bikes also that they have none."""
    known: dict[str, list[str]] = {}
    for entry in entries:
        if entry.kind == "close":
            known = {bike: [] for bike in entry.body.get("bikes") or ()}
            for class_id, members in sorted(entry.data.get("classes", {}).items()):
                for member in members:
                    known.setdefault(member, []).append(class_id)
        else:
            known.update(entry.data["entrants"])
    return known


def _check_cuts(row: Row, one: Data, log: EventLog, lengths: Lengths) -> Iterator[Fault]:
    """Compare the cuts of a class with those that count by the log."""
    members = set(one["members"])
    standings = {
        each["holder"]: Standing(each["total"], (-each["rank"],))
        for each in row.data["standings"]["rows"]
        if each["holder"] in members
    }
    cuts = read_class_cuts(log, row.data["contest"], one["id"], lengths)
    stale = set(rank(standings, [cut.cards for cut in cuts]).stale_cuts)
    counted = [
        (cut.seq, {entrant: None if card is None else str(card) for entrant, card in cut.cards.items()})
        for index, cut in enumerate(cuts)
        if index not in stale
    ]
    stored = [(cut["seq"], {entrant: card for entrant, _number, card in cut["cards"]}) for cut in one.get("cuts", ())]
    if counted != stored:
        text = f"the cards cut for the class “{one['name']}” are not those of the log"
        yield Fault("revisions", row.data, text, ("standings",), row.line)
