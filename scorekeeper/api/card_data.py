"""Scorecards as plain data: what is on them, and for those who record, what can be recorded on them now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound

from scorekeeper.api.contest_results import ContestResults, read_names
from scorekeeper.api.result_data import make_card_data
from scorekeeper.api.spec_data import make_play_data
from scorekeeper.audience.visible_standings import StandingsView, get_audience_view, get_organiser_view
from scorekeeper.bikes.models import Bike
from scorekeeper.coach.answer_source import get_answers
from scorekeeper.coach.question import OddsQuestion, make_recorded_question
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.models import Seat
from scorekeeper.standings.contest_report import CardReport

Data = dict[str, Any]


def make_odds_data(question: OddsQuestion) -> dict[str, Any]:
    """Return the answer to a question. If there is none yet, the worker is asked for it."""
    (answer,) = get_answers([question])
    if answer is None:
        return _make_data(question, "pending")
    if not answer["ok"] or answer["method"] == "none":
        return _make_data(question, "none", why=answer.get("why"))
    options = [{name: option[name] for name in ("action", "value", "loss")} for option in answer["options"]]
    return _make_data(question, "ready", measure=answer["measure"], value=answer["value"], options=options)


def _make_data(question: OddsQuestion, state: str, **known: Any) -> dict[str, Any]:
    return {"state": state, "why": None, "seat": question.seat, "measure": None, "value": None, "options": [], **known}


def group_by_card(reports: Iterable[CardReport]) -> list[Sequence[CardReport]]:
    """Return the seats of each scorecard."""
    cards: dict[UUID, list[CardReport]] = {}
    for report in reports:
        cards.setdefault(report.card_id, []).append(report)
    return list(cards.values())


def make_scorecard_data(results: ContestResults, seats: Sequence[CardReport]) -> Data:
    """Return a scorecard with its seats."""
    return {
        "card": str(seats[0].card_id),
        "table": seats[0].table,
        "seats": [make_card_data(results, seat) for seat in seats],
    }


def read_scorecard(contest: Contest, card_id: UUID, *, is_for_audience: bool) -> Data:
    """Return one scorecard, a blank one of a bike too; `play` is null for the audience.

    Raises:
        NotFound: the contest has no such scorecard, or the audience may not see it yet.
    """
    view = get_audience_view(contest) if is_for_audience else get_organiser_view(contest)
    bike = find_bike(contest, card_id)
    seats = _list_seats(view, contest, card_id) if bike is None else [view.get_card(bike.pk, bike.label)[1]]
    if not seats:
        raise NotFound("This contest has no such scorecard.", "scorecard_not_found")
    results = read_names(contest, is_for_organisers=not is_for_audience)
    play = None if is_for_audience else _read_play(contest, card_id, len(seats))
    return {**make_scorecard_data(results, seats), "play": play}


def find_bike(contest: Contest, card_id: UUID) -> Bike | None:
    """Return the bike of a card where every bike of the roster has one. The card's id is derived from it."""
    if not get_kind(contest.game).enters_roster:
        return None
    bikes = Bike.objects.filter(event_id=contest.event_id, merged_into=None)
    return next((bike for bike in bikes if derive_card_id(contest.pk, bike.pk) == card_id), None)


def _list_seats(view: StandingsView, contest: Contest, card_id: UUID) -> Sequence[CardReport]:
    first = Seat.objects.filter(card_id=card_id, contest=contest, index=0).first()
    entrant = None if first is None else first.bike_id or first.player_id
    tables = [] if entrant is None else view.list_tables(entrant)
    found = (table.seat_reports for table in tables if table.seat_reports[0].card_id == card_id)
    return next(found, ())


def _read_play(contest: Contest, card_id: UUID, seat_count: int) -> Data:
    """Return how far a card has come, and what can be recorded on it."""
    rules = get_contest_rules(contest.pk)
    cards: Sequence[FoldedCard] = get_kind(contest.game).fold_cards(rules, [card_id])
    card = next((card for card in cards if card.id == card_id), None)
    game = rules.ruleset.game
    state = game.start(rules.ruleset, seat_count) if card is None else card.state
    taken = set() if card is None else {slot for slot, _turn in card.list_turns()}
    chain = Chain.objects.filter(pk=card_id).first()
    is_damaged = card is None and chain is not None and chain.length > 0
    question = None if is_damaged or not contest.is_coached else make_recorded_question(contest, card, seat_count)
    return {
        "length": 0 if chain is None else chain.length,
        "is_sealed": contest.status != Contest.Status.OPEN if chain is None else chain.is_sealed,
        "is_damaged": is_damaged,
        "free_slots": [str(slot) for slot in rules.slots if slot not in taken],
        **make_play_data(game, state),
        "odds": None if question is None else make_odds_data(question),
    }
