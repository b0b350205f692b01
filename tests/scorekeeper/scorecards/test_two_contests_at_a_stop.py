"""A poker run and a dice run with turns at the same stops: all of a bike is played before the next bike."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.group import NextBike, get_group_at_stop, get_next_bike
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import add_poker_run, draw, make_dice_run, roll, sell

pytestmark = pytest.mark.database


@pytest.fixture
def seller(ride: Ride) -> Actor:
    """Rita's phone, in a ride with a dice run and a poker run."""
    make_dice_run(ride)
    return make_actor(ride.rita)


@pytest.fixture
def poker(ride: Ride, seller: Actor) -> Contest:
    """The poker run beside the dice run, with a turn at each of its stops."""
    return add_poker_run(ride, most=2)


def get_next(ride: Ride, contest: Contest, bike: Bike, slot: int = 1) -> NextBike:
    """Return what comes after a bike's turn."""
    stop = ride.slots[slot - 1].stop_id
    return get_next_bike(ride.rita, contest, list(contest.slots.filter(stop=stop).order_by("ordinal")), bike)


def name_next(found: NextBike) -> tuple[str, str]:
    """Return which sheet is next, and in which contest."""
    return found.number, found.contest_name


def test_a_bike_plays_every_contest_at_the_stop_before_the_next_bike(ride: Ride, seller: Actor, poker: Contest) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)
    found = get_next(ride, ride.contest, ride.bikes[1])
    assert name_next(found) == ("1", "Poker run")
    assert (found.is_same_bike, found.is_same_contest, found.contest_id) == (True, False, poker.pk)

    draw(poker, seller, ride.bikes[1], 1, "AS")
    found = get_next(ride, poker, ride.bikes[1])
    assert name_next(found) == ("2", "Dice run"), "each bike begins with the first contest"
    assert (found.is_same_bike, found.is_same_contest, found.contest_id) == (False, False, ride.contest.pk)


def test_it_plays_all_sheets_of_one_contest_and_then_those_of_the_other(
    ride: Ride, seller: Actor, poker: Contest
) -> None:
    dice = sell(ride, seller, 1)
    ride.contest.pk = poker.pk
    hand = sell(ride, seller, 1)
    ride.contest.refresh_from_db()
    contest = Contest.objects.get(slug="dice-run")
    ride.contest.pk = contest.pk

    order = []
    bike, current = ride.bikes[1], contest
    for number in range(4):
        if current == contest:
            roll(ride, seller, bike, 1, 20)
        else:
            draw(poker, seller, bike, 1, ("AS", "KS", "QS", "JS")[number])
        found = get_next(ride, current, bike)
        order.append(name_next(found))
        assert found.id is not None
        assert found.contest_id is not None
        bike, current = Bike.entrants.get(pk=found.id), Contest.objects.get(pk=found.contest_id)

    assert order == [("1/2", "Dice run"), ("1", "Poker run"), ("1/2", "Poker run"), ("2", "Dice run")]
    assert dice != hand


def test_a_bike_whose_other_contest_was_played_elsewhere_is_not_asked_again(
    ride: Ride, seller: Actor, poker: Contest
) -> None:
    for bike in (1, 2):
        draw(poker, seller, ride.bikes[bike], 1, "AS")
    roll(ride, seller, ride.bikes[1], 1, 20)
    assert name_next(get_next(ride, ride.contest, ride.bikes[1])) == ("2", "Dice run")
    roll(ride, seller, ride.bikes[2], 1, 20)
    assert name_next(get_next(ride, ride.contest, ride.bikes[2])) == ("3", "Dice run")


def test_after_the_last_bike_come_those_before_it(ride: Ride, seller: Actor, poker: Contest) -> None:
    roll(ride, seller, ride.bikes[4], 1, 20)
    draw(poker, seller, ride.bikes[4], 1, "AS")
    roll(ride, seller, ride.bikes[1], 1, 20)

    assert name_next(get_next(ride, poker, ride.bikes[4])) == ("1", "Poker run")


