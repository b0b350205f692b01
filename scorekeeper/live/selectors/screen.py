"""Reads what the screens of an event show: the contests, and the parts beside them with their frames.

A new kind of part is a member of `PartKind`, a function here that returns its frames, and its line in `FRAMES`. A kind
without frames, such as prizes of a ride that has none, takes no time on the screen.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.audience.draw_presenter import DrawPresenter, present_draws
from scorekeeper.audience.draws import DrawBoard, list_draw_boards
from scorekeeper.audience.leaderboard_presenter import LeaderboardPresenter, present_board
from scorekeeper.audience.reveals import Reveal, get_reveal
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.common.languages import find_language, speaking
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.common.qr import make_qr_code
from scorekeeper.common.secret_links import hash_token
from scorekeeper.common.word_lists import join_and
from scorekeeper.crew.selectors import list_screen_messages
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.event_times import format_freeze_notice
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze, list_contests
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.live.models import ALL_CONTESTS, PairingCode, PartKind, Screen
from scorekeeper.live.script_items import get_current_item
from scorekeeper.live.selectors.screen_frames import PodiumPlace, PodiumStep, ScreenBoard, ScreenFrame, ScreenPanel
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.models import EventClass
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.prizes.selectors.announcements import order_contests
from scorekeeper.prizes.selectors.audience_prizes import list_audience_prizes, list_sponsors
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.non_starters import is_non_starter
from scorekeeper.stops.selectors import list_slots

ScreenPhase = Literal["live", "frozen", "revealing"]
MAX_NAMES = 12  # bikes that are named in one line
SPONSORS_PER_PAGE = 6
MESSAGES_STAY = dt.timedelta(minutes=30)  # above everything else; a screen for messages keeps them until withdrawn
PODIUM = (2, 1, 3)  # its places, as they stand beside each other


@dataclass(frozen=True, slots=True)
class BikesToPlay:
    """A stop, and the bikes that still have a turn to roll there."""

    stop: str
    bikes: Sequence[Bike]


def get_bikes_to_play(contest: Contest) -> BikesToPlay | None:
    """Return who is to play next; None before the first turn, after the last, and without stops.

    The current stop is the last one at which anyone has rolled, or the next one if all bikes have played there.
    """
    turns_per_stop = Counter(slot.stop for slot in list_slots(contest))
    if contest.status != Contest.Status.OPEN or not turns_per_stop:
        return None
    recorded = _count_turns(contest)
    bikes = list(list_sheets(contest).filter(~is_non_starter()))
    stops = sorted(turns_per_stop, key=lambda stop: stop.ordinal)
    begun = [number for number, stop in enumerate(stops) if any(recorded[bike.pk, stop.pk] for bike in bikes)]
    for stop in stops[begun[-1] :] if begun else ():
        missing = [bike for bike in bikes if recorded[bike.pk, stop.pk] < turns_per_stop[stop]]
        if missing:
            return BikesToPlay(stop.name, missing)
    return None


def _count_turns(contest: Contest) -> Counter[tuple[UUID, UUID]]:
    turns = Turn.objects.filter(card__contest=contest).order_by().values_list("card__seats__bike", "slot__stop")
    return Counter({(bike, stop): number for bike, stop, number in turns.annotate(Count("pk"))})


@dataclass(frozen=True)
class ScreenPresenter:
    """Everything on a screen.

    Attributes:
        phase: "live"; "frozen" before the prize giving; "revealing" while the result is shown step by step. A screen
            without standings is always live.
        frames: what is shown one after the other.
        status_text: what the screen is doing while it is not live.
        step: the current step of the reveal, and the number of the last one.
        messages: the organiser's messages to everyone, the oldest first.
    """

    event: Event
    screen: Screen
    phase: ScreenPhase
    frames: tuple[ScreenFrame, ...]
    status_text: str
    step: tuple[int, int]
    messages: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The language that everything on it is in."""
        return get_screen_language(self.screen)

    @property
    def boards(self) -> tuple[ScreenBoard, ...]:
        """The frames with standings."""
        return tuple(frame for frame in self.frames if isinstance(frame, ScreenBoard))

    @property
    def draws(self) -> tuple[DrawPresenter, ...]:
        """The frames with draws of cards."""
        return tuple(frame for frame in self.frames if isinstance(frame, DrawPresenter))

    @property
    def is_for_messages(self) -> bool:
        """Whether the screen is only for the messages, which then fill it."""
        return self.event.is_open and self.screen.has_messages and not self.screen.parts

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        frames = [frame.get_digest() for frame in self.frames]
        screen = [self.language, self.screen.seconds, self.screen.theme, self.screen.sponsor, self.is_for_messages]
        phase = [self.event.is_open, self.phase, self.status_text, *self.step]
        return sha256(canonical_json([self.event.name, screen, phase, frames, *self.messages]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `live/_screen.html`."""
        return {
            "event": self.event,
            "screen": self.screen,
            "phase": self.phase,
            "frames": self.frames,
            "boards": self.boards,
            "status_text": self.status_text,
            "step": self.step,
            "messages_to_all": self.messages,
            "is_for_messages": self.is_for_messages,
        }


def get_screen_language(screen: Screen) -> str:
    """Return the language of a screen: its own, or its event's."""
    return find_language(screen.language) or get_event_language(screen.event)


def get_screen(event: Event) -> Screen:
    """Return the event's public screen, or a new unsaved one."""
    screen = event.screens.filter(is_public=True).first() or Screen(is_public=True)
    screen.event = event
    return screen


def list_paired_screens(event: Event) -> QuerySet[Screen]:
    """Return the paired screens of an event by name."""
    return event.screens.filter(is_public=False).order_by("name", "pk")


def get_paired_screen(screen_id: UUID) -> Screen | None:
    """Return a paired screen with its event; None if it is not paired any more."""
    return Screen.objects.select_related("event").filter(pk=screen_id, is_public=False).first()


def get_screen_by_token(token: str) -> Screen | None:
    """Return the screen that the television with this secret is paired to, with its event."""
    return Screen.objects.select_related("event").filter(token_digest=hash_token(token)).first()


def get_waiting_code(token: str) -> str:
    """Return the code that the television with this secret shows; "" if it has expired, or shows none."""
    waiting = PairingCode.objects.filter(token_digest=hash_token(token), expires_at__gt=timezone.now())
    return waiting.values_list("code", flat=True).first() or ""


def list_part_contests(screen: Screen) -> list[Contest]:
    """Return the contests among the parts of a screen, in order."""
    return [part for part in list_parts(screen) if isinstance(part, Contest)]


def list_screen_contests(screen: Screen) -> list[Contest]:
    """Return the contests that the screen shows, in order; all contests if it shows none.

    The reveal goes through those of the public screen, whatever else that screen shows.
    """
    return list_part_contests(screen) or list(_list_contests(screen.event))


def iterate_revealed_contests(event: Event) -> Iterator[Contest]:
    """Yield the contests of a reveal in its order. Nothing is read before the first is asked for.

    They are those of the public screen, in the order of their prizes for places.
    """
    yield from order_contests(event, list_screen_contests(get_screen(event)))


class ClassPart(NamedTuple):
    """A class of a contest on a screen."""

    contest: Contest
    event_class: EventClass

    @property
    def key(self) -> str:
        """How the part is stored."""
        return f"{self.contest.pk}.{self.event_class.pk}"

    @property
    def name(self) -> str:
        """The contest and the class."""
        return f"{self.contest.name} · {self.event_class.name}"


Part = Contest | ClassPart | PartKind


def list_class_parts(contests: Iterable[Contest]) -> list[ClassPart]:
    """Return the classes that a screen could show of contests of one event: contest by contest, in order."""
    contests = list(contests)
    classes = list(list_classes(contests[0].event)) if contests else []
    return [ClassPart(contest, event_class) for contest in contests for event_class in classes]


def list_parts(screen: Screen) -> list[Part]:
    """Return what the screen shows, in order. Contests and classes that were deleted are left out."""
    contests = {str(contest.pk): contest for contest in _list_contests(screen.event)}
    has_classes = any("." in part for part in screen.parts)
    classes = {part.key: part for part in list_class_parts(contests.values())} if has_classes else {}
    found: list[Part] = []
    for part in screen.parts:
        if part == ALL_CONTESTS:
            found += contests.values()
        elif part in contests:
            found.append(contests[part])
        elif part in classes:
            found.append(classes[part])
        elif part in PartKind.values:
            found.append(PartKind(part))
    return found


def _list_contests(event: Event) -> QuerySet[Contest]:
    return list_contests(event).select_related("event")


def get_screen_presenter(screen: Screen) -> ScreenPresenter:
    """Return what a screen shows now, in its language."""
    with speaking(get_screen_language(screen)):
        return _present_screen(screen)


def _present_screen(screen: Screen) -> ScreenPresenter:
    event = screen.event
    if not event.is_open:
        return ScreenPresenter(event, screen, "live", (), _("This event is not open yet"), (0, 0))
    shown = list_screen_messages(event) if screen.has_messages else None
    if shown is not None and screen.parts:
        shown = shown.filter(sent_at__gt=timezone.now() - MESSAGES_STAY)
    messages = () if shown is None else shown.values_list("text", flat=True)
    return replace(_present_phase(screen), messages=tuple(messages))


class EventPhase(NamedTuple):
    """What the audience sees of an event's standings, with the texts of `ScreenPresenter`."""

    phase: ScreenPhase
    status_text: str = ""
    step: tuple[int, int] = (0, 0)


def get_event_phase(event: Event) -> EventPhase:
    """Return whether an event is live, frozen or being revealed."""
    return _get_phase(event, get_freeze(event), get_reveal(event))


def _get_phase(event: Event, freeze: Freeze | None, reveal: Reveal | None) -> EventPhase:
    if reveal is not None:
        return EventPhase("revealing", _("Prize giving"), (reveal.step, reveal.last_step))
    if freeze is None or freeze.at is None:
        return EventPhase("live")
    return EventPhase("frozen", format_freeze_notice(freeze.at, event))


def shows_standings(screen: Screen) -> bool:
    """Return whether the screen shows standings, so that it follows a freeze and the reveal."""
    return any(part not in PartKind.values for part in screen.parts)


def _present_phase(screen: Screen) -> ScreenPresenter:
    event = screen.event
    if not shows_standings(screen):
        without_standings = tuple(_arrange(_list_frames(screen, list_parts(screen), {})))
        return ScreenPresenter(event, screen, "live", without_standings, "", (0, 0))
    people = get_public_names(event)
    freeze, reveal = get_freeze(event), get_reveal(event)
    phase, status_text, step = _get_phase(event, freeze, reveal)
    frames: Iterable[ScreenFrame]
    if reveal is not None:
        boards = list(_present_revealed(reveal, people))
        # The reveal announces places, so they are also on a screen that otherwise shows only groups.
        is_only_groups = screen.groups == Screen.Groups.ONLY
        groups = _add_groups(boards, Screen.Groups.WITH_PLACES if is_only_groups else screen.groups)
        frames = [*_present_announcement(reveal, event, people, boards), *groups]
    else:
        parts = list_parts(screen)
        present = _present_live if phase == "live" else _present_frozen
        by_part: dict[Contest | ClassPart, ScreenBoard] = {}
        for part in parts:
            if isinstance(part, Contest):
                by_part[part] = present(part, people)
            elif isinstance(part, ClassPart) and (of_class := _present_class(part, people)):
                by_part[part] = of_class
        boards = list(by_part.values())
        frames = _list_frames(screen, parts, by_part)
    draws = present_draws(event, [_get_draw_board(board.leaderboard) for board in boards])
    return ScreenPresenter(event, screen, phase, tuple(_arrange([*draws, *frames])), status_text, step)


def _get_draw_board(shown: LeaderboardPresenter) -> DrawBoard:
    return DrawBoard(shown.contest, shown.whole_board, shown.whole_board.find_class(shown.class_id))


def _arrange(frames: Iterable[ScreenFrame]) -> Iterator[ScreenFrame]:
    """Yield each draw of cards once, and the other frames; nothing but the draw while one happens."""
    draws: dict[str, DrawPresenter] = {}
    others: list[ScreenFrame] = []
    for frame in frames:
        if isinstance(frame, DrawPresenter):
            draws[frame.id] = frame
        else:
            others.append(frame)
    now = [draw for draw in draws.values() if draw.is_now]
    yield from now or draws.values()
    if not now:
        yield from others


def _present_revealed(reveal: Reveal, people: Mapping[UUID, str]) -> Iterator[ScreenBoard]:
    """Yield the places so far, if there are any, unless a prize is announced that is for no place."""
    is_place = reveal.announcement is None or reveal.announcement.is_place
    if is_place and reveal.contest is not None and reveal.board is not None and reveal.board.rows:
        yield ScreenBoard(present_board(reveal.contest, reveal.board, people))


def _present_announcement(
    reveal: Reveal, event: Event, people: Mapping[UUID, str], boards: Sequence[ScreenBoard]
) -> Iterator[ScreenPanel]:
    """Yield what fills the screen first, and the podium once it is complete.

    A contest opens with its lower places, if there are any, and no prize is for one of them.
    """
    item = get_current_item(event, reveal, people)
    if item is None:
        return
    if item.prizes or not (item.opens_contest and boards):
        context = {"item": item, "is_followed": bool(boards)}
        yield ScreenPanel("screen-announcement", "live/_announcement.html", context)
    for board in boards:
        steps = [
            PodiumStep(
                format_ordinal_place(rank),
                rank,
                board.leaderboard.headings.total,
                tuple(
                    PodiumPlace(shown.row.number, shown.people, shown.total)
                    for shown in board.leaderboard.rows
                    if shown.row.rank == rank
                ),
            )
            for rank in PODIUM
        ]
        if any(step.rank == 1 and step.places for step in steps):
            context = {
                "contest": board.leaderboard.contest.name,
                "steps": tuple(step for step in steps if step.places),
            }
            yield ScreenPanel("screen-podium", "live/_podium.html", context)


def _list_frames(
    screen: Screen, parts: Sequence[Part], boards: Mapping[Contest | ClassPart, ScreenBoard]
) -> Iterator[ScreenFrame]:
    for part in parts:
        if isinstance(part, Contest):
            yield from _add_groups([boards[part]], screen.groups)
        elif isinstance(part, ClassPart):
            if part in boards:
                yield boards[part]
        else:
            yield from list_frames(part, screen.event)


def _add_groups(boards: Sequence[ScreenBoard], shown: str) -> Iterator[ScreenBoard]:
    """Yield the boards, each followed by that of its groups; or only one of both, as chosen."""
    for board in boards:
        groups = board.leaderboard.groups
        if shown != Screen.Groups.ONLY:
            yield board
        if groups is not None and shown != Screen.Groups.NOT_SHOWN:
            yield ScreenBoard(board.leaderboard, groups=groups)


def _present_class(part: ClassPart, people: Mapping[UUID, str]) -> ScreenBoard | None:
    """Return the board of a class; None if nobody in it has a row now."""
    view = get_audience_view(part.contest)
    board = view.get_leaderboard()
    found = board.find_class(part.event_class.pk)
    if found is None:
        return None
    leaderboard = present_board(part.contest, board, people, view.get_chances(), found)
    # Frozen rows do not say which ties of a class matter.
    return ScreenBoard(leaderboard, tie=_format_tie(leaderboard))


def _present_frozen(contest: Contest, people: Mapping[UUID, str]) -> ScreenBoard:
    return ScreenBoard(present_board(contest, get_audience_view(contest).get_leaderboard(), people))


def _present_live(contest: Contest, people: Mapping[UUID, str]) -> ScreenBoard:
    view = get_audience_view(contest)
    leaderboard = present_board(contest, view.get_leaderboard(), people, view.get_chances())
    return ScreenBoard(leaderboard, _format_to_play(contest), _format_tie(leaderboard))


def _format_tie(leaderboard: LeaderboardPresenter) -> str:
    to_cut = [format_entrant(row.row.number, row.people) for row in leaderboard.rows if row.row.next_step]
    return _("Cards to be cut: %(who)s") % {"who": _format_seats(to_cut)} if to_cut else ""


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
    return join_and(named)


def list_frames(kind: PartKind, event: Event) -> Sequence[ScreenFrame]:
    """Return the frames of a kind of part, as the audience may see them now."""
    return FRAMES[kind](event)


def _list_prize_frames(event: Event) -> Sequence[ScreenFrame]:
    prizes = list_audience_prizes(event, get_public_names(event))
    if not prizes:
        return ()
    has_winners = any(prize.winners or prize.outcome_text for prize in prizes)
    contests = {prize.contest for prize in prizes}
    context = {"prizes": prizes, "has_winners": has_winners, "names_contests": len(contests) > 1}
    return (ScreenPanel("screen-prizes", "live/_prizes.html", context, len(prizes)),)


def _list_sponsor_frames(event: Event) -> Sequence[ScreenFrame]:
    sponsors = list_sponsors(event)
    pages = [sponsors[start : start + SPONSORS_PER_PAGE] for start in range(0, len(sponsors), SPONSORS_PER_PAGE)]
    return [
        ScreenPanel(f"screen-sponsors-{number}", "live/_sponsors.html", {"sponsors": page, "number": number})
        for number, page in enumerate(pages, 1)
    ]


def _list_result_frames(event: Event) -> Sequence[ScreenFrame]:
    url = settings.BASE_URL + reverse("results:event", args=[event.slug])
    context = {"url": url.partition("//")[2], "qr": make_qr_code(url)}
    return (ScreenPanel("screen-results", "live/_results_code.html", context),)


def _list_draw_frames(event: Event) -> Sequence[ScreenFrame]:
    contests = list_contests(event).select_related("event")
    boards = [board for one in contests for board in list_draw_boards(one, get_audience_view(one).get_leaderboard())]
    return present_draws(event, boards)


FRAMES: Mapping[PartKind, Callable[[Event], Sequence[ScreenFrame]]] = {
    PartKind.PRIZES: _list_prize_frames,
    PartKind.SPONSORS: _list_sponsor_frames,
    PartKind.RESULTS: _list_result_frames,
    PartKind.DRAWS: _list_draw_frames,
}
