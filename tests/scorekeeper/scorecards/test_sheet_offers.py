"""Which further sheets are offered, and that no offer is refused; who sold a sheet, by the order of the log."""

from __future__ import annotations

import datetime as dt
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.sheet_offers import explain_refusal, list_sheet_offers
from scorekeeper.scorecards.services.sheet_sales import (
    NoMoreSheets,
    list_sellers,
    sell_passenger_sheets,
    sell_sheet,
    withdraw_sheet,
)
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import add_poker_run, get_card_id, make_dice_run, roll, sell

pytestmark = pytest.mark.database


@pytest.fixture
def seller(ride: Ride) -> Actor:
    """Rita's phone, in a ride whose bikes can have two sheets."""
    make_dice_run(ride, most=2)
    return make_actor(ride.rita)


def get_page(ride: Ride, crew_client: CrewClient, bike: Bike, page: str = "", slot: int = 1) -> str:
    """Return the text of a page about a bike, at the stop of a slot."""
    at = ride.slots[slot - 1]
    query = f"contest={ride.contest.pk}&stop={at.stop_id}&slot={at.pk}"
    return get_visible_text(crew_client(ride.rita).get(f"/crew/bikes/{bike.pk}/{page}?{query}"))


def is_offered(ride: Ride, seller: Actor, bike: Bike, number: int = 2) -> bool:
    """Return whether a sheet is offered, after checking that the offer and the sale agree."""
    offers = [offer.number for offer in list_sheet_offers(ride.contest, bike)]
    refusal = explain_refusal(ride.contest, bike, number)
    assert (number in offers) == (refusal == "")
    if refusal:
        with pytest.raises(NoMoreSheets, match=refusal[:20].replace("(", r"\(")):
            sell_sheet(seller, uuid4(), bike.pk, ride.contest.pk, number)
    return number in offers


def test_offers_and_refusals_agree(ride: Ride, seller: Actor, desk: Actor) -> None:
    bike = ride.bikes[2]
    assert is_offered(ride, seller, bike)
    assert not is_offered(ride, seller, bike, 3)
    ride.contest.slots.filter(ordinal=1).delete()
    assert is_offered(ride, seller, bike)
    ride.contest.slots.all().delete()
    assert not is_offered(ride, seller, bike)


def test_a_sheet_is_sold_until_its_own_first_turn_whatever_its_bike_has_played(ride: Ride, seller: Actor) -> None:
    """DICE-1: one more for each further sheet paid for."""
    for slot in (1, 2):
        roll(ride, seller, ride.bikes[2], slot, 20)

    assert is_offered(ride, seller, ride.bikes[2])
    assert sell(ride, seller, 2).label == "2/2"


def test_the_page_that_sells_a_sheet_says_what_it_would_lack(
    ride: Ride, seller: Actor, crew_client: CrewClient, alice: User, sign_in: SignIn
) -> None:
    bike = ride.bikes[2]
    assert "Already played" not in get_page(ride, crew_client, bike, "another-sheet/")
    for slot in (1, 2, 3):
        roll(ride, seller, bike, slot, 20)

    text = get_page(ride, crew_client, bike, "another-sheet/", slot=3)
    assert "Already played: Ozweld's, Parks. A new sheet has no turns there." in text
    assert "Unless they are recorded on it, they are missed when the contest is closed. A missed turn is worth" in text
    assert "Add 2/2" in text
    url = reverse("scorecards:desk_sell_sheet", args=[ride.event.slug, get_card_id(ride, bike)])
    assert "Already played: Ozweld's, Parks, BBQ." in get_visible_text(sign_in(alice).get(url))


def test_after_a_turn_a_sheet_is_offered_only_if_it_would_lack_nothing(
    ride: Ride, seller: Actor, crew_client: CrewClient
) -> None:
    bike = ride.bikes[2]
    roll(ride, seller, bike, 1, 20)
    assert "Another sheet for 2" in get_page(ride, crew_client, bike)
    roll(ride, seller, bike, 2, 20)

    later = get_page(ride, crew_client, bike, slot=2)

    assert "Another sheet for 2" not in later
    assert "Another sheet" in later, "in the menu, which leads to what it would lack"


