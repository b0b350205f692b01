"""Presenters for a leaderboard: the same rows on the page, in the stream and on the big screen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from urllib.parse import urljoin
from uuid import UUID

from django.template.loader import get_template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext

from scorekeeper.audience.cut_presenter import CountedCutPresenter, present_cuts
from scorekeeper.audience.group_presenter import GroupsPresenter, present_groups
from scorekeeper.audience.next_place import describe_gaps
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.common.game_adapter import show_total
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.events.event_times import format_time
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import sha256
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.selectors import get_public_names
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.chances import ContestChances
from scorekeeper.standings.class_ranking import make_class_board
from scorekeeper.standings.column_headings import StandingsHeadings, format_progress, get_standings_headings
from scorekeeper.standings.leaderboard import BoardClass, Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import (
    describe_chances,
    describe_chances_source,
    format_frozen,
    format_official_status,
    format_place,
    format_public_revision_notice,
    format_row_status,
)

PLACEHOLDER_ID = UUID(int=0)
PLACEHOLDER_RANK = 1  # any place
LONGEST_WORD, LONGEST_NAME = 10, 28  # characters of a name beside its figures, on a screen of 360 pixels
CLASS_BASE = "../../"  # from the board of a class to the leaderboard
CACHE_SIZE = 10_000  # rows in each cache: most rows of a long leaderboard are shown again unchanged


@dataclass(frozen=True, slots=True)
class LeaderboardRowPresenter:
    """A row of the leaderboard.

    Attributes:
        people: the names, as the event shows people.
        href: the address of what the entrant played, relative to the page of the leaderboard.
        total: the total, or what the game says instead of the number.
        sort_text: the sort key for the page's script, a text whose numbers are compared as numbers.
        missed_text: how many turns were missed; "" for none.
        chances_text: the chances to win, where they are shown.
    """

    row: LeaderboardRow
    href: str
    people: str
    total: int | str
    status_text: str
    progress: str
    changed_at_text: str
    sort_text: str
    missed_text: str = ""
    chances_text: str = ""

    @property
    def remark(self) -> str:
        """What is beside the name: the status, the turns that were missed, and the chances to win."""
        return ". ".join(text for text in (self.status_text, self.missed_text, self.chances_text) if text)

    @property
    def has_long_name(self) -> bool:
        """Whether the name needs a line of its own on a phone, where a column would break its words anywhere."""
        longest = max(map(len, re.split(r"[\s-]+", self.people)))
        return longest > LONGEST_WORD or len(self.people) > LONGEST_NAME

    @property
    def place_text(self) -> str:
        """The place in a sentence, "Bike 12 is now 3rd"; "" for an entrant that has not started."""
        return format_place(self.row, self.people)

    @property
    def ordinal_text(self) -> str:
        """The place alone, "3rd"; "" for an entrant without a place, or with one that is not announced yet."""
        rank = self.row.rank
        return "" if rank is None or self.row.is_withheld else format_ordinal_place(rank)


class ClassLink(NamedTuple):
    """A link to the board of a class, or to the whole leaderboard; `name` is "" for that."""

    name: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class LeaderboardPresenter:
    """A leaderboard with all its texts.

    Attributes:
        whole_board: the leaderboard of the whole contest, which a class has some rows of.
        people: the names of each bike or player.
        official_status: how official the figures are, and as of when.
        revision_notice: a notice that another revision may follow; "" where none may.
        freeze_notice: a notice that the figures are those of a freeze; "" where none are.
        groups: the groups in order; None where they are not shown.
        cuts: how ties were decided by cards.
        chances_note: what the chances to win are computed from; "" where none are shown.
        classes: links to the whole leaderboard and to each class; none where there are no classes.
        class_id, class_name: of the class whose board it is; None and "" for the whole leaderboard.
        url: of its page.
    """

    contest: Contest
    board: Leaderboard
    whole_board: Leaderboard
    headings: StandingsHeadings
    rows: tuple[LeaderboardRowPresenter, ...]
    people: Mapping[UUID, str]
    official_status: str
    revision_notice: str
    freeze_notice: str = ""
    groups: GroupsPresenter | None = None
    cuts: tuple[CountedCutPresenter, ...] = ()
    chances_note: str = ""
    classes: tuple[ClassLink, ...] = ()
    class_id: UUID | None = None
    class_name: str = ""
    url: str = ""

    @property
    def key(self) -> str:
        """What tells the elements of several boards on one page apart."""
        return str(self.contest.pk) if self.class_id is None else f"{self.contest.pk}-{self.class_id}"

    @cached_property
    def rows_html(self) -> tuple[SafeString, ...]:
        """The rows as rendered in the page."""
        language = get_language()
        return tuple(_render_row(row, self.headings, language) for row in self.rows)

    @cached_property
    def stream_rows_html(self) -> tuple[SafeString, ...]:
        """The rows as sent to an open page, each with a sentence for screen readers that says its new place.

        They also say what a bike that is pinned above them shows: the place in words, and how far the next one is.
        """
        language = get_language()
        return tuple(
            _render_stream_row(row, html, self.gaps.get(row.row.entrant_id, ""), language)
            for row, html in zip(self.rows, self.rows_html, strict=True)
        )

    @cached_property
    def gaps(self) -> Mapping[UUID, str]:
        """How far entrants are from the next better place, where that can be said."""
        return describe_gaps(self.contest, self.board)

    def get_entrant_url(self, row: LeaderboardRowPresenter) -> str:
        """Return the URL of what the entrant of one of the rows played."""
        return urljoin(self.url, row.href)

    def get_digest(self) -> str:
        """Return a digest of everything that is shown: figures, names, and how official they are."""
        groups = "" if self.groups is None else self.groups.get_digest()
        notices = [self.official_status, self.revision_notice, self.freeze_notice, self.chances_note]
        texts = [self.contest.name, *notices, groups, repr(self.cuts)]
        if self.classes or self.class_name:
            texts += [self.class_name, repr(self.classes)]
        return sha256("\n".join([*texts, *self.rows_html]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `standings/_board.html`."""
        return {
            "event": self.contest.event,
            "contest": self.contest,
            "board": self.board,
            "headings": self.headings,
            "rows": self.rows,
            "rows_html": self.rows_html,
            "official": self.official_status,
            "pending": self.revision_notice,
            "frozen": self.freeze_notice,
            "groups": self.groups,
            "cuts": self.cuts,
            "chances_note": self.chances_note,
            "classes": self.classes,
            "class_name": self.class_name,
            "board_url": self.url,
        }


