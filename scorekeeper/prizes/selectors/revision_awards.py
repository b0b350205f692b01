"""The awards of a contest for its revisions: worked out when it is published, and again when it is verified."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.prizes.award import Award, Decision, Outcome, PrizeTerms, make_award
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTurn
from scorekeeper.prizes.selectors import prize_lists
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.standings.award_source import AwardData
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
    cards = {card.entrant_id: card for card in report.cards if card.turns}
    return AwardFacts(
        entrants=tuple(_make_entrant(row, cards.get(row.entrant_id), times) for row in report.rows),
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
        row.entrant_id, row.number, row.rank, row.is_tied, row.total, row.status, cards=row.cards, turns=turns
    )


class PrizeAwards:
    """The source of awards that this app registers (`scorekeeper.standings.award_source`)."""

    def compute_list_digest(self, contest: Contest) -> str:
        """Return a digest of the contest's prize list; "" if nothing can be won."""
        return prize_lists.compute_list_digest(contest)

    def list_awards(self, contest: Contest, folded: FoldedContest, report: ContestReport) -> Sequence[AwardData]:
        """Return the awards according to the current log, in the order in which they are announced."""
        return [award.to_data() for award in compute_awards(contest, folded, report)]

    def is_undecided(self, award: AwardData) -> bool:
        """Return whether the organiser has to decide who of the tied wins. A prize given by hand may stay open."""
        return bool(award["outcome"] == Outcome.TIED)

    def recompute_awards(
        self, contest: Contest, awards: Sequence[AwardData], folded: FoldedContest, report: ContestReport, length: int
    ) -> Sequence[AwardData]:
        """Return frozen awards with their winners worked out again from the log."""
        prizes = [Award.from_data(award).prize for award in awards]
        return [award.to_data() for award in _make_awards(contest, prizes, folded, report, length)]


def compute_awards(contest: Contest, folded: FoldedContest, report: ContestReport) -> list[Award]:
    """Return the awards of a contest, in a fixed number of statements; one if it has no prizes.

    Args:
        folded: the contest, folded from its current log.
        report: made from it.
    """
    prizes = prize_lists.list_prize_terms(contest, prize_lists.list_contest_prizes(contest))
    return _make_awards(contest, prizes, folded, report)


def _make_awards(
    contest: Contest,
    prizes: Sequence[PrizeTerms],
    folded: FoldedContest,
    report: ContestReport,
    length: int | None = None,
) -> list[Award]:
    if not prizes:
        return []
    facts, decisions = make_award_facts(folded, report), list_decisions(contest.pk, length)
    numbers = _list_numbers(decisions)
    return [make_award(prize, facts, decisions.get(prize.prize_id), numbers) for prize in prizes]


def _list_numbers(decisions: Mapping[UUID, Decision]) -> Mapping[UUID, str]:
    chosen = {entrant for decision in decisions.values() for entrant in decision.winners}
    return {bike.pk: bike.label for bike in Bike.objects.filter(pk__in=chosen)} if chosen else {}
