"""The current content of an event's big screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.crew.selectors import list_screen_messages
from scorekeeper.events.event_times import format_freeze_notice
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze, list_contests
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.bikes_to_play import get_bikes_to_play
from scorekeeper.live.selectors.draw_presenter import DrawPresenter, present_draws
from scorekeeper.players.selectors.holder_names import format_holder, get_public_names
from scorekeeper.standings.selectors.audience import get_audience_view, get_reveal
from scorekeeper.standings.selectors.group_presenter import GroupsPresenter
from scorekeeper.standings.selectors.leaderboard_presenter import LeaderboardPresenter, present_board

ScreenPhase = Literal["live", "frozen", "revealing"]
MAX_NAMES = 12  # bikes that are named in one line


@dataclass(frozen=True)
class ScreenBoard:
    """A contest on the screen, or its groups, which have pages of their own after it.

    Attributes:
        groups: the groups, if the pages show them and not the contest's rows.
        to_play: a line with the bikes that are to play next; "" if there are none.
        tie: a line with the bikes whose cards are to be cut; "" if there are none.
    """

    leaderboard: LeaderboardPresenter
    to_play: str = ""
    tie: str = ""
    groups: GroupsPresenter | None = None

    @property
    def row_count(self) -> int:
        """How many rows its pages show."""
        return len(self.leaderboard.rows if self.groups is None else self.groups.rows)


@dataclass(frozen=True)
class ScreenPresenter:
    """Everything on the screen.

    Attributes:
        phase: "live"; "frozen" before the prize giving; "revealing" while the result is shown step by step.
        status_text: what the screen is doing while it is not live.
        step: the current step of the reveal, and the number of the last one.
        messages: the organiser's messages to everyone, the oldest first.
        draws: the draws of cards, whose pages come first. While one happens, there are no boards.
    """

    event: Event
    screen: Screen
    phase: ScreenPhase
    boards: tuple[ScreenBoard, ...]
    status_text: str
    step: tuple[int, int]
    messages: tuple[str, ...] = ()
    draws: tuple[DrawPresenter, ...] = ()

    @property
    def page_rows(self) -> list[int]:
        """How many rows each draw and each board shows, in order."""
        return [*(1 for _draw in self.draws), *(board.row_count for board in self.boards)]

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        boards = [
            [board.leaderboard.get_digest(), board.to_play, board.tie, board.groups is not None]
            for board in self.boards
        ]
        screen = [self.screen.seconds, self.screen.sponsor, self.phase, self.status_text, *self.step]
        return sha256(canonical_json([self.event.name, screen, boards, repr(self.draws), *self.messages]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `live/_screen.html`."""
        return {
            "event": self.event,
            "screen": self.screen,
            "phase": self.phase,
            "boards": self.boards,
            "status_text": self.status_text,
            "step": self.step,
            "messages_to_all": self.messages,
            "draws": self.draws,
        }


def get_screen(event: Event) -> Screen:
    """Return the event's screen, or a new unsaved one."""
    screen = Screen.objects.filter(pk=event.pk).first() or Screen(event=event)
    screen.event = event
    return screen


def list_screen_contests(screen: Screen) -> list[Contest]:
    """Return the contests that the screen shows, in order."""
    contests = {str(contest.pk): contest for contest in list_contests(screen.event).select_related("event")}
    return [contests[key] for key in screen.contests or contests if key in contests]


def get_screen_presenter(event: Event) -> ScreenPresenter:
    """Return what the screen shows now."""
    messages = tuple(list_screen_messages(event).values_list("text", flat=True))
    presenter = _present_phase(event)
    draws = present_draws(event, [(one.leaderboard.contest, one.leaderboard.board) for one in presenter.boards])
    boards = () if any(draw.is_now for draw in draws) else tuple(_add_groups(presenter.boards))
    return replace(presenter, boards=boards, messages=messages, draws=draws)


def _add_groups(boards: Sequence[ScreenBoard]) -> Iterator[ScreenBoard]:
    """Yield the boards, each followed by that of its groups."""
    for board in boards:
        yield board
        groups = board.leaderboard.groups
        if groups is not None:
            yield ScreenBoard(board.leaderboard, groups=groups)


def _present_phase(event: Event) -> ScreenPresenter:
    screen, people = get_screen(event), get_public_names(event)
    freeze, reveal = get_freeze(event), get_reveal(event)
    if reveal is not None:
        revealed = (
            ()
            if reveal.contest is None or reveal.board is None
            else (ScreenBoard(present_board(reveal.contest, reveal.board, people)),)
        )
        return ScreenPresenter(event, screen, "revealing", revealed, _("Prize giving"), (reveal.step, reveal.last_step))
    contests = list_screen_contests(screen)
    if freeze is None or freeze.at is None:
        live = tuple(_present_live(contest, people) for contest in contests)
        return ScreenPresenter(event, screen, "live", live, "", (0, 0))
    frozen = tuple(
        ScreenBoard(present_board(contest, get_audience_view(contest).get_leaderboard(), people))
        for contest in contests
    )
    return ScreenPresenter(event, screen, "frozen", frozen, format_freeze_notice(freeze.at, event), (0, 0))


def _present_live(contest: Contest, people: Mapping[UUID, str]) -> ScreenBoard:
    leaderboard = present_board(contest, get_audience_view(contest).get_leaderboard(), people)
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
