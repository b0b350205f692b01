"""`/desk/events/<slug>/` and its list of cards: the state of the event."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Device, Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.desk.selectors.setup_steps import CrewGaps, get_crew_gaps
from scorekeeper.events.models import Event
from scorekeeper.prizes.models import Prize
from scorekeeper.scorecards.contest_rules import derive_card_id
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import get_line_text
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn


def test_a_draft_lists_what_is_missing(event: Event, organiser: Client) -> None:
    event.state = Event.State.DRAFT
    event.save()

    page = organiser.get(f"/desk/events/{event.slug}/")

    assert get_line_text(page).count("still to do") == 6
    assert "Open the event" in get_line_text(page)


def test_prizes_are_part_of_what_is_prepared_and_nothing_waits_for_them(
    ride: Ride, organiser: Client, url, settings: Settings
) -> None:
    settings.BASE_URL = "https://rides.example.org"
    Event.objects.update(state="draft")
    step = "Prizes, in the order they are announced"
    overview, to_open = url("event"), reverse("events:open", args=[ride.event.slug])
    page = organiser.get(overview)
    assert f"{step} optional" in get_visible_text(page)
    assert reverse("prizes:list", args=[ride.event.slug]) in get_page_text(page)
    assert step not in get_visible_text(organiser.get(to_open)), "nothing is missing without them"

    Prize.objects.create(event=ride.event, contest=ride.contest, position=1, rule="by_hand")
    assert f"{step} done" in get_visible_text(organiser.get(overview))
    assert organiser.post(to_open).status_code == 302


def test_a_draft_is_ready_once_every_group_with_bikes_has_its_crew_and_links(
    ride: Ride, organiser: Client, url, settings: Settings, django_assert_num_queries
) -> None:
    settings.BASE_URL = "https://rides.example.org"
    Event.objects.update(state="draft")
    without_bikes = Group.objects.create(event=ride.event, name="Group three", ordinal=3)
    create_device(ride.rita)
    Device.objects.create(member=ride.tom, token_digest="x", expires_at=timezone.now())  # expired

    page = get_line_text(organiser.get(url("event")))

    assert page.count("still to do") == 2
    assert "Group one: no link or phone for Tom and Sue yet" in page
    assert "Group two has no Tail-gunner or Supervisor" in page
    assert "Group two: no link or phone for Gus yet" in page
    assert without_bikes.name not in page

    for member in (ride.tom, ride.sue, ride.gus):
        create_invitation(member)
    for role in ("tail_gunner", "supervisor"):
        create_device(CrewMember.objects.create(group=ride.group_two, name=f"New {role}", role=role))
    CrewMember.objects.create(group=ride.group_two, name="Another", role="supervisor")
    page = get_line_text(organiser.get(url("event")))

    assert "still to do" not in page
    assert "Everything is ready." in page
    with django_assert_num_queries(5):
        assert get_crew_gaps(ride.event) == CrewGaps(has_crew=True, roles=(), links=())


def test_an_open_event_shows_how_many_bikes_have_rolled_at_each_stop(
    ride: Ride, organiser: Client, url, add_turn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))
    add_turn(1, 4, make_paper_turn("fives", 20))

    page = get_line_text(organiser.get(url("event")))

    assert '<th scope="row">Group one</th> <td class="num nowrap"> 2 of 4 </td>' in page
    assert "1 of 8" in page
    assert '<th scope="row">Group two</th> <td class="num nowrap"> 0 of 4 </td>' in page


def test_missed_turns_are_counted_apart_from_recorded_ones(
    ride: Ride, organiser: Client, url, add_turn, close, update_standings
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))
    add_turn(1, 4, make_paper_turn("fives", 20))
    close()
    update_standings()

    page = get_line_text(organiser.get(f"{url('event')}?phase=ride-day"))
    rows = organiser.get(url("cards")).context["contests"][0]["rows"]

    # Group one has four bikes, of which two never rolled: closing records nothing for those.
    assert re.search(r"Group one</th> <td [^>]*> 2 of 4 </td> <td [^>]*> 0 of 4, 2 missed </td>", page)
    assert re.search(r"Group one</th>.*?<td [^>]*> 1 of 8, 3 missed </td> </tr>", page)
    assert {row["row"].number: row["progress"] for row in rows if row["row"].is_ranked} == {
        "1": "2 of 5, 3 missed",
        "2": "1 of 5, 4 missed",
    }


def test_entries_to_decide_and_shared_numbers_come_first(ride: Ride, organiser: Client, url, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))
    Bike.objects.create(event=ride.event, number=1, suffix=2, group=ride.group_one)

    page = get_line_text(organiser.get(url("event")))

    assert "1 entry needs your decision" in page
    assert "1 bike shares a number" in page


def test_the_cards_are_listed_best_first(organiser: Client, url, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()

    rows = organiser.get(url("cards")).context["contests"][0]["rows"]

    shown = [(card["row"].number, card["row"].total, card["people"]) for card in rows]
    assert shown[:2] == [("3", 24, "Cleo"), ("1", 20, "Ann")]


def test_players_at_tables_are_listed_with_all_their_tables(organiser: Client, url, drag_tables: list[UUID]) -> None:
    page = get_page_text(organiser.get(url("cards")))

    assert ">Races won</th>" in page
    assert '<th scope="row" data-label="Name">Ann</th>' in page
    for number, card, name in ((1, drag_tables[0], "Ann"), (2, drag_tables[1], "Ann"), (3, drag_tables[2], "Ben")):
        href = reverse("tables:desk_table", args=[url("event").split("/")[3], card])
        assert f'<a href="{href}">Table {number}<span class="visually-hidden">, {name}</span></a>' in page


def test_the_number_of_statements_does_not_depend_on_the_number_of_bikes(
    ride: Ride, organiser: Client, url, add_turn, update_standings
) -> None:
    def count_page_statements(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            organiser.get(url(page))
        return len(queries)

    pages = ("event", "cards", "finish", "close", "publish")
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    few = [count_page_statements(page) for page in pages]
    for number in (2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n) for n in range(20)])
    update_standings()

    assert [count_page_statements(page) for page in pages] == few


def test_the_list_of_cards_links_to_every_bike_even_one_that_has_not_rolled(
    ride: Ride, organiser: Client, url, add_turn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    page = organiser.get(url("cards")).content.decode()

    for number in (1, 8):
        card = derive_card_id(ride.contest.pk, ride.bikes[number].pk)
        address = reverse("scorecards:desk_card", args=[ride.event.slug, card])
        assert address in page
        assert organiser.get(address).status_code == 200
