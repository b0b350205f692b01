"""/crew/: the crew's group at a stop."""

from __future__ import annotations

import datetime as dt
import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.group import find_bikes, get_next_bike
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot, Stop
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import HTMX, card_url
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn, make_paper_turn

URL = reverse("scorecards:group")


def test_bikes_that_have_not_rolled_come_first(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    page = crew_client(ride.tom).get(URL).content.decode()

    assert page.index("Ben and Zoe") < page.index("Cleo") < page.index("Dan") < page.index("Ann")
    assert "Chance: 19" in page
    assert "1 of 4 have played" in page


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


def test_one_late_bike_does_not_send_the_group_back(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 20))
    add_turn(1, 2, make_paper_turn("aces", 3))

    page = crew_client(ride.tom).get(URL).content.decode()

    assert "Group one at Parks" in page
    first = f"?contest={ride.contest.pk}&amp;stop={ride.stops[0].pk}"
    [line] = re.findall(rf'<a href="{re.escape(first)}">\s*(.*?)\s*</a>', page)
    assert unescape(line) == "1 bike still to play at Ozweld's"
    assert page.count("still to play") == 1, "nobody is late at the stops to come"


def test_stragglers_are_named_at_every_stop_before_this_one(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    boxes = {1: make_paper_turn("chance", 20), 2: make_paper_turn("aces", 3), 3: make_paper_turn("twos", 4)}
    for number, slot in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (1, 3)):
        add_turn(number, slot, boxes[slot])

    page = crew_client(ride.tom).get(URL).content.decode()

    assert "Group one at BBQ" in page
    assert "2 bikes still to play at" in page
    assert "1 bike still to play at" in page


