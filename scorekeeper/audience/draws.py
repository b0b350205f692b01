"""Reads which draws of cards the audience may see."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.standings.draw import Draw
from scorekeeper.standings.leaderboard import BoardClass, Leaderboard
from scorekeeper.standings.models import ShownDraw
from scorekeeper.standings.selectors.draws import find_draw, list_class_draws, list_draws
from scorekeeper.standings.selectors.leaderboard import get_leaderboard


def get_shown_draw(event: Event) -> ShownDraw | None:
    """Return what the organiser last did about draws on the event's screens; None for nothing."""
    shown = ShownDraw.objects.select_related("contest").filter(pk=event.pk).first()
    if shown is not None and shown.contest is not None:
        shown.contest.event = event
    return shown


DRAW_STAYS = dt.timedelta(minutes=5)  # after its last cards, or after it was put on the screens


class DrawBoard(NamedTuple):
    """A board whose draws a screen shows.

    Attributes:
        board: what the audience sees of the whole contest.
        board_class: the class whose draws they are; None for those of the contest.
    """

    contest: Contest
    board: Leaderboard
    board_class: BoardClass | None = None

    def list_draws(self) -> list[Draw]:
        """Return its draws, those for the best places first."""
        if self.board_class is None:
            return list_draws(self.contest, self.board)
        return list_class_draws(self.contest, self.board, self.board_class)


def list_draw_boards(contest: Contest, board: Leaderboard) -> list[DrawBoard]:
    """Return the board of a contest, then those of its classes."""
    return [DrawBoard(contest, board), *(DrawBoard(contest, board, one) for one in board.classes)]


class PublicDraw(NamedTuple):
    """A draw of cards that the audience may see.

    Attributes:
        board: the leaderboard that it belongs to. While the event is frozen, only the draw's own rows of it are public,
            and how official they are is as of the freeze.
        board_class: the class that the cards are for; None for the whole contest.
        is_now: whether it happens now, or has just happened, so that screens show nothing else.
    """

    contest: Contest
    board: Leaderboard
    board_class: BoardClass | None
    draw: Draw
    is_now: bool


def list_public_draws(event: Event, boards: Sequence[DrawBoard], now: dt.datetime) -> list[PublicDraw]:
    """Return the draws that screens show: one that happens now, or else every tie that has yet to be cut.

    The one that happens now is the one that the organiser has put on the screens or, while nothing is frozen, the one
    whose cards were entered last.

    Args:
        boards: the contests and classes of the screen.
    """
    is_frozen, current = get_freeze(event) is not None, {one.contest: one.board for one in boards}
    shown = get_shown_draw(event)
    put_on = None if shown is None else _find_shown(shown, {} if is_frozen else current, now)
    if put_on is not None or is_frozen:
        return [] if put_on is None else [_freeze_status(put_on) if is_frozen else put_on]
    draws = [PublicDraw(*one, draw, True) for one in boards for draw in one.list_draws()]
    since = now - DRAW_STAYS if shown is None else max(now - DRAW_STAYS, shown.changed_at)
    latest = max(draws, key=lambda public: public.draw.get_last_change(since), default=None)
    if latest is not None and latest.draw.get_last_change(since) > since:
        return [latest]
    return [public._replace(is_now=False) for public in draws if public.draw.is_open]


def _freeze_status(public: PublicDraw) -> PublicDraw:
    """Return a draw that says nothing of whether its contest was published after the freeze."""
    seen = get_audience_view(public.contest).get_leaderboard()
    return public._replace(board=replace(public.board, revision=seen.revision, as_of=seen.as_of))


def _find_shown(shown: ShownDraw, current: Mapping[Contest, Leaderboard], now: dt.datetime) -> PublicDraw | None:
    """Return the draw that the organiser has put on the screens, until some time after it is settled."""
    contest = shown.contest
    if contest is None:
        return None
    board = current.get(contest) or get_leaderboard(contest)
    found = DrawBoard(contest, board, board.find_class(shown.class_id))
    if shown.class_id is not None and found.board_class is None:
        return None
    draw = find_draw(found.list_draws(), frozenset(map(UUID, shown.holders)))
    if draw is None or not (draw.is_open or now - draw.get_last_change(shown.changed_at) < DRAW_STAYS):
        return None
    return PublicDraw(*found, draw, True)
