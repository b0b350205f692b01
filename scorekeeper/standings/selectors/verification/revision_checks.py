"""Checks of revisions against their log entries, their stored heads, and their figures folded again from the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.standings.award_source import AWARD_SOURCES, AwardData, compute_awards_digest
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.entrants import FoldedContest
from scorekeeper.standings.group_ranking import recompute_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_contest_at
from scorekeeper.standings.selectors.revisions import compute_standings_digest
from scorekeeper.standings.selectors.verification.event_log import EventLog, VerifiedEntry

FREE_NAMES = {"number", "stop"}  # what may be corrected later


def check_revisions(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check every revision of a contest, and that none is missing."""
    revisions = list(contest.revisions.order_by("number"))
    published = {entry.operation_id: entry for entry in log.list_entries(contest.pk, "publish")}
    cards = {str(pk) for pk in Scorecard.objects.filter(contest=contest).values_list("pk", flat=True)}
    for revision in revisions:
        name = f"Revision {revision.number} of {contest.slug}"
        entry = published.pop(revision.operation_id, None)
        if entry is None:
            yield damage_in(Revision, revision.pk, name, "the log does not say that it was published")
        else:
            pairs = _compare(revision, entry, {*cards, str(contest.pk)})
            yield from report_differences(name, pairs, Revision, revision.pk)
            yield from _check_groups(name, contest, revision, entry)
        yield from _check_heads(name, revision, log)
        yield from _check_figures(name, contest, revision)
    for entry in published.values():
        yield damage_in(Revision, "", f"Revision {entry.data.get('revision')} of {contest.slug}", "it is missing")


def _compare(revision: Revision, entry: VerifiedEntry, own: set[str]) -> dict[str, tuple[object, object]]:
    digest = compute_standings_digest(revision.standings)
    return {
        # Older entries have no digest. Then only the figures are compared, not numbers and names corrected since.
        "standings": (digest, entry.data.get("standings", digest)),
        "awards": (compute_awards_digest(revision.awards) if revision.awards else None, entry.data.get("awards")),
        "number": (revision.number, entry.data["revision"]),
        "published_at": (revision.published_at, entry.at),
        "published_by": (str(revision.published_by), entry.actor),
        "log_length": (revision.log_length, sum(length for chain, length, _ in revision.chains if chain in own)),
    }


def _check_heads(name: str, revision: Revision, log: EventLog) -> Iterator[LogDamage]:
    if sha256(canonical_json(revision.chains)) != revision.event_head:
        text = "the event's head does not match the heads stored with it"
        yield damage_in(Revision, revision.pk, name, text, "event_head, chains")
    for chain_id, length, head in revision.chains:
        if length and log.get_hash(UUID(chain_id), length) != head:
            text = f"chain {chain_id} no longer has entry {length} with the head stored with it"
            yield damage_in(Revision, revision.pk, name, text, "chains")


def _check_figures(name: str, contest: Contest, revision: Revision) -> Iterator[LogDamage]:
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
    if _list_figures(folded) != _list_figures(frozen):
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


def _check_groups(name: str, contest: Contest, revision: Revision, entry: VerifiedEntry) -> Iterator[LogDamage]:
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
            rule = GroupRule(logged.get("best", 0), contest.game.lowest_wins)
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
