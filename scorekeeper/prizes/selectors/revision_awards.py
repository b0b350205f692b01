"""The awards of a contest for its revisions: worked out when it is published, and again when it is verified."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.prizes.award import Award, Decision, PrizeClass, PrizeTerms, make_award
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTurn
from scorekeeper.prizes.selectors import prize_lists
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.standings.class_ranking import rank_class
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.entrants import FoldedContest
from scorekeeper.standings.leaderboard import CountedCut, LeaderboardRow
from scorekeeper.standings.selectors.cuts import describe_counted_cuts, list_class_cuts, list_cuts


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
    cuts = NO_CUTS if contest.status == Contest.Status.OPEN else read_award_cuts(contest.pk, prizes, report)
    return make_awards(prizes, decisions, folded, report, cuts)


class AwardCuts(NamedTuple):
    """The cuts that decide places in classes: those of the contest that count, and all of each class."""

    contest: Sequence[CountedCut]
    classes: Mapping[UUID, Sequence[CountedCut]]


NO_CUTS = AwardCuts((), {})


def read_award_cuts(
    contest_id: UUID, prizes: Iterable[PrizeTerms], report: ContestReport, length: int | None = None
) -> AwardCuts:
    """Return the cuts that prizes of classes depend on; no statement where no prize is for a class.

    Args:
        report: of the contest at that time.
        length: read the contest's chain only up to this entry.
    """
    if all(prize.event_class is None for prize in prizes):
        return NO_CUTS
    numbers = {row.entrant_id: row.number for row in report.rows}
    of_classes = list_class_cuts(contest_id, length)
    return AwardCuts(
        describe_counted_cuts(list_cuts(contest_id, length), report.stale_cuts, numbers),
        {pk: describe_counted_cuts(cuts, (), numbers) for pk, cuts in of_classes.items()},
    )


def narrow_facts(facts: AwardFacts, report: ContestReport, prize_class: PrizeClass, cuts: AwardCuts) -> AwardFacts:
    """Return the facts of the members of a class, with their places in it."""
    members = frozenset(prize_class.members)
    rows = rank_class(report.rows, members, cuts.classes.get(prize_class.id, ()), cuts.contest)
    entrants = {entrant.entrant_id: entrant for entrant in facts.entrants}
    return replace(
        facts,
        entrants=tuple(
            replace(entrants[row.entrant_id], rank=row.rank or 0, is_tied=row.is_tied, cards=row.cards) for row in rows
        ),
    )


def _find_missing(decisions: Iterable[Decision]) -> set[UUID]:
    """Return who was given a prize and has been deleted since: then nobody has it, and organisers are asked again."""
    chosen = {entrant for decision in decisions for entrant in decision.winners}
    for entrants in (Bike.entrants, Player.objects):
        if chosen:
            chosen -= set(entrants.filter(pk__in=chosen).values_list("pk", flat=True))
    return chosen


def make_awards(
    prizes: Sequence[PrizeTerms],
    decisions: Mapping[UUID, Decision],
    folded: FoldedContest,
    report: ContestReport,
    cuts: AwardCuts = NO_CUTS,
) -> list[Award]:
    """Return who wins these prizes.

    Args:
        decisions: the organiser's, by the prize's id.
        cuts: those that prizes of classes depend on.
    """
    facts, numbers = make_award_facts(folded, report), _list_numbers(decisions)
    return [
        make_award(
            prize,
            facts if prize.event_class is None else narrow_facts(facts, report, prize.event_class, cuts),
            decisions.get(prize.prize_id),
            numbers,
        )
        for prize in prizes
    ]


def _list_numbers(decisions: Mapping[UUID, Decision]) -> Mapping[UUID, str]:
    chosen = {entrant for decision in decisions.values() for entrant in decision.winners}
    return {bike.pk: bike.label for bike in Bike.entrants.filter(pk__in=chosen)} if chosen else {}
