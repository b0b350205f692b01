"""`/desk/events/<slug>/microphone/`: the script of the prize giving, and how it moves the reveal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.reveals import get_reveal_steps
from scorekeeper.audience.services import lift_freeze, move_reveal, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.actors import Actor
from scorekeeper.live.microphone_script import ScriptItem, ScriptPerson, get_script
from scorekeeper.live.selectors.screen import get_screen, list_screen_contests
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.prizes.conftest import AddPrize, add
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_final_turn
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings

__all__ = ["add", "add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]


def begin_reveal(event: Event) -> None:
    start_reveal(event, list_screen_contests(get_screen(event)))


def get_reveal_digest(event: Event) -> str:
    return get_reveal_steps(event, list_screen_contests(get_screen(event))).get_digest()


@pytest.fixture
def alice_desk(alice: User, sign_in: SignIn) -> Client:
    """The browser of an organiser."""
    return sign_in(alice)


@pytest.fixture
def three_places(add_turn: Callable[..., Any], update_standings: Callable[[], None]) -> None:
    """Bike 1 is first, 2 second and 3 third."""
    for number, dice in ((1, [6, 6, 6, 6, 1]), (2, [6, 6, 6, 1, 1]), (3, [6, 6, 1, 1, 1])):
        add_turn(number, 1, make_final_turn(dice, "sixes"))
    update_standings()


def list_items(ride: Ride) -> list[ScriptItem]:
    return list(get_script(ride.event).items)


def list_headings(ride: Ride) -> list[tuple[int, str]]:
    return [(item.step, item.heading) for item in list_items(ride)]


def get_step() -> int:
    step = Freeze.objects.get().step
    assert step is not None
    return step


def make_move(ride: Ride, to: int, seen: int | tuple[int, int], **changes: object) -> Mapping[str, object]:
    """What a page of the microphone sends."""
    lowest, highest = (seen, seen) if isinstance(seen, int) else seen
    digest = get_reveal_digest(ride.event)
    return {"to": to, "item": to, "lowest": lowest, "highest": highest, "reveal": digest, **changes}


@pytest.mark.usefixtures("three_places")
def test_every_step_of_the_reveal_is_an_item_with_names_machine_and_total(ride: Ride) -> None:
    Bike.objects.filter(pk=ride.bikes[3].pk).update(make="Triumph", model="Bonneville")
    assert list_headings(ride) == [(0, ride.contest.name), (1, "3rd place"), (2, "2nd place"), (3, "1st place")]

    opening, third, *_rest = list_items(ride)

    assert opening.remark == "The screens show the name of the contest."
    (person,) = third.people
    assert (person.number, person.machine, person.total) == ("3", "Triumph Bonneville", "Total: 12")
    assert person.people
    assert third.summary == f"3rd place, {ride.contest.name}: {person.name}"


@pytest.mark.usefixtures("three_places")
def test_a_prize_for_a_place_is_announced_with_the_place_and_others_in_the_order_of_announcing(
    ride: Ride, add: AddPrize
) -> None:
    add("lowest_card", name="Spark plug")
    add("place", place=3, name="Mug", sponsor="Ozweld")
    add("most_sixes", name="Six-pack")
    add("place", place=1, name="Cup")
    add("place", place=2)

    assert [heading for _step, heading in list_headings(ride)] == [
        "Spark plug",
        ride.contest.name,
        "3rd place",
        "Six-pack",
        "2nd place",
        "1st place",
    ]
    items = {item.heading: item for item in list_items(ride)}
    (mug,) = items["3rd place"].prizes
    assert (mug.title, mug.sponsor, mug.remark) == ("Mug", "Ozweld", "")
    assert [prize.title for prize in items["1st place"].prizes] == ["Cup"]
    assert items["2nd place"].prizes == (), "the heading says it"
    assert (items["Spark plug"].step, items["Six-pack"].step) == (0, 1), "the screens stay as they are"
    (person,) = items["Six-pack"].people
    assert (person.number, person.how) == ("1", "4 sixes over 1 turn")


@pytest.mark.parametrize(
    ("names", "is_long"),
    [(["Ann", "Bo"], False), (["Ann", "Bo", "Cy"], True), (["A" * 60], True)],
)
def test_items_with_long_names_or_many_people_are_set_smaller(names: list[str], is_long: bool) -> None:
    people = tuple(ScriptPerson("1", name, "", "", "") for name in names)
    assert ScriptItem(0, "1st place", "Late run", people).is_long is is_long


@pytest.mark.usefixtures("three_places")
def test_a_prize_for_a_place_that_nobody_has_is_said_at_the_start(ride: Ride, add: AddPrize) -> None:
    add("place", place=9, name="Flag")
    (flag,) = list_items(ride)[0].prizes
    assert (flag.title, flag.remark) == ("Flag", "Nobody yet")
    assert get_script(ride.event).undecided == 1


@pytest.mark.usefixtures("tied_bikes")
def test_tied_rows_are_one_item_and_a_cut_says_against_whom_and_with_which_cards(
    ride: Ride, add: AddPrize, close, cut, update_standings
) -> None:
    add("place", place=3, name="Mug")
    update_standings()
    close()
    tied = list_items(ride)[-1]
    assert (tied.heading, len(tied.people)) == ("1st place, tied", 3)
    assert [prize.remark for prize in tied.prizes] == ["Tied: cards to be cut"]

    cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()

    first = list_items(ride)[-1]
    assert first.heading == "1st place"
    (person,) = first.people
    names = {person.number: person.name for item in list_items(ride) for person in item.people}
    assert person.how == f"Tied with {names['2']} and {names['1']}. Cut cards: ace of diamonds"


@pytest.mark.usefixtures("three_places")
def test_the_script_of_a_reveal_stays_as_it_was_when_it_started(ride: Ride, add_turn, update_standings) -> None:
    begin_reveal(ride.event)
    before = list_headings(ride), get_reveal_digest(ride.event)
    add_turn(3, 2, make_final_turn([5, 5, 5, 5, 5], "yahtzee"))
    update_standings()
    assert (list_headings(ride), get_reveal_digest(ride.event)) == before
    assert list_items(ride)[-1].people[0].number == "1"

    lift_freeze(ride.event)
    begin_reveal(ride.event)

    assert list_items(ride)[-1].people[0].number == "3"
    assert get_reveal_digest(ride.event) != before[1]


@pytest.mark.usefixtures("three_places")
def test_a_prize_that_someone_else_wins_by_now_says_so(ride: Ride, add: AddPrize, add_turn, update_standings) -> None:
    add("place", place=1, name="Cup")
    begin_reveal(ride.event)
    add_turn(3, 2, make_final_turn([5, 5, 5, 5, 5], "yahtzee"))
    update_standings()

    (cup,) = list_items(ride)[-1].prizes

    assert cup.remark.startswith("By the current standings: Bike 3")


@pytest.mark.usefixtures("three_places")
@pytest.mark.parametrize(
    ("at", "seen", "to", "expected"),
    [
        (1, (1, 1), 2, 2),  # forward
        (1, (1, 1), 0, 0),  # back
        (2, (1, 1), 2, 2),  # a double tap, or the second tablet's
        (3, (1, 1), 2, 3),  # someone else is further on: never back
        (3, (1, 1), 0, 3),  # back, of a tablet that does not know
        (2, (0, 0), 3, 3),  # was offline, and goes on
        (2, (1, 2), 1, 1),  # back, after a move whose answer was lost
        (1, (1, 2), 3, 3),
        (1, (1, 1), 99, 3),
    ],
)
def test_a_move_counts_once_and_moves_of_another_tablet_are_not_undone(
    ride: Ride, at: int, seen: tuple[int, int], to: int, expected: int
) -> None:
    begin_reveal(ride.event)
    reveal_to_step(ride.event, at)
    move_reveal(ride.event, seen, to)
    assert get_step() == expected


@pytest.mark.usefixtures("three_places")
def test_a_repeated_move_does_not_publish_another_change(ride: Ride) -> None:
    begin_reveal(ride.event)
    move_reveal(ride.event, (0, 0), 1)
    version = Freeze.objects.get().version
    move_reveal(ride.event, (0, 0), 1)
    assert Freeze.objects.get().version == version


@pytest.mark.usefixtures("three_places")
def test_a_move_without_a_reveal_starts_none(ride: Ride) -> None:
    move_reveal(ride.event, (0, 0), 1)
    assert not Freeze.objects.filter(step__isnull=False).exists()


@pytest.mark.usefixtures("three_places")
def test_without_scripts_the_buttons_go_from_item_to_item(ride: Ride, add: AddPrize, alice_desk: Client) -> None:
    add("place", place=3)
    add("most_sixes", name="Six-pack")
    page = reverse("live:microphone", args=[ride.event.slug])
    start = reverse("live:start_announcing", args=[ride.event.slug])
    assert b"Start the reveal" in alice_desk.get(page).content
    assert alice_desk.post(start).headers["Location"] == page
    response = alice_desk.get(page)
    assert response.context["current"] == 0

    for position, step in ((1, 1), (2, 1), (3, 2), (2, 1)):
        item = response.context["script"].items[position]
        move = make_move(ride, item.step, get_step(), item=position)
        sent = alice_desk.post(reverse("live:microphone_step", args=[ride.event.slug]), move)
        assert sent.status_code == 302
        response = alice_desk.get(sent.headers["Location"])
        assert (response.context["current"], get_step()) == (position, step)


@pytest.mark.usefixtures("three_places")
def test_a_script_is_told_where_the_screens_are(ride: Ride, alice_desk: Client) -> None:
    step = reverse("live:microphone_step", args=[ride.event.slug])
    as_data = {"Accept": "application/json"}
    assert alice_desk.get(step).json()["step"] is None
    begin_reveal(ride.event)
    digest = get_reveal_digest(ride.event)

    assert alice_desk.post(step, make_move(ride, 2, 0), headers=as_data).json() == {"step": 2, "reveal": digest}
    assert alice_desk.get(step).json() == {"step": 2, "reveal": digest}
    stale = make_move(ride, 0, 2, reveal="of another reveal")
    assert alice_desk.post(step, stale, headers=as_data).json() == {"step": 2, "reveal": digest}
    for wrong in ({"to": "-1"}, {"lowest": "x"}, {"item": ""}, {"highest": "9" * 99}):
        assert alice_desk.post(step, {**make_move(ride, 0, 2), **wrong}, headers=as_data).status_code == 400
    assert get_step() == 2


@pytest.mark.usefixtures("three_places")
def test_a_page_of_an_old_reveal_says_so(ride: Ride, alice_desk: Client) -> None:
    step = reverse("live:microphone_step", args=[ride.event.slug])
    response = alice_desk.post(step, make_move(ride, 1, 0), follow=True)
    assert b"This is the current script" in response.content
    assert not Freeze.objects.filter(step__isnull=False).exists()


@pytest.mark.usefixtures("three_places")
def test_only_the_rides_organisers_see_it(
    ride: Ride, sign_in: SignIn, alice: User, charlie: User, client: Client
) -> None:
    for name in ("microphone", "microphone_step"):
        url = reverse(f"live:{name}", args=[ride.event.slug])
        assert client.get(url).status_code == 302
        assert sign_in(charlie).get(url).status_code == 404
        assert sign_in(alice).get(url).headers["Cache-Control"] == "private, no-store"
    assert sign_in(charlie).post(reverse("live:start_announcing", args=[ride.event.slug])).status_code == 404
    assert not Freeze.objects.exists()


def test_an_event_without_contests_has_nothing_to_announce(ride: Ride, alice_desk: Client, desk: Actor) -> None:
    Contest.objects.all().delete()
    response = alice_desk.get(reverse("live:microphone", args=[ride.event.slug]))
    assert b"There is nothing to announce yet" in response.content
    assert b"Start the reveal" not in response.content
