"""/crew/: the crew's group at a stop."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import HTMX
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn, make_paper_turn

URL = reverse("scorecards:group")


def test_bikes_that_have_not_rolled_come_first(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    page = crew_client(ride.tom).get(URL).content.decode()

    assert page.index("Ben and Zoe") < page.index("Cleo") < page.index("Dan") < page.index("Ann")
    assert "Chance 19" in page
    assert "1 of 4 have rolled" in page


def test_only_bikes_of_the_own_group_are_listed(ride: Ride, crew_client: CrewClient) -> None:
    page = crew_client(ride.tom).get(URL).content.decode()

    assert "Dan" in page
    assert "Eve" not in page


def test_the_default_stop_is_the_first_where_someone_has_not_rolled(
    ride: Ride, add_turn, crew_client: CrewClient
) -> None:
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))

    assert "Group one at Parks" in crew_client(ride.tom).get(URL).content.decode()


def test_the_chosen_stop_is_remembered_by_the_phone(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)

    chosen = phone.get(URL, {"stop": ride.stops[2].pk})

    assert "Group one at BBQ" in chosen.content.decode()
    assert "Group one at BBQ" in phone.get(URL).content.decode()
    assert "Group one at Ozweld" in crew_client(ride.tom).get(URL).content.decode()


def test_a_remembered_stop_where_everyone_has_rolled_is_skipped(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)
    phone.get(URL, {"stop": ride.stops[0].pk})
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))

    assert "Group one at Parks" in phone.get(URL).content.decode()


def test_a_bike_with_one_of_two_turns_at_the_finale_has_not_rolled_yet(
    ride: Ride, add_turn, crew_client: CrewClient
) -> None:
    add_turn(1, 4, make_paper_turn("chance", 20))

    page = crew_client(ride.tom).get(URL, {"stop": str(ride.stops[3].pk)}).content.decode()

    assert "0 of 4 have rolled" in page
    assert "Chance 20, one more to roll" in page


def test_a_conflict_is_shown_at_its_bike(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 21))

    page = crew_client(ride.tom).get(URL, {"stop": str(ride.stops[0].pk)}).content.decode()

    assert "bike-row--conflict" in page
    assert "under review" in page


def test_a_number_finds_bikes_of_every_group_and_explains_taking_over(ride: Ride, crew_client: CrewClient) -> None:
    for member, words in (
        (ride.rita, "you can take over a bike"),
        (ride.tom, "or by a road captain who takes it over"),
    ):
        page = crew_client(member).get(URL, {"q": "7"}).content.decode()

        assert "Gail" in page
        assert "Group two" in page
        assert words in page


@pytest.mark.parametrize("number", ["99", "abc", "²", "9" * 30])
def test_an_unknown_number_offers_a_walk_up(ride: Ride, crew_client: CrewClient, number: str) -> None:
    page = crew_client(ride.rita).get(URL, {"q": number}).content.decode()

    assert "No bike has this number" in page


def test_a_number_of_another_event_is_not_found(ride: Ride, other_event: Event, crew_client: CrewClient) -> None:
    Bike.objects.create(event=other_event, number=77, make="Secret")

    page = crew_client(ride.rita).get(URL, {"q": "77"}).content.decode()

    assert "No bike has this number" in page


def test_an_unknown_stop_is_ignored(ride: Ride, crew_client: CrewClient) -> None:
    for stop in (uuid4(), "nonsense"):
        assert "Group one at Ozweld" in crew_client(ride.tom).get(URL, {"stop": str(stop)}).content.decode()


def test_a_contest_of_another_event_is_not_found(ride: Ride, other_event: Event, crew_client: CrewClient) -> None:
    other = Contest.objects.create(
        event=other_event, name="R.O.C.K.", slug="rock", game_key="rock-yahtzee", rules_version=1
    )

    assert crew_client(ride.tom).get(URL, {"contest": str(other.pk)}).status_code == 404


def test_several_contests_can_be_switched(ride: Ride, crew_client: CrewClient) -> None:
    second = Contest.objects.create(
        event=ride.event, name="Second card", slug="two", game_key="rock-yahtzee", rules_version=1, ordinal=2
    )
    Slot.objects.create(contest=second, stop=ride.stops[1], ordinal=1)

    phone: Any = crew_client(ride.tom)

    assert "Second card" in phone.get(URL).content.decode()
    assert "Group one at Parks" in phone.get(URL, {"contest": second.pk}).content.decode()


def test_a_ride_without_turns_says_so(event: Event, rita, crew_client: CrewClient) -> None:
    assert "Nothing to roll yet" in crew_client(rita).get(URL).content.decode()


def test_a_draft_event_says_that_nothing_can_be_recorded(ride: Ride, crew_client: CrewClient) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert "not opened the ride yet" in crew_client(ride.rita).get(URL).content.decode()


def test_the_fragment_is_part_of_the_page(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)

    page, fragment = phone.get(URL), phone.get(URL, headers=HTMX)

    assert fragment.content.decode().strip() in page.content.decode()
    assert "<html" not in fragment.content.decode()
    assert "HX-Request" in page.headers["Vary"]


def test_the_number_of_queries_does_not_grow_with_the_bikes(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    add_turn(1, 1, make_paper_turn("chance", 20))
    phone.get(URL)

    with CaptureQueriesContext(connection) as few:
        phone.get(URL)
    many_bikes = Bike.objects.bulk_create(
        Bike(event=ride.event, number=number, group=ride.group_one) for number in range(100, 136)
    )
    Player.objects.bulk_create(
        Player(event=ride.event, name=f"Rider {bike.number}", bike=bike, role="rider") for bike in many_bikes
    )
    for bike in many_bikes[:10]:
        record_turn(
            make_actor(ride.tom),
            uuid4(),
            TurnInput(ride.contest.pk, bike.pk, ride.slots[0].pk, make_paper_turn("chance", 20)),
        )
    with CaptureQueriesContext(connection) as many:
        page = phone.get(URL)

    assert "11 of 40 have rolled" in page.content.decode()
    assert len(many) == len(few)
