"""The lists of tables: the organiser's for a contest, the crew's for the event, and the links to both."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.tables.services import create_tables
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, make_throw


def address(contest: Contest) -> str:
    return reverse("tables:desk_list", args=[contest.event.slug, contest.slug])


LIST = reverse("tables:list")


def row_of(page: str, name: str) -> str:
    """Return the part of a list about the table of this player."""
    return next(part for part in page.split("<tr>") if name in part)


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Client:
    """Rita's phone."""
    return crew_client(ride.rita)


@pytest.fixture
def played(add_table: AddTable, add_action: AddAction) -> None:
    """Ann has won her race, Ben is playing, Cleo has not started."""
    for name, actions in {
        "Ann": (make_throw(5, 5), make_throw(5, 5), BANK),
        "Ben": (make_throw(4, 4),),
        "Cleo": (),
    }.items():
        card = add_table(name)
        for action in actions:
            add_action(card, action)


@pytest.mark.usefixtures("played")
def test_the_organiser_sees_seats_and_progress(organiser: Client, pig_contest: Contest) -> None:
    page = get_page_text(organiser.get(address(pig_contest)))

    assert "3 tables, 1 finished" in page
    assert page.index("Ann") < page.index("Ben") < page.index("Cleo")
    assert "Finished" in row_of(page, "Ann")
    assert '<b class="seating__total">2</b>' in row_of(page, "Ann")
    assert "In play" in row_of(page, "Ben")
    assert "Nothing recorded yet" in row_of(page, "Cleo")


@pytest.mark.usefixtures("played")
def test_only_a_table_without_actions_can_be_removed(organiser: Client, pig_contest: Contest) -> None:
    page = get_page_text(organiser.get(address(pig_contest)))

    assert [("withdraw/" in row_of(page, name)) for name in ("Ann", "Ben", "Cleo")] == [False, False, True]


def test_the_page_of_a_contest_leads_to_its_tables(organiser: Client, pig_contest: Contest) -> None:
    settings = reverse("events:edit_contest", args=[pig_contest.event.slug, pig_contest.slug])

    assert f'href="{address(pig_contest)}"' in get_page_text(organiser.get(settings))


def test_each_table_leads_to_its_page(organiser: Client, pig_contest: Contest, add_table: AddTable) -> None:
    card = add_table("Ann")

    assert reverse("tables:desk_table", args=[pig_contest.event.slug, card]) in get_page_text(
        organiser.get(address(pig_contest))
    )


