"""/desk/events/<slug>/bikes/…"""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import NumberTaken
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_riders
from scorekeeper.players.services import BikeInUse, add_bike, delete_bike, set_people
from scorekeeper.scorecards.models import Scorecard, Seat
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database


def roster_of(event: Event) -> str:
    return f"/desk/events/{event.slug}/bikes/"


def data_for(group: Group | None = None, **changes: str) -> dict[str, str]:
    data = {"number": "57", "rider": "Ida", "passengers": "", "make": "", "model": "", "group": ""}
    return data | ({"group": str(group.pk)} if group else {}) | changes


def people_of(bike: Bike) -> list[tuple[str, str]]:
    return list(bike.players.values_list("name", "role"))


def seat(bike: Bike, contest: Contest, player: Player | None = None) -> None:
    """Create a scorecard for the bike or a player."""
    chain = Chain.objects.create(pk=uuid4(), event=bike.event, kind=Chain.Kind.CARD)
    card = Scorecard.objects.create(pk=chain.pk, chain=chain, contest=contest)
    entrant = {"player": player} if player else {"bike": bike}
    Seat.objects.create(card=card, contest=contest, **entrant)


def list_shown(page: str) -> list[str]:
    """Return the numbers of the bikes in a page's table, in its order."""
    return re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', page)


@pytest.fixture
def mixed_bikes(event: Event, group_one: Group, group_two: Group) -> None:
    """Bikes whose order differs by number, rider and group."""
    add_bike(event, number=13, rider="ada", group=group_two, make="BMW", model="R 18")
    add_bike(event, number="12A", rider="Åsa Lund", passengers=["Zoe"], group=group_one)
    add_bike(event, number=12, rider="Ben", group=group_two)
    add_bike(event, number=100, rider="", group=group_one)
    add_bike(event, number=9, rider="Cid")


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", ["9", "12", "12A", "13", "100"]),
        ("sort=-number", ["100", "13", "12A", "12", "9"]),
        ("sort=rider", ["13", "12A", "12", "9", "100"]),
        ("sort=-rider", ["9", "12", "12A", "13", "100"]),
        ("sort=group", ["12A", "100", "12", "13", "9"]),
        ("sort=-group", ["12", "13", "12A", "100", "9"]),
        ("sort=nonsense", ["9", "12", "12A", "13", "100"]),
        ("q=12", ["12", "12A"]),
        ("q=%D9%A1%D9%A2", ["12", "12A"]),
        ("q=12a", ["12A"]),
        ("q=18", ["13"]),
        ("q=ASA+zo", ["12A"]),
        ("q=bmw", ["13"]),
        ("q=group+two&sort=-number", ["13", "12"]),
        ("q=nobody", []),
    ],
)
def test_the_roster_is_sorted_and_searched(
    mixed_bikes: None, event: Event, alice: User, sign_in: SignIn, query: str, numbers: list[str]
) -> None:
    page = get_page_text(sign_in(alice).get(f"{roster_of(event)}?{query}"))

    assert list_shown(page) == numbers


def test_the_headings_say_how_the_roster_is_sorted_and_keep_the_search(
    mixed_bikes: None, event: Event, alice: User, sign_in: SignIn
) -> None:
    client = sign_in(alice)

    page = get_page_text(client.get(f"{roster_of(event)}?q=group&sort=rider"))
    assert re.findall(r'aria-sort="(\w+)">\s*<a href="([^"]+)">(\w+)', page) == [
        ("ascending", "?sort=-rider&q=group", "Riders")
    ]
    assert '<a href="?sort=group&q=group">Group' in page
    assert '<input type="hidden" name="sort" value="rider">' in page
    assert "4 of 5 bikes" in page
    page = get_page_text(client.get(f"{roster_of(event)}?sort=-rider"))
    assert re.findall(r'aria-sort="(\w+)">\s*<a href="([^"]+)"', page) == [("descending", "?sort=rider")]


