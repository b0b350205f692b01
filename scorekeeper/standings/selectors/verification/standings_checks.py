"""Checks of the standings rows against the scorecards, scored again by the shared checks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from games.core.standing import Standing, order_key
from games.core.verification import Verification
from games.core.verification.scoring import EntrantScore, Scorer
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import StaleCard
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.standings_rows import compute_tie_keys


def check_standings(contest: Contest, verification: Verification) -> Iterator[LogDamage]:
    """Compare the standings with the log; not while cards are stale, since the rows are older then."""
    scorer = verification.contests[str(contest.pk)].scorer
    if not isinstance(scorer, Scorer):
        yield damage_in(Contest, contest.pk, f"Contest {contest.pk}", f"its scorecards cannot be scored: {scorer}")
        return
    if StaleCard.objects.filter(contest=contest).exists():
        return
    expected, stale = _list_expected(scorer, verification)
    for row in StandingsRow.objects.filter(contest=contest).order_by("pk").iterator():
        name = f"Standings of {contest.slug}, row {row.pk}"
        values = expected.pop(str(row.bike_id or row.player_id), None)
        if values is None:
            yield damage_in(StandingsRow, row.pk, name, "it does not appear in the log")
        elif None not in (row.bike_id, row.player_id):
            yield damage_in(StandingsRow, row.pk, name, "it is of a bike and of a player", "player")
        else:
            values["id"] = derive_card_id(contest.pk, row.entrant_id)
            pairs = {column: (_to_comparable(getattr(row, column)), value) for column, value in values.items()}
            yield from report_differences(name, pairs, StandingsRow, row.pk)
    for entrant in sorted(expected):
        pk = derive_card_id(contest.pk, UUID(entrant))
        yield damage_in(StandingsRow, pk, f"Standings of {contest.slug}, row {pk}", "it is missing")
    state = StandingsState.objects.filter(contest=contest).first()
    if state is None and scorer.now.entrants:
        text = "there is no record of how far they have been refreshed from the log"
        yield damage_in(StandingsState, contest.pk, f"Standings of {contest.slug}", text)
    elif state is not None and state.stale_cuts != stale:
        text = "the cuts that no longer count do not match the log"
        yield damage_in(StandingsState, contest.pk, f"Standings of {contest.slug}", text, "stale_cuts")


def _list_expected(scorer: Scorer, verification: Verification) -> tuple[dict[str, dict[str, Any]], list[int]]:
    """Return by entrant the columns as they should be, and the cuts that no longer count."""
    log, game = verification.log, scorer.ruleset.game
    ranked, merged = scorer.rank(log, scorer.now), log.list_merged()
    standings = {
        entrant: game.combine(score.standings)
        for entrant, score in scorer.now.entrants.items()
        if entrant not in merged
    }
    rows = {entrant: _list_columns(scorer.now.entrants[entrant], standing) for entrant, standing in standings.items()}
    tie_keys = compute_tie_keys(ranked.ranking, {entrant: rows[entrant]["order_key"] for entrant in ranked.rows})
    for entrant, tie_key in tie_keys.items():
        rows[entrant]["tie_key"] = tie_key
    return rows, list(ranked.stale_cuts)


def _list_columns(score: EntrantScore, standing: Standing) -> dict[str, Any]:
    best, worst = (None, None) if score.reach is None else (score.reach.best, score.reach.worst)
    return {
        "total": standing.total,
        "best_total": None if best is None else best.total,
        "worst_total": None if worst is None else worst.total,
        "order_key": order_key(standing.order),
        "status": standing.status,
        "turns_done": score.turns,
        "last_change": dt.datetime.fromisoformat(score.last_change),
        "log_length": score.length,
        "tie_key": 0,
    }


def _to_comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
