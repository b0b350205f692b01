"""Services that set up and control the big screen. Every change is published to all open screens."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.board_data import dump_board, load_board
from scorekeeper.live.models import Screen
from scorekeeper.live.reveal import count_steps
from scorekeeper.live.selectors.screen import list_screen_contests
from scorekeeper.standings.selectors.leaderboard import get_leaderboard


@transaction.atomic
def configure_screen(event: Event, contests: Sequence[Contest], seconds: int, sponsor: str) -> None:
    """Choose which contests the screen shows, and in which order; an empty list means all contests."""
    screen = _lock(event)
    screen.contests = [str(contest.pk) for contest in contests]
    screen.seconds, screen.sponsor = seconds, sponsor
    _save(screen)


@transaction.atomic
def freeze_screen(event: Event) -> None:
    """Freeze the screen at the current standings; do nothing if it is not live."""
    screen = _lock(event)
    if screen.phase == Screen.Phase.LIVE:
        _freeze_boards(screen)
        screen.phase = Screen.Phase.FROZEN
        _save(screen)


@transaction.atomic
def start_reveal(event: Event) -> None:
    """Start to reveal the current standings step by step; do nothing if the reveal has begun."""
    screen = _lock(event)
    if screen.phase != Screen.Phase.REVEALING:
        _freeze_boards(screen)
        screen.phase, screen.steps = Screen.Phase.REVEALING, 0
        _save(screen)


@transaction.atomic
def reveal_to_step(event: Event, step: int) -> None:
    """Reveal up to this step. Safe to repeat: the same step may come twice, from two phones or by a double tap."""
    screen = _lock(event)
    if screen.phase == Screen.Phase.REVEALING:
        boards = [load_board(screen.frozen_boards[key]) for key in _list_frozen_keys(screen)]
        screen.steps = max(0, min(step, count_steps(boards)))
        _save(screen)


@transaction.atomic
def go_live(event: Event) -> None:
    """Show the live standings again, and delete the frozen boards."""
    screen = _lock(event)
    screen.phase, screen.frozen_boards, screen.frozen_at, screen.steps = Screen.Phase.LIVE, {}, None, 0
    _save(screen)


def _lock(event: Event) -> Screen:
    Screen.objects.get_or_create(event=event)
    screen = Screen.objects.select_for_update().get(event=event)
    screen.event = event
    return screen


def _freeze_boards(screen: Screen) -> None:
    screen.frozen_boards = {
        str(contest.pk): dump_board(get_leaderboard(contest)) for contest in list_screen_contests(screen)
    }
    screen.frozen_at = timezone.now()


def _list_frozen_keys(screen: Screen) -> list[str]:
    return [str(contest.pk) for contest in list_screen_contests(screen) if str(contest.pk) in screen.frozen_boards]


def _save(screen: Screen) -> None:
    screen.version += 1
    screen.save()
    publish_change(screen.event.pk)
