"""The bikes that a viewer has pinned: their rows on top of a leaderboard, of the event's page and of a bike's page.

Terms: a viewer *pins* a bike with "This is my bike". The server stores nothing of it: the browser remembers the ids and
asks for their rows with `?mine=<id>`, and without scripts the address of the page has them. What is answered depends on
the address alone, never on who asks (decision 80).

Invariants:
- A pinned row shows what the leaderboard shows at the same moment, and its last turn is that of the scorecard the
  audience sees: during a freeze those of the freeze.
- An id that is on no leaderboard says nothing about the bike, whether there is one or not.
- Which rows are a bike's is read from the leaderboard of the whole contest, also on the board of a class. So that board
  says of no bike what the leaderboard does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scorekeeper.audience.leaderboard_presenter import (
    LeaderboardPresenter,
    LeaderboardRowPresenter,
    get_leaderboard_presenter,
)
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.labels import label_value
from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.models import Player
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.column_headings import StandingsHeadings
from scorekeeper.standings.contest_report import ReportTurn
from scorekeeper.standings.leaderboard import LeaderboardRow

PARAMETER = "mine"
MAX_PINNED = 5  # bikes: those of a family


@dataclass(frozen=True, slots=True)
class Pins:
    """The bikes that an address names.

    Attributes:
        ids: at most `MAX_PINNED`, without repeats.
        are_too_many: whether it names more.
    """

    ids: tuple[UUID, ...]
    are_too_many: bool

    def without(self, pinned: UUID) -> tuple[UUID, ...]:
        """Return the others."""
        return tuple(one for one in self.ids if one != pinned)


@dataclass(frozen=True, slots=True)
class PinnedRow:
    """A row of a pinned bike.

    Attributes:
        pin: the id under which the bike is pinned.
        others: the other ids, for the form that unpins this bike.
        row: as the leaderboard has it; None for a bike that is on none of these leaderboards.
        contest_name: where rows come from several contests; "" elsewhere.
        href: the address of the page of what the entrant played.
        gap: how far it is from the next better place; "" where that cannot be said.
        last_turn: None at tables, and before the first turn.
        last_label: what the last turn was scored in, in the reader's language.
        has_points: whether turns have points.
        has_words: whether the total is in words, such as a hand of cards.
        sentence: says the place, for screen readers.
    """

    pin: UUID
    others: tuple[UUID, ...]
    row: LeaderboardRowPresenter | None = None
    headings: StandingsHeadings | None = None
    contest_name: str = ""
    href: str = ""
    gap: str = ""
    last_turn: ReportTurn | None = None
    last_label: str = ""
    has_points: bool = True
    has_words: bool = False
    sentence: str = ""


def read_pins(request: HttpRequest) -> Pins:
    """Return the bikes that the address of a request names; what is no id is left out."""
    found: dict[UUID, None] = {}
    for text in request.GET.getlist(PARAMETER)[: 10 * MAX_PINNED]:
        try:
            found[UUID(text)] = None
        except ValueError:
            continue
    return Pins(tuple(found)[:MAX_PINNED], len(found) > MAX_PINNED)


def is_for_pinned_rows(request: HttpRequest) -> bool:
    """Return whether a script asks for the pinned rows alone."""
    return "HX-Request" in request.headers and PARAMETER in request.GET


def render_pinned_rows(
    request: HttpRequest,
    event: Event,
    contests: Sequence[Contest],
    presenter: LeaderboardPresenter | None = None,
    *,
    is_of_event: bool = False,
) -> HttpResponse:
    """Return the pinned rows alone, or 304 if they have not changed; the arguments are those of `make_panel`."""
    panel = make_panel(request, event, contests, presenter, is_of_event=is_of_event)
    rows = [repr(asdict(pinned)) for pinned in panel["rows"]]
    version = sha256(canonical_json([*rows, panel["pins"].are_too_many]))
    return render_refreshable(request, "results/_pinned.html", "results/_pinned.html", {"mine": panel}, version)


def make_panel(
    request: HttpRequest,
    event: Event,
    contests: Sequence[Contest],
    presenter: LeaderboardPresenter | None = None,
    *,
    is_of_event: bool = False,
) -> dict[str, Any]:
    """Return the context `mine` of `results/_my_bike.html`.

    Args:
        contests: whose leaderboards have the rows: one, or all of an event.
        presenter: of the leaderboard of the only contest, or of one of its classes, where the page has it already.
        is_of_event: whether the rows are shown on the page of the event.
    """
    pins, rows = read_pins(request), []
    if pins.ids:
        boards = [presenter] if presenter else [get_leaderboard_presenter(contest) for contest in contests]
        rows = list_pinned_rows(boards, pins, names_contests=is_of_event)
    if is_of_event:
        url = reverse("results:event", args=[event.slug])
    else:
        url = get_board_url(contests[0]) if presenter is None else presenter.url
    return {"pins": pins, "rows": rows, "url": url, "most": MAX_PINNED}


def list_pinned_rows(boards: Sequence[LeaderboardPresenter], pins: Pins, *, names_contests: bool) -> list[PinnedRow]:
    """Return the rows of the pinned bikes: bike by bike in their order, contest by contest, each with its best first.

    A bike has its own row and those of its further sheets, or where players have rows, those of the people on it. A
    player without a row has that of the bike. What the leaderboards show comes first, and only for what they do not
    have is anything looked up: a bike that was merged during a freeze is shown as it was frozen.

    Args:
        names_contests: whether each row says which contest it is of.
    """
    related = _list_related(boards, pins)
    rows, seen = [], set()
    for pin in pins.ids:
        is_missing = True
        for board in boards:
            whole = board.whole_board.rows
            entrants = _list_entrants_of(whole, [pin]) or _list_entrants_of(whole, related[pin])
            for row in (row for row in board.rows if row.row.entrant_id in entrants):
                is_missing = False
                key = board.contest.pk, row.row.entrant_id
                if key not in seen:
                    rows.append(_present_row(board, row, pin, pins.without(pin), names_contest=names_contests))
                seen.add(key)
        if is_missing:
            rows.append(PinnedRow(pin, pins.without(pin)))
    return rows


def _list_related(boards: Sequence[LeaderboardPresenter], pins: Pins) -> Mapping[UUID, Collection[UUID]]:
    """Return for each pin whose rows stand for it where it has none: the bike's, and those of the people on it."""
    shown = [{row.entrant_id for row in board.whole_board.rows} for board in boards]
    if not boards or all(pin in entrants for pin in pins.ids for entrants in shown):
        return dict.fromkeys(pins.ids, ())
    event = boards[0].contest.event
    bikes = {pin: pin for pin in pins.ids}
    for pk, merged_into, sheet_of in Bike.entrants.filter(event=event, pk__in=pins.ids).values_list(
        "pk", "merged_into", "sheet_of"
    ):
        bikes[pk] = get_bike(event, pk).pk if merged_into else sheet_of or pk
    bikes |= {
        pk: bike
        for pk, bike in Player.objects.filter(event=event, pk__in=pins.ids).values_list("pk", "bike")
        if bike is not None
    }
    people: dict[UUID, list[UUID]] = {}
    for pk, bike in Player.objects.filter(event=event, bike__in=bikes.values()).values_list("pk", "bike"):
        people.setdefault(bike or pk, []).append(pk)
    return {pin: [bike, *people.get(bike, [])] for pin, bike in bikes.items()}


