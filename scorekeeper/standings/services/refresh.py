"""Following the log: bringing the standings of a contest up to date.

Whoever follows locks the contest's state first, so two workers take turns and the later one never goes back. What was
`Outdated` is read before the entries it is about, and exactly the rows read are deleted, all in one transaction: an
entry that comes meanwhile is either taken in or still outdated afterwards. Repeating it changes nothing. Once it is
committed, the live pages are told.

Invariant: what a changed card costs does not grow with the number of cards. No statement reads more of the contest than
the cards that changed, those of the same holders, and the rows that its cuts name.
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
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.models import StaleCard
from scorekeeper.standings.models import IS_RANKED, StandingsRow, StandingsState
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.entrants import Entrant, fold_contest
from scorekeeper.standings.selectors.standings_rows import ROW_FIELDS, compute_tie_keys, make_standings_row


def refresh_standings(contest_id: UUID) -> bool:
    """Take in what is outdated; return whether there was anything."""
    with transaction.atomic():
        state = _lock_state(contest_id)
        outdated = dict(StaleCard.objects.filter(contest_id=contest_id).values_list("pk", "card_id"))
        if not outdated:
            return False
        cards = None if None in outdated.values() else {card for card in outdated.values() if card is not None}
        folded = fold_contest(get_contest_rules(contest_id), cards)
        _save_rows(contest_id, folded.entrants, cards)
        state.stale_cuts = _save_tie_keys(contest_id)
        state.version += 1
        state.changed_at = timezone.now()
        state.save()
        StaleCard.objects.filter(pk__in=outdated).delete()
        publish_change(contest_id)
    return True


def _lock_state(contest_id: UUID) -> StandingsState:
    states = StandingsState.objects.select_for_update()
    known = states.filter(pk=contest_id).first()
    if known is not None:
        return known
    StandingsState.objects.bulk_create([StandingsState(contest_id=contest_id)], ignore_conflicts=True)
    return states.get(pk=contest_id)


def _save_rows(contest_id: UUID, entrants: Sequence[Entrant], cards: AbstractSet[UUID] | None) -> None:
    """Write the rows of the entrants, and delete those of holders that are none any more.

    Args:
        cards: those the entrants were folded for; None for all of the contest.
    """
    rows = [make_standings_row(contest_id, entrant) for entrant in entrants]
    StandingsRow.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=ROW_FIELDS)
    # Noted at the stops, a row and its card have one id. Whoever leaves a table has the whole contest followed.
    before = cards
    if before is None:
        before = set(StandingsRow.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
    StandingsRow.objects.filter(pk__in=before - {row.pk for row in rows}).delete()


def _save_tie_keys(contest_id: UUID) -> list[int]:
    """Give the places that cuts made to the rows they are about; return which cuts rank nobody.

    Nobody else is looked at: a level group in which somebody stands whom no cut names is one that no cut fits.
    """
    cuts = list_cuts(contest_id)
    if not cuts:
        return []
    named = {derive_card_id(contest_id, holder) for cut in cuts for holder in cut.cards}
    known = StandingsRow.objects.filter(pk__in=named)
    if Contest.objects.values_list("status", flat=True).get(pk=contest_id) == Contest.Status.OPEN:
        known.exclude(tie_key=0).update(tie_key=0)
        return [cut.seq for cut in cuts]
    level = StandingsRow.objects.filter(IS_RANKED, contest_id=contest_id, order_key=OuterRef("order_key"))
    # One is enough, and in the order of the index: asked whether any exists, PostgreSQL would rather list them all.
    stranger = Subquery(level.exclude(pk__in=named).order_by("tie_key").values("pk")[:1])
    rows = {row.holder_id: row for row in known.annotate(stranger=stranger)}
    # The byte form compares as what it was made of does, so it can stand in for it.
    stand_ins = {
        holder: Standing(row.total, tuple(row.order_key))
        for holder, row in rows.items()
        if row.is_ranked and row.stranger is None
    }
    ranking = rank(stand_ins, [cut.cards for cut in cuts])
    changed = []
    for holder, tie_key in compute_tie_keys(ranking, rows).items():
        if rows[holder].tie_key != tie_key:
            rows[holder].tie_key = tie_key
            changed.append(rows[holder])
    StandingsRow.objects.bulk_update(changed, ["tie_key"])
    return [cuts[position].seq for position in ranking.stale_cuts]
