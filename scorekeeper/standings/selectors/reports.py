"""Making a report from the log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from games.core.ranking import Place, rank
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.fold import in_slot_order
from scorekeeper.scorecards.models import Entry
from scorekeeper.scorecards.played import PlayedContest, card_id_for, get_played_contest
from scorekeeper.scorecards.services.unmerging import MERGING
from scorekeeper.standings.board import ABSENT, BoardRow, By
from scorekeeper.standings.report import Report, ReportCard, ReportLine, ReportTurn
from scorekeeper.standings.selectors.cuts import Cut, list_cuts
from scorekeeper.standings.selectors.entrants import Entrant, FoldedContest, fold_contest, get_number
from scorekeeper.standings.selectors.folding import FoldedCard, fold_cards
from scorekeeper.stops.models import Slot
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.selectors.folding import number_tables


def fold_report(contest: Contest) -> Report:
    """Return the report of a contest as its log stands now; a fixed number of statements.

    Cuts count while the contest is closed or official, and rank nobody while it is open.
    """
    played = get_played_contest(contest.pk)
    cuts = [] if contest.status == Contest.Status.OPEN else list_cuts(contest.pk)
    report = make_report(fold_contest(played), cuts)
    return replace(report, absent=list_absent(contest, report))


def list_absent(contest: Contest, report: Report) -> tuple[BoardRow, ...]:
    """Return the bikes of the roster that have not rolled, by number; none where people play at tables."""
    if contest.is_at_tables:
        return ()
    status = ABSENT if contest.status != Contest.Status.OPEN else "playing"
    bikes = Bike.objects.filter(event_id=contest.event_id, merged_into=None).order_by("number", "suffix")
    ranked = {row.holder_id for row in report.rows}
    return tuple(BoardRow.of_unranked(bike.pk, bike.label, status) for bike in bikes if bike.pk not in ranked)


def fold_report_at(contest: Contest, lengths: Mapping[UUID, int]) -> Report:
    """Return the report of a closed contest as its log stood when its event's chains had these lengths."""
    played = get_played_contest(contest.pk)
    cuts = list_cuts(contest.pk, lengths.get(contest.pk, 0))
    merged = _list_merged(contest.event_id, lengths.get(contest.event_id, 0))
    folded = fold_contest(played, lengths=lengths)
    entrants = [entrant for entrant in folded.entrants if entrant.holder_id not in merged]
    return make_report(replace(folded, entrants=entrants), cuts)


def _list_merged(event_id: UUID, length: int) -> set[UUID]:
    """Return the bikes that were merged into others while the event's chain grew to a length."""
    merged: set[UUID] = set()
    for entry in Entry.objects.filter(chain_id=event_id, kind__in=MERGING, seq__lte=length).order_by("seq"):
        bike = UUID(json.loads(entry.body)["data"]["bike"])
        (merged.add if entry.kind == "merge_bikes" else merged.discard)(bike)
    return merged


def fold_one(contest: Contest, holder_id: UUID) -> ReportCard | None:
    """Return one holder's card as its log stands now, a damaged one as far as it can be read; None without an entry."""
    played = get_played_contest(contest.pk)
    folded = fold_cards(played, [card_id_for(contest.pk, holder_id)], even_damaged=True)
    return _card(played, folded[0], _list_stops(played)) if folded else None


def blank_card(contest: Contest, holder_id: UUID, number: str) -> ReportCard:
    """Return the card of somebody who has not rolled: every line empty."""
    ruleset = contest.ruleset
    sheet = ruleset.game.sheet(ruleset.game.start(ruleset, 1))
    lines = tuple(ReportLine.of(line) for line in sheet.lines)
    return ReportCard(card_id_for(contest.pk, holder_id), holder_id, number, sheet.totals[0], lines, ())


def make_report(folded: FoldedContest, cuts: Sequence[Cut]) -> Report:
    """Rank a folded contest and put it into a report."""
    in_order = sorted(folded.entrants, key=lambda entrant: entrant.by_number)
    entrants = {entrant.holder_id: entrant for entrant in in_order if entrant.takes_part}
    ranking = rank({holder: entrant.standing for holder, entrant in entrants.items()}, [cut.cards for cut in cuts])
    rows = [_row(entrants[holder], place, cuts) for place in ranking.places for holder in place.seats]
    cards = _list_cards(folded, rows)
    return Report(tuple(rows), tuple(cards), tuple(cuts[position].seq for position in ranking.stale_cuts))


def _list_cards(folded: FoldedContest, rows: Sequence[BoardRow]) -> list[ReportCard]:
    if folded.tables:
        numbers = number_tables(folded.contest.id)
        played = [table for table in folded.whole_tables if table.fold.played]
        return [part for table in played for part in list_parts(table, numbers[table.id])]
    stops = _list_stops(folded.contest)
    by_holder = {card.holder_id: card for card in folded.cards}
    return [_card(folded.contest, by_holder[row.holder_id], stops) for row in rows]


def list_parts(table: SeatedTable, number: int) -> list[ReportCard]:
    """Return what the score sheet of a table says of each of its seats.

    Args:
        number: of the table.
    """
    sheet = table.contest.ruleset.game.sheet(table.state)
    parts = []
    for seat, holder in enumerate(table.holders):
        lines = tuple(ReportLine.of(line, seat) for line in sheet.lines)
        parts.append(ReportCard(table.id, holder.pk, get_number(holder), sheet.totals[seat], lines, (), number))
    return parts


def _list_stops(contest: PlayedContest) -> Mapping[UUID, str]:
    return dict(Slot.objects.filter(contest_id=contest.id).values_list("pk", "stop__name"))


def _row(card: Entrant, place: Place[UUID], cuts: Sequence[Cut]) -> BoardRow:
    counted = [cuts[position].cards[card.holder_id] for position in place.cuts]
    by: By = "cut" if counted else "level" if len(place.seats) > 1 else "points"
    return BoardRow(
        holder_id=card.holder_id,
        number=card.number,
        rank=place.rank,
        is_level=len(place.seats) > 1,
        total=card.standing.total,
        turns=card.turns_done,
        status=card.standing.status,
        last_change=card.last_change,
        by=by,
        cards=tuple(None if shown is None else str(shown) for shown in counted),
    )


def _card(contest: PlayedContest, card: FoldedCard, stops: Mapping[UUID, str]) -> ReportCard:
    sheet = contest.ruleset.game.sheet(card.fold.state)
    turns = [
        ReportTurn.of(contest.ordinal(turn.slot_id), stops[turn.slot_id], card.fold.played[turn.id])
        for turn in in_slot_order(contest, card.turns)
        if turn.slot_id is not None and turn.id in card.fold.played
    ]
    lines = tuple(ReportLine.of(line) for line in sheet.lines)
    return ReportCard(
        card.card_id,
        card.holder_id,
        card.number,
        sheet.totals[0],
        lines,
        tuple(turns),
        damaged_from=card.damaged_from,
    )
