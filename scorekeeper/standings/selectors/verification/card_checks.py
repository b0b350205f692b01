"""Checks of cards against their chains: their holders, the turns that count, and the snapshots stored with the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.card_state import load_snapshot as read_card_snapshot
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS, fold_card, read_turns
from scorekeeper.scorecards.models import Chain, Entry, Scorecard, Seat, Turn
from scorekeeper.scorecards.services.cards import make_turn_row
from scorekeeper.scorecards.services.unit_of_work import TURN_FIELDS
from scorekeeper.standings.selectors.verification.contest_checks import get_logged_status
from scorekeeper.standings.selectors.verification.damage import LogDamage, list_columns, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog
from scorekeeper.tables.open_table import TableWithHolders
from scorekeeper.tables.open_table import read_snapshot as read_table_snapshot
from scorekeeper.tables.selectors.tables import fold_tables

SNAPSHOT_DIFFERS = "the data stored with its log does not match the log"
TURN_COLUMNS = list_columns(Turn, "id", "card", *TURN_FIELDS)


def check_cards(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check all cards of a contest."""
    yield from _check_flags(contest, log)
    if contest.is_table_game:
        yield from _check_tables(contest, log)
    else:
        yield from _check_turns(contest)
        yield from _check_card_seats(contest)


def _check_flags(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check that cards are sealed while the contest is closed, and that cards of merged bikes are aliases."""
    merged = {derive_card_id(contest.pk, bike) for bike in log.list_merged()}
    is_closed = get_logged_status(contest, log) != Contest.Status.OPEN
    for chain in Chain.objects.filter(card__contest=contest).defer("snapshot").order_by("pk"):
        pairs: dict[str, tuple[object, object]] = {
            "sealed": (chain.is_sealed, is_closed),
            "alias": (chain.is_alias, chain.pk in merged),
        }
        yield from report_differences(f"Card {chain.pk}", pairs)


def _check_turns(contest: Contest) -> Iterator[LogDamage]:
    contest_rules = get_contest_rules(contest.pk)
    stored: dict[UUID, dict[UUID, Any]] = {}
    for turn in Turn.objects.filter(card__contest=contest):
        stored.setdefault(turn.card_id, {})[turn.pk] = _list_values(turn)
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    entries = Entry.objects.filter(chain__card__contest=contest).order_by("chain_id", "seq").iterator()
    for card_id, chain in groupby(entries, key=lambda entry: entry.chain_id):
        try:
            turns = read_turns(chain)
            folded = fold_card(contest_rules, turns)
        except ENTRY_READ_ERRORS:
            yield LogDamage(f"Card {card_id}", "its log cannot be replayed")
            continue
        rows = {key: _list_values(make_turn_row(card_id, turns[key], folded)) for key in folded.results}
        if rows != stored.pop(card_id, {}):
            yield LogDamage(f"Card {card_id}", "its turns do not match its log")
        snapshot = read_card_snapshot(contest_rules, chains[card_id])
        if snapshot is not None and snapshot != (turns, folded):
            yield LogDamage(f"Card {card_id}", SNAPSHOT_DIFFERS)
    for card_id in stored:
        yield LogDamage(f"Card {card_id}", "it has turns but no log")


def _list_values(turn: Turn) -> list[Any]:
    return [getattr(turn, name) for name in TURN_COLUMNS]


def _check_card_seats(contest: Contest) -> Iterator[LogDamage]:
    """Check that each card has exactly one seat, of the bike that its id is derived from."""
    seats_by_card = _list_seats(contest)
    for card_id, chain_id in Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"):
        seats = seats_by_card.pop(card_id, [])
        owners = [derive_card_id(contest.pk, seat.bike_id) for seat in seats if seat.bike_id is not None]
        rows = [(seat.index, seat.contest_id, seat.is_only, seat.player_id) for seat in seats]
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "seats": ((owners, rows), ([card_id], [(0, contest.pk, True, None)])),
        }
        yield from report_differences(f"Card {card_id}", pairs)
    for card_id in seats_by_card:
        yield LogDamage(f"Card {card_id}", "it has a seat in a different contest")


def _check_tables(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    seats_by_card = _list_seats(contest)
    cards = dict(Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"))
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    for card_id, chain_id in cards.items():
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "contest": (log.table_contests.get(card_id, str(contest.pk)), str(contest.pk)),
        }
        yield from report_differences(f"Card {card_id}", pairs)
    for table in fold_tables(get_contest_rules(contest.pk)):
        seats = seats_by_card.pop(table.id, [])
        if table.log.damaged_from is not None:
            yield LogDamage(f"Card {table.id}", "its log cannot be replayed")
            continue
        snapshot = read_table_snapshot(table.contest, chains[table.id])
        if snapshot is not None and (snapshot.seats, snapshot.state) != (table.seats, table.state):
            yield LogDamage(f"Card {table.id}", SNAPSHOT_DIFFERS)
        if not _seats_match(contest, seats, table):
            yield LogDamage(f"Card {table.id}", "its seats do not match its log")
        if table.fold.invalid_action is not None:
            yield LogDamage(f"Card {table.id}", f"action {table.fold.applied_count + 1} of its log cannot be replayed")
    for card_id in seats_by_card:
        yield LogDamage(f"Card {card_id}", "it has seats but no log")


def _seats_match(contest: Contest, seats: Sequence[Seat], table: TableWithHolders) -> bool:
    is_only = not contest.game.many_cards
    rows = [(seat.index, seat.contest_id, seat.is_only, seat.bike_id or seat.player_id) for seat in seats]
    return rows == [(index, contest.pk, is_only, holder.pk) for index, holder in enumerate(table.holders)]


def _list_seats(contest: Contest) -> dict[UUID, list[Seat]]:
    """Return the seats of the contest's cards, and any other seats that claim to belong to this contest."""
    seats_by_card: dict[UUID, list[Seat]] = {}
    for seat in Seat.objects.filter(Q(contest=contest) | Q(card__contest=contest)).order_by("card_id", "index"):
        seats_by_card.setdefault(seat.card_id, []).append(seat)
    return seats_by_card
