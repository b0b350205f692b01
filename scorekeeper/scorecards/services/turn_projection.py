"""Inserts the current turns of a contest's cards where none are stored yet, folded from the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from uuid import UUID

from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import fold_card, read_turns
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.cards import make_turn_row

BATCH_SIZE = 500  # rows in one statement


def insert_turns(contest: ContestRules) -> None:
    """Fold the cards of a contest, and insert their current turns."""
    entries = Entry.objects.filter(chain__card__contest_id=contest.id).order_by("chain_id", "seq").iterator()
    Turn.objects.bulk_create(_list_turns(contest, split_by_chain(entries)), batch_size=BATCH_SIZE)


def _list_turns(contest: ContestRules, chains: Iterable[tuple[UUID, list[Entry]]]) -> Iterator[Turn]:
    for card_id, entries in chains:
        turns = read_turns(entries)
        folded = fold_card(contest, turns)
        for turn_id in folded.results:
            yield make_turn_row(card_id, turns[turn_id], folded)
