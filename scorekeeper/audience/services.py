"""Freezing the standings for the audience, revealing the results, and showing a draw of cards on the screens.

- Snapshots are made before the transaction, so that nobody who records waits for them. The audience sees live
  standings until it commits.
- Each service is safe to repeat: the same button may be pressed twice, or on two devices.
- The reveal takes a draw of cards off the screens, which follow the announcements.
- Every change is published to all open pages, screens and phones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.audience.reveals import (
    AnnouncedAward,
    Announcement,
    Arrange,
    announce_places,
    list_revealed_snapshots,
    load_results,
)
from scorekeeper.audience.visible_standings import get_organiser_view
from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze, list_contests
from scorekeeper.standings.board_data import dump_board, load_board
from scorekeeper.standings.models import FrozenStandings, PrizeGiving, ShownDraw
from scorekeeper.standings.reveal import list_revealed_from
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


def start_reveal(event: Event, contests: Sequence[Contest], arrange: Arrange = announce_places) -> None:
    """Begin to reveal the current standings and prizes step by step; do nothing if the reveal has begun.

    Until a place is announced, the audience sees it as it was frozen. If nothing was frozen, that is as of now.

    Args:
        contests: those that are revealed, in this order. The others stay frozen until the freeze is lifted.
        arrange: makes the announcements from the results.
    """
    if _is_revealing(event, get_freeze(event)):
        return
    now, snapshots = timezone.now(), _take_snapshots(event)
    announcements = arrange(event, [(contest, load_board(snapshots[contest.pk].board)) for contest in contests])
    with transaction.atomic():
        freeze = _lock(event)
        if _is_revealing(event, freeze):
            return
        if freeze.at is None:
            freeze.at = now
            _save_snapshots(snapshots)
        # A bundle of a reveal that had announced no place yet brings its contests along, perhaps other ones.
        for stale in FrozenStandings.objects.filter(contest__event=event, position__isnull=False):
            if stale.contest_id not in {contest.pk for contest in contests}:
                stale.position = stale.result_board = stale.result_cards = None
                stale.save()
        for position, contest in enumerate(contests):
            board, cards = snapshots[contest.pk]
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
        giving = PrizeGiving(event=event, announcements=[one.to_data() for one in announcements])
        _set_step(freeze, giving, 0)
        _save(freeze)
        hide_draw(event)


def _is_revealing(event: Event, freeze: Freeze | None) -> bool:
    if freeze is None or freeze.at is None:
        return False
    return freeze.step is not None or PrizeGiving.objects.filter(event=event).exists()


@transaction.atomic
def reveal_to_step(event: Event, step: int) -> None:
    """Announce what the reveal shows up to this step, and nothing else; do nothing while nothing is revealed."""
    freeze = _lock(event)
    if _is_revealing(event, freeze):
        _set_step(freeze, _get_giving(freeze), step)
        _save(freeze)
        hide_draw(event)


@transaction.atomic
def lift_freeze(event: Event) -> None:
    """Show the audience the current standings again, and delete the snapshots."""
    freeze = _lock(event)
    FrozenStandings.objects.filter(contest__event=event).delete()
    PrizeGiving.objects.filter(event=event).delete()
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


def _set_step(freeze: Freeze, giving: PrizeGiving, step: int) -> None:
    """Go to an announcement. The step of the freeze is the step of places that is public with it."""
    giving.position = max(0, min(step, len(giving.announcements) - 1))
    giving.save()
    places = giving.announcements[giving.position]["places"] if giving.announcements else 0
    snapshots = list_revealed_snapshots(freeze.event)
    boards = load_results(snapshots)
    freeze.step = places
    revealed = [None] * len(boards) if places is None else list_revealed_from(boards, places)
    for snapshot, revealed_from in zip(snapshots, revealed, strict=True):
        FrozenStandings.objects.filter(pk=snapshot.pk).update(revealed_from=revealed_from)


def _get_giving(freeze: Freeze) -> PrizeGiving:
    """Return the announcements of the reveal; of one that an older version of the program started, its places."""
    giving = PrizeGiving.objects.filter(event=freeze.event).first()
    if giving is None:
        snapshots = list_revealed_snapshots(freeze.event)
        results = list(zip([snapshot.contest for snapshot in snapshots], load_results(snapshots), strict=True))
        places = [one.to_data() for one in announce_places(freeze.event, results)]
        giving = PrizeGiving(event=freeze.event, announcements=places, position=freeze.step or 0)
    return giving


@transaction.atomic
def replace_announced_award(event: Event, award: AnnouncedAward) -> None:
    """Announce a prize as it was just decided; do nothing if no reveal is under way that announces it."""
    if not PrizeGiving.objects.filter(event=event).exists():
        return
    freeze = _lock(event)  # first, as whoever moves the reveal does: otherwise each could wait for the other
    giving = PrizeGiving.objects.filter(event=event).first()
    if giving is None:
        return
    announcements = list(map(Announcement.from_data, giving.announcements))
    changed = [
        replace(one, awards=tuple(award if old.prize_id == award.prize_id else old for old in one.awards))
        for one in announcements
    ]
    if changed != announcements:
        giving.announcements = [one.to_data() for one in changed]
        giving.save()
        _save(freeze)


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
    freeze = Freeze.objects.select_for_update().filter(event=event, at__isnull=False).first()
    if freeze is None or not _is_revealing(event, freeze):
        return
    freeze.event = event
    at = _get_giving(freeze).position
    lowest, highest = seen
    is_as_seen = lowest <= at <= highest
    if to != at and (is_as_seen or to > max(highest, at)):
        reveal_to_step(event, to)


def show_draw(contest: Contest, entrants: Iterable[UUID], class_id: UUID | None = None) -> None:
    """Show a draw on the event's screens, instead of the one that is there. A freeze does not withhold it.

    Args:
        entrants: those who were tied at first.
        class_id: the class that the cards are for; None for the whole contest.
    """
    _save_shown_draw(contest.event, contest, sorted(map(str, entrants)), class_id)


def hide_draw(event: Event) -> None:
    """Take the draw off the event's screens, also one that is there because its cards were just entered."""
    _save_shown_draw(event, None, [])


@transaction.atomic
def _save_shown_draw(event: Event, contest: Contest | None, entrants: list[str], class_id: UUID | None = None) -> None:
    ShownDraw.objects.get_or_create(event=event, defaults={"changed_at": timezone.now()})
    shown = ShownDraw.objects.select_for_update().get(event=event)
    shown.contest, shown.class_id, shown.holders = contest, class_id, entrants
    # What the organiser does now comes after cards that a machine with a fast clock has recorded.
    now = timezone.now()
    shown.changed_at = max(now, get_last_cut_time(event) or now)
    shown.version += 1
    shown.save()
    publish_change(event.pk)
