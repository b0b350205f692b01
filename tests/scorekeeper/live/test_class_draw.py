"""Draws of cards for a tie in a class, on the screens that show the class and at the desk.

Bike 5 leads, bikes 1, 2 and 3 are tied for second place, and bike 4 is behind them. Bikes 2, 3 and 4 are in the class.
Only the first places of the contest and of the class have a prize.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scorekeeper.audience.draw_presenter import DrawPresenter
from scorekeeper.audience.services import freeze_standings, hide_draw, show_draw
from scorekeeper.events.models import Contest
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import get_screen, get_screen_presenter
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import ClassMember, EventClass
from scorekeeper.standings.models import ShownDraw
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.live.test_draw import LATER, after, get_draw, has_boards, list_cards
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.standings.test_classes import add_class_prize, make_class_cut

__all__ = ["add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]

SHOW = "Show the draw on the screens"


@pytest.fixture
def ladies(ride: Ride, tied_bikes, add_turn, desk, close, update_standings) -> EventClass:
    add_turn(5, 1, make_paper_turn("chance", 30), by=desk, reason="from the paper cards")
    made = add_tied_class(ride, desk, "Ladies")
    close()
    update_standings()
    return made


@pytest.fixture
def screen(ride: Ride, ladies: EventClass) -> Screen:
    """A television with the board of the class."""
    return pair_screen(ride, f"{ride.contest.pk}.{ladies.pk}")


@pytest.fixture
def record(ride: Ride, ladies: EventClass, desk, update_standings):
    """Record a cut of the class and refresh the standings, as the worker does."""

    def record_cards(cards: dict[int, str | None], event_class: EventClass = ladies) -> None:
        make_class_cut(ride, desk, event_class, cards)
        update_standings()

    return record_cards


def add_tied_class(ride: Ride, desk, name: str) -> EventClass:
    made = add_class(ride.event, name)
    ClassMember.objects.bulk_create([ClassMember(event_class=made, bike=ride.bikes[n]) for n in (2, 3, 4)])
    add_class_prize(ride, desk, made)
    return made


def pair_screen(ride: Ride, *parts: str) -> Screen:
    return Screen.objects.create(event=ride.event, name=parts[0], token_digest=uuid4().hex, parts=list(parts))


def list_draws(screen: Screen) -> list[DrawPresenter]:
    return list(get_screen_presenter(Screen.objects.get(pk=screen.pk)).draws)


def show(ride: Ride, event_class: EventClass | None, *numbers: int) -> None:
    show_draw(ride.contest, [ride.bikes[number].pk for number in numbers], event_class.pk if event_class else None)


def test_a_tie_of_the_class_lies_face_down_on_its_screen_and_on_no_other(ride: Ride, screen: Screen) -> None:
    (draw,) = list_draws(screen)

    assert list_cards(draw) == [[("2", "", ""), ("3", "", "")]]
    assert (draw.contest, draw.title, draw.is_now) == ("R.O.C.K. Yahtzee · Ladies", "Cards for place 1", False)
    (board,) = get_screen_presenter(screen).boards
    assert board.tie == "Cards to be cut: Bike 2 (Ben, Zoe) and Bike 3 (Cleo)"
    assert get_draw(ride) is None, "the public screen shows the whole contest, where no cards are cut"


def test_its_cards_turn_over_and_have_the_places_in_the_class(ride: Ride, screen: Screen, record) -> None:
    (face_down,) = list_draws(screen)
    record({2: "QS", 3: "AD"})

    (draw,) = list_draws(screen)
    assert list_cards(draw) == [[("2", "queen of spades", "Place 2"), ("3", "ace of diamonds", "Place 1")]]
    assert (draw.id, draw.is_now, draw.outcome) == (face_down.id, True, "Bike 3 (Cleo) wins place 1.")
    assert draw.rounds[0].witness == "Wim Watcher"
    assert get_screen_presenter(screen).boards == (), "and nothing else is on the screen"
    assert has_boards(ride), "the public screen goes on"
    with after(LATER):
        assert list_draws(screen) == []


def test_equal_cards_of_a_class_are_cut_again(ride: Ride, screen: Screen, record) -> None:
    record({2: "QS", 3: "QD"})

    (draw,) = list_draws(screen)
    assert draw.outcome == "Equal cards: Bike 2 (Ben, Zoe) and Bike 3 (Cleo) cut again."
    assert [one.is_open for one in draw.rounds] == [False, True]


def test_a_screen_for_draws_has_those_of_classes_and_what_the_organiser_shows_is_on_all(
    ride: Ride, screen: Screen, ladies: EventClass
) -> None:
    of_draws = pair_screen(ride, PartKind.DRAWS)
    assert [draw.contest for draw in list_draws(of_draws)] == ["R.O.C.K. Yahtzee · Ladies"]

    show(ride, ladies, 2, 3)

    for one in (of_draws, screen, get_screen(ride.event)):
        (draw,) = get_screen_presenter(one).draws
        assert (draw.contest, draw.is_now) == ("R.O.C.K. Yahtzee · Ladies", True)
    hide_draw(ride.event)
    assert get_draw(ride) is None


def test_classes_with_the_same_tie_have_draws_of_their_own(
    ride: Ride, ladies: EventClass, desk, record, update_standings
) -> None:
    novices = add_tied_class(ride, desk, "Novices")
    update_standings()
    both = pair_screen(ride, ALL_CONTESTS, *(f"{ride.contest.pk}.{one.pk}" for one in (ladies, novices)))
    names = [f"R.O.C.K. Yahtzee · {name}" for name in ("Ladies", "Novices")]
    assert [draw.contest for draw in list_draws(both)] == names
    assert len({draw.id for draw in list_draws(both)}) == 2

    show(ride, novices, 2, 3)
    assert [draw.contest for draw in list_draws(both)] == names[1:]
    record({2: "2S", 3: "3S"}, novices)
    (draw,) = list_draws(both)
    assert (draw.contest, draw.outcome) == (names[1], "Bike 3 (Cleo) wins place 1.")
    show(ride, None, 2, 3)
    assert not any(draw.is_now for draw in list_draws(both)), "the contest has no such draw"


def test_who_cuts_for_the_contest_does_that_first(ride: Ride, screen: Screen, update_standings) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(prizes=3)
    update_standings()

    assert list_draws(screen) == []
    draw = get_draw(ride)
    assert draw is not None
    assert draw.contest == "R.O.C.K. Yahtzee"


def test_the_draw_of_a_class_that_was_deleted_is_gone(ride: Ride, screen: Screen, ladies: EventClass) -> None:
    show(ride, ladies, 2, 3)
    assert get_draw(ride) is not None
    ladies.prizes.all().delete()
    ladies.delete()

    assert get_draw(ride) is None


def test_a_freeze_withholds_it_unless_the_organiser_shows_it(
    ride: Ride, screen: Screen, ladies: EventClass, record
) -> None:
    freeze_standings(ride.event)
    assert (list_draws(screen), get_draw(ride)) == ([], None)
    (board,) = get_screen_presenter(screen).boards
    assert board.tie == ""
    rows = board.leaderboard.rows_html
    record({2: "QS", 3: "AD"})
    assert (list_draws(screen), get_draw(ride)) == ([], None)
    (board,) = get_screen_presenter(screen).boards
    assert board.leaderboard.rows_html == rows

    show(ride, ladies, 2, 3)

    (draw,) = list_draws(screen)
    assert (draw.outcome, draw.is_now, draw.is_official) == ("Bike 3 (Cleo) wins place 1.", True, False)
    assert get_draw(ride) == draw
    hide_draw(ride.event)
    assert list_draws(screen) == []


def test_the_organiser_puts_it_on_the_screens_and_takes_it_off(
    ride: Ride, ladies: EventClass, record, alice: User, sign_in: SignIn
) -> None:
    organiser = sign_in(alice)
    slugs = [ride.event.slug, ride.contest.slug]
    ties, steer = reverse("desk:ties", args=slugs), reverse("desk:steer_draw", args=slugs)
    entrants = ",".join(sorted(str(ride.bikes[number].pk) for number in (2, 3)))
    key = f"{ladies.pk}:{entrants}"
    page = get_page_text(organiser.get(ties))
    assert f'name="holders" value="{key}">{SHOW}<span class="visually-hidden">, Ladies, place 1</span>' in page

    shown = get_page_text(organiser.post(steer, {"holders": key}, follow=True))

    assert "Ladies: The draw for place 1 is on the screens." in shown
    assert SHOW not in shown
    assert (ShownDraw.objects.get().class_id, get_draw(ride) is not None) == (ladies.pk, True)
    assert list(list_damage(ride.event)) == []
    assert SHOW in get_page_text(organiser.post(steer, follow=True))
    assert ShownDraw.objects.get().class_id is None

    for unknown in (entrants, f"{uuid4()}:{entrants}", f"{ladies.pk}:nonsense", f"nonsense:{entrants}"):
        refused = get_page_text(organiser.post(steer, {"holders": unknown}, follow=True))
        assert "These bikes are no longer tied." in refused
    record({2: "QS", 3: "AD"})
    assert f'value="{key}"' not in get_page_text(organiser.get(ties)), "its cards are on the screens by themselves"
    with after(LATER):
        assert f'value="{key}"' in get_page_text(organiser.get(ties)), "cards that were entered can be shown again"
