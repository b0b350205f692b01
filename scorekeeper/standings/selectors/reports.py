"""Making a report from the log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from uuid import UUID

from games.core.ranking import Place, rank
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.fold import in_slot_order
from scorekeeper.scorecards.models import Entry
from scorekeeper.scorecards.played import PlayedContest, card_id_for, get_played_contest
from scorekeeper.standings.board import BoardRow, By
from scorekeeper.standings.report import Report, ReportCard, ReportLine, ReportTurn
from scorekeeper.standings.selectors.cuts import Cut, list_cuts
from scorekeeper.standings.selectors.folding import FoldedCard, fold_cards
from scorekeeper.stops.models import Slot


def fold_report(contest: Contest) -> Report:
    """Return the report of a contest as its log stands now; a fixed number of statements.

    Cuts count while the contest is closed or official, and rank nobody while it is open.
    """
    played = get_played_contest(contest.pk)
    cuts = [] if contest.status == Contest.Status.OPEN else list_cuts(contest.pk)
    return make_report(played, fold_cards(played), cuts)


def fold_report_at(contest: Contest, lengths: Mapping[UUID, int]) -> Report:
    """Return the report of a closed contest as its log stood when its event's chains had these lengths."""
    played = get_played_contest(contest.pk)
    cuts = list_cuts(contest.pk, lengths.get(contest.pk, 0))
    merged = _list_merged(contest.event_id, lengths.get(contest.event_id, 0))
    folded = [card for card in fold_cards(played, lengths=lengths) if card.holder_id not in merged]
    return make_report(played, folded, cuts)


def _list_merged(event_id: UUID, length: int) -> set[UUID]:
    """Return the bikes that were merged into others while the event's chain grew to a length."""
    merges = Entry.objects.filter(chain_id=event_id, kind="merge_bikes", seq__lte=length)
    return {UUID(json.loads(entry.body)["data"]["bike"]) for entry in merges}


def fold_one(contest: Contest, holder_id: UUID) -> ReportCard | None:
    """Return one holder's card as its log stands now; None without an entry."""
    played = get_played_contest(contest.pk)
    folded = fold_cards(played, [card_id_for(contest.pk, holder_id)])
    return _card(played, folded[0], _list_stops(played)) if folded else None


def blank_card(contest: Contest, holder_id: UUID, number: str) -> ReportCard:
    """Return the card of somebody who has not rolled: every line empty."""
    ruleset = contest.ruleset
    sheet = ruleset.game.sheet(ruleset.game.start(ruleset, 1))
    return ReportCard(holder_id, number, sheet.totals[0], tuple(ReportLine.of(line) for line in sheet.lines), ())


def make_report(contest: PlayedContest, folded: Sequence[FoldedCard], cuts: Sequence[Cut]) -> Report:
    """Rank folded cards and put them into a report."""
    in_order = sorted(folded, key=lambda card: card.by_number)
    entrants = {card.holder_id: card for card in in_order if card.takes_part}
    ranking = rank({holder: card.standing for holder, card in entrants.items()}, [cut.cards for cut in cuts])
    stops = _list_stops(contest)
    rows = [_row(entrants[holder], place, cuts) for place in ranking.places for holder in place.seats]
    cards = [_card(contest, entrants[row.holder_id], stops) for row in rows]
    return Report(tuple(rows), tuple(cards), tuple(cuts[position].seq for position in ranking.stale_cuts))


def _list_stops(contest: PlayedContest) -> Mapping[UUID, str]:
    return dict(Slot.objects.filter(contest_id=contest.id).values_list("pk", "stop__name"))


def _row(card: FoldedCard, place: Place[UUID], cuts: Sequence[Cut]) -> BoardRow:
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
    return ReportCard(card.holder_id, card.number, sheet.totals[0], lines, tuple(turns))
