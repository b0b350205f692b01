"""The rows of the standings against the log, folded once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import StaleCard
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.entrants import fold_contest
from scorekeeper.standings.selectors.standings_rows import ROW_FIELDS, compute_tie_keys, make_standings_row
from scorekeeper.standings.selectors.verification.contest_checks import get_logged_status
from scorekeeper.standings.selectors.verification.damage import LogDamage, list_columns, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog

COLUMNS = list_columns(StandingsRow, *ROW_FIELDS, "tie_key")


def check_standings(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare the standings with the log; not while cards wait to be taken in, since the rows are older then."""
    if StaleCard.objects.filter(contest=contest).exists():
        return
    kept = {row.pk: row for row in StandingsRow.objects.filter(contest=contest)}
    told, stale = _compute_expected_rows(contest, log)
    for pk in sorted(kept.keys() | told.keys()):
        name = f"Standings of {contest.slug}, row {pk}"
        if pk in kept and pk in told:
            yield from report_differences(name, _compare(kept[pk], told[pk]))
        else:
            yield LogDamage(name, "it is missing" if pk in told else "it does not appear in the log")
    state = StandingsState.objects.filter(contest=contest).first()
    if state is None and told:
        yield LogDamage(
            f"Standings of {contest.slug}", "there is no record of how far they have been refreshed from the log"
        )
    elif state is not None and state.stale_cuts != stale:
        yield LogDamage(f"Standings of {contest.slug}", "the cuts that no longer count do not match the log")


def _compute_expected_rows(contest: Contest, log: EventLog) -> tuple[dict[UUID, StandingsRow], list[int]]:
    """Return the rows as they should be, and the cuts that rank nobody."""
    entrants = fold_contest(get_contest_rules(contest.pk)).entrants
    rows = {row.pk: row for row in (make_standings_row(contest.pk, entrant) for entrant in entrants)}
    cuts = list_cuts(contest.pk)
    if get_logged_status(contest, log) == Contest.Status.OPEN:
        return rows, [cut.seq for cut in cuts]
    taking_part = {row.holder_id: row for row in rows.values() if row.is_ranked}
    # The byte form compares as what it was made of does, so it can stand in for it.
    stand_ins = {holder: Standing(row.total, tuple(row.order_key)) for holder, row in taking_part.items()}
    ranking = rank(stand_ins, [cut.cards for cut in cuts])
    for holder, tie_key in compute_tie_keys(ranking, taking_part).items():
        taking_part[holder].tie_key = tie_key
    return rows, [cuts[position].seq for position in ranking.stale_cuts]


def _compare(kept: StandingsRow, told: StandingsRow) -> dict[str, tuple[object, object]]:
    return {name: (_to_comparable(getattr(kept, name)), _to_comparable(getattr(told, name))) for name in COLUMNS}


def _to_comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
