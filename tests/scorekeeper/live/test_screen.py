"""`/events/<slug>/screen`, and its settings and controls for organisers."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.services.messages import send_message, withdraw_message
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.live.selectors.screen import MESSAGES_STAY, get_bikes_to_play, get_screen
from scorekeeper.live.services import save_screen
from scorekeeper.live.sources import ScreenSource
from scorekeeper.live.views.screen_response import ScreenPaging
from scorekeeper.players.models import Player
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.reveal import count_steps, locate_step
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.statements import count_statements

__all__ = ["add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("live:screen", args=[ride.event.slug])


def get_text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def make_board(*ranks: int) -> Leaderboard:
    """Return a leaderboard with a row for each rank."""
    rows = [
        LeaderboardRow(UUID(int=number), str(number), rank, ranks.count(rank) > 1, 9, 1, "done", None)
        for number, rank in enumerate(ranks, 1)
    ]
    return Leaderboard(tuple(rows), "closed", 5)


def list_revealed(boards: list[Leaderboard]) -> list[tuple[int, list[int | None]]]:
    """Return for each step the contest's position and the visible ranks."""
    found = [locate_step(boards, step) for step in range(count_steps(boards) + 1)]
    return [(position, [row.rank for row in rows]) for position, rows in found]


def test_a_reveal_goes_from_the_last_place_up_with_tied_rows_together() -> None:
    assert list_revealed([make_board(1, 2, 2, 4)]) == [(0, []), (0, [4]), (0, [2, 2, 4]), (0, [1, 2, 2, 4])]


def test_a_reveal_goes_from_one_contest_to_the_next() -> None:
    revealed = list_revealed([make_board(1, 2), make_board(1)])

    assert revealed == [(0, []), (0, [2]), (0, [1, 2]), (1, []), (1, [1])]


def test_rows_below_the_first_page_are_visible_from_the_start() -> None:
    revealed = list_revealed([make_board(*range(1, 14))])

    assert revealed[0] == (0, [11, 12, 13])
    assert revealed[1] == (0, [10, 11, 12, 13])
    assert len(revealed) == 11


def test_all_rows_of_a_place_are_revealed_together() -> None:
    revealed = list_revealed([make_board(*range(1, 10), 10, 10, 12)])

    assert revealed[0] == (0, [12])
    assert revealed[1] == (0, [10, 10, 12])


def test_nothing_to_reveal_is_one_empty_step() -> None:
    assert list_revealed([make_board()]) == [(0, [])]


@pytest.mark.parametrize(
    ("requested", "page", "board", "start", "then"),
    [
        ("", 1, 0, 0, 2),
        ("2", 2, 0, 10, 3),
        ("3", 3, 1, 0, 1),
        ("4", 1, 0, 0, 2),
        ("x", 1, 0, 0, 2),
        ("9" * 9, 1, 0, 0, 2),
    ],
)
def test_pages_without_a_script_cycle(requested: str, page: int, board: int, start: int, then: int) -> None:
    paging = ScreenPaging.from_counts([13, 0], requested)

    assert (paging.page, paging.board, paging.start, paging.next, paging.last) == (page, board, start, then, 3)


def test_a_screen_without_contests_has_one_page() -> None:
    assert ScreenPaging.from_counts([], "").next == 1


@pytest.mark.usefixtures("tied_bikes")
def test_it_shows_places_and_who_is_to_play(client: Client, url: str, update_standings) -> None:
    update_standings()
    page = get_text(client, url)

    assert page.count("<td>1=</td>") == 3
    assert "To play at Ozweld&#x27;s: 5, 6, 7 and 8" in page
    assert '<meta http-equiv="refresh" content="10; url=' in page


