"""What a document is made for: an event or a contest, perhaps one bike or player, for organisers or for everyone.

Everything that a document shows of a contest is read through here, so that everyone sees what they may see: organisers
current figures with full names, everyone else the audience's view with public names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.audience.visible_standings import StandingsView, get_audience_view, get_organiser_view
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.print_document import PageFrame
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_audience_awards, list_published_awards
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.selectors.log_head import get_audience_head, get_current_head, get_head_of
from scorekeeper.standings.wording import (
    format_frozen,
    format_official_status,
    format_public_revision_notice,
    format_revision_notice,
)


class NothingToPrint(Exception):
    """What was asked for does not exist, or not any more."""


@dataclass(frozen=True)
class PrintSource:
    """What a document is made for.

    Attributes:
        contest: None for a document of the whole event.
        entrant_id: the bike or player that is printed, on a certificate also a group; None for all.
        is_public: whether everyone may have the document.
        language: the code of a language that there is; "" for the event's.
    """

    event: Event
    contest: Contest | None
    paper: Paper
    entrant_id: UUID | None = None
    is_public: bool = False
    language: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", self.language or get_event_language(self.event))

    @property
    def the_contest(self) -> Contest:
        """The contest of a document that is of one."""
        assert self.contest is not None, "this kind of document is of a contest"
        return self.contest

    def is_for(self, entrant_id: UUID) -> bool:
        """Return whether the document is for this bike, player or group, alone or with all others."""
        return self.entrant_id in (None, entrant_id)

    @cached_property
    def view(self) -> StandingsView:
        """The standings of the contest as the reader may see them."""
        return get_audience_view(self.the_contest) if self.is_public else get_organiser_view(self.the_contest)

    @cached_property
    def report(self) -> tuple[Leaderboard, ContestReport]:
        """The standings with all cards."""
        return self.view.get_report()

    @cached_property
    def people(self) -> Mapping[UUID, str]:
        """The names for each bike and player."""
        read_names = get_public_names if self.is_public else get_full_names
        return read_names(self.event, self.contest)

    def list_awards(self) -> Sequence[AwardPresenter]:
        """Return the published prizes that the reader may see."""
        return (list_audience_awards if self.is_public else list_published_awards)(self.the_contest, self.people)

    def make_frame(self, title: str, board: Leaderboard) -> PageFrame:
        """Return the frame of a document that shows figures of a leaderboard."""
        get_head = get_audience_head if self.is_public else get_head_of
        format_notice = format_public_revision_notice if self.is_public else format_revision_notice
        return PageFrame(
            title,
            self.event,
            self.the_contest.name,
            format_official_status(board, self.event),
            get_head(self.the_contest, board),
            format_frozen(board, self.event) or format_notice(board),
        )

    def make_plain_frame(self, title: str) -> PageFrame:
        """Return the frame of a document that shows no figures, for organisers."""
        assert not self.is_public, "the current head of the log shows every change"
        contest = "" if self.contest is None else self.contest.name
        return PageFrame(title, self.event, contest, _("Unofficial"), get_current_head(self.event.pk))
