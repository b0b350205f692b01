"""The awards of a contest for its revisions: worked out when it is published, and again when it is verified."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.prizes.award import Award, Decision, PrizeTerms, make_award
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTurn
from scorekeeper.prizes.selectors import prize_lists
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.entrants import FoldedContest
from scorekeeper.standings.leaderboard import LeaderboardRow


def make_award_facts(folded: FoldedContest, report: ContestReport) -> AwardFacts:
    """Return what the rules read, without any groups. No statement is made."""
    ruleset, contest = folded.contest.ruleset, folded.contest
    times = {
        card.id: {contest.get_ordinal(slot): at for slot, at in card.list_recording_times().items()}
        for card in folded.undamaged_cards
    }
    cards = {card.entrant_id: card for card in report.cards if card.turns}
    return AwardFacts(
        entrants=tuple(_make_entrant(row, cards.get(row.entrant_id), times) for row in report.rows),
        turns_per_card=contest.slot_count if ruleset.game.slot_option else 0,
        lowest_wins=ruleset.lowest_wins,
        cuts_cards=ruleset.tie_procedure == "cut_cards",
        groups={},
        ruleset=ruleset,
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


def compute_awards(contest: Contest, folded: FoldedContest, report: ContestReport) -> list[Award]:
    """Return the awards of a contest, in a fixed number of statements; one if it has no prizes.

    Args:
        folded: the contest, folded from its current log.
        report: made from it.
    """
    prizes = prize_lists.list_prize_terms(contest, prize_lists.list_contest_prizes(contest))
    if not prizes:
        return []
    decisions = list_decisions(contest.pk)
    by_hand = [decisions[prize.prize_id] for prize in prizes if prize.rule == "by_hand" and prize.prize_id in decisions]
    if missing := _find_missing(by_hand):
        decisions = {
            prize: replace(decision, winners=tuple(one for one in decision.winners if one not in missing))
            for prize, decision in decisions.items()
        }
    return make_awards(prizes, decisions, folded, report)


def _find_missing(decisions: Iterable[Decision]) -> set[UUID]:
    """Return who was given a prize and has been deleted since: then nobody has it, and organisers are asked again."""
    chosen = {entrant for decision in decisions for entrant in decision.winners}
    for entrants in (Bike.entrants, Player.objects):
        if chosen:
            chosen -= set(entrants.filter(pk__in=chosen).values_list("pk", flat=True))
    return chosen


def make_awards(
    prizes: Sequence[PrizeTerms], decisions: Mapping[UUID, Decision], folded: FoldedContest, report: ContestReport
) -> list[Award]:
    """Return who wins these prizes.

    Args:
        decisions: the organiser's, by the prize's id.
    """
    facts, numbers = make_award_facts(folded, report), _list_numbers(decisions)
    return [make_award(prize, facts, decisions.get(prize.prize_id), numbers) for prize in prizes]


def _list_numbers(decisions: Mapping[UUID, Decision]) -> Mapping[UUID, str]:
    chosen = {entrant for decision in decisions.values() for entrant in decision.winners}
    return {bike.pk: bike.label for bike in Bike.entrants.filter(pk__in=chosen)} if chosen else {}