def get_leaderboard_presenter(contest: Contest) -> LeaderboardPresenter:
    """Return the leaderboard of a contest as the audience may see it, in a fixed number of statements."""
    view = get_audience_view(contest)
    return present_board(contest, view.get_leaderboard(), get_public_names(contest.event, contest), view.get_chances())


def get_class_board_presenter(contest: Contest, class_id: UUID) -> LeaderboardPresenter | None:
    """Return the board of a class as the audience may see it; None if the contest has no such class.

    While the leaderboard has no classes, as during a reveal, that of a class of the event is empty.
    """
    view = get_audience_view(contest)
    board, names = view.get_leaderboard(), get_public_names(contest.event, contest)
    found = find_board_class(contest, board, class_id)
    return None if found is None else present_board(contest, board, names, view.get_chances(), found)


def find_board_class(contest: Contest, board: Leaderboard, class_id: UUID) -> BoardClass | None:
    """Return a class of a leaderboard, without members if only the event has it; None if neither does."""
    found = board.find_class(class_id)
    if found is None:
        known = list_classes(contest.event).filter(pk=class_id).first()
        found = None if known is None else BoardClass(known.pk, known.name, ())
    return found


def get_class_url(contest: Contest, class_id: UUID) -> str:
    """Return the URL of the board of a class."""
    return reverse("results:class_board", args=[contest.event.slug, contest.slug, class_id])


def present_board(
    contest: Contest,
    board: Leaderboard,
    people: Mapping[UUID, str],
    chances: ContestChances | None = None,
    board_class: BoardClass | None = None,
) -> LeaderboardPresenter:
    """Return the presenter of a leaderboard.

    Args:
        people: the names of each bike or player.
        chances: the chances to win in the contest and in its classes, if they are shown.
        board_class: the class whose board it is to be; None for the whole leaderboard.
    """
    whole_url = reverse("results:leaderboard", args=[contest.event.slug, contest.slug])
    current = None if board_class is None else board_class.id
    links = [ClassLink(one.name, get_class_url(contest, one.id), one.id == current) for one in board.classes]
    url = whole_url if board_class is None else get_class_url(contest, board_class.id)
    whole_board = board
    if board_class is not None:
        board = make_class_board(board, board_class)
        chances = None if chances is None else chances.narrow_to_class(board_class.id)
    return LeaderboardPresenter(
        contest,
        board,
        whole_board,
        get_standings_headings(contest, board),
        _add_chances(present_rows(contest, board, people, CLASS_BASE if board_class else ""), chances, contest),
        people,
        official_status=format_official_status(board, contest.event),
        revision_notice=format_public_revision_notice(board),
        freeze_notice=format_frozen(board, contest.event),
        groups=present_groups(contest, board),
        cuts=present_cuts(contest, board, people),
        chances_note="" if chances is None else describe_chances_source(contest, chances),
        classes=(ClassLink("", whole_url, current is None), *links) if links else (),
        class_id=current,
        class_name="" if board_class is None else board_class.name,
        url=url,
    )


def _add_chances(
    rows: tuple[LeaderboardRowPresenter, ...], chances: ContestChances | None, contest: Contest
) -> tuple[LeaderboardRowPresenter, ...]:
    """Return the rows with the chances of those who have started."""
    if chances is None:
        return rows
    return tuple(replace(row, chances_text=_describe_row(chances, row.row, contest)) for row in rows)


