"""Checks of scorecards against their logs: the rows of turns, and the snapshots stored with the log.

Each scorecard is read with its log and forgotten. The checks that bundles have as well (`games.core.verification`)
compare its seats and report what cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from games.core.canonical import is_same
from scorekeeper.events.models import Contest
from scorekeeper.ledger.chain_entries import OrderedGroups
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.bike_card import load_snapshot
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS, fold_card, fold_table, read_turns
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, list_columns
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.open_table import read_log, read_snapshot
from scorekeeper.scorecards.services.cards import TURN_FIELDS, make_turn_row
from scorekeeper.scorecards.snapshot import snapshot_matches_chain

SNAPSHOT_DIFFERS = "the data stored with its log does not match the log"
TURN_COLUMNS = list_columns(Turn, "id", "card", *TURN_FIELDS)

Compare = Callable[[ContestRules, Chain, Sequence[Entry], Sequence[Turn]], Iterator[LogDamage]]


def check_turn_cards(contest: Contest) -> Iterator[LogDamage]:
    """Compare the turns and the snapshots of cards with their logs."""
    return _check_cards(contest, _compare_turn_card)


def check_tables(contest: Contest) -> Iterator[LogDamage]:
    """Compare the snapshots of tables with their logs."""
    return _check_cards(contest, _compare_table)


def _check_cards(contest: Contest, compare: Compare) -> Iterator[LogDamage]:
    contest_rules = get_contest_rules(contest.pk)
    entries = Entry.objects.filter(chain__card__contest=contest).order_by("chain_id", "seq")
    by_chain = OrderedGroups(entries.iterator(chunk_size=500), attrgetter("chain_id"))
    turns = Turn.objects.filter(card__contest=contest).order_by("card_id")
    by_card = OrderedGroups(turns.iterator(chunk_size=500), attrgetter("card_id"))
    for chain in Chain.objects.filter(card__contest=contest).order_by("pk").iterator(chunk_size=100):
        if chain.snapshot and not snapshot_matches_chain(chain):
            text = "its snapshot does not match its chain"
            yield damage_in(Chain, chain.pk, f"Card {chain.pk}", text, "snapshot")
        try:
            yield from compare(contest_rules, chain, list(by_chain.take(chain.pk)), list(by_card.take(chain.pk)))
        except ENTRY_READ_ERRORS:
            yield damage_in(Chain, chain.pk, f"Card {chain.pk}", "its log cannot be replayed")


def _compare_turn_card(
    contest: ContestRules, chain: Chain, entries: Sequence[Entry], stored: Sequence[Turn]
) -> Iterator[LogDamage]:
    turns = read_turns(entries)
    folded = fold_card(contest, turns)
    rows = {key: _list_values(make_turn_row(chain.pk, turns[key], folded)) for key in folded.results}
    yield from _compare_turns(chain.pk, rows, {turn.pk: _list_values(turn) for turn in stored})
    snapshot = load_snapshot(contest, chain)
    if snapshot is not None and snapshot != (turns, folded):
        yield damage_in(Chain, chain.pk, f"Card {chain.pk}", SNAPSHOT_DIFFERS, "snapshot")


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


def _compare_table(
    contest: ContestRules, chain: Chain, entries: Sequence[Entry], _turns: Sequence[Turn]
) -> Iterator[LogDamage]:
    log, snapshot = read_log(entries), read_snapshot(contest, chain)
    if log is None or log.is_withdrawn:
        return
    if log.damaged_from is not None:
        yield damage_in(Chain, chain.pk, f"Card {chain.pk}", "its log cannot be replayed")
    elif snapshot is not None:
        state = fold_table(contest, len(log.seats), log.turns).state
        if (snapshot.seat_count, snapshot.state) != (len(log.seats), state):
            yield damage_in(Chain, chain.pk, f"Card {chain.pk}", SNAPSHOT_DIFFERS, "snapshot")
