"""Revisions against the entries that published them, the heads they kept, and their figures folded once more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_report_at
from scorekeeper.standings.selectors.revisions import compute_standings_digest
from scorekeeper.standings.selectors.verification.damage import LogDamage, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog, VerifiedEntry


def check_revisions(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check every revision of a contest, and that none is missing."""
    revisions = list(contest.revisions.order_by("number"))
    published = {written.operation_id: written for written in log.list_entries(contest.pk, "publish")}
    cards = {str(pk) for pk in Scorecard.objects.filter(contest=contest).values_list("pk", flat=True)}
    for revision in revisions:
        name = f"Revision {revision.number} of {contest.slug}"
        written = published.pop(revision.operation_id, None)
        if written is None:
            yield LogDamage(name, "the log does not say that it was published")
        else:
            yield from report_differences(name, _compare(revision, written, {*cards, str(contest.pk)}))
        yield from _check_heads(name, revision, log)
        yield from _check_figures(name, contest, revision)
    for written in published.values():
        yield LogDamage(f"Revision {written.data.get('revision')} of {contest.slug}", "it is missing")


def _compare(revision: Revision, written: VerifiedEntry, own: set[str]) -> dict[str, tuple[object, object]]:
    digest = compute_standings_digest(revision.standings)
    return {
        # Older entries have no digest; then the figures are compared, and what was corrected since is not.
        "standings": (digest, written.data.get("standings", digest)),
        "number": (revision.number, written.data["revision"]),
        "published_at": (revision.published_at, written.at),
        "published_by": (str(revision.published_by), written.actor),
        "log_length": (revision.log_length, sum(length for chain, length, _ in revision.chains if chain in own)),
    }


def _check_heads(name: str, revision: Revision, log: EventLog) -> Iterator[LogDamage]:
    if sha256(canonical_json(revision.chains)) != revision.event_head:
        yield LogDamage(name, "the event's head does not match the heads stored with it")
    for chain_id, length, head in revision.chains:
        if length and log.get_hash(UUID(chain_id), length) != head:
            yield LogDamage(name, f"chain {chain_id} no longer has entry {length} with the head stored with it")


def _check_figures(name: str, contest: Contest, revision: Revision) -> Iterator[LogDamage]:
    lengths = {UUID(chain_id): length for chain_id, length, _ in revision.chains}
    try:
        figures = _list_figures(fold_report_at(contest, lengths).to_data())
    except ENTRY_READ_ERRORS:
        yield LogDamage(name, "the log it was built from can no longer be replayed")
        return
    if figures != _list_figures(revision.standings):
        yield LogDamage(name, "its figures do not match the log")


def _list_figures(report: Mapping[str, Any]) -> list[Any]:
    """Return what must never differ. Numbers of bikes and names of stops may be corrected later."""
    # Level rows stand in the order of their numbers, so they are compared in the order of their holders.
    rows = sorted(report["rows"], key=lambda row: str(row["holder"]))
    cards = sorted(report["cards"], key=lambda card: (str(card["holder"]), str(card["card"])))
    return [_drop_keys([rows, cards], {"number", "stop"}), report["stale_cuts"]]


def _drop_keys(data: Any, names: set[str]) -> Any:
    if isinstance(data, Mapping):
        return {name: _drop_keys(value, names) for name, value in data.items() if name not in names}
    return [_drop_keys(part, names) for part in data] if isinstance(data, list) else data
