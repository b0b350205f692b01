"""Computing the chances to win of open contests, in the worker, from what each card may still end with.

- The result is derived from the logs and can be computed again at any time.
- The sweeper asks for whatever is stale, so no change can be lost: what was computed is compared with what it would be
  computed from now (`selectors.chances_reports`), whatever happened in between. Recording and refreshing do nothing.
- A contest is computed at most every `MIN_INTERVAL`, and never by two workers at once: a worker claims it. The claim of
  a worker that died is released within seconds (`common.task_runs`), and of one that could not compute it after
  `CLAIM_LIFETIME`.
- Only ended turns are read. So the chances are no advice for the turn that is being played.
- Everyone counts who may still win: also those who have yet to start, unless they are known not to. A card whose log is
  damaged does not count, as in the standings.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games.core.chances import PlaceChances, list_place_chances, play_ended_turns
from games.core.game import Ruleset
from games.core.odds import Endings
from games.core.time_limit import TimeLimit
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest
from scorekeeper.players.class_members import list_class_members
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.selectors.non_starters import find_non_starters
from scorekeeper.standings.chances import count_places
from scorekeeper.standings.entrants import fold_contest
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.selectors.chances_reports import CLASSES, ChancesSource, list_chances_sources

MIN_INTERVAL = dt.timedelta(seconds=10)
ASK_INTERVAL = dt.timedelta(seconds=60)  # before a worker is asked again that has not begun
CLAIM_LIFETIME = dt.timedelta(seconds=300)  # as long as a task may take
SECONDS = 60  # for the cards of a contest; the first one of a ruleset needs most of it


def ask_for_due_chances() -> None:
    """Ask workers for the chances that are due and that they were not asked for lately. The sweeper runs it."""
    now = timezone.now()
    for source in list_chances_sources():
        if not source.is_stale:
            continue
        if source.report is None:
            _add_report(source)
        not_asked = Q(asked_at=None) | Q(asked_at__lte=F("started_at")) | Q(asked_at__lte=now - ASK_INTERVAL)
        due = ChancesReport.objects.filter(_is_claimable(now), not_asked, pk=source.contest.pk)
        with transaction.atomic():
            if due.update(asked_at=now):
                after_commit("standings.chances", contest_id=str(source.contest.pk))


def compute_chances(contest_id: UUID) -> bool:
    """Compute and store the chances of a contest if they are due; return whether they were computed."""
    now = timezone.now()
    source = next(iter(list_chances_sources(contest_id)), None)
    if source is None or not source.is_stale or not claim_chances(source, now):
        return False
    return store_chances(source, now, *find_endings(source.contest))


def claim_chances(source: ChancesSource, now: dt.datetime) -> bool:
    """Claim a contest for this worker; return False if it was computed too recently, or another worker is at it."""
    if source.report is None:
        _add_report(source)
    due = ChancesReport.objects.filter(_is_claimable(now), pk=source.contest.pk)
    return bool(due.update(started_at=now, is_running=True))


def release_chances(contest_id: str) -> None:
    """Release the claim of a worker that has died, so that the next one may compute the chances at once."""
    ChancesReport.objects.filter(pk=UUID(contest_id), is_running=True).update(is_running=False, started_at=None)


def store_chances(
    source: ChancesSource,
    claimed_at: dt.datetime,
    endings: Mapping[UUID, Endings] | None,
    yet_to_start: int,
    not_started: Collection[UUID] = (),
) -> bool:
    """Compute the chances from what each entrant may end as, store them and notify live pages.

    Args:
        not_started: who has yet to start.

    Returns:
        False if this worker was given up meanwhile, or the contest was deleted. Then nothing is stored.
    """
    values: dict[str, Any] = {"unknown_rules": source.rules, "chances": {}, "places": 0, "yet_to_start": 0}
    if endings is not None:
        places = count_places(source.contest.prizes, len(endings))
        values = {
            "unknown_rules": "",
            "chances": {
                **_dump_chances(list_place_chances(endings, places)),
                **_compute_class_chances(source.contest, endings, not_started),
            },
            "places": places,
            "yet_to_start": yet_to_start,
        }
    values |= {"source": source.digest, "as_of": source.changed_at, "version": F("version") + 1, "is_running": False}
    with transaction.atomic():
        claimed = ChancesReport.objects.filter(pk=source.contest.pk, started_at=claimed_at)
        is_stored = bool(claimed.update(**values))
        if is_stored:
            publish_change(source.contest.pk)
    return is_stored


def _compute_class_chances(
    contest: Contest, endings: Mapping[UUID, Endings], not_started: Collection[UUID]
) -> dict[str, Any]:
    """Return the chances among the members of each class of several; nothing where there are no classes."""
    found = {}
    for class_id, members in list_class_members(contest).items():
        own = {member: endings[member] for member in members if member in endings}
        if len(own) > 1:
            places = count_places(1, len(own))
            found[str(class_id)] = {
                "places": places,
                "yet_to_start": sum(member in not_started for member in own),
                "chances": _dump_chances(list_place_chances(own, places)),
            }
    return {CLASSES: found} if found else {}


def _add_report(source: ChancesSource) -> None:
    if Contest.objects.filter(pk=source.contest.pk).exists():
        ChancesReport.objects.bulk_create([ChancesReport(contest=source.contest)], ignore_conflicts=True)


def _is_claimable(now: dt.datetime) -> Q:
    is_rested = Q(is_running=False, started_at__lte=now - MIN_INTERVAL)
    return Q(started_at=None) | is_rested | Q(started_at__lte=now - CLAIM_LIFETIME)


def _dump_chances(chances: Mapping[UUID, PlaceChances]) -> dict[str, list[float]]:
    return {str(entrant): list(own) for entrant, own in chances.items()}


def find_endings(contest: Contest) -> tuple[dict[UUID, Endings] | None, int, frozenset[UUID]]:
    """Return what each entrant may end as, None if that is not known; how many of them have yet to start; and who."""
    rules = get_contest_rules(contest.pk)
    ruleset = rules.ruleset
    states = {entrant: found for entrant, *found in _list_states(ruleset, fold_contest(rules).undamaged_cards)}
    if get_kind(contest.game).enters_roster:
        blank = ruleset.game.start(ruleset, 1)
        bikes = list(list_sheets(contest))
        states |= {bike: [blank, False] for bike in {bike.pk for bike in bikes} - _list_bikes_with_entries(contest)}
        for bike in find_non_starters(bikes):
            states.pop(bike, None)
    may_win = {
        entrant: (state, has_started)
        for entrant, (state, has_started) in states.items()
        if ruleset.game.standing(state, 0).status != "retired"
    }
    endings = _ask_game(ruleset, {entrant: state for entrant, (state, _) in may_win.items()})
    not_started = frozenset(entrant for entrant, (_, has_started) in may_win.items() if not has_started)
    return endings, len(not_started), not_started


def _list_bikes_with_entries(contest: Contest) -> set[UUID | None]:
    """Return the bikes with a card on which something is recorded, also if its log is damaged."""
    seats = Seat.objects.filter(contest=contest, card__chain__length__gt=0)
    return set(seats.values_list("bike_id", flat=True))


def _list_states(ruleset: Ruleset, cards: Iterable[FoldedCard]) -> Iterator[tuple[UUID, Any, bool]]:
    """Yield each entrant with the state of the card before the running turn, and whether anything is on it."""
    for card in cards:
        for seat, entrant in enumerate(card.entrants):
            # Seats that never affect each other can be looked at one by one, as if each were alone.
            actions = [
                ruleset.read_action({**action, "seat": 0}, 1)
                for _ordinal, turn in card.list_played_actions(seat)
                for action in turn
            ]
            yield entrant.pk, play_ended_turns(ruleset, actions), card.is_ranked


def _ask_game(ruleset: Ruleset, states: Mapping[UUID, Any]) -> dict[UUID, Endings] | None:
    """Return what each state may end as; None if the game does not tell, or not in time.

    Equal states share one answer.
    """
    game = ruleset.game
    if game.many_cards or not game.independent:
        return None
    limit = TimeLimit(SECONDS)
    by_state: dict[Any, Endings] = {}
    for state in states.values():
        if state not in by_state:
            endings = game.endings(state, 0, limit)
            if endings is None:
                return None
            by_state[state] = endings
    return {entrant: by_state[state] for entrant, state in states.items()}