def test_after_the_stop_where_all_have_rolled_the_next_is_offered(
    ride: Ride, add_turn, crew_client: CrewClient
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    for number in (1, 2, 3, 4):
        add_turn(number, 2, make_paper_turn("aces", 3))

    assert "Group one at BBQ" in crew_client(ride.tom).get(URL).content.decode()


def test_a_missed_turn_does_not_say_where_the_group_is(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 2, make_paper_turn("aces", 3))
    add_turn(2, 1, [{"type": "forfeit"}])

    assert "Group one at Parks" in crew_client(ride.tom).get(URL).content.decode()


def test_other_groups_do_not_say_where_this_one_is(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(4, 3, make_paper_turn("aces", 3))
    Bike.objects.filter(pk=ride.bikes[4].pk).update(group=ride.group_two)

    assert "Group one at Ozweld" in crew_client(ride.tom).get(URL).content.decode()


@pytest.mark.parametrize(
    ("moment", "stop"),
    [
        ("2026-06-20T08:00", "Ozweld"),
        ("2026-06-20T09:30", "Ozweld"),
        ("2026-06-20T11:30", "Parks"),
        ("2026-06-20T14:00", "Ozweld"),
        ("2026-06-20T23:30", "BBQ"),
        ("2026-06-21T00:30", "BBQ"),
        ("2026-06-21T11:30", "Ozweld"),
    ],
)
def test_before_the_first_turn_it_is_the_stop_that_is_open(
    ride: Ride, crew_client: CrewClient, moment: str, stop: str
) -> None:
    for number, opens, closes in ((0, "09:00", "10:00"), (1, "11:00", "12:00"), (2, "22:00", "01:00")):
        Stop.objects.filter(pk=ride.stops[number].pk).update(opens_at=opens, closes_at=closes)

    with time_machine.travel(dt.datetime.fromisoformat(moment).replace(tzinfo=ride.event.zone)):
        page = crew_client(ride.tom).get(URL).content.decode()

    assert f"Group one at {stop}" in page


def test_a_stop_with_one_of_its_hours_is_open_until_or_from_midnight(ride: Ride) -> None:
    day, evening = ride.event.date, dt.datetime.combine(ride.event.date, dt.time(20))

    assert Stop(opens_at=dt.time(19)).is_open_at(evening, day)
    assert not Stop(opens_at=dt.time(21)).is_open_at(evening, day)
    assert Stop(closes_at=dt.time(21)).is_open_at(evening, day)
    assert not Stop(closes_at=dt.time(19)).is_open_at(evening, day)
    assert not Stop().is_open_at(evening, day)


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

    assert "0 of 4 have played" in page
    assert "Chance: 20, one more to play" in page


def test_a_conflict_is_shown_at_its_bike(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 21))

    page = crew_client(ride.tom).get(URL, {"stop": str(ride.stops[0].pk)}).content.decode()

    assert "bike-row--conflict" in page
    assert "under review" in page


def test_bikes_that_are_not_there_say_so_and_are_not_counted(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    rita = make_actor(ride.rita)
    add_turn(1, 1, make_paper_turn("chance", 20))
    for number in (1, 2):
        retire_bike(rita, uuid4(), ride.contest.pk, ride.bikes[number].pk, "flat tyre")
    mark_did_not_start(rita, uuid4(), ride.bikes[3].pk, value=True)
    phone: Any = crew_client(ride.tom)

    page = phone.get(URL, {"stop": ride.stops[0].pk}).content.decode()
    search = phone.get(URL, {"stop": ride.stops[0].pk, "q": "n"}).content.decode()

    assert "This bike has retired." in phone.get(card_url(ride, 2, 1)).content.decode()
    assert "This bike has retired." not in phone.get(card_url(ride, 4, 1)).content.decode()
    assert "1 of 2 have played" in page, "bike 1 played here before it retired"
    assert list_bike_rows(page) == [("4", "arrow"), ("1", "Chance: 20"), ("2", "Retired"), ("3", "Did not start")]
    found = list_bike_rows(search)
    assert found[-2:] == [("2", "Retired"), ("3", "Did not start")], "bikes to roll come first in a search too"
    assert ("4", "arrow") in found
    add_turn(4, 1, make_paper_turn("chance", 20))
    assert "Group one at Parks" in phone.get(URL).content.decode(), "nobody is still to play at the first stop"
    assert get_next_bike(ride.tom, ride.contest, ride.slots[1:2], ride.bikes[1]).number == "4"
    assert get_next_bike(ride.tom, ride.contest, ride.slots[1:2], ride.bikes[1]).bike_count == 1


def test_a_bike_that_came_back_is_to_roll_again(ride: Ride, crew_client: CrewClient) -> None:
    rita, retirement, where = make_actor(ride.rita), uuid4(), (ride.contest.pk, ride.bikes[2].pk)
    retire_bike(rita, retirement, *where, "flat tyre")
    amend_turns(rita, uuid4(), *where, [CorrectionTarget(retirement, 1, None)], "mended")

    page = crew_client(ride.tom).get(URL).content.decode()

    assert ("2", "arrow") in list_bike_rows(page)
    assert "0 of 4 have played" in page
    assert get_next_bike(ride.tom, ride.contest, ride.slots[:1], ride.bikes[1]).number == "2"


def test_a_bike_stays_retired_when_it_is_merged(ride: Ride, desk: Actor) -> None:
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[8].pk, "flat tyre")
    merge_bikes(desk, uuid4(), ride.bikes[8].pk, ride.bikes[2].pk, "the same bike")

    [row] = find_bikes(ride.contest, ride.event, "2", ride.stops[0].pk)
    assert (row.state, row.text) == ("retired", "Retired")


def list_bike_rows(page: str) -> list[tuple[str, str]]:
    """The number of each bike in a list, with what its row ends with: a text, or the arrow of a bike to roll."""
    rows = []
    for row in re.findall(r'<a class="bike-row .*?</a>', page, re.DOTALL):
        [number] = re.findall(r"<bdi>(.*?)</bdi>", row)
        end = row.split("bike-row__end")[1].partition(">")[2]
        text = re.sub(r"<[^>]*>", "", end).replace("recorded", "").strip()
        rows.append((number, f"{text} arrow".strip() if "icon--turns" in end else text))
    return rows


def test_a_number_finds_bikes_of_every_group_and_explains_taking_over(ride: Ride, crew_client: CrewClient) -> None:
    for member, words in (
        (ride.rita, "you can take over a bike"),
        (ride.tom, "or by a road captain who takes it over"),
    ):
        page = crew_client(member).get(URL, {"q": "7"}).content.decode()

        assert "Gail" in page
        assert "Group two" in page
        assert words in page


@pytest.mark.parametrize("text", ["99", "#99", "\uff19\uff19", "\u0669\u0669"])
def test_an_unknown_number_offers_a_walk_up(ride: Ride, crew_client: CrewClient, text: str) -> None:
    page = crew_client(ride.rita).get(URL, {"q": text}).content.decode()

    assert "No bike has this number" in page
    assert "&amp;number=99" in page


@pytest.mark.parametrize("text", ["abc", "²", "9" * 30, "#", "Ben Nobody"])
def test_an_unknown_name_offers_none(ride: Ride, crew_client: CrewClient, text: str) -> None:
    page = crew_client(ride.rita).get(URL, {"q": text}).content.decode()

    assert "No rider or bike matches this" in page
    assert "Add a walk-up bike" not in page.split("</header>")[-1].split("found-title")[1]


@pytest.mark.parametrize("text", ["3", " #3", "№ 3", "\uff13", "\u0663"])
def test_a_number_is_read_in_any_script(ride: Ride, text: str) -> None:
    assert [row.number for row in find_bikes(ride.contest, ride.event, text, ride.stops[0].pk)] == ["3"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ben", ["2"]),
        ("ZOE", ["2"]),
        ("zoé ben", ["2"]),
        ("ÁÑN", ["1"]),
        ("gail", ["7"]),
        ("moto guzzi", ["3"]),
        ("v7 cleo", ["3"]),
        ("strasse", ["4"]),
        ("secret", []),
    ],
)
def test_a_bike_is_found_by_the_people_on_it_and_by_its_make_and_model(
    ride: Ride, other_event: Event, text: str, numbers: list[str]
) -> None:
    Bike.objects.filter(pk=ride.bikes[3].pk).update(make="Moto Guzzi", model="V7")
    Bike.objects.filter(pk=ride.bikes[4].pk).update(make="Straße")
    Bike.objects.create(event=other_event, number=77, make="Secret")
    Bike.objects.create(event=ride.event, number=9, make="Secret", merged_into=ride.bikes[1])

    assert [row.number for row in find_bikes(ride.contest, ride.event, text, ride.stops[0].pk)] == numbers


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
    assert "Nothing to play yet" in crew_client(rita).get(URL).content.decode()


def test_a_draft_event_says_that_nothing_can_be_recorded(ride: Ride, crew_client: CrewClient) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert "not opened the event yet" in crew_client(ride.rita).get(URL).content.decode()


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

    assert "11 of 40 have played" in page.content.decode()
    assert len(many) == len(few)
