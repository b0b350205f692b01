"""Further sheets of a bike (DICE-1): selling them, recording on them, and the pages that list them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client

from scorekeeper.bikes.models import Bike, derive_sheet_id
from scorekeeper.bikes.services import update_bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.recording import BikeWithdrawn, MalformedOperation, NotAllowed, UnknownTarget
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.players.services import BikeInUse, delete_bike
from scorekeeper.scorecards.forms.sheets import SheetSearchForm
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.group import find_bikes, find_sheet_to_roll, get_group_at_stop, get_next_bike
from scorekeeper.scorecards.selectors.non_starters import list_non_starters
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, renumber_bike
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.sheet_sales import (
    NoMoreSheets,
    sell_passenger_sheets,
    sell_sheet,
    withdraw_sheet,
)
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import get_card_id, make_dice_run, roll, sell

pytestmark = pytest.mark.database

CrewClient = Callable[[CrewMember], Client]


@pytest.fixture
def seller(ride: Ride) -> Actor:
    """Rita's phone, in a ride whose bikes can have three sheets."""
    make_dice_run(ride)
    return make_actor(ride.rita)


def list_labels(ride: Ride) -> list[str]:
    return [row.number for row in get_leaderboard(ride.contest).rows]


# Selling


def test_a_further_sheet_is_labelled_after_its_bike_and_rolls_at_once(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)

    assert sheet.label == "2/2"
    assert roll(ride, seller, sheet, 1, 19).outcome == "recorded"
    assert Turn.objects.get().card_id == get_card_id(ride, sheet) != get_card_id(ride, ride.bikes[2])
    assert list(list_damage(ride.event)) == []


def test_it_is_no_bike_where_bikes_are_meant(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)

    assert Bike.objects.filter(event=ride.event).count() == ride.event.bikes.count() == len(ride.bikes)
    assert sheet not in ride.group_one.bikes.all()
    assert sheet.group == ride.group_one


def test_two_phones_that_sell_the_same_sheet_mean_one(ride: Ride, seller: Actor) -> None:
    first = sell_sheet(seller, uuid4(), ride.bikes[2].pk, ride.contest.pk, 2)
    second = sell_sheet(make_actor(ride.tom), uuid4(), ride.bikes[2].pk, ride.contest.pk, 2)

    assert (first.outcome, second.outcome) == ("recorded", "merged")
    assert first.data is not None
    assert second.data == {**first.data, "seq": 1}
    assert Bike.entrants.filter(sheet=2).count() == 1
    assert list(list_damage(ride.event)) == []


def test_no_name_enters_the_log(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)

    body = Entry.objects.get(kind="sell_sheet").body
    assert str(sheet.pk) in body
    assert not any(player.name in body for player in Player.objects.all())


def test_a_bike_has_no_more_sheets_than_the_contest_says(ride: Ride, seller: Actor) -> None:
    make_dice_run(ride, most=2)
    sell(ride, seller, 2)

    with pytest.raises(NoMoreSheets, match="at most 2 sheets"):
        sell(ride, seller, 2, 3)


def test_a_rule_book_that_gives_every_bike_one_scorecard_is_named(ride: Ride, seller: Actor) -> None:
    """ROCK-1."""
    Contest.objects.filter(pk=ride.contest.pk).update(game_key="rock-yahtzee", options={})

    with pytest.raises(NoMoreSheets, match="ROCK-1"):
        sell(ride, seller, 2)


def test_a_closed_contest_sells_none(ride: Ride, seller: Actor, desk: Actor) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "The ride is over.")

    with pytest.raises(NoMoreSheets, match="closed"):
        sell(ride, seller, 2)


def test_a_phone_sells_only_for_bikes_that_it_records(ride: Ride, seller: Actor) -> None:
    with pytest.raises(NotAllowed):
        sell(ride, make_actor(ride.tom), 5)
    assert sell(ride, make_actor(ride.gus), 5).label == "5/2"


def test_it_rolls_in_no_other_contest(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)
    other = Contest.objects.get(pk=ride.contest.pk)
    other.pk, other.slug = uuid4(), "other"
    other.save(force_insert=True)
    slot = ride.slots[0]
    slot.pk, slot.contest = uuid4(), other
    slot.save(force_insert=True)
    ride.contest.pk = other.pk

    with pytest.raises(UnknownTarget):
        roll(ride, seller, sheet, 1, 19)