def _list_entrants_of(rows: Iterable[LeaderboardRow], entrants: Collection[UUID]) -> set[UUID]:
    """Return those of the entrants who have rows, and all sheets of their bikes, which have the number of the bike."""
    bikes = {_drop_sheet(row.number) for row in rows if row.entrant_id in entrants} - {""}
    return {row.entrant_id for row in rows if row.entrant_id in entrants or _drop_sheet(row.number) in bikes}


def _drop_sheet(number: str) -> str:
    return number.partition("/")[0]


def get_pin(contest: Contest, entrant_id: UUID) -> UUID:
    """Return the id under which an entrant of a contest is pinned: that of the bike, or of a player without one."""
    if contest.seats_are == Contest.SeatsAre.PLAYERS:
        bike = Player.objects.filter(pk=entrant_id).values_list("bike", flat=True).first()
    else:
        bike = Bike.entrants.filter(pk=entrant_id).values_list("sheet_of", flat=True).first()
    return bike or entrant_id


def _present_row(
    board: LeaderboardPresenter,
    row: LeaderboardRowPresenter,
    pin: UUID,
    others: tuple[UUID, ...],
    *,
    names_contest: bool,
) -> PinnedRow:
    contest = board.contest
    turn = _get_last_turn(contest, row)
    return PinnedRow(
        pin,
        others,
        row,
        board.headings,
        contest.name if names_contest else "",
        board.get_entrant_url(row),
        board.gaps.get(row.row.entrant_id, ""),
        turn,
        "" if turn is None else translate(turn.label_text),
        contest.game.points_of_turns,
        not contest.game.compares_totals,
        label_value(contest.name, row.place_text) if names_contest and row.place_text else row.place_text,
    )


def _get_last_turn(contest: Contest, row: LeaderboardRowPresenter) -> ReportTurn | None:
    if get_kind(contest.game).entrant_route != "results:bike" or not row.row.is_ranked:
        return None
    _board, card = get_audience_view(contest).get_card(row.row.entrant_id, row.row.number)
    return card.turns[-1] if card.turns and card.damaged_from is None else None


def get_board_url(contest: Contest) -> str:
    """Return the address of a contest's leaderboard."""
    return reverse("results:leaderboard", args=[contest.event.slug, contest.slug])
