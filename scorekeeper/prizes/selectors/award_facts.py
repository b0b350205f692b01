"""Makes what the rules read from a folded contest and its report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from uuid import UUID

from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTurn
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.entrants import FoldedContest
from scorekeeper.standings.leaderboard import LeaderboardRow


def make_award_facts(folded: FoldedContest, report: ContestReport) -> AwardFacts:
    """Return what the rules read, without any groups. No statement is made."""
    game, contest = folded.contest.ruleset.game, folded.contest
    times = {
        card.id: {contest.get_ordinal(slot): at for slot, at in card.list_recording_times().items()}
        for card in folded.undamaged_cards
    }
    cards = {card.holder_id: card for card in report.cards if card.turns}
    return AwardFacts(
        entrants=tuple(_make_entrant(row, cards.get(row.holder_id), times) for row in report.rows),
        turns_per_card=contest.slot_count if game.slot_option else 0,
        lowest_wins=game.lowest_wins,
        cuts_cards=game.tie_procedure == "cut_cards",
        groups={},
    )


def _make_entrant(
    row: LeaderboardRow, card: CardReport | None, times: Mapping[UUID, Mapping[int, dt.datetime]]
) -> AwardEntrant:
    turns: tuple[AwardTurn, ...] = ()
    if card is not None:
        turns = tuple(
            AwardTurn(
                turn.ordinal,
                turn.stop,
                turn.points,
                turn.dice,
                turn.how == "missed",
                times[card.card_id][turn.ordinal],
            )
            for turn in card.turns
        )
    assert row.rank is not None, "a report ranks everyone in its rows"
    return AwardEntrant(
        row.holder_id, row.number, row.rank, row.is_tied, row.total, row.status, cards=row.cards, turns=turns
    )
