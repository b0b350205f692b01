"""What the big screen of an event shows now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.kept import from_data
from scorekeeper.live.models import Screen
from scorekeeper.live.revealing import count_steps, locate
from scorekeeper.live.selectors.to_play import get_to_play
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.standings.board import Board
from scorekeeper.standings.headings import get_headings
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.selectors.shown import ShownBoard, show_rows
from scorekeeper.standings.wording import say_official, say_pending, say_seat, say_time

NAMED = 12  # bikes of those that are still to play


@dataclass(frozen=True)
class ScreenBoard:
    """A contest on the screen.

    Attributes:
        to_play: who is to play next; "" where nobody is.
        tie: whose cards are to be cut; "" where nobody's are.
    """

    shown: ShownBoard
    to_play: str = ""
    tie: str = ""


@dataclass(frozen=True)
class ShownScreen:
    """Everything on the screen.

    Attributes:
        said: what the screen says of itself while it is not live.
        step: how far the reveal is, and of how many steps.
    """

    event: Event
    screen: Screen
    boards: tuple[ScreenBoard, ...]
    said: str
    step: tuple[int, int]

    def get_digest(self) -> str:
        """Return one word for everything that is shown."""
        boards = [[board.shown.get_digest(), board.to_play, board.tie] for board in self.boards]
        screen = [self.screen.seconds, self.screen.sponsor, self.screen.phase, self.said, *self.step]
        return sha256(canonical_json([self.event.name, screen, boards]))

    def to_context(self) -> dict[str, Any]:
        """Return what `live/_screen.html` is made of."""
        return {
            "event": self.event,
            "screen": self.screen,
            "boards": self.boards,
            "said": self.said,
            "step": self.step,
        }


def get_screen(event: Event) -> Screen:
    """Return the event's screen; one as new where there is none yet."""
    return Screen.objects.filter(pk=event.pk).first() or Screen(event=event)


def list_shown_contests(screen: Screen) -> list[Contest]:
    """Return the contests that the screen shows, in its order."""
    contests = {str(contest.pk): contest for contest in list_contests(screen.event).select_related("event")}
    return [contests[key] for key in screen.contests or contests if key in contests]


def get_shown_screen(event: Event) -> ShownScreen:
    """Return what the screen shows now."""
    screen = get_screen(event)
    screen.event = event
    contests, people = list_shown_contests(screen), get_public_riders(event)
    if screen.phase == Screen.Phase.LIVE:
        live = tuple(_show_live(contest, people) for contest in contests)
        return ShownScreen(event, screen, live, "", (0, 0))
    kept = [
        (contest, from_data(screen.kept[str(contest.pk)])) for contest in contests if str(contest.pk) in screen.kept
    ]
    if screen.phase == Screen.Phase.FROZEN:
        frozen = tuple(ScreenBoard(_show(contest, board, people)) for contest, board in kept)
        return ShownScreen(event, screen, frozen, _say_frozen(screen), (0, 0))
    boards = [board for _contest, board in kept]
    position, rows = locate(boards, screen.steps)
    now = tuple(
        ScreenBoard(_show(contest, replace(board, rows=rows), people))
        for contest, board in kept[position : position + 1]
    )
    return ShownScreen(event, screen, now, _("The prize giving"), (screen.steps, count_steps(boards)))


def _say_frozen(screen: Screen) -> str:
    assert screen.kept_at is not None, "what is not live is kept from some moment"
    return _("Frozen at %(time)s; the prize giving follows") % {"time": say_time(screen.kept_at, screen.event)}


def _show_live(contest: Contest, people: Mapping[UUID, str]) -> ScreenBoard:
    shown = _show(contest, get_leaderboard(contest), people)
    to_cut = [row for row in shown.rows if row.row.next_step]
    tie = _("Cards to be cut: %(who)s") % {"who": _say_seats([say_seat(row.row.number, row.people) for row in to_cut])}
    return ScreenBoard(shown, _say_to_play(contest), tie if to_cut else "")


def _say_to_play(contest: Contest) -> str:
    due = get_to_play(contest)
    if due is None:
        return ""
    return _("To play at %(stop)s: %(bikes)s") % {
        "stop": due.stop,
        "bikes": _say_seats([bike.label for bike in due.bikes]),
    }


def _say_seats(names: Sequence[str]) -> str:
    named = list(names[:NAMED])
    more = len(names) - len(named)
    if more:
        named.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return str(get_text_list(named, _("and")))


def _show(contest: Contest, board: Board, people: Mapping[UUID, str]) -> ShownBoard:
    return ShownBoard(
        contest,
        board,
        get_headings(contest),
        show_rows(contest, board, people),
        official=say_official(board, contest.event),
        pending=say_pending(board),
    )
