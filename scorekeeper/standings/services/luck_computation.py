"""Computing the luck of a contest, which takes the worker a second and then some 10 ms for each card.

- The result is derived from the logs and can be computed again at any time, by two workers at once as well.
- It is computed when a contest is closed, and again when its result is published. If that message was lost, or the logs
  have changed since, asking for it sends the next one.
"""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from games.core.time_limit import TimeLimit
from scorekeeper.common.dispatch import after_commit
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.standings.card_luck import CardLuck, compute_card_luck
from scorekeeper.standings.entrants import FoldedContest, fold_contest
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.selectors.luck_reports import LuckSource, get_luck_source, has_luck
from scorekeeper.standings.selectors.reports import fold_contest_at

SECONDS_PER_CARD = 60  # the first one of a ruleset needs most of it


def request_luck(contest_id: UUID) -> None:
    """Ask the worker to compute the luck of a contest."""
    after_commit("standings.luck", contest_id=str(contest_id))


def compute_luck(contest_id: UUID) -> bool:
    """Compute and store the luck of a contest, unless it is up to date; return whether anything was computed."""
    contest = Contest.objects.select_related("event").filter(pk=contest_id).first()
    if contest is None or not has_luck(contest):
        return False
    source = get_luck_source(contest)
    if LuckReport.objects.filter(pk=contest_id, source=source.digest).exists():
        return False
    cards = _compute_cards(_fold(contest, source))
    values = {
        "source": source.digest,
        "is_known": cards is not None,
        "cards": [card.to_data() for card in cards or ()],
    }
    # Not one statement: the contest may have been deleted in the meantime, and its row must not come back.
    if Contest.objects.filter(pk=contest_id).exists():
        LuckReport.objects.get_or_create(pk=contest_id, defaults={"asked_at": timezone.now()})
    LuckReport.objects.filter(pk=contest_id).update(**values)
    return True


def _fold(contest: Contest, source: LuckSource) -> FoldedContest:
    if source.lengths is None:
        return fold_contest(get_contest_rules(contest.pk))
    return fold_contest_at(contest, source.lengths)[0]


def _compute_cards(folded: FoldedContest) -> list[CardLuck] | None:
    """Return the luck of everyone in the ranking; None if the game does not tell it, or if it takes too long."""
    ranked = {entrant_result.entrant_id for entrant_result in folded.entrant_results if entrant_result.is_ranked}
    found = []
    for card in folded.undamaged_cards:
        for seat, entrant in enumerate(card.entrants):
            if not card.is_ranked or entrant.pk not in ranked:
                continue
            luck = compute_card_luck(folded.contest.ruleset, card, seat, TimeLimit(SECONDS_PER_CARD))
            if luck is None:
                return None
            found.append(luck)
    return found
