"""The current content of an event's big screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.crew.selectors import list_screen_messages
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.live.board_data import load_board
from scorekeeper.live.models import Screen
from scorekeeper.live.reveal import count_steps, locate_step
from scorekeeper.live.selectors.bikes_to_play import get_bikes_to_play
from scorekeeper.players.selectors.holder_names import format_holder, get_public_names
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.leaderboard_presenter import LeaderboardPresenter, present_rows
from scorekeeper.standings.wording import format_official_status, format_revision_notice, format_time

MAX_NAMES = 12  # bikes that are named in one line


@dataclass(frozen=True)
class ScreenBoard:
    """A contest on the screen.

    Attributes:
        to_play: a line with the bikes that are to play next; "" if there are none.
        tie: a line with the bikes whose cards are to be cut; "" if there are none.
    """

    leaderboard: LeaderboardPresenter
    to_play: str = ""
    tie: str = ""


@dataclass(frozen=True)
class ScreenPresenter:
    """Everything on the screen.

    Attributes:
        status_text: what the screen is doing while it is not live.
        step: the current step of the reveal, and the number of the last one.
        messages: the organiser's messages to everyone, the oldest first.
    """

    event: Event
    screen: Screen
    boards: tuple[ScreenBoard, ...]
    status_text: str
    step: tuple[int, int]
    messages: tuple[str, ...] = ()

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        boards = [[board.leaderboard.get_digest(), board.to_play, board.tie] for board in self.boards]
        screen = [self.screen.seconds, self.screen.sponsor, self.screen.phase, self.status_text, *self.step]
        return sha256(canonical_json([self.event.name, screen, boards, *self.messages]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `live/_screen.html`."""
        return {
            "event": self.event,
            "screen": self.screen,
            "boards": self.boards,
            "status_text": self.status_text,
            "step": self.step,
            "messages_to_all": self.messages,
        }


def get_screen(event: Event) -> Screen:
    """Return the event's screen, or a new unsaved one."""
    return Screen.objects.filter(pk=event.pk).first() or Screen(event=event)


def list_screen_contests(screen: Screen) -> list[Contest]:
    """Return the contests that the screen shows, in order."""
    contests = {str(contest.pk): contest for contest in list_contests(screen.event).select_related("event")}
    return [contests[key] for key in screen.contests or contests if key in contests]


def get_screen_presenter(event: Event) -> ScreenPresenter:
    """Return what the screen shows now."""
    messages = tuple(list_screen_messages(event).values_list("text", flat=True))
    return replace(_present_phase(event), messages=messages)


def _present_phase(event: Event) -> ScreenPresenter:
    screen = get_screen(event)
    screen.event = event
    contests, people = list_screen_contests(screen), get_public_names(event)
    if screen.phase == Screen.Phase.LIVE:
        live = tuple(_present_live(contest, people) for contest in contests)
        return ScreenPresenter(event, screen, live, "", (0, 0))
    frozen = [
        (contest, load_board(screen.frozen_boards[str(contest.pk)]))
        for contest in contests
        if str(contest.pk) in screen.frozen_boards
    ]
    if screen.phase == Screen.Phase.FROZEN:
        presented = tuple(ScreenBoard(_present_board(contest, board, people)) for contest, board in frozen)
        return ScreenPresenter(event, screen, presented, _format_frozen(screen), (0, 0))
    boards = [board for _contest, board in frozen]
    position, rows = locate_step(boards, screen.steps)
    revealed = tuple(
        ScreenBoard(_present_board(contest, replace(board, rows=rows), people))
        for contest, board in frozen[position : position + 1]
    )
    return ScreenPresenter(event, screen, revealed, _("Prize giving"), (screen.steps, count_steps(boards)))


def _format_frozen(screen: Screen) -> str:
    assert screen.frozen_at is not None, "set while the screen is not live"
    return _("Frozen at %(time)s until the prize giving") % {"time": format_time(screen.frozen_at, screen.event)}


def _present_live(contest: Contest, people: Mapping[UUID, str]) -> ScreenBoard:
    leaderboard = _present_board(contest, get_leaderboard(contest), people)
    to_cut = [row for row in leaderboard.rows if row.row.next_step]
    tie = _("Cards to be cut: %(who)s") % {
        "who": _format_seats([format_holder(row.row.number, row.people) for row in to_cut])
    }
    return ScreenBoard(leaderboard, _format_to_play(contest), tie if to_cut else "")


def _format_to_play(contest: Contest) -> str:
    to_play = get_bikes_to_play(contest)
    if to_play is None:
        return ""
    return _("To play at %(stop)s: %(bikes)s") % {
        "stop": to_play.stop,
        "bikes": _format_seats([bike.label for bike in to_play.bikes]),
    }


def _format_seats(names: Sequence[str]) -> str:
    named = list(names[:MAX_NAMES])
    more = len(names) - len(named)
    if more:
        named.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return str(get_text_list(named, _("and")))


def _present_board(contest: Contest, board: Leaderboard, people: Mapping[UUID, str]) -> LeaderboardPresenter:
    return LeaderboardPresenter(
        contest,
        board,
        get_standings_headings(contest, board),
        present_rows(contest, board, people),
        official_status=format_official_status(board, contest.event),
        revision_notice=format_revision_notice(board),
    )