def test_no_phone_takes_the_id_of_a_sheet_for_a_bike(ride: Ride, seller: Actor) -> None:
    """Nobody could sell that sheet any more."""
    sheet_id = derive_sheet_id(ride.bikes[2].pk, ride.contest.pk, 2)

    with pytest.raises(MalformedOperation):
        register_bike(seller, uuid4(), WalkUp(sheet_id, 99, None))

    assert sell(ride, seller, 2).pk == sheet_id


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_sale_waits_for_the_desk_that_gives_its_bike_another_group(ride: Ride, seller: Actor) -> None:
    """Else the sheet would keep the earlier group."""

    def sell_meanwhile() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '100ms'")
            sell(ride, seller, 2)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        update_bike(ride.bikes[2], number=2, make="", model="", group=None)
        with pytest.raises(OperationalError, match="lock timeout"):
            pool.submit(sell_meanwhile).result()
    assert sell(ride, seller, 2).group is None


# Undoing a sale


def test_who_sold_it_can_undo_that_while_nothing_is_recorded(ride: Ride, seller: Actor, desk: Actor) -> None:
    sheet = sell(ride, seller, 2)
    with pytest.raises(NotAllowed):
        withdraw_sheet(make_actor(ride.tom), uuid4(), sheet.pk)

    assert withdraw_sheet(seller, uuid4(), sheet.pk).outcome == "recorded"

    assert not Bike.entrants.filter(pk=sheet.pk).exists()
    assert list(list_damage(ride.event)) == []
    again = sell(ride, seller, 2)
    assert again.pk == sheet.pk
    roll(ride, seller, again, 1, 19)
    assert withdraw_sheet(desk, uuid4(), sheet.pk).outcome == "merged"
    assert list(list_damage(ride.event)) == []


def test_a_turn_for_a_sheet_whose_sale_was_undone_says_so(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)
    withdraw_sheet(seller, uuid4(), sheet.pk)

    with pytest.raises(BikeWithdrawn):
        roll(ride, make_actor(ride.tom), sheet, 1, 19)


def test_what_someone_else_has_sold_too_stays(ride: Ride, seller: Actor) -> None:
    sheet = sell(ride, seller, 2)
    sell(ride, make_actor(ride.tom), 2)

    assert withdraw_sheet(seller, uuid4(), sheet.pk).outcome == "merged"
    assert Bike.entrants.filter(pk=sheet.pk).exists()


def test_a_bike_with_a_further_sheet_is_not_deleted(ride: Ride, seller: Actor) -> None:
    sell(ride, seller, 4)

    with pytest.raises(BikeInUse):
        delete_bike(ride.bikes[4])


def test_the_last_of_two_sellers_who_undoes_the_sale_takes_the_sheet_away(ride: Ride, seller: Actor) -> None:
    """Else nobody could, although both have undone it, and closing would list a sheet that nobody has paid for."""
    tom, sheet = make_actor(ride.tom), sell(ride, seller, 2)
    sell(ride, tom, 2)

    outcomes = [withdraw_sheet(actor, uuid4(), sheet.pk).outcome for actor in (seller, seller, tom)]

    assert outcomes == ["merged", "merged", "recorded"]
    assert not Bike.entrants.filter(pk=sheet.pk).exists()


def test_an_undo_of_what_the_organiser_has_undone_changes_nothing(ride: Ride, seller: Actor, desk: Actor) -> None:
    """Else the phone would wait for ever for a sheet that does not come."""
    sheet = sell(ride, seller, 2)
    withdraw_sheet(desk, uuid4(), sheet.pk)

    assert [withdraw_sheet(actor, uuid4(), sheet.pk).outcome for actor in (seller, desk)] == ["merged"] * 2
    with pytest.raises(UnknownTarget):
        withdraw_sheet(make_actor(ride.tom), uuid4(), sheet.pk)  # his own sale may be on its way
    assert sell(ride, seller, 2).pk == sheet.pk
    assert withdraw_sheet(seller, uuid4(), sheet.pk).outcome == "recorded"
    assert list(list_damage(ride.event)) == []


# Riders


def test_each_rider_has_a_sheet_and_it_is_named_after_them(ride: Ride, seller: Actor) -> None:
    """DICE-1: one for each rider. Zoe is the passenger of bike 2."""
    make_dice_run(ride, most=1, each=Contest.SheetsFor.RIDER)

    assert sell_passenger_sheets(seller, ride.contest) == 1
    assert sell_passenger_sheets(seller, ride.contest) == 0

    sheet = Bike.entrants.get(sheet=2)
    rider = Player.objects.get(bike=ride.bikes[2], role=Player.Role.RIDER).name
    assert sheet.label == "2/2"
    for names in (get_public_names(ride.event, ride.contest), get_full_names(ride.event, ride.contest)):
        assert (names[ride.bikes[2].pk], names[sheet.pk]) == (rider, "Zoe")
    with pytest.raises(NoMoreSheets):
        sell(ride, seller, 1)  # nobody rides along