def test_it_ends_once_every_bike_has_played_in_every_contest(ride: Ride, seller: Actor, poker: Contest) -> None:
    for number in (1, 2, 3, 4):
        roll(ride, seller, ride.bikes[number], 1, 20)
        draw(poker, seller, ride.bikes[number], 1, "AS")

    found = get_next(ride, poker, ride.bikes[4])

    assert (found.id, found.rolled_count, found.bike_count) == (None, 4, 4)


def test_a_contest_that_is_closed_or_has_no_turn_here_is_not_next(
    ride: Ride, seller: Actor, desk: Actor, poker: Contest
) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)
    roll(ride, seller, ride.bikes[1], 2, 20)
    poker.slots.filter(ordinal=2).delete()
    found = get_next(ride, ride.contest, ride.bikes[1], 2)
    assert (found.number, found.contest_name) == ("2", "")

    close_contest(desk, uuid4(), poker.pk, "Enough cards.")

    found = get_next(ride, ride.contest, ride.bikes[1])
    assert (found.number, found.contest_name) == ("2", "")


def test_the_list_stays_at_the_stop_until_every_contest_is_done_there(
    ride: Ride, seller: Actor, poker: Contest, crew_client: CrewClient
) -> None:
    for number in (1, 2, 3, 4):
        roll(ride, seller, ride.bikes[number], 1, 20)
        if number > 2:
            draw(poker, seller, ride.bikes[number], 1, "AS")

    at_stop = get_group_at_stop(ride.contest, ride.group_one)
    assert at_stop.stop is not None
    assert at_stop.stop.id == ride.stops[0].pk
    assert [(found.contest, found.stop.todo_count) for found in at_stop.unfinished] == [(poker, 2)]
    assert "Poker run: 2 bikes still to play here" in get_visible_text(crew_client(ride.rita).get("/crew/"))

    for number in (1, 2):
        draw(poker, seller, ride.bikes[number], 1, "AS")
    at_stop = get_group_at_stop(ride.contest, ride.group_one)
    assert at_stop.stop is not None
    assert at_stop.stop.id == ride.stops[1].pk
    assert at_stop.unfinished == []


def test_a_closed_contest_keeps_nobody_at_a_stop(ride: Ride, seller: Actor, desk: Actor, poker: Contest) -> None:
    for number in (1, 2, 3, 4):
        roll(ride, seller, ride.bikes[number], 1, 20)
    close_contest(desk, uuid4(), poker.pk, "Enough cards.")

    at_stop = get_group_at_stop(ride.contest, ride.group_one)

    assert at_stop.stop is not None
    assert at_stop.stop.id == ride.stops[1].pk


def test_a_scanned_code_opens_what_the_bike_has_still_to_play_at_the_stop(
    ride: Ride, seller: Actor, desk: Actor, poker: Contest, crew_client: CrewClient
) -> None:
    bike, phone, stop = ride.bikes[1], crew_client(ride.rita), ride.stops[0].pk

    def scan() -> str:
        here = f"?contest={ride.contest.pk}&stop={stop}"
        return phone.get(f"/b/{make_code(bike.pk)}/{here}").headers["Location"]

    assert f"contest={ride.contest.pk}" in scan()
    roll(ride, seller, bike, 1, 20)
    assert f"contest={poker.pk}" in scan()
    draw(poker, seller, bike, 1, "AS")
    assert f"contest={ride.contest.pk}" in scan()


def test_a_bike_that_retired_from_one_contest_plays_the_other(ride: Ride, seller: Actor, poker: Contest) -> None:
    for bike in (1, 2):
        retire_bike(seller, uuid4(), poker.pk, ride.bikes[bike].pk, "Lost the cards.")
    roll(ride, seller, ride.bikes[1], 1, 20)

    assert name_next(get_next(ride, ride.contest, ride.bikes[1])) == ("2", "Dice run")
    roll(ride, seller, ride.bikes[2], 1, 20)
    assert name_next(get_next(ride, ride.contest, ride.bikes[2])) == ("3", "Dice run")


def test_the_statements_do_not_grow_with_the_bikes(ride: Ride, seller: Actor, poker: Contest) -> None:
    def count() -> int:
        here = list(ride.contest.slots.filter(ordinal=1))
        with CaptureQueriesContext(connection) as queries:
            get_next_bike(ride.rita, ride.contest, here, ride.bikes[1])
        return len(queries)

    before = count()
    for number in range(20, 60):
        bike = Bike.objects.create(event=ride.event, number=number, group=ride.group_one)
        Player.objects.create(event=ride.event, name=f"Rider {number}", bike=bike, role=Player.Role.RIDER)

    assert (before, count()) == (3, 3)