def test_a_search_without_results_says_so_and_leads_back_to_all(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    response = sign_in(alice).get(roster_of(event), {"q": "<Nobody>"})

    assert "No bike and nobody on one matches “<Nobody>”." in get_page_text(response)
    assert 'value="&lt;Nobody&gt;"' in response.content.decode()
    assert "Show all</a>" in get_page_text(response)


def test_the_number_of_queries_does_not_grow_with_bikes(
    bikes: Mapping[int, Bike],
    event: Event,
    alice: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(alice)

    # the session, the user, its last use, the event; the bikes, the people on them and without one, the sign-ups;
    # the contests, for the menu
    with django_assert_num_queries(11):
        client.get(f"{roster_of(event)}?sort=group&q=group")


def test_a_bike_is_added_with_everyone_on_it(event: Event, group_one: Group, alice: User, sign_in: SignIn) -> None:
    data = data_for(group_one, rider=" Ida  Lund ", passengers="Zoe, Max;Kit", make="BMW", model="R 1250")

    response = sign_in(alice).post(f"{roster_of(event)}new/", data)

    bike = Bike.objects.get()
    assert response["Location"] == roster_of(event)
    assert (bike.number, bike.make, bike.model, bike.group) == (57, "BMW", "R 1250", group_one)
    assert people_of(bike) == [
        ("Ida Lund", "rider"),
        ("Kit", "passenger"),
        ("Max", "passenger"),
        ("Zoe", "passenger"),
    ]
    assert format_riders(bike) == "Ida Lund, Kit, Max, Zoe"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("number", "", "Enter the number of the bike."),
        ("number", "0", "Enter a number from 1 to 99999, such as 57 or 12A."),
        ("number", "100000", "Enter a number from 1 to 99999, such as 57 or 12A."),
        ("number", "57abc", "Enter a number from 1 to 99999, such as 57 or 12A."),
        (
            "number",
            "3",
            "Another bike has the number 3. Choose another number, or change that bike first.",
        ),
        ("passengers", "x" * 81, "A name can have at most 80 characters."),
        ("make", "x" * 61, "Ensure this value has at most 60 characters (it has 61)."),
    ],
)
def test_an_error_is_shown_at_its_field_and_other_input_is_kept(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn, field: str, value: str, message: str
) -> None:
    response = sign_in(alice).post(f"{roster_of(event)}new/", data_for() | {field: value})

    assert_refused(response, f"id_{field}", message)
    assert 'value="Ida"' in get_page_text(response)
    assert not value or f'value="{value}"' in get_page_text(response)
    assert Bike.objects.count() == 8


