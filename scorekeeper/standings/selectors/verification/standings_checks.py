"""Checks of the standings rows against the log, folded again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import StaleCard
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, list_columns, report_differences
from scorekeeper.standings.entrants import fold_contest
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.standings_rows import ROW_FIELDS, compute_tie_keys, make_standings_row
from scorekeeper.standings.selectors.verification.contest_checks import get_logged_status
from scorekeeper.standings.selectors.verification.event_log import EventLog

COLUMNS = list_columns(StandingsRow, *ROW_FIELDS, "tie_key")


def check_standings(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare the standings with the log; not while cards are stale, since the rows are older then."""
    if StaleCard.objects.filter(contest=contest).exists():
        return
    stored = {row.pk: row for row in StandingsRow.objects.filter(contest=contest)}
    expected, stale = _compute_expected_rows(contest, log)
    for pk in sorted(stored.keys() | expected.keys()):
        name = f"Standings of {contest.slug}, row {pk}"
        if pk in stored and pk in expected:
            yield from report_differences(name, _compare(stored[pk], expected[pk]), StandingsRow, pk)
        else:
            text = "it is missing" if pk in expected else "it does not appear in the log"
            yield damage_in(StandingsRow, pk, name, text)
    state = StandingsState.objects.filter(contest=contest).first()
    if state is None and expected:
        text = "there is no record of how far they have been refreshed from the log"
        yield damage_in(StandingsState, contest.pk, f"Standings of {contest.slug}", text)
    elif state is not None and state.stale_cuts != stale:
        text = "the cuts that no longer count do not match the log"
        yield damage_in(StandingsState, contest.pk, f"Standings of {contest.slug}", text, "stale_cuts")


def _compute_expected_rows(contest: Contest, log: EventLog) -> tuple[dict[UUID, StandingsRow], list[int]]:
    """Return the rows as they should be, and the cuts that no longer count."""
    entrant_results = fold_contest(get_contest_rules(contest.pk)).entrant_results
    rows = {
        row.pk: row for row in (make_standings_row(contest.pk, entrant_result) for entrant_result in entrant_results)
    }
    cuts = list_cuts(contest.pk)
    if get_logged_status(contest, log) == Contest.Status.OPEN:
        return rows, [cut.seq for cut in cuts]
    ranked_rows = {row.entrant_id: row for row in rows.values() if row.is_ranked}
    # The byte form compares like the key it was made from, so it can replace it here.
    standings = {entrant: Standing(row.total, tuple(row.order_key)) for entrant, row in ranked_rows.items()}
    ranking = rank(standings, [cut.cards for cut in cuts])
    for entrant, tie_key in compute_tie_keys(ranking, ranked_rows).items():
        ranked_rows[entrant].tie_key = tie_key
    return rows, [cuts[position].seq for position in ranking.stale_cuts]


def _compare(stored: StandingsRow, expected: StandingsRow) -> dict[str, tuple[object, object]]:
    return {name: (_to_comparable(getattr(stored, name)), _to_comparable(getattr(expected, name))) for name in COLUMNS}


def _to_comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
