"""The draw of cards on the big screen: face down until all cards are recorded, and withheld while standings are frozen.

In every test bikes 1, 2 and 3 are tied for first place, and bike 4 is behind them.
"""

from __future__ import annotations

import datetime as dt
import re
from uuid import UUID, uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.draw_presenter import DrawPresenter
from scorekeeper.audience.draws import DRAW_STAYS
from scorekeeper.audience.services import (
    freeze_standings,
    hide_draw,
    lift_freeze,
    reveal_to_step,
    show_draw,
    start_reveal,
)
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import get_screen, get_screen_presenter
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.live.sources import ScreenSource
from scorekeeper.standings.services.card_cuts import correct_cut
from scorekeeper.standings.services.contest_chain import InvalidCut
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.standings.test_cutting import correct
from tests.scorekeeper.statements import count_statements

__all__ = ["add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]

pytestmark = pytest.mark.usefixtures("tied_bikes")
EQUAL = {1: "QS", 2: "KH", 3: "KD"}
DECIDED = {1: "QS", 2: "KH", 3: "AD"}
NAMES = {1: "Ann", 2: "Ben, Zoe", 3: "Cleo"}
LATER = DRAW_STAYS + dt.timedelta(seconds=1)


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("live:screen", args=[ride.event.slug])


@pytest.fixture
def closed(tied_bikes, close, update_standings) -> None:
    close()
    update_standings()


@pytest.fixture
def record(cut, update_standings):
    """Record a cut and refresh the standings, as the worker does; return the number of its entry."""

    def record_cards(cards: dict[int, str | None]) -> int:
        receipt = cut(cards)
        update_standings()
        seq = receipt.entries[0]["seq"]
        assert isinstance(seq, int)
        return seq

    return record_cards


def get_draw(ride: Ride) -> DrawPresenter | None:
    """The only draw on the screen."""
    draws = get_screen_presenter(get_screen(Event.objects.get(pk=ride.event.pk))).draws
    assert len(draws) <= 1
    return draws[0] if draws else None


def has_boards(ride: Ride) -> bool:
    return bool(get_screen_presenter(get_screen(Event.objects.get(pk=ride.event.pk))).boards)


def show(ride: Ride, *numbers: int) -> None:
    show_draw(ride.contest, [ride.bikes[number].pk for number in numbers])


def list_cards(draw: DrawPresenter | None) -> list[list[tuple[str, str, str]]]:
    """The number, the card's name and the result of every entrant, by round."""
    assert draw is not None
    return [[(card.number, card.name, card.result) for card in one.cards] for one in draw.rounds]


def get_text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def after(duration: dt.timedelta) -> time_machine.travel:
    """The server's clock, that much later."""
    return time_machine.travel(timezone.now() + duration, tick=False)


def test_an_open_contest_has_no_draw(ride: Ride, update_standings) -> None:
    update_standings()

    assert get_draw(ride) is None


@pytest.mark.usefixtures("closed")
def test_a_tie_to_be_cut_is_a_page_of_the_screen_with_its_cards_face_down(ride: Ride, client: Client, url: str) -> None:
    draw = get_draw(ride)

    assert list_cards(draw) == [[("1", "", ""), ("2", "", ""), ("3", "", "")]]
    assert draw is not None
    assert [card.people for card in draw.rounds[0].cards] == list(NAMES.values())
    assert (draw.title, draw.outcome, draw.is_now) == ("Cards for place 1", "", False)
    page = get_text(client, url)
    assert page.count("Card face down") == 3
    assert "draw__face" not in page
    assert "Page 1 of 2" in page
    assert "Page 2 of 2" in get_text(client, f"{url}?page=2")


@pytest.mark.usefixtures("closed")
def test_nothing_is_shown_until_all_cards_of_a_round_are_recorded(ride: Ride, cut, client: Client, url: str) -> None:
    with pytest.raises(InvalidCut):
        cut({1: "QS", 2: "KH"})

    page = get_text(client, url)
    assert page.count("Card face down") == 3
    assert "queen of spades" not in page


@pytest.mark.usefixtures("closed")
def test_all_cards_turn_over_together_and_the_screen_shows_nothing_else(
    ride: Ride, record, client: Client, url: str
) -> None:
    record(DECIDED)

    draw = get_draw(ride)
    assert list_cards(draw) == [
        [
            ("1", "queen of spades", "Place 3"),
            ("2", "king of hearts", "Place 2"),
            ("3", "ace of diamonds", "Place 1"),
        ]
    ], "in the order in which they lay there"
    assert draw is not None
    assert [card.is_best for card in draw.rounds[0].cards] == [False, False, True]
    assert draw.outcome == "Bike 3 (Cleo) wins place 1."
    assert draw.rounds[0].witness == "Wim Watcher"
    assert draw.is_now
    assert not has_boards(ride)
    page = get_text(client, url)
    assert "Card face down" not in page
    assert "Page 1 of 1" in page


@pytest.mark.usefixtures("closed")
def test_equal_cards_are_cut_again_in_a_round_below(ride: Ride, record) -> None:
    record(EQUAL)

    draw = get_draw(ride)
    assert list_cards(draw) == [
        [
            ("1", "queen of spades", "Place 3"),
            ("2", "king of hearts", "Cuts again"),
            ("3", "king of diamonds", "Cuts again"),
        ],
        [("2", "", ""), ("3", "", "")],
    ]
    assert draw is not None
    assert draw.outcome == "Equal cards: Bike 2 (Ben, Zoe) and Bike 3 (Cleo) cut again."
    assert [one.heading for one in draw.rounds] == ["Round 1", "Round 2"]
    keys = [one.key for one in draw.rounds]

    record({2: "2S", 3: None})

    draw = get_draw(ride)
    assert draw is not None
    assert list_cards(draw)[1] == [("2", "2 of spades", "Place 1"), ("3", "was not there", "Place 2")]
    assert draw.outcome == "Bike 2 (Ben, Zoe) wins place 1."
    assert [card.is_best for card in draw.rounds[0].cards] == [False, True, True]
    assert [one.key for one in draw.rounds] == keys, "the cards are turned over where they lie"


@pytest.mark.usefixtures("closed")
def test_only_the_last_rounds_are_shown(ride: Ride, record, client: Client, url: str) -> None:
    record(EQUAL)
    for rank in ("2", "3", "4"):
        record({2: f"{rank}H", 3: f"{rank}D"})

    draw = get_draw(ride)
    assert draw is not None
    assert [one.heading for one in draw.rounds] == ["Round 3", "Round 4", "Round 5"]
    assert "2 earlier rounds are not shown." in get_text(client, url)


@pytest.mark.usefixtures("closed")
def test_a_correction_is_visible_as_one(ride: Ride, record, desk, update_standings, client: Client, url: str) -> None:
    seq = record(DECIDED)
    assert "Corrected" not in get_text(client, url)
    cards: dict[UUID, str | None] = {ride.bikes[1].pk: "QS", ride.bikes[2].pk: "AH", ride.bikes[3].pk: "KD"}
    correct_cut(desk, uuid4(), ride.contest.pk, seq, cards, "Wim", "misread")
    update_standings()

    draw = get_draw(ride)
    assert draw is not None
    assert draw.outcome == "Bike 2 (Ben, Zoe) wins place 1."
    assert draw.rounds[0].is_corrected
    page = get_text(client, url)
    assert "Corrected" in page
    assert "misread" not in page, "reasons are for the desk"


@pytest.mark.usefixtures("closed")
def test_the_witness_is_named_as_the_event_shows_people(ride: Ride, record, client: Client, url: str) -> None:
    record(DECIDED)
    assert "Witness: Wim Watcher" in get_text(client, url)

    Event.objects.update(people_shown=Event.PeopleShown.INITIALS)
    assert "Witness: W. W." in get_text(client, url)
    Event.objects.update(people_shown=Event.PeopleShown.NUMBERS)
    page = get_text(client, url)
    assert "Witness" not in page
    assert "Cleo" not in page


@pytest.mark.usefixtures("closed")
def test_the_standings_come_back_some_minutes_after_the_last_cards(ride: Ride, record) -> None:
    record(DECIDED)
    with after(DRAW_STAYS - dt.timedelta(seconds=30)):
        assert get_draw(ride) is not None
    with after(LATER):
        assert get_draw(ride) is None
        assert has_boards(ride)


@pytest.mark.usefixtures("closed")
def test_equal_cards_that_are_not_cut_again_soon_wait_as_a_page(ride: Ride, record) -> None:
    record(EQUAL)

    with after(LATER):
        draw = get_draw(ride)
        assert draw is not None
        assert not draw.is_now
        assert has_boards(ride)


@pytest.mark.usefixtures("closed")
def test_a_draw_that_the_organiser_shows_is_all_that_the_screen_shows(ride: Ride, record) -> None:
    show(ride, 1, 2, 3)
    draw = get_draw(ride)
    assert draw is not None
    assert draw.is_now
    assert not has_boards(ride)

    hide_draw(ride.event)
    assert has_boards(ride)
    record(DECIDED)
    assert get_draw(ride) is not None, "cards that are recorded after that are shown"
    hide_draw(ride.event)
    assert get_draw(ride) is None


@pytest.mark.usefixtures("closed")
def test_an_old_draw_that_the_organiser_shows_stays_as_long_as_a_new_one(ride: Ride, record) -> None:
    record(DECIDED)

    with after(LATER):
        assert get_draw(ride) is None
        show(ride, 1, 2, 3)
        assert get_draw(ride) is not None
    with after(LATER + DRAW_STAYS):
        assert get_draw(ride) is None


@pytest.mark.usefixtures("closed")
def test_a_frozen_screen_shows_no_draw_unless_the_organiser_shows_it(
    ride: Ride, record, client: Client, url: str
) -> None:
    freeze_standings(ride.event)
    frozen = get_text(client, url)
    assert get_draw(ride) is None
    record(DECIDED)
    assert get_draw(ride) is None
    assert "queen of spades" not in get_text(client, url)

    show(ride, 1, 2, 3)

    page = get_text(client, url)
    assert "queen of spades" in page
    assert "Bike 3 (Cleo) wins place 1." in page
    assert re.search(r"Unofficial, \d", page) is None, "the time of the last entry is newer than the freeze"
    hide_draw(ride.event)
    assert mask_times(get_text(client, url)) == mask_times(frozen)


def mask_times(page: str) -> str:
    return re.sub(r'\d\d:\d\d:\d\d|datetime="[^"]*"', "", page)


@pytest.mark.usefixtures("closed")
def test_a_shown_draw_lifts_nothing_else_of_a_freeze(ride: Ride, record, client: Client, url: str) -> None:
    freeze_standings(ride.event)
    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    before = mask_times(get_text(client, board))
    show(ride, 1, 2, 3)
    record(DECIDED)

    page = get_text(client, url)
    assert "Bike 3 (Cleo) wins place 1." in page
    assert ">Dan<" not in page, "who was not tied"
    assert ">24<" not in page, "and no totals"
    assert mask_times(get_text(client, board)) == before


@pytest.mark.usefixtures("closed")
def test_a_shown_draw_does_not_say_that_the_frozen_result_is_official_meanwhile(ride: Ride, record, desk) -> None:
    freeze_standings(ride.event)
    show(ride, 1, 2, 3)
    record(DECIDED)
    before = get_draw(ride)
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    after_publishing = get_draw(ride)

    assert after_publishing == before
    assert before is not None
    assert (before.is_official, before.official_status) == (False, "Unofficial")


@pytest.mark.usefixtures("closed")
def test_a_frozen_draw_goes_when_its_tie_is_no_more(ride: Ride, desk, update_standings) -> None:
    freeze_standings(ride.event)
    show(ride, 1, 2, 3)
    assert get_draw(ride) is not None
    correct(ride, desk, 1, 10)
    update_standings()

    assert get_draw(ride) is None, "another two are tied now, whom the organiser has not shown"


@pytest.mark.usefixtures("closed")
def test_the_reveal_takes_the_draw_off_the_screen(ride: Ride, record, client: Client, url: str) -> None:
    record(DECIDED)
    show(ride, 1, 2, 3)
    start_reveal(ride.event, [ride.contest])
    assert get_draw(ride) is None
    assert "Cleo" not in get_text(client, url)

    show(ride, 1, 2, 3)
    assert get_draw(ride) is not None
    reveal_to_step(ride.event, 1)
    assert get_draw(ride) is None
    lift_freeze(ride.event)
    assert get_draw(ride) is None, "the organiser has moved on"


@pytest.mark.usefixtures("closed")
def test_an_open_page_gets_the_cards_as_one_part(ride: Ride, record) -> None:
    show(ride, 1, 2, 3)
    source = ScreenSource(ride.event)
    face_down = source.take_snapshot()
    assert face_down is not None
    record(DECIDED)
    face_up = source.take_snapshot()
    assert face_up is not None

    change = face_up.diff_from(face_down)

    name = f"draw-{ride.contest.pk}-1"
    assert change.count("hx-swap-oob") == 1
    assert f'id="{name}" hx-swap-oob="true"' in change
    assert all(card in change for card in ("queen of spades", "king of hearts", "ace of diamonds"))
    with after(LATER):
        back = source.take_snapshot()
    assert back is not None
    assert back.diff_from(face_up) == back.render_swap()
    assert name not in back.render()


@pytest.mark.usefixtures("closed")
def test_showing_and_hiding_a_draw_changes_the_version_of_the_event(ride: Ride) -> None:
    versions = [get_versions([ride.event.pk]).get(ride.event.pk, 0)]
    for change in (lambda: show(ride, 1, 2, 3), lambda: hide_draw(ride.event), lambda: start_reveal(ride.event, [])):
        change()
        versions.append(get_versions([ride.event.pk])[ride.event.pk])

    assert versions == sorted(set(versions))


@pytest.mark.usefixtures("closed")
def test_a_draw_costs_a_fixed_number_of_statements(ride: Ride, record, client: Client, url: str) -> None:
    record({1: "2S", 2: "KH", 3: "KD"})
    few = count_statements(client, url)
    for rank in ("2", "3", "4"):
        record({2: f"{rank}H", 3: f"{rank}D"})

    assert count_statements(client, url) == few


def test_each_tie_that_matters_has_a_draw(ride: Ride, add_turn, desk, close, update_standings) -> None:
    Contest.objects.update(prizes=9)
    for number in (5, 6):
        add_turn(number, 1, make_paper_turn("chance", 18), by=desk, reason="from the paper cards")
    close()
    update_standings()

    titles = [draw.title for draw in get_screen_presenter(get_screen(ride.event)).draws]
    assert titles == ["Cards for place 1", "Cards for place 5"]
    show(ride, 5, 6)
    assert [draw.title for draw in get_screen_presenter(get_screen(ride.event)).draws] == ["Cards for place 5"]


@pytest.mark.usefixtures("closed")
def test_a_screen_can_show_draws_and_no_standings(ride: Ride, record) -> None:
    screen = Screen.objects.create(event=ride.event, name="Bar", token_digest="0" * 64, parts=[PartKind.DRAWS])

    assert [type(frame) for frame in get_screen_presenter(screen).frames] == [DrawPresenter]
    record(DECIDED)
    (draw,) = get_screen_presenter(screen).draws
    assert (draw.is_now, draw.outcome) == (True, "Bike 3 (Cleo) wins place 1.")
    with after(LATER):
        assert get_screen_presenter(screen).frames == ()


@pytest.mark.usefixtures("closed")
def test_a_draw_is_shown_once_beside_standings_and_alone_while_it_happens(ride: Ride, record) -> None:
    parts = [PartKind.DRAWS, ALL_CONTESTS, PartKind.RESULTS]
    screen = Screen.objects.create(event=ride.event, name="Hall", token_digest="0" * 64, parts=parts)

    frames = get_screen_presenter(screen).frames
    assert [isinstance(frame, DrawPresenter) for frame in frames] == [True, False, False]
    record(DECIDED)
    assert [type(frame) for frame in get_screen_presenter(screen).frames] == [DrawPresenter]


@pytest.mark.usefixtures("closed")
def test_a_screen_for_draws_shows_none_while_frozen_but_the_one_that_is_put_on(ride: Ride, record) -> None:
    screen = Screen.objects.create(event=ride.event, name="Bar", token_digest="0" * 64, parts=[PartKind.DRAWS])
    freeze_standings(ride.event)
    record(DECIDED)

    assert get_screen_presenter(screen).frames == ()
    show(ride, 1, 2, 3)
    assert [frame.is_now for frame in get_screen_presenter(screen).draws] == [True]