def get_result_page(ride: Ride, crew_client: CrewClient, contest: Contest, bike: UUID) -> str:
    """Return the text of the page after the bike's turn at the first stop."""
    slot = contest.slots.get(ordinal=1)
    page = crew_client(ride.rita).get(f"/crew/bikes/{bike}/?contest={contest.pk}&slot={slot.pk}")
    return get_visible_text(page)


def test_the_button_names_the_contest(ride: Ride, seller: Actor, poker: Contest, crew_client: CrewClient) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)
    page = get_result_page(ride, crew_client, ride.contest, ride.bikes[1].pk)
    assert "Next: 1, Poker run (Ann)" in page
    assert "Dice run: Ozweld's, turn 1" in page

    draw(poker, seller, ride.bikes[1], 1, "AS")
    assert "Next bike: 2, Dice run (Ben and Zoe)" in get_result_page(ride, crew_client, poker, ride.bikes[1].pk)
    sell(ride, seller, 1)
    assert "Next sheet: 1/2, Dice run (Ann)" in get_result_page(ride, crew_client, ride.contest, ride.bikes[1].pk)


def test_the_button_leads_to_the_turn_in_that_contest(
    ride: Ride, seller: Actor, poker: Contest, crew_client: CrewClient
) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)
    client = crew_client(ride.rita)
    query = f"?contest={ride.contest.pk}&slot={ride.slots[0].pk}"

    page = client.get(f"/crew/bikes/{ride.bikes[1].pk}/{query}").content.decode()

    [link] = [part for part in page.split("<a ") if 'id="next"' in part]
    url = link.partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    opened = get_visible_text(client.get(url))
    assert "Poker run: Ozweld's, turn 1" in opened


def test_the_next_sheet_of_a_bike_that_was_taken_over_is_taken_over_too(
    ride: Ride, seller: Actor, poker: Contest, crew_client: CrewClient
) -> None:
    """Bike 5 rides in group two; without it, its next contest would be refused as another group's."""
    roll(ride, seller, ride.bikes[5], 1, 20, takes_over=True)
    client = crew_client(ride.rita)
    query = f"?contest={ride.contest.pk}&slot={ride.slots[0].pk}&takes_over=1"
    page = client.get(f"/crew/bikes/{ride.bikes[5].pk}/{query}").content.decode()

    [link] = [part for part in page.split("<a ") if 'id="next"' in part]
    url = link.partition('href="')[2].partition('"')[0].replace("&amp;", "&")

    assert client.get(url).status_code == 200


def test_an_event_with_one_contest_does_not_name_it(ride: Ride, seller: Actor, crew_client: CrewClient) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)

    page = get_result_page(ride, crew_client, ride.contest, ride.bikes[1].pk)

    assert "Next bike: 2 Ben and Zoe" in page
    assert "Dice run" not in page


def test_counts_say_whether_they_count_sheets(ride: Ride, seller: Actor, crew_client: CrewClient) -> None:
    roll(ride, seller, ride.bikes[1], 1, 20)
    assert "All bikes: 1 of 4 played" in get_result_page(ride, crew_client, ride.contest, ride.bikes[1].pk)
    client, stop = crew_client(ride.rita), ride.stops[0].pk
    assert "1 of 4 have played" in get_visible_text(client.get(f"/crew/?stop={stop}"))

    sell(ride, seller, 2)

    assert "All bikes: 1 of 5 sheets played" in get_result_page(ride, crew_client, ride.contest, ride.bikes[1].pk)
    assert "1 of 5 sheets played" in get_visible_text(client.get(f"/crew/?stop={stop}"))
    assert "4 sheets still to play at Ozweld's" in get_visible_text(client.get(f"/crew/?stop={ride.stops[1].pk}"))
    finale = get_visible_text(client.get(f"/crew/?stop={ride.stops[3].pk}"))
    assert "0 of 5 sheets have all turns" in finale