def test_each_rider_can_have_several(ride: Ride, seller: Actor) -> None:
    make_dice_run(ride, most=2, each=Contest.SheetsFor.RIDER)
    second, passenger = sell(ride, seller, 2, 2), sell(ride, seller, 2, 3)

    names = get_full_names(ride.event, ride.contest)
    assert names[second.pk] != names[passenger.pk] == "Zoe"


# At the stop


def test_after_a_sheet_comes_the_next_one_of_the_same_bike(ride: Ride, seller: Actor) -> None:
    second, third = sell(ride, seller, 2), sell(ride, seller, 2, 3)
    here = ride.slots[:1]
    roll(ride, seller, ride.bikes[2], 1, 20)

    following = get_next_bike(ride.rita, ride.contest, here, ride.bikes[2])
    assert (following.id, following.number, following.is_same_bike) == (second.pk, "2/2", True)
    assert following.next_riders == following.riders != ""
    roll(ride, seller, second, 1, 20)
    assert get_next_bike(ride.rita, ride.contest, here, second).id == third.pk
    roll(ride, seller, third, 1, 20)
    after = get_next_bike(ride.rita, ride.contest, here, third)
    assert (after.number, after.is_same_bike) == ("3", False)
    assert (after.rolled_count, after.bike_count) == (3, 6)


def test_the_first_sheet_follows_the_second_where_that_rolled_first(ride: Ride, seller: Actor) -> None:
    second = sell(ride, seller, 2)
    roll(ride, seller, second, 1, 20)

    assert get_next_bike(ride.rita, ride.contest, ride.slots[:1], second).number == "2"


def test_a_sheet_that_retired_is_not_next(ride: Ride, seller: Actor) -> None:
    second = sell(ride, seller, 2)
    retire_bike(seller, uuid4(), ride.contest.pk, second.pk, "Went home.")
    roll(ride, seller, ride.bikes[2], 1, 20)

    assert get_next_bike(ride.rita, ride.contest, ride.slots[:1], ride.bikes[2]).number == "3"
    assert get_group_at_stop(ride.contest, ride.group_one, ride.stops[0].pk).expected_count == 4


def test_the_list_has_the_sheets_below_their_bike(ride: Ride, seller: Actor) -> None:
    second = sell(ride, seller, 2)
    stop = ride.slots[0].stop_id
    roll(ride, seller, ride.bikes[2], 1, 20)
    at_stop = get_group_at_stop(ride.contest, ride.group_one, stop)

    assert [row.number for row in at_stop.rows] == ["1", "2", "2/2", "3", "4"]
    assert [row.sheets_text for row in at_stop.rows] == ["", "2 sheets, 1 to play", "", "", ""]
    assert (at_stop.rolled_count, at_stop.expected_count) == (1, 5)
    roll(ride, seller, second, 1, 20)
    rows = get_group_at_stop(ride.contest, ride.group_one, stop).rows
    assert [row.number for row in rows] == ["1", "3", "4", "2", "2/2"]


def test_searching_a_number_or_a_name_finds_all_sheets(ride: Ride, seller: Actor) -> None:
    sell(ride, seller, 2)
    stop = ride.slots[0].stop_id

    for text in ("2", "Zoe"):
        assert [row.number for row in find_bikes(ride.contest, ride.event, text, stop)] == ["2", "2/2"]


def test_a_code_leads_to_the_first_sheet_still_to_roll(ride: Ride, seller: Actor) -> None:
    second = sell(ride, seller, 2)
    stop = ride.slots[0].stop_id
    assert find_sheet_to_roll([ride.contest], ride.bikes[2], stop)[1] == ride.bikes[2]

    roll(ride, seller, ride.bikes[2], 1, 20)

    assert find_sheet_to_roll([ride.contest], ride.bikes[2], stop)[1].pk == second.pk
    assert find_sheet_to_roll([ride.contest], ride.bikes[2], ride.slots[1].stop_id)[1] == ride.bikes[2]
    roll(ride, seller, second, 1, 20)
    assert find_sheet_to_roll([ride.contest], ride.bikes[2], stop)[1] == ride.bikes[2]


# What happens to the bike