def test_the_current_stop_is_the_last_with_a_turn_or_the_next(ride: Ride, add_turn, desk) -> None:
    by_desk = {"by": desk, "reason": "from the paper cards"}
    assert get_bikes_to_play(ride.contest) is None, "nobody has rolled"
    for number in range(1, 9):
        add_turn(number, 1, make_paper_turn("chance", 20), **by_desk)
    due = get_bikes_to_play(ride.contest)
    assert due is not None
    assert (due.stop, len(due.bikes)) == ("Parks", 8)

    for number in range(1, 9):
        for slot, box in ((2, "twos"), (3, "threes"), (4, "sixes")):
            add_turn(number, slot, make_paper_turn(box, 6), **by_desk)
    add_turn(1, 5, make_paper_turn("fours", 4), **by_desk)
    due = get_bikes_to_play(ride.contest)
    assert due is not None
    assert (due.stop, [bike.number for bike in due.bikes]) == ("Finale", [2, 3, 4, 5, 6, 7, 8])


@pytest.mark.usefixtures("tied_bikes")
def test_it_shows_the_tie_to_be_cut(client: Client, url: str, update_standings, close) -> None:
    close()
    update_standings()

    assert "Cards to be cut: Bike 1 (Ann), Bike 2 (Ben, Zoe) and Bike 3 (Cleo)" in get_text(client, url)


@pytest.mark.usefixtures("tied_bikes")
def test_a_frozen_screen_keeps_the_standings_of_that_moment_without_names(
    ride: Ride, client: Client, url: str, add_turn, update_standings
) -> None:
    update_standings()
    freeze_standings(ride.event)
    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()
    Player.objects.filter(name="Ann").update(name="Anna")

    page = get_text(client, url)
    assert "the result is announced at the finale" in page
    assert ">50<" not in page
    assert "Anna" in page, "a name that was corrected, or erased, is so here too"
    assert "Ann" not in str(FrozenStandings.objects.values().get())

    freeze_standings(ride.event)
    assert ">50<" not in get_text(client, url), "freezing twice keeps the first moment"
    lift_freeze(ride.event)
    assert ">50<" in get_text(client, url)


@pytest.mark.usefixtures("tied_bikes")
def test_revealing_the_same_step_twice_counts_once(ride: Ride, update_standings) -> None:
    update_standings()
    start_reveal(ride.event, [ride.contest])
    for step in (1, 1, 99, -3):
        reveal_to_step(ride.event, step)
        expected = {1: 1, 99: 2, -3: 0}[step]
        assert Freeze.objects.get().step == expected


@pytest.mark.usefixtures("tied_bikes")
def test_every_change_of_the_screen_is_a_new_snapshot(ride: Ride, update_standings) -> None:
    update_standings()
    source = ScreenSource(ride.event)
    live = source.take_snapshot()
    assert live is not None

    screen = get_screen(ride.event)
    screen.parts, screen.seconds, screen.sponsor = [str(ride.contest.pk)], 12, "Thanks to <Ozweld>"
    save_screen(screen)
    then = source.take_snapshot()

    assert then is not None
    assert then.id != live.id
    assert "Thanks to &lt;Ozweld&gt;" in then.diff_from(live)
    Event.objects.update(state=Event.State.DRAFT)
    assert source.take_snapshot() is None


def test_the_organiser_chooses_contests_their_order_seconds_and_sponsor(
    ride: Ride, sign_in: SignIn, alice: User, client: Client, url: str
) -> None:
    second = Contest.objects.create(
        event=ride.event, name="Late run", slug="late-run", ordinal=2, game_key="rock-yahtzee", rules_version=1
    )
    settings = reverse("live:settings", args=[ride.event.slug])
    places = {"parts": [str(second.pk), str(ride.contest.pk)]}

    assert save(sign_in(alice), settings, {**places, "seconds": 8, "sponsor": "Ozweld's"}).status_code == 302
    page = get_text(client, url)
    assert page.index("Late run</h1>") < page.index("R.O.C.K. Yahtzee</h1>")
    assert 'data-seconds="8"' in page

    for wrong, said in (
        ({"seconds": 7}, "Enter from 8 to 12 seconds."),
        ({"parts": [], "parts-order": str(second.pk)}, "Tick at least one contest or other part."),
    ):
        refused = save(sign_in(alice), settings, {**places, "seconds": 8, "sponsor": "kept", **wrong})
        assert refused.status_code == 422
        assert said in refused.content.decode()
        assert "kept" in refused.content.decode()


