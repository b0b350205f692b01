"""Checks of revisions beyond the shared ones: awards, groups, and all that is shown in those of older versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from games.core.verification import Verification
from games.core.verification.entries import LogEntry
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.award_source import AWARD_SOURCES, AwardData
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.entrants import FoldedContest
from scorekeeper.standings.group_ranking import recompute_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_contest_at

FREE_NAMES = {"number", "stop"}  # what may be corrected later


def check_revisions(contest: Contest, verification: Verification) -> Iterator[LogDamage]:
    """Check what the shared checks of revisions leave out."""
    published = {entry.operation: entry for entry in verification.log.list_entries(str(contest.pk), "publish")}
    for revision in contest.revisions.order_by("number").iterator(chunk_size=1):
        name = f"Revision {revision.number} of {contest.slug}"
        entry = published.get(str(revision.operation_id))
        if entry is not None:
            yield from _check_groups(name, contest, revision, entry)
        # Of others, the log has a digest of all that is shown.
        is_older = entry is None or "standings" not in entry.data
        if is_older or revision.awards:
            yield from _check_folded(name, contest, revision, is_older=is_older)


def _check_folded(name: str, contest: Contest, revision: Revision, *, is_older: bool) -> Iterator[LogDamage]:
    """Compare the awards with the log folded again, and with an older revision all that it shows."""
    lengths = {UUID(chain_id): length for chain_id, length, _ in revision.chains}
    try:
        folded_contest, report = fold_contest_at(contest, lengths)
        folded = report.to_data()
        awards = _recompute_awards(contest, revision, folded_contest, report, lengths.get(contest.pk, 0))
    except ENTRY_READ_ERRORS:
        text = "the log it was built from can no longer be replayed"
        yield damage_in(Revision, revision.pk, name, text, "standings")
        return
    frozen = revision.standings
    if folded.get("standings_version") != frozen.get("standings_version"):
        # The rule that ranked it is no longer in the program, so only its cards can be compared. Its places are still
        # covered by the digest in the log.
        folded, frozen = {**folded, "rows": []}, {**frozen, "rows": []}
    if is_older and _list_figures(folded) != _list_figures(frozen):
        yield damage_in(Revision, revision.pk, name, "its figures do not match the log", "standings")
    if _drop_keys(awards, FREE_NAMES) != _drop_keys(list(revision.awards or []), FREE_NAMES):
        yield damage_in(Revision, revision.pk, name, "the winners of its prizes do not match the log", "awards")


def _recompute_awards(
    contest: Contest, revision: Revision, folded: FoldedContest, report: ContestReport, length: int
) -> list[AwardData]:
    source = AWARD_SOURCES.only
    return (
        list(source.recompute_awards(contest, revision.awards, folded, report, length))
        if source and revision.awards
        else []
    )


def _check_groups(name: str, contest: Contest, revision: Revision, entry: LogEntry) -> Iterator[LogDamage]:
    """Compute the groups again from the rows, which are compared with the log, by the rule in the entry.

    Who was in which group is only in the revision, under the digest in the log: bikes change groups without an entry.
    """
    try:
        report = ContestReport.from_data(revision.standings)
        groups, rows = report.groups, (*report.rows, *report.absent)
        logged = entry.data.get("groups")
        if groups is None or logged is None:
            is_right = groups is None and logged is None
        else:
            rule = GroupRule(logged.get("best", 0), contest.ruleset.lowest_wins)
            is_right = groups == recompute_group_ranking(groups, rule, rows)
    except (KeyError, TypeError, ValueError, AttributeError):
        is_right = False
    if not is_right:
        yield damage_in(Revision, revision.pk, name, "its groups do not match its figures", "standings")


def _list_figures(report: Mapping[str, Any]) -> list[Any]:
    """Return the figures that must never differ. Bike numbers and stop names may be corrected later."""
    # Tied rows are in the order of their numbers, which may change, so rows are compared in the order of entrant ids.
    rows = sorted(report["rows"], key=lambda row: str(row["holder"]))
    cards = sorted(report["cards"], key=lambda card: (str(card["holder"]), str(card["card"])))
    return [_drop_keys([rows, cards], FREE_NAMES), report["stale_cuts"]]


def _drop_keys(data: Any, names: set[str]) -> Any:
    if isinstance(data, Mapping):
        return {name: _drop_keys(value, names) for name, value in data.items() if name not in names}
    return [_drop_keys(part, names) for part in data] if isinstance(data, list) else data