def test_no_page_offers_a_sheet_that_the_bike_cannot_have(
    ride: Ride, seller: Actor, desk: Actor, crew_client: CrewClient, alice: User, sign_in: SignIn
) -> None:
    bike = ride.bikes[2]
    url = reverse("scorecards:desk_card", args=[ride.event.slug, get_card_id(ride, bike)])

    def list_offering() -> list[str]:
        pages = {
            "form": get_page(ride, crew_client, bike),
            "history": get_page(ride, crew_client, bike, "history/"),
            "desk": get_visible_text(sign_in(alice).get(url)),
        }
        return [name for name, text in pages.items() if "Another sheet" in text]

    assert list_offering() == ["form", "history", "desk"]
    second = sell(ride, seller, 2)
    assert list_offering() == []
    assert "Bike 2 can have at most 2 sheets." in get_page(ride, crew_client, second, "another-sheet/")
    make_dice_run(ride, most=3)
    assert list_offering() == ["form", "history", "desk"]
    close_contest(desk, uuid4(), ride.contest.pk, "The ride is over.")
    assert list_offering() == []


def test_where_two_contests_have_further_sheets_the_page_names_the_contest(
    ride: Ride, seller: Actor, crew_client: CrewClient
) -> None:
    bike = ride.bikes[2]
    roll(ride, seller, bike, 1, 20)
    poker = add_poker_run(ride)
    assert "Another sheet for 2?" in get_page(ride, crew_client, bike, "another-sheet/")
    Contest.objects.filter(pk=poker.pk).update(sheets_max=2)

    assert "Another sheet for 2 in Dice run?" in get_page(ride, crew_client, bike, "another-sheet/")
    assert "Another sheet for 2 in Dice run" in get_page(ride, crew_client, bike)
    assert "Another sheet for 2 in Dice run" in get_page(ride, crew_client, bike, "history/")


# Passengers


def test_bikes_that_are_gone_do_not_keep_passengers_of_others_from_their_sheets(
    ride: Ride, other_event: Event, seller: Actor, alice: User, sign_in: SignIn
) -> None:
    """And no page shows the id of such a bike."""
    make_dice_run(ride, most=1, each=Contest.SheetsFor.RIDER)
    elsewhere = Bike.objects.create(
        id=UUID("00000000-0000-4000-8000-000000000000"), event=other_event, number=1, make="Honda"
    )
    for name in ("Pia", "Quin"):
        Player.objects.create(event=ride.event, name=name, bike=elsewhere, role=Player.Role.PASSENGER)

    assert sell_passenger_sheets(seller, ride.contest) == 1
    client, url = sign_in(alice), reverse("desk:passenger_sheets", args=[ride.event.slug])
    text = get_visible_text(client.post(url, {"contest": ride.contest.pk}, follow=True))

    assert "Every passenger has a sheet already." in text
    assert str(elsewhere.pk) not in text


# Who sold a sheet


def test_the_order_of_the_log_says_who_sold_a_sheet_since_it_was_undone(ride: Ride, seller: Actor) -> None:
    """A sale that waited for the undo has an earlier time than it, since the time is taken before the lock."""
    sheet = sell(ride, seller, 2)
    withdraw_sheet(seller, uuid4(), sheet.pk)
    tom = make_actor(ride.tom)
    sell(ride, tom, 2)
    sold = Operation.objects.filter(kind="sell_sheet", actor_id=tom.id)
    undone = Operation.objects.get(kind="withdraw_sheet")
    sold.update(received_at=undone.received_at - dt.timedelta(milliseconds=5))

    assert list_sellers(sheet) == {tom.id}
    assert withdraw_sheet(tom, uuid4(), sheet.pk).outcome == "recorded"
    assert not Bike.entrants.filter(pk=sheet.pk).exists()


def test_a_second_sale_belongs_to_the_sale_that_it_repeats(ride: Ride, seller: Actor, desk: Actor) -> None:
    tom, sue = make_actor(ride.tom), make_actor(ride.sue)
    sheet = sell(ride, seller, 2)
    sell(ride, tom, 2)
    assert list_sellers(sheet) == {seller.id, tom.id}
    withdraw_sheet(desk, uuid4(), sheet.pk)
    sell(ride, sue, 2)
    Operation.objects.filter(actor_id=tom.id).update(received_at=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))

    assert list_sellers(sheet) == {sue.id}
    sell(ride, tom, 2)
    assert list_sellers(sheet) == {sue.id, tom.id}


def test_a_second_sale_of_an_older_version_counts(ride: Ride, seller: Actor) -> None:
    """It did not store where in the log it belongs. So a sheet that two people sold stays."""
    sheet = sell(ride, seller, 2)
    sell(ride, make_actor(ride.tom), 2)
    older = Operation.objects.get(kind="sell_sheet", outcome="merged")
    del older.receipt["data"]["seq"]
    older.save(update_fields=["receipt"])

    assert withdraw_sheet(seller, uuid4(), sheet.pk).outcome == "merged"
    assert Bike.entrants.filter(pk=sheet.pk).exists()
