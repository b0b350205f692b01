"""Checks of cards against their logs: their entrants, the turns that count, and the snapshots stored with the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Contest
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.card_state import load_snapshot
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS, fold_card, read_turns
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, is_same, list_columns, report_differences
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.scorecards.services.cards import TURN_FIELDS, make_turn_row

SNAPSHOT_DIFFERS = "the data stored with its log does not match the log"
TURN_COLUMNS = list_columns(Turn, "id", "card", *TURN_FIELDS)


def check_turns(contest: Contest) -> Iterator[LogDamage]:
    """Compare the turns and the snapshots of a contest's cards with their logs."""
    contest_rules = get_contest_rules(contest.pk)
    stored: dict[UUID, dict[UUID, Any]] = {}
    for turn in Turn.objects.filter(card__contest=contest):
        stored.setdefault(turn.card_id, {})[turn.pk] = _list_values(turn)
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    entries = Entry.objects.filter(chain__card__contest=contest).order_by("chain_id", "seq").iterator()
    for card_id, chain in split_by_chain(entries):
        try:
            turns = read_turns(chain)
            folded = fold_card(contest_rules, turns)
        except ENTRY_READ_ERRORS:
            yield damage_in(Chain, card_id, f"Card {card_id}", "its log cannot be replayed")
            continue
        rows = {key: _list_values(make_turn_row(card_id, turns[key], folded)) for key in folded.results}
        yield from _compare_turns(card_id, rows, stored.pop(card_id, {}))
        snapshot = load_snapshot(contest_rules, chains[card_id])
        if snapshot is not None and snapshot != (turns, folded):
            yield damage_in(Chain, card_id, f"Card {card_id}", SNAPSHOT_DIFFERS, "snapshot")
    for card_id in stored:
        yield damage_in(Scorecard, card_id, f"Card {card_id}", "it has turns but no log")


def _compare_turns(
    card_id: UUID, logged: Mapping[UUID, Sequence[Any]], stored: Mapping[UUID, Sequence[Any]]
) -> Iterator[LogDamage]:
    for key in sorted(logged.keys() | stored.keys()):
        own, other = stored.get(key, ()), logged.get(key, ())
        columns = [name for name, *values in zip(TURN_COLUMNS, own, other, strict=False) if not is_same(*values)]
        if columns or len(own) != len(other):
            yield damage_in(Turn, key, f"Card {card_id}", "its turns do not match its log", ", ".join(columns))


def _list_values(turn: Turn) -> list[Any]:
    return [getattr(turn, name) for name in TURN_COLUMNS]


def check_card_seats(contest: Contest) -> Iterator[LogDamage]:
    """Check that each card has exactly one seat, of the bike that its id is derived from."""
    seats_by_card = list_seats(contest)
    for card_id, chain_id in Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"):
        seats = seats_by_card.pop(card_id, [])
        owners = [derive_card_id(contest.pk, seat.bike_id) for seat in seats if seat.bike_id is not None]
        rows = [(seat.index, seat.contest_id, seat.is_only, seat.player_id) for seat in seats]
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "seats": ((owners, rows), ([card_id], [(0, contest.pk, True, None)])),
        }
        yield from report_differences(f"Card {card_id}", pairs, Scorecard, card_id)
    for card_id in seats_by_card:
        yield damage_in(Scorecard, card_id, f"Card {card_id}", "it has a seat in a different contest")


def list_seats(contest: Contest) -> dict[UUID, list[Seat]]:
    """Return the seats of the contest's cards, and any other seats that claim to belong to this contest."""
    seats_by_card: dict[UUID, list[Seat]] = {}
    for seat in Seat.objects.filter(Q(contest=contest) | Q(card__contest=contest)).order_by("card_id", "index"):
        seats_by_card.setdefault(seat.card_id, []).append(seat)
    return seats_by_card
