"""Building reports from the log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.core.game import Game
from games.core.ranking import Place, rank
from games.core.sheet import place_turn, place_turns
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Entry
from scorekeeper.players.selectors import get_bike_number
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, get_contest_rules
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.scorecards.selectors.non_starters import find_non_starters
from scorekeeper.scorecards.services.bike_unmerge import MERGE_KINDS
from scorekeeper.standings.contest_report import CardReport, ContestReport, ReportLine, ReportTurn
from scorekeeper.standings.entrants import EntrantResult, FoldedContest, fold_contest, get_margin
from scorekeeper.standings.leaderboard import ABSENT_STATUS, DecidedBy, LeaderboardRow
from scorekeeper.standings.selectors.class_boards import list_board_classes
from scorekeeper.standings.selectors.cuts import Cut, list_cuts
from scorekeeper.standings.selectors.group_rankings import get_group_ranking
from scorekeeper.stops.models import Slot


def fold_report(contest: Contest) -> ContestReport:
    """Return the report of a contest from its current log, in a fixed number of statements.

    Cuts count while the contest is closed or official, not while it is open.
    """
    contest_rules = get_contest_rules(contest.pk)
    cuts = [] if contest.status == Contest.Status.OPEN else list_cuts(contest.pk)
    return add_other_rows(contest, make_report(fold_contest(contest_rules), cuts))


def add_other_rows(contest: Contest, report: ContestReport) -> ContestReport:
    """Return the report with what is not folded from the log: bikes that have not rolled, groups, and classes."""
    absent = list_absent_bikes(contest, report)
    rows = (*report.rows, *absent)
    groups, classes = get_group_ranking(contest, rows), list_board_classes(contest, rows)
    return replace(report, absent=absent, groups=groups, classes=classes)


def list_absent_bikes(contest: Contest, report: ContestReport) -> tuple[LeaderboardRow, ...]:
    """Return the sheets of the roster's bikes that have not rolled, by number; none where only seats count."""
    if not get_kind(contest.game).enters_roster:
        return ()
    ranked = {row.entrant_id for row in report.rows}
    bikes = list(list_sheets(contest))
    non_starters = find_non_starters(bikes)
    return tuple(
        LeaderboardRow.unranked(bike.pk, bike.label, get_absent_status(contest, is_non_starter=bike.pk in non_starters))
        for bike in bikes
        if bike.pk not in ranked
    )


def get_absent_status(contest: Contest, *, is_non_starter: bool) -> str:
    """Return the status of a bike that has not rolled: it may still, unless the contest is closed or it did not start.

    Args:
        is_non_starter: whether it did not start.
    """
    return ABSENT_STATUS if is_non_starter or contest.status != Contest.Status.OPEN else "playing"


def fold_report_at(contest: Contest, lengths: Mapping[UUID, int]) -> ContestReport:
    """Return the report of a closed contest from its log as of when its event's chains had these lengths."""
    return fold_contest_at(contest, lengths)[1]


def fold_contest_at(
    contest: Contest, lengths: Mapping[UUID, int], *, is_open: bool = False
) -> tuple[FoldedContest, ContestReport]:
    """Return a contest, and its report, from its log as of when its event's chains had these lengths.

    Args:
        is_open: whether it was open then; cuts do not count while it is.
    """
    contest_rules = get_contest_rules(contest.pk)
    cuts = [] if is_open else list_cuts(contest.pk, lengths.get(contest.pk, 0))
    merged = _list_merged_bikes(contest.event_id, lengths.get(contest.event_id, 0))
    folded = fold_contest(contest_rules, lengths=lengths)
    entrant_results = [
        entrant_result for entrant_result in folded.entrant_results if entrant_result.entrant_id not in merged
    ]
    folded = replace(folded, entrant_results=entrant_results)
    return folded, make_report(folded, cuts)


def _list_merged_bikes(event_id: UUID, length: int) -> set[UUID]:
    """Return the bikes that were merged into others by the time the event's chain had this length."""
    merged: set[UUID] = set()
    for entry in Entry.objects.filter(chain_id=event_id, kind__in=MERGE_KINDS, seq__lte=length).order_by("seq"):
        bike = UUID(json.loads(entry.body)["data"]["bike"])
        (merged.add if entry.kind == "merge_bikes" else merged.discard)(bike)
    return merged


def fold_card_report(contest: Contest, entrant_id: UUID) -> CardReport | None:
    """Return one entrant's card from its current log, a damaged one as far as it can be read; None without an entry."""
    contest_rules = get_contest_rules(contest.pk)
    folded = fold_bike_cards(contest_rules, [derive_card_id(contest.pk, entrant_id)], include_damaged=True)
    return list_seat_reports(folded[0], 0, _get_stop_names(contest_rules))[0] if folded else None


