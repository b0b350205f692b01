"""Refreshing the standings of a contest from the log.

- A refresh locks the contest's state first, so two workers take turns and the later one never goes back.
- It reads the `StaleCard` rows before the entries that they point to, and deletes exactly the rows it read, all in one
  transaction. An entry that arrives in the meantime is either included, or its card is still stale afterwards.
- Repeating it changes nothing.
- After the commit, live pages are notified.
- The cost of a changed card does not grow with the number of cards. No statement reads more of the contest than the
  cards that changed, those of the same entrants, and the rows that its cuts name.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import StaleCard
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.standings.entrants import EntrantResult, fold_contest
from scorekeeper.standings.models import IS_RANKED, StandingsRow, StandingsState
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.standings_rows import ROW_FIELDS, compute_tie_keys, make_standings_row


def refresh_standings(contest_id: UUID) -> bool:
    """Refresh what is stale in a contest; return whether there was anything."""
    with transaction.atomic():
        state = _lock_state(contest_id)
        if state is None:
            return False
        stale_cards = dict(StaleCard.objects.filter(contest_id=contest_id).values_list("pk", "card_id"))
        if not stale_cards:
            return False
        cards = None if None in stale_cards.values() else {card for card in stale_cards.values() if card is not None}
        folded = fold_contest(get_contest_rules(contest_id), cards)
        _save_rows(contest_id, folded.entrant_results, cards)
        state.stale_cuts = _save_tie_keys(contest_id)
        state.version += 1
        state.changed_at = timezone.now()
        state.save()
        StaleCard.objects.filter(pk__in=stale_cards).delete()
        publish_change(contest_id)
    return True


def _lock_state(contest_id: UUID) -> StandingsState | None:
    """Lock the state of the contest's standings; return None if the contest has been deleted meanwhile."""
    states = StandingsState.objects.select_for_update()
    state = states.filter(pk=contest_id).first()
    if state is not None or not Contest.objects.filter(pk=contest_id).exists():
        return state
    StandingsState.objects.bulk_create([StandingsState(contest_id=contest_id)], ignore_conflicts=True)
    return states.get(pk=contest_id)


def _save_rows(contest_id: UUID, entrant_results: Sequence[EntrantResult], cards: AbstractSet[UUID] | None) -> None:
    """Save the rows of the entrants, and delete those of entrants who are no longer in the contest.

    Args:
        cards: the cards that the entrant_results were folded for; None for all of the contest.
    """
    rows = [make_standings_row(contest_id, entrant_result) for entrant_result in entrant_results]
    StandingsRow.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=ROW_FIELDS)
    # At the stops, a row and its card share an id. When someone leaves a table, the whole contest is refreshed.
    before = cards
    if before is None:
        before = set(StandingsRow.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
    StandingsRow.objects.filter(pk__in=before - {row.pk for row in rows}).delete()


def _save_tie_keys(contest_id: UUID) -> list[int]:
    """Save the places that cuts decided in the rows they name; return which cuts no longer count.

    No other rows are read: where a tied group includes an entrant that no cut names, no cut fits the group.
    """
    cuts = list_cuts(contest_id)
    if not cuts:
        return []
    named = {derive_card_id(contest_id, entrant) for cut in cuts for entrant in cut.cards}
    named_rows = StandingsRow.objects.filter(pk__in=named)
    if Contest.objects.values_list("status", flat=True).get(pk=contest_id) == Contest.Status.OPEN:
        named_rows.exclude(tie_key=0).update(tie_key=0)
        return [cut.seq for cut in cuts]
    tied_rows = StandingsRow.objects.filter(IS_RANKED, contest_id=contest_id, order_key=OuterRef("order_key"))
    # One row, in the order of the index, is enough. With EXISTS, PostgreSQL would list all of them instead.
    outsider = Subquery(tied_rows.exclude(pk__in=named).order_by("tie_key").values("pk")[:1])
    rows = {row.entrant_id: row for row in named_rows.annotate(outsider=outsider)}
    # The byte form compares like the key it was made from, so it can replace it here.
    standings = {
        entrant: Standing(row.total, tuple(row.order_key))
        for entrant, row in rows.items()
        if row.is_ranked and row.outsider is None
    }
    ranking = rank(standings, [cut.cards for cut in cuts])
    changed = []
    order_keys = {entrant: bytes(row.order_key) for entrant, row in rows.items()}
    for entrant, tie_key in compute_tie_keys(ranking, order_keys).items():
        if rows[entrant].tie_key != tie_key:
            rows[entrant].tie_key = tie_key
            changed.append(rows[entrant])
    StandingsRow.objects.bulk_update(changed, ["tie_key"])
    return [cuts[position].seq for position in ranking.stale_cuts]