def test_the_player_to_act_and_the_winner_are_named(
    organiser: Client, rogue_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ben", "Ann", contest=rogue_contest)
    assert "Nothing recorded yet" in get_page_text(organiser.get(address(rogue_contest)))

    add_action(card, {"type": "roll", "seat": 0, "dice": [2, 2, 3, 3, 4, 6]})
    assert "Ben to play" in get_page_text(organiser.get(address(rogue_contest)))

    add_action(card, {"type": "retire", "seat": 0})
    assert "Ann has won" in get_page_text(organiser.get(address(rogue_contest)))


def test_a_contest_without_tables_says_what_they_are(organiser: Client, rogue_contest: Contest) -> None:
    page = get_page_text(organiser.get(address(rogue_contest)))

    assert "No tables yet" in page
    assert reverse("tables:desk_plan", args=[rogue_contest.event.slug, rogue_contest.slug]) in page


def test_a_closed_contest_offers_no_new_tables(organiser: Client, pig_contest: Contest, add_table: AddTable) -> None:
    add_table("Ann")
    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    page = get_page_text(organiser.get(address(pig_contest)))

    assert "tables/plan/" not in page
    assert "tables/new/" not in page


@pytest.mark.usefixtures("played")
def test_the_phone_lists_tables_in_play_first_and_leads_to_each(phone: Client, pig_contest: Contest) -> None:
    page = get_page_text(phone.get(LIST)).partition("<main")[2]

    assert page.index("Ben") < page.index("Cleo") < page.index("Ann")
    assert page.count('<a class="bike-row') == 3


def test_the_phone_offers_to_create_a_table_while_the_contest_is_open(phone: Client, pig_contest: Contest) -> None:
    new = reverse("tables:deal", args=[pig_contest.slug])
    assert new in get_page_text(phone.get(LIST))

    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    assert new not in get_page_text(phone.get(LIST))


def test_names_are_searched_once_there_are_more_than_twelve_tables(
    phone: Client, ride: Ride, pig_contest: Contest, desk: Actor
) -> None:
    made = [Player.objects.create(event=ride.event, name=f"Rider {number}") for number in range(13)]
    create_tables(desk, uuid4(), pig_contest.pk, [[player.pk] for player in made[:12]])
    assert 'role="search"' not in get_page_text(phone.get(LIST))

    create_tables(desk, uuid4(), pig_contest.pk, [[made[12].pk]])
    assert 'role="search"' in get_page_text(phone.get(LIST))
    found = get_page_text(phone.get(LIST, {"q": " rider 7"}))

    assert found.count('<a class="bike-row') == 1
    assert "Rider 7" in found


def test_a_search_that_finds_nobody_says_so(phone: Client, add_table: AddTable) -> None:
    add_table("Ann")

    page = get_page_text(phone.get(LIST, {"q": "Xaver"}))

    assert "No player matches “Xaver”." in page
    assert "Show all tables" in page


def test_an_event_without_contests_at_tables_says_so(phone: Client) -> None:
    assert "No tables here" in get_page_text(phone.get(LIST))


def test_the_phones_menu_links_to_the_tables_if_there_are_any(phone: Client, ride: Ride) -> None:
    home = reverse("scorecards:group")
    assert LIST not in get_page_text(phone.get(home))

    Contest.objects.create(event=ride.event, name="Rogue", slug="rogue", game_key="rogue", rules_version=1)

    assert f'<a href="{LIST}">Tables</a>' in get_page_text(phone.get(home))


def test_a_phone_at_an_event_with_only_tables_goes_straight_to_them(
    phone: Client, ride: Ride, rogue_contest: Contest
) -> None:
    ride.contest.slots.all().delete()
    ride.contest.delete()

    page = get_page_text(phone.get(reverse("scorecards:group"))).partition("<main")[2]

    assert f'href="{LIST}"' in page


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("page", ["desk:event", "events:contests", "desk:cards"])
def test_the_desk_leads_to_the_tables_of_each_contest_with_their_number(
    organiser: Client, ride: Ride, pig_contest: Contest, page: str
) -> None:
    message = get_page_text(organiser.get(reverse(page, args=[ride.event.slug])))

    assert f'href="{address(pig_contest)}">3 tables, 1 finished' in message
    assert address(ride.contest) not in message


@pytest.mark.parametrize("page", ["desk:event", "events:contests", "tables:desk_list", "tables:list"])
def test_the_number_of_queries_does_not_grow_with_the_number_of_tables(
    organiser: Client, phone: Client, ride: Ride, pig_contest: Contest, desk: Actor, page: str
) -> None:
    args = {"tables:list": [], "tables:desk_list": [pig_contest.event.slug, pig_contest.slug]}.get(
        page, [pig_contest.event.slug]
    )
    browser = phone if page == "tables:list" else organiser
    counted = []
    for few in (2, 20):
        made = [Player.objects.create(event=ride.event, name=f"Rider {number}") for number in range(few)]
        create_tables(desk, uuid4(), pig_contest.pk, [[player.pk] for player in made])
        browser.get(reverse(page, args=args))
        with CaptureQueriesContext(
            connection,
        ) as statements:
            browser.get(reverse(page, args=args))
        counted.append(len(statements))

    assert counted[0] == counted[1]


def test_others_cannot_find_the_lists(client: Client, charlie: User, sign_in, ride: Ride, pig_contest: Contest) -> None:
    assert sign_in(charlie).get(address(pig_contest)).status_code == 404
    assert sign_in(charlie).get(address(ride.contest)).status_code == 404
    assert client.get(address(pig_contest)).headers["Location"].startswith("/sign-in/")
    assert client.get(LIST).status_code == 401


def test_a_phone_sees_only_the_tables_of_its_own_event(
    crew_client: CrewClient, other_event: Event, pig_contest: Contest, add_table: AddTable
) -> None:
    add_table("Ann")
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    member = CrewMember.objects.create(group=group, name="Sid", role=CrewMember.Role.ROAD_CAPTAIN)

    assert "No tables here" in get_page_text(crew_client(member).get(LIST))