def make_blank_card_report(contest: Contest, entrant_id: UUID, number: str) -> CardReport:
    """Return the card of an entrant who has not rolled: every line is empty."""
    ruleset = contest.ruleset
    sheet = ruleset.game.sheet(ruleset.game.start(ruleset, 1))
    lines = tuple(ReportLine.from_line(line) for line in sheet.lines)
    return CardReport(derive_card_id(contest.pk, entrant_id), entrant_id, number, sheet.totals[0], lines, ())


def make_report(folded: FoldedContest, cuts: Sequence[Cut]) -> ContestReport:
    """Rank a folded contest and return its report."""
    in_order = sorted(folded.entrant_results, key=lambda entrant_result: entrant_result.sort_key)
    entrant_results = {
        entrant_result.entrant_id: entrant_result for entrant_result in in_order if entrant_result.is_ranked
    }
    ranking = rank(
        {entrant: entrant_result.standing for entrant, entrant_result in entrant_results.items()},
        [cut.cards for cut in cuts],
    )
    game = folded.contest.ruleset.game
    rows = [
        _make_row(game, entrant_results[entrant], place, cuts) for place in ranking.places for entrant in place.seats
    ]
    cards = _list_card_reports(folded, rows)
    stale_cuts = tuple(cuts[position].seq for position in ranking.stale_cuts)
    return ContestReport(tuple(rows), tuple(cards), stale_cuts, standings_version=game.standings_version)


def _list_card_reports(folded: FoldedContest, rows: Sequence[LeaderboardRow]) -> list[CardReport]:
    """Return the reports of all cards: by their numbers, or in the order of the standings where they have none."""
    numbers = number_cards(folded)
    if numbers:
        cards = [card for card in folded.undamaged_cards if card.is_ranked]
    else:
        by_entrant = {card.entrants[0].pk: card for card in folded.cards}
        cards = [by_entrant[row.entrant_id] for row in rows]
    stops = _get_stop_names(folded.contest)
    return [report for card in cards for report in list_seat_reports(card, numbers.get(card.id, 0), stops)]


def number_cards(folded: FoldedContest) -> Mapping[UUID, int]:
    """Return the number of every card, in the order they were created; nothing where cards have no numbers."""
    return get_kind(folded.contest.ruleset.game).number_cards(folded.contest.id) if folded.cards else {}


def list_seat_reports(card: FoldedCard, number: int, stops: Mapping[UUID, str]) -> list[CardReport]:
    """Return the report of each seat of a card, from its score sheet.

    Args:
        number: the number of the card; 0 if it has none.
        stops: the name of the stop of each slot.
    """
    contest = card.contest
    sheet = contest.ruleset.game.sheet(card.state)
    played = [(contest.get_ordinal(slot), stops[slot], result) for slot, result in card.list_turns()]
    turns = tuple(
        ReportTurn.from_turn(ordinal, stop, place_turn(sheet.lines, ordinal, result))
        for ordinal, stop, result in played
    )
    placed = place_turns(sheet.lines, [turn.ordinal for turn in turns])
    parts = []
    for seat, entrant in enumerate(card.entrants):
        lines = tuple(ReportLine.from_line(line, seat) for line in placed)
        entrant_number, total = get_bike_number(entrant), sheet.totals[seat]
        parts.append(CardReport(card.id, entrant.pk, entrant_number, total, lines, turns, number, card.damaged_from))
    return parts


def _get_stop_names(contest: ContestRules) -> Mapping[UUID, str]:
    slots = Slot.objects.filter(contest_id=contest.id)
    return dict(slots.values_list("pk", "stop__name")) if contest.slots else {}


def _make_row(game: Game[Any], card: EntrantResult, place: Place[UUID], cuts: Sequence[Cut]) -> LeaderboardRow:
    counted = [cuts[position].cards[card.entrant_id] for position in place.cuts]
    decided_by: DecidedBy = "cut" if counted else "level" if len(place.seats) > 1 else "points"
    return LeaderboardRow(
        entrant_id=card.entrant_id,
        number=card.number,
        rank=place.rank,
        is_tied=len(place.seats) > 1,
        total=card.standing.total,
        turn_count=card.turn_count,
        status=card.standing.status,
        last_change=card.last_change,
        decided_by=decided_by,
        cards=tuple(None if shown is None else str(shown) for shown in counted),
        margin=get_margin(game, card.standing.order),
    )
