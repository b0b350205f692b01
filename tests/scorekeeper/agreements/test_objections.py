"""“Something is wrong” on the public page of a bike: the form, its limits, and the organiser's list."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID, uuid4

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.agreements.models import Objection
from scorekeeper.agreements.services import MAX_OPEN_PER_BIKE, PER_ADDRESS, AlreadySettled, settle_objection
from scorekeeper.common.models import UseCount
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.players.services import delete_bike
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.scorecards.services.sheet_sales import withdraw_sheet
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_timeless_text, get_visible_text
from tests.scorekeeper.sheet_rides import make_dice_run, sell

pytestmark = pytest.mark.database

TEXT = "At Parks I rolled five sixes."


def get_url(ride: Ride, number: int) -> str:
    return reverse("agreements:object", args=[ride.event.slug, ride.contest.slug, ride.bikes[number].pk])


def send(client: Client, ride: Ride, number: int = 1, **more: Any) -> Any:
    """Send the form, from one of the addresses of 192.0.2.0/24."""
    address = more.pop("address", "192.0.2.1")
    data = {"objection": str(uuid4()), "text": TEXT, **more}
    return client.post(get_url(ride, number), data, REMOTE_ADDR=address)


@pytest.fixture
def organiser(sign_in: SignIn, alice: User) -> Client:
    return sign_in(alice)


@pytest.fixture
def page(ride: Ride) -> str:
    return reverse("agreements:objections", args=[ride.event.slug])


class TestForm:
    def test_the_page_of_a_bike_leads_to_it_and_it_needs_no_account(self, ride: Ride, client: Client) -> None:
        public = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[1].pk])
        assert get_url(ride, 1) in client.get(public).content.decode()
        assert "Only the organisers read it" in get_visible_text(client.get(get_url(ride, 1)))
        answer = send(client, ride, text="  two\n lines ")
        assert answer.status_code == 302
        assert "Sent to the organiser" in get_visible_text(client.get(answer.url))
        assert Objection.objects.get().text == "two lines"
        assert not Entry.objects.exists(), "it is not in the log"

    def test_a_second_tap_is_the_same_objection(self, ride: Ride, client: Client) -> None:
        same = str(uuid4())
        assert [send(client, ride, objection=same).status_code for _ in range(2)] == [302, 302]
        assert Objection.objects.count() == 1

    @pytest.mark.parametrize(("text", "said"), [("", "Write what is wrong"), ("x" * 301, "at most 300 characters")])
    def test_what_cannot_be_sent_stays_in_the_form(self, ride: Ride, client: Client, text: str, said: str) -> None:
        answer = send(client, ride, text=text)
        assert answer.status_code == 422
        assert said in get_visible_text(answer)
        assert text in answer.content.decode()
        assert not Objection.objects.exists()

    def test_nothing_that_was_sent_is_public(self, ride: Ride, client: Client) -> None:
        public = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[1].pk])
        before = [get_timeless_text(client.get(url)) for url in (public, get_url(ride, 1))]
        send(client, ride)
        assert [get_timeless_text(client.get(url)) for url in (public, get_url(ride, 1))] == before

    def test_there_is_none_for_drafts_tables_archived_events_and_unknown_bikes(
        self, ride: Ride, client: Client
    ) -> None:
        Contest.objects.create(event=ride.event, name="Y", slug="y", game_key="rogue", rules_version=1)
        bike = ride.bikes[1].pk
        for slugs in ([ride.event.slug, "y", bike], [ride.event.slug, ride.contest.slug, uuid4()], ["x", "y", bike]):
            assert client.get(reverse("agreements:object", args=slugs)).status_code == 404
        Event.objects.filter(pk=ride.event.pk).update(archived_at=timezone.now())
        assert send(client, ride).status_code == 404
        Event.objects.filter(pk=ride.event.pk).update(archived_at=None, state=Event.State.DRAFT)
        assert send(client, ride).status_code == 404
        assert not Objection.objects.exists()


class TestLimits:
    def test_a_bike_has_few_that_are_open(self, ride: Ride, client: Client, organiser: Client, page: str) -> None:
        for number in range(MAX_OPEN_PER_BIKE):
            assert send(client, ride, address=f"192.0.2.{number}").status_code == 302
        answer = send(client, ride, address="192.0.2.77")
        assert answer.status_code == 429
        assert TEXT in answer.content.decode()
        assert send(client, ride, 2, address="192.0.2.77").status_code == 302

        settle_objection(Objection.objects.filter(bike=ride.bikes[1])[0], uuid4(), "misread")
        assert send(client, ride, address="192.0.2.77").status_code == 302

    def test_an_address_sends_few_in_an_hour(self, ride: Ride, client: Client) -> None:
        for number in range(1, PER_ADDRESS.most + 1):
            assert send(client, ride, number).status_code == 302
        assert send(client, ride, 8).status_code == 429
        assert send(client, ride, 8, address="192.0.2.2").status_code == 302
        with time_machine.travel(timezone.now() + dt.timedelta(seconds=PER_ADDRESS.window)):
            assert send(client, ride, 7).status_code == 302

    def test_no_address_is_stored(self, ride: Ride, client: Client) -> None:
        send(client, ride)
        assert "192.0.2" not in str([*Objection.objects.values(), *UseCount.objects.values()])


class TestDesk:
    def test_the_organiser_finds_it_and_settles_it(
        self, ride: Ride, client: Client, organiser: Client, page: str
    ) -> None:
        send(client, ride)
        event, contest = ride.event.slug, ride.contest.slug
        for route, names in (("desk:event", [event]), ("desk:review", [event]), ("desk:finish", [event, contest])):
            shown = organiser.get(reverse(route, args=names))
            assert "1 rider says that something is wrong" in get_visible_text(shown)
            assert page in shown.content.decode()
        shown = organiser.get(page)
        assert TEXT in get_visible_text(shown)
        assert "Open the scorecard" in get_visible_text(shown)

        objection = Objection.objects.get()
        settle = reverse("agreements:settle_objection", args=[event, objection.pk])
        refused = organiser.post(settle, {f"{objection.pk}-answer": ""})
        assert refused.status_code == 422
        assert "Enter what you found" in get_visible_text(refused)
        assert organiser.post(settle, {f"{objection.pk}-answer": "corrected to five"}).status_code == 302
        text = get_visible_text(organiser.get(page))
        assert "Nothing to settle" in text
        assert "alice: corrected to five" in text
        again = organiser.post(settle, {f"{objection.pk}-answer": "something else"}, follow=True)
        assert "already settled" in get_visible_text(again)
        assert Objection.objects.get().answer == "corrected to five"

    def test_other_organisers_see_nothing_of_it(
        self, ride: Ride, client: Client, sign_in: SignIn, charlie: User, other_event: Event, page: str
    ) -> None:
        send(client, ride)
        theirs = sign_in(charlie)
        assert theirs.get(page).status_code == 404
        settle = reverse("agreements:settle_objection", args=[other_event.slug, Objection.objects.get().pk])
        assert theirs.post(settle, {}).status_code == 404

    def test_of_a_bike_that_was_merged_it_leads_to_the_other(
        self, ride: Ride, rolled: UUID, client: Client, organiser: Client, page: str, desk: Actor
    ) -> None:
        send(client, ride)
        merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[3].pk, "the same bike")
        assert organiser.get(page).status_code == 200
        assert send(client, ride, address="192.0.2.9").status_code == 302
        assert set(Objection.objects.values_list("bike__number", flat=True)) == {1, 3}

    def test_it_keeps_no_bike_from_being_deleted_and_stays(
        self, ride: Ride, client: Client, organiser: Client, page: str
    ) -> None:
        send(client, ride)
        delete_bike(ride.bikes[1])
        assert f"Bike 1 R.O.C.K. Yahtzee {TEXT}" in get_visible_text(organiser.get(page)).replace("  ", " ")

    def test_it_stays_when_the_sale_of_its_sheet_is_undone(
        self, ride: Ride, client: Client, organiser: Client, page: str, desk: Actor
    ) -> None:
        make_dice_run(ride)
        sheet = sell(ride, desk, 1)
        url = reverse("agreements:object", args=[ride.event.slug, ride.contest.slug, sheet.pk])
        assert client.post(url, {"objection": str(uuid4()), "text": TEXT}).status_code == 302
        assert withdraw_sheet(desk, uuid4(), sheet.pk).outcome == "recorded"

        shown = organiser.get(page)
        assert f"Bike 1/2 Dice run {TEXT}" in get_visible_text(shown)
        assert "the sale of the sheet was undone" in get_visible_text(shown)
        assert "Open the scorecard" not in get_visible_text(shown)
        objection = Objection.objects.get()
        settle = reverse("agreements:settle_objection", args=[ride.event.slug, objection.pk])
        assert organiser.post(settle, {f"{objection.pk}-answer": "he has one sheet"}).status_code == 302
        assert f"Bike 1/2: {TEXT}" in get_visible_text(organiser.get(page))

    def test_a_name_in_it_is_erased(self, ride: Ride, client: Client) -> None:
        send(client, ride, text="Ann rolled five sixes")
        settle_objection(Objection.objects.get(), uuid4(), "told her")
        erase_name(ride.event, "ann")
        assert (Objection.objects.get().text, Objection.objects.get().answer) == ("—", "told her")


def test_only_one_of_two_organisers_settles_it(ride: Ride, client: Client) -> None:
    send(client, ride)
    objection = Objection.objects.get()
    settle_objection(objection, uuid4(), "one")
    with pytest.raises(AlreadySettled):
        settle_objection(objection, uuid4(), "two")
