"""The tables of a contest, folded from the log; a fixed number of queries however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Q

from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.open_table import (
    Entrants,
    TableWithEntrants,
    attach_entrants,
    fold_log,
    read_log,
    resolve_entrants,
)


def list_table_contests(event: Event) -> list[Contest]:
    """Return the contests of the event that are played at tables, in order."""
    return [contest for contest in list_contests(event) if is_of_kind(contest.game, "action")]


def fold_tables(
    contest: ContestRules, card_ids: Iterable[UUID] | None = None, lengths: Mapping[UUID, int] | None = None
) -> list[TableWithEntrants]:
    """Return the tables that were created and not withdrawn, in the order they were created.

    Tables with a damaged log are included, as far as they can be played.

    Args:
        card_ids: only these cards; None for all of the contest.
        lengths: read each card's chain only up to this length, and only the cards named here.
    """
    entries = Entry.objects.filter(chain__card__contest_id=contest.id)
    if card_ids is not None:
        entries = entries.filter(chain_id__in=list(card_ids))
    created = []
    for _card_id, read in split_by_chain(entries.order_by("chain_id", "seq").iterator(), lengths):
        log = read_log(read)
        if log is not None and log.seats and not log.is_withdrawn:
            created.append((read[0].pk, log))
    # The tables of one operation are in the order in which their first entries were written.
    logs, entrants = resolve_entrants([log for _first, log in sorted(created, key=lambda pair: pair[0])])
    sealed = Chain.objects.filter(card__contest_id=contest.id, is_sealed=True)
    if card_ids is not None:
        sealed = sealed.filter(pk__in=[log.card_id for log in logs])
    sealed_ids = set(sealed.values_list("pk", flat=True))
    return [attach_entrants(fold_log(contest, log, is_sealed=log.card_id in sealed_ids), entrants) for log in logs]


def number_tables(contest_id: UUID) -> Mapping[UUID, int]:
    """Return the number of every table by its card, in the order in which they were created.

    A withdrawn table keeps its number, so that no other ever gets it.
    """
    first = Entry.objects.filter(chain__card__contest_id=contest_id, seq=1)
    return {card: number for number, card in enumerate(first.order_by("pk").values_list("chain_id", flat=True), 1)}


def list_tables_by_entrant(contest_id: UUID) -> Mapping[UUID, list[tuple[int, UUID]]]:
    """Return for every bike and player their tables, each as its number and its card."""
    seats = list(Seat.objects.filter(contest_id=contest_id).values_list("card_id", "bike_id", "player_id"))
    numbers = number_tables(contest_id)
    found: dict[UUID, list[tuple[int, UUID]]] = {}
    for card, bike, player in seats:
        found.setdefault(bike or player, []).append((numbers[card], card))
    return {entrant: sorted(tables) for entrant, tables in found.items()}


def get_table(event: Event, card_id: UUID) -> TableWithEntrants | None:
    """Return the current state of a table of the event, read without a lock; None if there is none."""
    seats = _FIRST_SEAT_QUERY.fetch(card=card_id, event=event.pk)
    if not seats:
        return None
    contest = get_contest_rules(seats[0].contest_id)
    if not is_of_kind(contest.ruleset.game, "action"):
        return None
    found = fold_tables(contest, [card_id])
    return found[0] if found else None


# Runs for every page of a table.
_FIRST_SEAT_QUERY = CompiledQuery(
    lambda card, event: Seat.objects.filter(card_id=card, contest__event_id=event, index=0),
    {"card": UUID(int=1), "event": UUID(int=2)},
)


def reload_table(table: TableWithEntrants, length: int | None = None) -> TableWithEntrants:
    """Return the current state of a table, or its state when its chain had the given length.

    Args:
        length: at least 1, since the first entry names the seats.
    """
    entries = Entry.objects.filter(chain_id=table.id).order_by("seq")
    log = read_log(entries if length is None else entries.filter(seq__lte=length))
    assert log is not None, "an entry is never deleted"
    is_sealed = Chain.objects.values_list("is_sealed", flat=True).get(pk=table.id)
    entrants: Entrants = {entrant.pk: entrant for entrant in table.entrants}
    if not entrants.keys() >= set(log.seats):  # a bike was merged into another between the two
        (log,), entrants = resolve_entrants([log])
    return attach_entrants(fold_log(table.contest, log, is_sealed=is_sealed), entrants)


def list_entrant_ids(contest_id: UUID, card_ids: Iterable[UUID]) -> set[UUID]:
    """Return the bikes and players that have seats at these cards."""
    seats = Seat.objects.filter(contest_id=contest_id, card_id__in=list(card_ids))
    return {entrant for pair in seats.values_list("bike_id", "player_id") for entrant in pair if entrant is not None}


def list_card_ids(contest_id: UUID, entrants: Iterable[UUID]) -> set[UUID]:
    """Return the cards at which any of these bikes and players has a seat."""
    wanted = list(entrants)
    seats = Seat.objects.filter(Q(bike_id__in=wanted) | Q(player_id__in=wanted), contest_id=contest_id)
    return set(seats.values_list("card_id", flat=True))
