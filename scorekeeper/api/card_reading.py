"""Scorecards: what is on them, and for those who record, what can be recorded on them now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound

from games.core.game import Game
from games.core.odds import GAME_CHANCES
from games.core.specs import ActionSpec
from scorekeeper.api.contest_results import ContestResults, ResultCard, read_names
from scorekeeper.audience.visible_standings import StandingsView, get_audience_view, get_organiser_view
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.coach.answer_source import get_answers
from scorekeeper.coach.question import OddsQuestion, make_recorded_question
from scorekeeper.crew.models import Device
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.services.recording import NotAllowed
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.offers import get_seat_to_act
from scorekeeper.scorecards.services.cards import check_can_record
from scorekeeper.standings.contest_report import CardReport


@dataclass(frozen=True, slots=True)
class CardOdds:
    """What the choices of the seat to act are worth.

    Attributes:
        state: "ready", "pending" until the worker has computed it, "none" if there is no answer.
        why: why there is none, if that is known.
        options: each an action with its value and its loss, as plain data.
        chances: those that only the game tells, by name; each option that has them has its own.
    """

    state: str
    seat: int
    why: str | None = None
    measure: str | None = None
    value: float | None = None
    options: Sequence[dict[str, Any]] = ()
    chances: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardPlay:
    """How far a scorecard has come, and what can be recorded on it.

    Attributes:
        length: how many entries its log has.
        free_slots: the slots without a turn, in order.
        to_act: the seat whose turn it is; None if no seat is to act.
        legal_actions: of every seat, and then of the table.
    """

    length: int
    is_sealed: bool
    is_damaged: bool
    free_slots: Sequence[UUID]
    is_finished: bool
    to_act: int | None
    legal_actions: Sequence[ActionSpec]
    odds: CardOdds | None


@dataclass(frozen=True, slots=True)
class CardDetail:
    """A scorecard with its seats; `play` is None for the audience."""

    card_id: UUID
    table: int
    seats: Sequence[ResultCard]
    play: CardPlay | None = None


def group_by_card(reports: Iterable[CardReport]) -> list[Sequence[CardReport]]:
    """Return the seats of each scorecard."""
    cards: dict[UUID, list[CardReport]] = {}
    for report in reports:
        cards.setdefault(report.card_id, []).append(report)
    return list(cards.values())


def make_scorecard(results: ContestResults, seats: Sequence[CardReport], play: CardPlay | None = None) -> CardDetail:
    """Return a scorecard with its seats."""
    return CardDetail(seats[0].card_id, seats[0].table, list(map(results.name_card, seats)), play)


def read_scorecard(contest: Contest, card_id: UUID, *, is_for_audience: bool) -> CardDetail:
    """Return one scorecard, a blank one of a bike too.

    Raises:
        NotFound: the contest has no such scorecard, or the audience may not see it yet.
    """
    view = get_audience_view(contest) if is_for_audience else get_organiser_view(contest)
    bike = find_bike(contest, card_id)
    seats = _list_seats(view, contest, card_id) if bike is None else [view.get_card(bike.pk, bike.label)[1]]
    if not seats:
        raise NotFound("This contest has no such scorecard.", "scorecard_not_found")
    results = read_names(contest, is_for_organisers=not is_for_audience)
    return make_scorecard(results, seats, None if is_for_audience else _read_play(contest, card_id, len(seats)))


def find_bike(contest: Contest, card_id: UUID) -> Bike | None:
    """Return the sheet of a card where every bike of the roster has one. The card's id is derived from it."""
    if not get_kind(contest.game).enters_roster:
        return None
    return next((bike for bike in list_sheets(contest) if derive_card_id(contest.pk, bike.pk) == card_id), None)


def can_read_card(device: Device, contest: Contest, card_id: UUID) -> bool:
    """Return whether a device's crew member records on a scorecard, and so reads it as it is now.

    At a table every phone of the crew records.
    """
    actor, bike = Actor.from_device(device), find_bike(contest, card_id)
    if bike is None:
        return True
    try:
        check_can_record(actor, bike, actor.can_take_over, ())
    except NotAllowed:
        return False
    return True


def _list_seats(view: StandingsView, contest: Contest, card_id: UUID) -> Sequence[CardReport]:
    first = Seat.objects.filter(card_id=card_id, contest=contest, index=0).first()
    entrant = None if first is None else first.bike_id or first.player_id
    tables = [] if entrant is None else view.list_tables(entrant)
    found = (table.seat_reports for table in tables if table.seat_reports[0].card_id == card_id)
    return next(found, ())


def _read_play(contest: Contest, card_id: UUID, seat_count: int) -> CardPlay:
    rules = get_contest_rules(contest.pk)
    cards: Sequence[FoldedCard] = get_kind(contest.game).fold_cards(rules, [card_id])
    card = next((card for card in cards if card.id == card_id), None)
    game = rules.ruleset.game
    state = game.start(rules.ruleset, seat_count) if card is None else card.state
    taken = set() if card is None else {slot for slot, _turn in card.list_turns()}
    chain = Chain.objects.filter(pk=card_id).first()
    is_damaged = card is None and chain is not None and chain.length > 0
    question = None if is_damaged or not contest.is_coached else make_recorded_question(contest, card, seat_count)
    return make_play(
        game,
        state,
        length=0 if chain is None else chain.length,
        is_sealed=contest.status != Contest.Status.OPEN if chain is None else chain.is_sealed,
        is_damaged=is_damaged,
        free_slots=[slot for slot in rules.slots if slot not in taken],
        odds=None if question is None else _read_odds(question),
    )


def make_play(
    game: Game[Any],
    state: Any,
    *,
    length: int,
    free_slots: Sequence[UUID],
    is_sealed: bool = False,
    is_damaged: bool = False,
    odds: CardOdds | None = None,
) -> CardPlay:
    """Return what can be recorded on a card in this state of its game."""
    seats: list[int | None] = [*range(game.seats(state)), None]
    return CardPlay(
        length,
        is_sealed,
        is_damaged,
        free_slots,
        game.is_finished(state),
        get_seat_to_act(game, state),
        [spec for seat in seats for spec in game.legal_actions(state, seat)],
        odds,
    )


def _read_odds(question: OddsQuestion) -> CardOdds:
    """Return the answer to a question. If there is none yet, the worker is asked for it."""
    (answer,) = get_answers([question])
    if answer is None:
        return CardOdds("pending", question.seat)
    if not answer["ok"] or answer["method"] == "none":
        return CardOdds("none", question.seat, why=answer.get("why"))
    chances = {name: answer[name] for name in GAME_CHANCES if name in answer}
    return CardOdds("ready", question.seat, None, answer["measure"], answer["value"], answer["options"], chances)
