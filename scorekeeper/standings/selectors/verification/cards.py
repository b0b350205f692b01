"""Cards against their chains: whose they are, which turns count on them, and what is kept beside the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.fold import UNREADABLE, fold_card, read_card
from scorekeeper.scorecards.models import Chain, Entry, Scorecard, Seat, Turn
from scorekeeper.scorecards.open_card import read_snapshot as read_card_snapshot
from scorekeeper.scorecards.played import card_id_for, get_played_contest
from scorekeeper.scorecards.services.cards import make_turn
from scorekeeper.scorecards.services.ledger import TURN_FIELDS
from scorekeeper.standings.selectors.verification.contests import tell_status
from scorekeeper.standings.selectors.verification.damage import Damage, list_columns, tell_unlike
from scorekeeper.standings.selectors.verification.log import EventLog
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.open_table import read_snapshot as read_table_snapshot
from scorekeeper.tables.selectors.folding import fold_tables

BESIDE = "what is kept beside its log is not what the log tells"
TURN_COLUMNS = list_columns(Turn, "id", "card", *TURN_FIELDS)


def check_cards(contest: Contest, log: EventLog) -> Iterator[Damage]:
    """Check all cards of a contest."""
    yield from _check_flags(contest, log)
    if contest.is_at_tables:
        yield from _check_tables(contest, log)
    else:
        yield from _check_turns(contest)
        yield from _check_bikes(contest)


def _check_flags(contest: Contest, log: EventLog) -> Iterator[Damage]:
    """Check that cards are sealed while the contest is closed, and aliases once their bike was merged into another."""
    merged = {card_id_for(contest.pk, bike) for bike in log.list_merged()}
    is_closed = tell_status(contest, log) != Contest.Status.OPEN
    for chain in Chain.objects.filter(card__contest=contest).defer("snapshot").order_by("pk"):
        pairs: dict[str, tuple[object, object]] = {
            "sealed": (chain.is_sealed, is_closed),
            "alias": (chain.is_alias, chain.pk in merged),
        }
        yield from tell_unlike(f"Card {chain.pk}", pairs)


def _check_turns(contest: Contest) -> Iterator[Damage]:
    played = get_played_contest(contest.pk)
    kept: dict[UUID, dict[UUID, Any]] = {}
    for turn in Turn.objects.filter(card__contest=contest):
        kept.setdefault(turn.card_id, {})[turn.pk] = _list_values(turn)
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    entries = Entry.objects.filter(chain__card__contest=contest).order_by("chain_id", "seq").iterator()
    for card_id, chain in groupby(entries, key=lambda entry: entry.chain_id):
        try:
            turns = read_card(chain)
            folded = fold_card(played, turns)
        except UNREADABLE:
            yield Damage(f"Card {card_id}", "its log cannot be folded")
            continue
        rows = {key: _list_values(make_turn(card_id, turns[key], folded)) for key in folded.played}
        if rows != kept.pop(card_id, {}):
            yield Damage(f"Card {card_id}", "its turns are not those that its log tells")
        beside = read_card_snapshot(played, chains[card_id])
        if beside is not None and beside != (turns, folded):
            yield Damage(f"Card {card_id}", BESIDE)
    for card_id in kept:
        yield Damage(f"Card {card_id}", "it has turns and no log")


def _list_values(turn: Turn) -> list[Any]:
    return [getattr(turn, name) for name in TURN_COLUMNS]


def _check_bikes(contest: Contest) -> Iterator[Damage]:
    """Check that each card has one seat, of the bike by which its id was made."""
    seated = _list_seats(contest)
    for card_id, chain_id in Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"):
        seats = seated.pop(card_id, [])
        owners = [card_id_for(contest.pk, seat.bike_id) for seat in seats if seat.bike_id is not None]
        rows = [(seat.index, seat.contest_id, seat.is_only, seat.player_id) for seat in seats]
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "seats": ((owners, rows), ([card_id], [(0, contest.pk, True, None)])),
        }
        yield from tell_unlike(f"Card {card_id}", pairs)
    for card_id in seated:
        yield Damage(f"Card {card_id}", "it has a seat in a contest that it is not of")


def _check_tables(contest: Contest, log: EventLog) -> Iterator[Damage]:
    seated = _list_seats(contest)
    cards = dict(Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"))
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    for card_id, chain_id in cards.items():
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "contest": (log.dealt.get(card_id, str(contest.pk)), str(contest.pk)),
        }
        yield from tell_unlike(f"Card {card_id}", pairs)
    for table in fold_tables(get_played_contest(contest.pk)):
        seats = seated.pop(table.id, [])
        if table.log.damaged_from is not None:
            yield Damage(f"Card {table.id}", "its log cannot be folded")
            continue
        beside = read_table_snapshot(table.contest, chains[table.id])
        if beside is not None and (beside.seats, beside.state) != (table.seats, table.state):
            yield Damage(f"Card {table.id}", BESIDE)
        if not _is_seated(contest, seats, table):
            yield Damage(f"Card {table.id}", "its seats are not those that its log tells")
        if table.fold.standoff is not None:
            yield Damage(f"Card {table.id}", f"action {table.fold.played + 1} of its log cannot be played")
    for card_id in seated:
        yield Damage(f"Card {card_id}", "it has seats and no log")


def _is_seated(contest: Contest, seats: Sequence[Seat], table: SeatedTable) -> bool:
    is_only = not contest.game.many_cards
    rows = [(seat.index, seat.contest_id, seat.is_only, seat.bike_id or seat.player_id) for seat in seats]
    return rows == [(index, contest.pk, is_only, holder.pk) for index, holder in enumerate(table.holders)]


def _list_seats(contest: Contest) -> dict[UUID, list[Seat]]:
    """Return the seats of the contest's cards, and whatever else says that it is of this contest."""
    seated: dict[UUID, list[Seat]] = {}
    for seat in Seat.objects.filter(Q(contest=contest) | Q(card__contest=contest)).order_by("card_id", "index"):
        seated.setdefault(seat.card_id, []).append(seat)
    return seated