def test_a_number_taken_after_validation_is_explained_too(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the form saw before the other bike was added; the service checks again.
    monkeypatch.setattr("scorekeeper.players.forms.list_bikes_by_number", lambda *_: Bike.objects.none())
    message = "Another bike has the number 3. Choose another number, or change that bike first."
    Event.objects.update(state=Event.State.DRAFT)
    client = sign_in(alice)

    added = client.post(f"{roster_of(event)}new/", data_for(number="3"))
    changed = save(client, f"{roster_of(event)}{bikes[4].pk}/", data_for(number="3"))
    for response in (added, changed):
        assert_refused(response, "id_number", message)

    bikes[4].refresh_from_db()
    assert bikes[4].number == 4
    assert people_of(bikes[4]) == [("Dan", "rider")]


def test_a_bike_is_changed(
    bikes: Mapping[int, Bike], event: Event, group_two: Group, alice: User, sign_in: SignIn
) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    client, address = sign_in(alice), f"{roster_of(event)}{bikes[2].pk}/"
    page = get_page_text(client.get(address))
    assert all(f'value="{text}"' in page for text in ("2", "Ben", "Zoe", "Honda"))

    data = data_for(group_two, number="12", rider="Benno", passengers="Zoe, Max")
    assert save(client, address, data)["Location"] == roster_of(event)

    bike = Bike.objects.get(pk=bikes[2].pk)
    assert (bike.number, bike.make, bike.group) == (12, "", group_two)
    assert format_riders(bike) == "Benno, Max, Zoe"


def test_a_bike_that_shares_its_number_can_be_changed_and_keep_it(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    second = Bike.objects.create(event=event, number=3, suffix=2)
    client, address = sign_in(alice), f"{roster_of(event)}{second.pk}/"
    assert "Bike 3 (2)" in get_page_text(client.get(address))

    assert save(client, address, data_for(number="3")).status_code == 302

    second.refresh_from_db()
    assert second.label == "3 (2)"
    assert people_of(second) == [("Ida", "rider")]


def test_once_the_ride_is_open_a_new_number_needs_a_reason(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    client, address = sign_in(alice), f"{roster_of(event)}{bikes[3].pk}/"

    page = get_page_text(client.get(address))
    assert re.search(r'<input[^>]*name="number"[^>]*disabled', page)
    assert f"/desk/events/{event.slug}/duplicates/{bikes[3].pk}/renumber/" in page

    assert save(client, address, data_for(number="99")).status_code == 302
    bikes[3].refresh_from_db()
    assert bikes[3].number == 3
    assert people_of(bikes[3]) == [("Ida", "rider")]
    assert client.post(f"{roster_of(event)}new/", data_for(number="99")).status_code == 302


def test_a_merged_bike_leads_to_the_bike_it_was_merged_into(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    Bike.objects.filter(pk=bikes[1].pk).update(merged_into=bikes[2])

    assert "Bike 2" in get_page_text(sign_in(alice).get(f"{roster_of(event)}{bikes[1].pk}/"))


def test_a_corrected_name_is_the_same_person(bikes: Mapping[int, Bike]) -> None:
    ben, zoe = bikes[2].players.all()

    set_people(bikes[2], rider="Benno", passengers=["Zoe", "Max"])
    assert [Player.objects.get(pk=player.pk).name for player in (ben, zoe)] == ["Benno", "Zoe"]

    set_people(bikes[2], rider="Zoe", passengers=["Benno"])
    assert people_of(bikes[2]) == [("Zoe", "rider"), ("Benno", "passenger")]
    assert Player.objects.get(pk=zoe.pk).role == "rider"


def test_a_person_with_a_scorecard_is_kept_when_removed_from_the_bike(
    bikes: Mapping[int, Bike], contest: Contest
) -> None:
    zoe = bikes[2].players.get(name="Zoe")
    seat(bikes[2], contest, zoe)

    set_people(bikes[2], rider="Ben", passengers=[])

    zoe.refresh_from_db()
    assert (zoe.bike, zoe.role) == (None, "")
    assert people_of(bikes[2]) == [("Ben", "rider")]


def test_when_the_number_is_taken_no_people_are_added(bikes: Mapping[int, Bike], event: Event) -> None:
    with pytest.raises(NumberTaken):
        add_bike(event, number=3, rider="Ida")

    assert not Player.objects.filter(name="Ida").exists()


def test_a_bike_without_a_scorecard_is_deleted_after_confirmation(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    client, address = sign_in(alice), f"{roster_of(event)}{bikes[2].pk}/delete/"
    assert "Delete bike 2?" in get_page_text(client.get(address))
    assert Bike.objects.count() == 8

    client.post(address)

    assert not Bike.objects.filter(number=2).exists()
    assert not Player.objects.filter(name__in=["Ben", "Zoe"]).exists()


def test_a_bike_with_a_scorecard_cannot_be_deleted(
    bikes: Mapping[int, Bike], contest: Contest, event: Event, alice: User, sign_in: SignIn
) -> None:
    seat(bikes[2], contest)

    with pytest.raises(BikeInUse):
        delete_bike(bikes[2])
    response = sign_in(alice).post(f"{roster_of(event)}{bikes[2].pk}/delete/", follow=True)

    text = "Bike 2 has a scorecard or a prize, or is checked in or marked as not started, so it cannot be deleted."
    assert text in get_page_text(response)
    assert people_of(bikes[2]) == [("Ben", "rider"), ("Zoe", "passenger")]


def test_a_walk_up_cannot_be_deleted_because_it_is_in_the_log(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    Bike.objects.filter(pk=bikes[2].pk).update(is_walk_up=True)

    response = sign_in(alice).post(f"{roster_of(event)}{bikes[2].pk}/delete/", follow=True)

    assert "Bike 2 was registered at a stop, so you cannot delete it here." in get_page_text(response)
    assert people_of(bikes[2]) == [("Ben", "rider"), ("Zoe", "passenger")]


@pytest.mark.parametrize(
    "next_url", ["foo", "foo.bar", "javascript:alert(1)", "//elsewhere.example/", "https://elsewhere.example/"]
)
def test_adding_returns_to_the_roster_if_next_is_not_one_of_our_pages(
    event: Event, alice: User, sign_in: SignIn, next_url: str
) -> None:
    desk, people = sign_in(alice), f"/desk/events/{event.slug}/people/"

    added = desk.post(f"{roster_of(event)}new/?next={next_url}", data_for())
    assert (added.status_code, added["Location"]) == (302, roster_of(event))
    added = desk.post(f"{people}new/?next={next_url}", {"name": "Ida", "bike": "", "role": ""})
    assert (added.status_code, added["Location"]) == (302, roster_of(event))
    assert desk.get(f"{people}new/?next={next_url}").status_code == 200


def test_adding_returns_to_the_page_in_next(event: Event, alice: User, sign_in: SignIn) -> None:
    added = sign_in(alice).post(f"{roster_of(event)}new/?next=/desk/?a=b:c", data_for())

    assert added["Location"] == "/desk/?a=b:c"