def _describe_row(chances: ContestChances, row: LeaderboardRow, contest: Contest) -> str:
    shown = chances.show(row.entrant_id, row.status, row.outlook, contest.prizes) if row.is_ranked else None
    return "" if shown is None else describe_chances(shown)


@dataclass(frozen=True)
class _RowContext:
    """What the texts of every row depend on. `contest` is not compared: `key` contains all of it that matters.

    Attributes:
        href: a row's address relative to the leaderboard, with `PLACEHOLDER_ID` for the entrant.
    """

    key: tuple[object, ...]
    turns: int
    href: str
    contest: Contest = field(compare=False)


def present_rows(
    contest: Contest, board: Leaderboard, people: Mapping[UUID, str], base: str = ""
) -> tuple[LeaderboardRowPresenter, ...]:
    """Return the presenters for the rows of a leaderboard.

    Args:
        people: the names of each bike or player.
        base: the address of the leaderboard relative to the page.
    """
    event = contest.event
    key = (event.slug, contest.slug, contest.game_key, event.time_zone, event.date, get_language())
    leaderboard = reverse("results:leaderboard", args=[event.slug, contest.slug])
    href = get_kind(contest.game).get_entrant_url(contest, PLACEHOLDER_ID).removeprefix(leaderboard)
    context = _RowContext(key, board.turns_per_card, f"{base}{href}", contest)
    return tuple(
        _present_row(
            row,
            _make_sort_text(row, position),
            context,
            people.get(row.entrant_id, ""),
            board.missed_turns.get(row.entrant_id, 0),
        )
        for position, row in enumerate(board.rows, 1)
    )


@lru_cache(maxsize=CACHE_SIZE)
def _present_row(
    row: LeaderboardRow, sort_text: str, context: _RowContext, people: str, missed: int
) -> LeaderboardRowPresenter:
    return replace(_present_without_rank(_without_rank(row), context, people, missed), row=row, sort_text=sort_text)


@lru_cache(maxsize=CACHE_SIZE)
def _present_without_rank(
    row: LeaderboardRow, context: _RowContext, people: str, missed: int
) -> LeaderboardRowPresenter:
    contest = context.contest
    missed_text = ngettext("%(count)s turn missed", "%(count)s turns missed", missed) % {"count": missed}
    return LeaderboardRowPresenter(
        row,
        href=context.href.replace(str(PLACEHOLDER_ID), str(row.entrant_id)),
        people=people,
        total=show_total(contest.game, row.total),
        status_text=format_row_status(row, contest.ruleset),
        progress=format_progress(row, contest, context.turns, missed),
        changed_at_text="" if row.last_change is None else format_time(row.last_change, contest.event),
        sort_text="",
        missed_text=missed_text if missed else "",
    )


@lru_cache(maxsize=CACHE_SIZE)
def _render_row(presenter: LeaderboardRowPresenter, headings: StandingsHeadings, language: str | None) -> SafeString:
    row = presenter.row
    cells = _render_cells(replace(presenter, row=_without_rank(row), sort_text=""), headings, language)
    first = mark_safe(' class="is-first"') if row.rank == 1 and not row.is_withheld else ""
    opening = '<tr id="row-{}"{} data-order="{}"><td>{}</td>{}</tr>'
    return format_html(opening, row.entrant_id, first, presenter.sort_text, row.rank_label, cells)


@lru_cache(maxsize=CACHE_SIZE)
def _render_cells(presenter: LeaderboardRowPresenter, headings: StandingsHeadings, language: str | None) -> SafeString:
    html = get_template("standings/_cells.html").render({"presenter": presenter, "headings": headings})
    # A template's indentation would make up a third of a long leaderboard.
    return mark_safe(re.sub(r"\s+(?=<)|(?<=>)\s+|\s+(?=>)", "", html))  # noqa: S308 - it comes from the template


def _without_rank(row: LeaderboardRow) -> LeaderboardRow:
    """Return the row without its place. One roll moves a thousand others, of which nothing else changes."""
    return row if row.rank is None else replace(row, rank=PLACEHOLDER_RANK)


@lru_cache(maxsize=CACHE_SIZE)
def _render_stream_row(
    presenter: LeaderboardRowPresenter, html: SafeString, gap: str, language: str | None
) -> SafeString:
    words = (presenter.place_text, presenter.ordinal_text, gap)
    opening = format_html('<tr data-place="{}" data-nth="{}" data-gap="{}" ', *words)
    return mark_safe(html.replace("<tr ", opening, 1))  # noqa: S308 - as above


def _make_sort_text(row: LeaderboardRow, position: int) -> str:
    """Return a text that sorts like the rows: by place, then bikes by number, with entrants that have not started last.

    During a reveal, places that are not announced yet come first.

    Where there is a number, the position is not used. So a row need not be rendered again when another row passes it
    without changing its place.
    """
    before = "0." if row.is_withheld and row.is_ranked else ""
    return f"{before}{row.rank or 'none'}.{row.number or position}"
