"""Freezing the standings for the audience, revealing the results, and showing a draw of cards on the screens.

- Snapshots are made before the transaction, so that nobody who records waits for them. The audience sees live
  standings until it commits.
- Each service is safe to repeat: the same button may be pressed twice, or on two devices.
- The reveal takes a draw of cards off the screens, which follow the announcements.
- Every change is published to all open pages, screens and phones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.audience.reveals import list_revealed_snapshots, load_results
from scorekeeper.audience.visible_standings import get_organiser_view
from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze, list_contests
from scorekeeper.standings.board_data import dump_board
from scorekeeper.standings.models import FrozenStandings, ShownDraw
from scorekeeper.standings.reveal import count_steps, list_revealed_from
from scorekeeper.standings.selectors.cuts import get_last_cut_time
from scorekeeper.standings.services.refresh import refresh_standings


def freeze_standings(event: Event) -> None:
    """Freeze the current standings of all contests for the audience; do nothing if they are frozen."""
    if get_freeze(event) is not None:
        return
    now, snapshots = timezone.now(), _take_snapshots(event)
    with transaction.atomic():
        freeze = _lock(event)
        if freeze.at is None:
            freeze.at = now
            _save_snapshots(snapshots)
            _save(freeze)


def start_reveal(event: Event, contests: Sequence[Contest]) -> None:
    """Begin to reveal the current standings step by step; do nothing if the reveal has begun.

    Until a place is announced, the audience sees it as it was frozen. If nothing was frozen, that is as of now.

    Args:
        contests: those that are revealed, in this order. The others stay frozen until the freeze is lifted.
    """
    before = get_freeze(event)
    if before is not None and before.step is not None:
        return
    now, results = timezone.now(), _take_snapshots(event)
    with transaction.atomic():
        freeze = _lock(event)
        if freeze.step is not None:
            return
        if freeze.at is None:
            freeze.at = now
            _save_snapshots(results)
        for position, contest in enumerate(contests):
            board, cards = results[contest.pk]
            FrozenStandings.objects.update_or_create(
                contest=contest,
                defaults={"position": position, "result_board": board, "result_cards": cards},
                # A contest that was added after the freeze has nothing to show until it is revealed.
                create_defaults={
                    "board": {**board, "rows": [], "groups": None, "cuts": []},
                    "cards": [],
                    "position": position,
                    "result_board": board,
                    "result_cards": cards,
                },
            )
        _set_step(freeze, 0)
        _save(freeze)
        hide_draw(event)


@transaction.atomic
def reveal_to_step(event: Event, step: int) -> None:
    """Announce what the reveal shows up to this step, and nothing else; do nothing while nothing is revealed."""
    freeze = _lock(event)
    if freeze.at is not None and freeze.step is not None:
        _set_step(freeze, step)
        _save(freeze)
        hide_draw(event)


@transaction.atomic
def lift_freeze(event: Event) -> None:
    """Show the audience the current standings again, and delete the snapshots."""
    freeze = _lock(event)
    FrozenStandings.objects.filter(contest__event=event).delete()
    freeze.at, freeze.step = None, None
    _save(freeze)


class _Snapshot(NamedTuple):
    """The board and the cards of a contest, as plain data."""

    board: dict[str, Any]
    cards: list[dict[str, Any]]


def _take_snapshots(event: Event) -> dict[UUID, _Snapshot]:
    """Return the current standings of every contest, up to the last entry."""
    snapshots = {}
    for contest in list_contests(event).select_related("event"):
        refresh_standings(contest.pk)
        view = get_organiser_view(contest)
        _head, report = view.get_report()
        snapshots[contest.pk] = _Snapshot(dump_board(view.get_leaderboard()), [card.to_data() for card in report.cards])
    return snapshots


def _save_snapshots(snapshots: dict[UUID, _Snapshot]) -> None:
    FrozenStandings.objects.filter(pk__in=snapshots).delete()
    rows = [FrozenStandings(contest_id=contest, board=one.board, cards=one.cards) for contest, one in snapshots.items()]
    FrozenStandings.objects.bulk_create(rows)


def _set_step(freeze: Freeze, step: int) -> None:
    snapshots = list_revealed_snapshots(freeze.event)
    boards = load_results(snapshots)
    freeze.step = max(0, min(step, count_steps(boards)))
    for snapshot, revealed_from in zip(snapshots, list_revealed_from(boards, freeze.step), strict=True):
        FrozenStandings.objects.filter(pk=snapshot.pk).update(revealed_from=revealed_from)


def _lock(event: Event) -> Freeze:
    Freeze.objects.get_or_create(event=event)
    freeze = Freeze.objects.select_for_update().get(event=event)
    freeze.event = event
    return freeze


def _save(freeze: Freeze) -> None:
    freeze.version += 1
    freeze.save()
    publish_change(freeze.event.pk)


@transaction.atomic
def move_reveal(event: Event, seen: tuple[int, int], to: int) -> None:
    """Move the reveal to a step; do nothing while nothing is revealed.

    - If the screens are where the sender believes, they go to the step.
    - If someone else has moved them since, a move forward never takes them back, and a move back does nothing. So a
      double tap and a second tablet change nothing twice, and a tablet that was offline catches up.

    Args:
        seen: the lowest and the highest step at which the sender may have left the screens. They differ while earlier
            moves of the sender are not confirmed.
        to: the step that the screens are to show.
    """
    freeze = Freeze.objects.select_for_update().filter(event=event, step__isnull=False).first()
    if freeze is None or freeze.step is None:
        return
    lowest, highest = seen
    is_as_seen = lowest <= freeze.step <= highest
    if to != freeze.step and (is_as_seen or to > max(highest, freeze.step)):
        reveal_to_step(event, to)


def show_draw(contest: Contest, entrants: Iterable[UUID]) -> None:
    """Show a draw on the event's screens, instead of the one that is there. A freeze does not withhold it.

    Args:
        entrants: those who were tied at first.
    """
    _save_shown_draw(contest.event, contest, sorted(map(str, entrants)))


def hide_draw(event: Event) -> None:
    """Take the draw off the event's screens, also one that is there because its cards were just entered."""
    _save_shown_draw(event, None, [])


@transaction.atomic
def _save_shown_draw(event: Event, contest: Contest | None, entrants: list[str]) -> None:
    ShownDraw.objects.get_or_create(event=event, defaults={"changed_at": timezone.now()})
    shown = ShownDraw.objects.select_for_update().get(event=event)
    shown.contest, shown.holders = contest, entrants
    # What the organiser does now comes after cards that a machine with a fast clock has recorded.
    now = timezone.now()
    shown.changed_at = max(now, get_last_cut_time(event) or now)
    shown.version += 1
    shown.save()
    publish_change(event.pk)
