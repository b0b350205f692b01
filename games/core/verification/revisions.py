"""Checks of revisions against the entries that published them, and against the chains that they list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from games.core.canonical import canonical_json, sha256
from games.core.verification.classes import check_revision_classes
from games.core.verification.contests import ContestFacts
from games.core.verification.entries import LogEntry
from games.core.verification.event_log import EventLog
from games.core.verification.scoring import RankedRow, Scorer, digest_sheet
from games.core.verification.source import MISSING, Data, Fault, Head, Row, Source, compare, read_lengths


def check_revisions(source: Source, log: EventLog, contests: Mapping[str, ContestFacts]) -> Iterator[Fault]:
    """Check every revision, and that none is missing."""
    published = {entry.operation: entry for contest in log.contests for entry in log.list_entries(contest, "publish")}
    for row in source.rows("revisions"):
        entry = published.pop(row.data["operation"], None)
        lengths = read_lengths(row.data["chains"])
        if lengths is None:
            yield Fault("revisions", row.data, "the chains that it lists cannot be read", ("chains",), row.line)
            continue
        heads = source.get_heads(lengths)
        yield from _check_heads(row, heads)
        if entry is None or entry.chain != row.data["contest"]:
            yield Fault("revisions", row.data, "the log does not say that it was published", line=row.line)
        else:
            yield from compare("revisions", row, _list_pairs(row, entry, heads))
        yield from check_revision_classes(row, log, lengths)
        contest = contests.get(row.data["contest"])
        if contest is not None and isinstance(contest.scorer, Scorer):
            yield from _check_figures(row.data, contest.scorer, log)
    for entry in published.values():
        data = {"contest": entry.chain, "number": entry.data.get("revision")}
        yield Fault("revisions", data, MISSING)


def _list_pairs(row: Row, entry: LogEntry, heads: Mapping[str, Head]) -> dict[str, tuple[object, object]]:
    revision, digest = row.data, sha256(canonical_json(row.data["standings"]))
    awards = sha256(canonical_json(revision["awards"])) if revision["awards"] else None
    own = [
        length
        for chain, length, _head in revision["chains"]
        if length and chain in heads and heads[chain].contest == revision["contest"]
    ]
    return {
        # Entries of older versions have no digest.
        "standings": (digest, entry.data.get("standings", digest)),
        "awards": (awards, entry.data.get("awards")),
        "number": (revision["number"], entry.data["revision"]),
        "published_at": (revision["published_at"], entry.body["at"]),
        "published_by": (revision["published_by"], entry.body["actor"]),
        "log_length": (revision["log_length"], sum(own)),
    }


def _check_heads(row: Row, heads: Mapping[str, Head]) -> Iterator[Fault]:
    fault = partial(Fault, "revisions", row.data, line=row.line)
    if sha256(canonical_json(row.data["chains"])) != row.data["event_head"]:
        yield fault("its head is not that of the chains that it lists", ("event_head", "chains"))
    for chain, length, head in row.data["chains"]:
        if length and (chain not in heads or heads[chain].hash != head):
            text = f"{{about}} no longer has entry {length} with the hash that the revision lists"
            yield fault(text, ("chains",), about=chain)


def _check_figures(revision: Data, scorer: Scorer, log: EventLog) -> Iterator[Fault]:
    """Compare the figures of a revision with those by the log as it was then, and the rules."""
    standings, moment = revision["standings"], scorer.moments[revision["id"]]
    # The rule that ranked an older revision may no longer be in the program. Its places are covered by its digest.
    if standings.get("standings_version", 1) == scorer.ruleset.game.standings_version:
        yield from compare_rows(scorer.rank(log, moment).rows, enumerate(standings["rows"]), revision, "revision_rows")
    for index, card in enumerate(standings["cards"]):
        points = {line["key"]: line["points"] for line in card["lines"]}
        logged = moment.sheets.get((card["card"], card["holder"]))
        if logged != digest_sheet(card["total"], points):
            what = (
                "the log has no such scorecard"
                if logged is None
                else "its points are not those of the log and the rules"
            )
            yield Fault("revision_cards", {**revision, "index": index}, what, about=card["card"])


def compare_rows(
    expected: Mapping[str, RankedRow], rows: Iterable[tuple[int, Data]], owner: Data, section: str
) -> Iterator[Fault]:
    """Compare the rows of standings with those by the log and the rules.

    Args:
        rows: those that have a place, or none, each with its index.
        owner: what they belong to: a revision, or the line of a contest.
    """
    missing = dict(expected)
    for index, row in rows:
        data = {**owner, "index": index}
        ranked = missing.pop(row["holder"], None)
        if ranked is None:
            if row["rank"] is not None:
                what = f"it has place {row['rank']}, but no place by the log and the rules"
                yield Fault(section, data, what, about=row["holder"])
            continue
        differing = [
            f"{figure} is {row[figure]}, and {value} by the log and the rules"
            for figure, value in ranked._asdict().items()
            if row[figure] != value
        ]
        if differing:
            yield Fault(section, data, "; ".join(differing), about=row["holder"])
    for entrant in missing:
        yield Fault(section, {**owner, "index": None}, "it is missing", about=entrant)