def test_only_organisers_control_the_screen(
    ride: Ride, sign_in: SignIn, charlie: User, alice: User, client: Client
) -> None:
    steer = reverse("live:steer", args=[ride.event.slug])

    assert client.post(steer, {"to": "freeze"}).status_code == 302
    assert sign_in(charlie).post(steer, {"to": "freeze"}).status_code == 404
    assert not Freeze.objects.exists()
    for nowhere in ("sideways", "9" * 5_000):
        assert sign_in(alice).post(steer, {"to": nowhere}).status_code == 400
    assert sign_in(alice).get(steer).status_code == 405
    sign_in(alice).post(steer, {"to": "freeze"})
    assert Freeze.objects.get().at is not None


def test_the_button_that_ends_the_reveal_says_what_everyone_sees_then(ride: Ride, sign_in: SignIn, alice: User) -> None:
    page = reverse("live:settings", args=[ride.event.slug])
    freeze_standings(ride.event)
    assert "Show everyone live standings again" in get_text(sign_in(alice), page)

    Contest.objects.filter(event=ride.event).update(status=Contest.Status.OFFICIAL)

    assert "Show everyone the official results" in get_text(sign_in(alice), page)


def test_only_the_rides_organisers_can_reveal_from_the_screen(
    ride: Ride, sign_in: SignIn, alice: User, charlie: User, client: Client, url: str
) -> None:
    assert "data-steer" in get_text(sign_in(alice), url)
    assert "data-steer" not in get_text(sign_in(charlie), url) + get_text(client, url)


def test_a_draft_has_no_screen(ride: Ride, client: Client, url: str) -> None:
    Event.objects.update(state=Event.State.DRAFT)

    assert client.get(url).status_code == 404
    assert client.get(reverse("live:screen_stream", args=[ride.event.slug])).status_code == 404


def test_without_asgi_there_is_no_stream(ride: Ride, client: Client) -> None:
    assert client.get(reverse("live:screen_stream", args=[ride.event.slug])).status_code == 204
    assert client.get(reverse("live:board", args=[ride.event.slug, ride.contest.slug])).status_code == 204


def test_the_number_of_queries_does_not_depend_on_the_number_of_bikes(
    ride: Ride, client: Client, url: str, tied_bikes, update_standings
) -> None:
    def statements() -> int:
        return count_statements(client, url)

    update_standings()
    few = statements()
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + number) for number in range(40)])

    assert statements() == few


def test_a_message_to_the_screen_is_a_band_in_every_phase_until_it_is_withdrawn(
    ride: Ride, client: Client, url: str
) -> None:
    source = ScreenSource(ride.event)
    before = source.take_snapshot()
    message = CrewMessage(event=ride.event, text="<b>Soup</b> is ready", is_for_crew=False, is_for_screen=True)
    send_message(message)
    send_message(CrewMessage(event=ride.event, text="For the crew"))
    shown = source.take_snapshot()
    assert before is not None
    assert shown is not None

    assert shown.id != before.id
    assert "&lt;b&gt;Soup&lt;/b&gt; is ready" in shown.diff_from(before)
    assert 'id="screen-messages" hx-swap-oob="true"' in shown.diff_from(before)
    assert "For the crew" not in shown.render()
    freeze_standings(ride.event)
    assert "&lt;b&gt;Soup&lt;/b&gt; is ready" in get_text(client, url)
    start_reveal(ride.event, [ride.contest])
    assert "&lt;b&gt;Soup&lt;/b&gt; is ready" in get_text(client, url)
    lift_freeze(ride.event)
    withdraw_message(message)
    withdrawn = source.take_snapshot()
    assert withdrawn is not None
    assert withdrawn.id == before.id


def test_a_message_leaves_a_screen_with_standings_after_half_an_hour(ride: Ride, client: Client, url: str) -> None:
    send_message(CrewMessage(event=ride.event, text="Soup is ready", is_for_crew=False, is_for_screen=True))
    CrewMessage.objects.update(sent_at=timezone.now() - MESSAGES_STAY + dt.timedelta(minutes=1))
    assert "Soup is ready" in get_text(client, url)
    CrewMessage.objects.update(sent_at=timezone.now() - MESSAGES_STAY)
    assert "Soup is ready" not in get_text(client, url)
