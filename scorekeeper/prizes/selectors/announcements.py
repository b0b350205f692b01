"""The announcements of a reveal: the places with their prizes, and every other prize at its position in the list.

- A prize for a place is announced with its place, and places are announced from the last to the first.
- A contest that nobody is in the ranking of is passed over, unless there are prizes for its places.
- Any other prize comes once every prize for a place that precedes it in the list has been announced; one before all of
  them comes before anything of the result is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.audience.reveals import (
    AnnouncedAward,
    Announcement,
    Results,
    RevealStep,
    get_running_reveal,
    list_reveal_steps,
)
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.award import Award, Decision, Outcome, PrizeTerms
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_awards
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.prizes.selectors.prize_lists import list_in_announced_order, list_prize_terms, list_prizes
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow


def arrange_announcements(event: Event, results: Results) -> Sequence[Announcement]:
    """Return the announcements of an event in order.

    Args:
        results: the contests that are revealed with their results. Prizes for places of others are announced like
            prizes that are for no place.
    """
    awards = list_awards(event)
    chosen = {award.contest.pk for award in awards if award.award.outcome == Outcome.CHOICE}
    decisions = {contest: list_decisions(contest) for contest in chosen}
    steps = list_reveal_steps(results)
    at_steps: dict[int, list[AnnouncedAward]] = {}
    after: dict[int, list[AnnouncedAward]] = {}  # by the step after which they are announced; -1 for before the first
    last = -1
    for award in awards:
        number = _find_step(award, steps)
        announced = make_announced_award(award, decisions.get(award.contest.pk, {}))
        if number is None:
            after.setdefault(last, []).append(announced)
        else:
            at_steps.setdefault(number, []).append(announced)
            last = max(last, number)
    found = [Announcement(None, is_place=False, awards=(award,)) for award in after.get(-1, ())]
    is_anybody_ranked = any(row.is_ranked for _contest, board in results for row in board.rows)
    for step in steps:
        is_empty = is_anybody_ranked and not any(row.is_ranked for row in step.board.rows)
        if not is_empty or step.number in at_steps:
            found.append(Announcement(step.number, awards=tuple(at_steps.get(step.number, ()))))
        found += [Announcement(step.number, is_place=False, awards=(one,)) for one in after.get(step.number, ())]
    return found


def order_contests(event: Event, contests: Sequence[Contest]) -> list[Contest]:
    """Return the contests of a reveal in the order in which their places are announced.

    Those with prizes for places are in the order of the prize list; the others stay at their positions.
    """
    listed = [prize.contest_id for prize in list_in_announced_order(event) if prize.is_for_place]
    in_order = iter(sorted((one for one in contests if one.pk in listed), key=lambda one: listed.index(one.pk)))
    return [next(in_order) if one.pk in listed else one for one in contests]


def list_prize_changes(event: Event) -> list[str]:
    """Return how the prize list differs from what the reveal under way announces: "New: Cup"; nothing while none is.

    A decision about who wins is no change: the reveal announces it as it is decided.
    """
    reveal = get_running_reveal(event)
    if reveal is None:
        return []
    announced = [Award.from_data(award.award).prize for one in reveal.announcements for award in one.awards]
    prizes = list(list_prizes(event))
    contests = {prize.contest_id: prize.contest for prize in prizes}
    current = {
        terms.prize_id: terms
        for contest in contests.values()
        for terms in list_prize_terms(contest, [prize for prize in prizes if prize.contest_id == contest.pk])
    }
    before = {terms.prize_id: terms for terms in announced}
    changes = []
    for prize_id, terms in {**current, **before}.items():
        old, new = before.get(prize_id), current.get(prize_id)
        params = {"prize": _name_prize(new or terms)}
        if old is None:
            changes.append(_("New: %(prize)s") % params)
        elif new is None:
            changes.append(_("Deleted: %(prize)s") % params)
        elif _drop_members(old) != _drop_members(new):
            changes.append(_("Changed: %(prize)s") % params)
    return changes


def _drop_members(terms: PrizeTerms) -> PrizeTerms:
    own = terms.event_class
    return replace(terms, groups={}, event_class=None if own is None else own._replace(name="", members=()))


def _name_prize(terms: PrizeTerms) -> str:
    return terms.name or terms.what_for


def make_announced_award(award: AwardPresenter, decisions: Mapping[UUID, Decision]) -> AnnouncedAward:
    """Return a prize as it is announced.

    Args:
        decisions: the organiser's, about the prizes of its contest.
    """
    decision = decisions.get(award.prize_id) if award.award.outcome == Outcome.CHOICE else None
    return AnnouncedAward(award.contest.pk, award.award.to_data(), None if decision is None else decision.operation_id)


def _find_step(award: AwardPresenter, steps: Sequence[RevealStep]) -> int | None:
    """Return at which step a prize for a place is announced; None for any other prize, and outside of the reveal."""
    of_contest = [step for step in steps if step.contest == award.contest]
    place = award.award.prize.terms.place
    if not award.is_for_place or place is None or not of_contest:
        return None
    for step in of_contest:
        for row in step.rows:
            if row.rank is not None and row.rank <= place < row.rank + _count_tied(row, step.board):
                return step.number
    return of_contest[0].number  # nobody has the place


def _count_tied(row: LeaderboardRow, board: Leaderboard) -> int:
    return sum(other.rank == row.rank for other in board.rows)