def test_a_bike_that_did_not_start_takes_its_sheets_along(ride: Ride, seller: Actor) -> None:
    second = sell(ride, seller, 2)
    mark_did_not_start(seller, uuid4(), ride.bikes[2].pk, value=True)
    at_stop = get_group_at_stop(ride.contest, ride.group_one, ride.slots[0].stop_id)

    assert [row.state for row in at_stop.rows if row.bike_id == ride.bikes[2].pk] == ["did_not_start"] * 2
    assert list_non_starters(ride.event) == {ride.bikes[2].pk}
    roll(ride, seller, second, 1, 20)
    assert list_non_starters(ride.event) == set()
    at_stop = get_group_at_stop(ride.contest, ride.group_one, ride.slots[0].stop_id)
    assert [row.state for row in at_stop.rows if row.bike_id == ride.bikes[2].pk] == ["todo", "done"]
    assert list(list_damage(ride.event)) == []


def test_a_new_number_is_that_of_all_sheets(ride: Ride, seller: Actor, desk: Actor) -> None:
    second = sell(ride, seller, 2)

    renumber_bike(desk, uuid4(), ride.bikes[2].pk, 17, "misread")

    second.refresh_from_db()
    assert second.label == "17/2"
    assert list(list_damage(ride.event)) == []


def test_a_merge_brings_further_sheets_and_undoing_it_takes_them_back(ride: Ride, seller: Actor, desk: Actor) -> None:
    first, second = sell(ride, seller, 1), sell(ride, seller, 2)
    roll(ride, seller, second, 1, 23)

    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[1].pk, "the same bike")

    second.refresh_from_db()
    assert (first.label, second.label) == ("1/2", "1/3")
    assert list(list_damage(ride.event)) == []
    refresh_standings(ride.contest.pk)
    assert list_labels(ride)[0] == "1/3"
    assert roll(ride, seller, second, 2, 20).outcome == "recorded"
    # A phone that has not heard of the merge sells the next sheet of the bike that is no more.
    assert sell(ride, seller, 2, 3).label == "1/4"

    unmerge_bikes(desk, uuid4(), ride.bikes[2].pk, "two bikes after all")

    second.refresh_from_db()
    assert second.label == "2/2"
    assert list(list_damage(ride.event)) == []


def test_what_was_sold_for_a_merged_bike_is_its_own_after_the_merge_is_undone(
    ride: Ride, seller: Actor, desk: Actor
) -> None:
    """By a phone that had not heard of the merge. The sheet's id is that of 2/2, so bike 2 could have no other."""
    make_dice_run(ride, most=2)
    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[1].pk, "the same bike")
    sold = sell(ride, seller, 2)
    roll(ride, seller, sold, 1, 20)
    assert sold.label == "1/2"

    unmerge_bikes(desk, uuid4(), ride.bikes[2].pk, "two bikes after all")

    sold.refresh_from_db()
    assert sold.label == "2/2"
    assert sell(ride, seller, 1).label == "1/2"
    assert list(list_damage(ride.event)) == []


# Standings


def test_each_sheet_has_a_row_and_closing_fills_each_card(ride: Ride, seller: Actor, desk: Actor) -> None:
    second = sell(ride, seller, 2)
    roll(ride, seller, ride.bikes[2], 1, 12)
    roll(ride, seller, second, 1, 25)
    refresh_standings(ride.contest.pk)

    rows = {row.number: (row.rank, row.total) for row in get_leaderboard(ride.contest).rows}
    assert (rows["2/2"], rows["2"], rows["3"]) == ((1, 25), (2, 12), (None, 0))

    close_contest(desk, uuid4(), ride.contest.pk, "The ride is over.")
    assert Turn.objects.filter(card_id=get_card_id(ride, second)).count() == len(ride.slots)
    assert list(list_damage(ride.event)) == []


def test_an_unused_sheet_is_listed_among_those_that_have_not_rolled(ride: Ride, seller: Actor) -> None:
    sell(ride, seller, 2)
    refresh_standings(ride.contest.pk)

    assert list_labels(ride) == ["1", "2", "2/2", "3", "4", "5", "6", "7", "8"]


# Pages


def test_a_sheet_is_sold_on_the_phone_in_a_tap_and_a_confirmation(
    ride: Ride, seller: Actor, crew_client: CrewClient
) -> None:
    client, bike = crew_client(ride.rita), ride.bikes[2]
    roll(ride, seller, bike, 1, 20)
    query = f"?contest={ride.contest.pk}&slot={ride.slots[0].pk}"
    page = client.get(f"/crew/bikes/{bike.pk}/{query}").content.decode()
    assert "Another sheet for 2" in page

    asked = client.get(f"/crew/bikes/{bike.pk}/another-sheet/{query}").content.decode()
    assert "Add 2/2" in asked
    sale = {"contest": ride.contest.pk, "operation": uuid4(), "number": 2}
    response = client.post(f"/crew/bikes/{bike.pk}/another-sheet/{query}", sale, follow=True)

    text = response.content.decode()
    assert "Sheet 2/2 has been added" in text
    assert f"/crew/bikes/{derive_sheet_id(bike.pk, ride.contest.pk, 2)}/" in response.redirect_chain[-1][0]
    again = client.post(f"/crew/bikes/{bike.pk}/another-sheet/{query}", {**sale, "operation": uuid4()}, follow=True)
    assert "Sheet 2/2 is there already" in again.content.decode()


