"""Checks of tables against their logs: their entrants, their actions, and the snapshots stored with the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.open_table import TableWithEntrants, read_snapshot
from scorekeeper.scorecards.selectors.tables import fold_tables
from scorekeeper.scorecards.turn_card_checks import SNAPSHOT_DIFFERS, list_seats


def check_tables(contest: Contest, created_for: Mapping[UUID, str]) -> Iterator[LogDamage]:
    """Compare the tables of a contest with their logs.

    Args:
        created_for: by table, the contest that its log says it was created for.
    """
    seats_by_card = list_seats(contest)
    cards = dict(Scorecard.objects.filter(contest=contest).order_by("pk").values_list("pk", "chain_id"))
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    for card_id, chain_id in cards.items():
        pairs: dict[str, tuple[object, object]] = {
            "chain": (chain_id, card_id),
            "contest": (created_for.get(card_id, str(contest.pk)), str(contest.pk)),
        }
        yield from report_differences(f"Card {card_id}", pairs, Scorecard, card_id)
    for table in fold_tables(get_contest_rules(contest.pk)):
        seats = seats_by_card.pop(table.id, [])
        if table.log.damaged_from is not None:
            yield damage_in(Chain, table.id, f"Card {table.id}", "its log cannot be replayed")
            continue
        snapshot = read_snapshot(table.contest, chains[table.id])
        if snapshot is not None and (snapshot.seats, snapshot.state) != (table.seats, table.state):
            yield damage_in(Chain, table.id, f"Card {table.id}", SNAPSHOT_DIFFERS, "snapshot")
        if not _seats_match(contest, seats, table):
            rows = ", ".join(str(seat.pk) for seat in seats)
            yield damage_in(Seat, rows, f"Card {table.id}", "its seats do not match its log")
        if table.fold.invalid_action is not None:
            text = f"action {table.fold.applied_count + 1} of its log cannot be replayed"
            yield damage_in(Chain, table.id, f"Card {table.id}", text)
    for card_id in seats_by_card:
        yield damage_in(Scorecard, card_id, f"Card {card_id}", "it has seats but no log")


def _seats_match(contest: Contest, seats: Sequence[Seat], table: TableWithEntrants) -> bool:
    is_only = not contest.game.many_cards
    rows = [(seat.index, seat.contest_id, seat.is_only, seat.bike_id or seat.player_id) for seat in seats]
    return rows == [(index, contest.pk, is_only, entrant.pk) for index, entrant in enumerate(table.entrants)]