def test_a_sale_is_undone_on_the_phone(ride: Ride, seller: Actor, crew_client: CrewClient) -> None:
    client, bike = crew_client(ride.rita), ride.bikes[2]
    sale = {"contest": ride.contest.pk, "operation": uuid4(), "number": 2}
    client.post(f"/crew/bikes/{bike.pk}/another-sheet/", sale)
    sheet = Bike.entrants.get(sheet=2)
    assert "Undo the sale of this sheet" in client.get(f"/crew/bikes/{sheet.pk}/").content.decode()

    response = client.post(f"/crew/bikes/{sheet.pk}/withdraw-sheet/", {"operation": uuid4()}, follow=True)

    assert "Undone: sheet 2/2 is not sold" in response.content.decode()
    assert not Bike.entrants.filter(sheet=2).exists()


def test_a_sale_that_is_sent_again_after_it_was_undone_says_so(
    ride: Ride, seller: Actor, crew_client: CrewClient
) -> None:
    client, url = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/another-sheet/"
    sale = {"contest": ride.contest.pk, "operation": uuid4(), "number": 2}
    client.post(url, sale)
    withdraw_sheet(seller, uuid4(), Bike.entrants.get(sheet=2).pk)

    response = client.post(url, sale)

    assert response.status_code == 409
    assert "This page was already submitted" in response.content.decode()


@pytest.mark.parametrize("total", ["9" * 5000, f"-{'9' * 5000}", "1e309", "NaN", "\uff11\uff19", "19.0", "19\0", "²"])
def test_a_sum_that_is_no_number_is_asked_for_again(
    ride: Ride, seller: Actor, crew_client: CrewClient, total: str
) -> None:
    form = {"contest": ride.contest.pk, "slot": ride.slots[0].pk, "operation": uuid4(), "way": "paper", "save": "paper"}

    response = crew_client(ride.rita).post(f"/crew/bikes/{ride.bikes[2].pk}/", {**form, "total": total})

    assert response.status_code == 422
    assert "Enter a whole number" in response.content.decode()


def test_the_next_sheet_is_one_tap_away(ride: Ride, seller: Actor, crew_client: CrewClient) -> None:
    sell(ride, seller, 2)
    roll(ride, seller, ride.bikes[2], 1, 20)
    query = f"?contest={ride.contest.pk}&slot={ride.slots[0].pk}"

    page = crew_client(ride.rita).get(f"/crew/bikes/{ride.bikes[2].pk}/{query}").content.decode()

    assert "Next sheet: 2/2" in page


def test_organisers_sell_a_sheet_on_the_desk(ride: Ride, sign_in, alice, seller: Actor) -> None:
    client, base = sign_in(alice), f"/desk/events/{ride.event.slug}"
    assert "No further sheet has been sold yet" in client.get(f"{base}/sheets/").content.decode()
    found = client.get(f"{base}/sheets/?number=2")
    assert found.status_code == 302

    sale = {"operation": uuid4(), "number": 2}
    response = client.post(found.headers["Location"], sale, follow=True)

    assert "Sheet 2/2 has been added" in response.content.decode()
    assert "2/2" in client.get(f"{base}/sheets/").content.decode()
    sheet = Bike.entrants.get(sheet=2)
    client.post(f"{base}/cards/{get_card_id(ride, sheet)}/withdraw-sheet/", {"operation": uuid4()})
    assert not Bike.entrants.filter(sheet=2).exists()


def test_where_two_contests_sell_sheets_one_of_them_has_to_be_chosen(ride: Ride, seller: Actor) -> None:
    other = Contest(event=ride.event, name="Second run", slug="second-run", game_key="dice-run")
    form = SheetSearchForm({"number": "2"}, contests=[ride.contest, other])

    assert list(form.errors) == ["contest"]


def test_a_number_that_no_bike_has_is_kept_in_the_form(ride: Ride, sign_in, alice, seller: Actor) -> None:
    response = sign_in(alice).get(f"/desk/events/{ride.event.slug}/sheets/?number=99")

    assert response.status_code == 422
    assert "No bike has this number" in response.content.decode()
    assert 'value="99"' in response.content.decode()
