"""The public sign-up page, its limits, and the organiser's decisions."""

from __future__ import annotations

import datetime as dt
import threading
import time
from io import StringIO
from uuid import uuid4

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import NumberTaken
from scorekeeper.common.models import UseCount
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import SignUp
from scorekeeper.players.sign_ups import (
    MAX_PENDING,
    PER_ADDRESS,
    AlreadyDecided,
    PlaceRequest,
    TooManySignUps,
    add_sign_up,
    approve_sign_up,
    decline_sign_up,
)
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.conftest import desk

pytestmark = pytest.mark.database

__all__ = ["desk"]

ADDRESS = "203.0.113.7"


@pytest.fixture
def open_event(ride: Ride) -> Event:
    """The ride with sign-up open."""
    Event.objects.filter(pk=ride.event.pk).update(is_sign_up_open=True)
    ride.event.refresh_from_db()
    return ride.event


@pytest.fixture
def alices(sign_in: SignIn, alice: User) -> Client:
    return sign_in(alice)


def ask(event: Event, rider: str = "Nell", number: int | None = None, address: str = ADDRESS, **more: str) -> SignUp:
    wanted = PlaceRequest(uuid4(), rider, number=number, **more)
    add_sign_up(event, wanted, address)
    return SignUp.objects.get(pk=wanted.id)


def public_url(event: Event) -> str:
    return f"/events/{event.slug}/sign-up/"


def desk_url(event: Event, sign_up: SignUp | None = None) -> str:
    return f"/desk/events/{event.slug}/sign-ups/{'' if sign_up is None else f'{sign_up.pk}/'}"


def make_form(**more: str) -> dict[str, str]:
    return {"sign_up": str(uuid4()), "rider": "Nell", **more}


class TestLimits:
    def test_one_address_has_a_limit_and_others_are_not_affected(self, open_event: Event) -> None:
        for _number in range(PER_ADDRESS.most):
            ask(open_event)
        with pytest.raises(TooManySignUps) as refused:
            ask(open_event)
        assert not refused.value.is_event_full
        assert 0 < refused.value.wait <= PER_ADDRESS.window
        ask(open_event, address="203.0.113.8")

        with time_machine.travel(time.time() + refused.value.wait):
            ask(open_event)

    def test_an_event_has_a_limit_of_pending_sign_ups(self, open_event: Event) -> None:
        SignUp.objects.bulk_create(SignUp(event=open_event, rider="Nia") for _number in range(MAX_PENDING))
        with pytest.raises(TooManySignUps) as refused:
            ask(open_event)
        assert refused.value.is_event_full
        decline_sign_up(SignUp.objects.first() or SignUp())
        ask(open_event)

    def test_no_address_is_stored_and_with_the_decision_the_contact_is_erased(self, open_event: Event) -> None:
        sign_up = ask(open_event, contact="nell@example.org")
        assert ADDRESS not in str([*SignUp.objects.values(), *UseCount.objects.values()])
        approve_sign_up(sign_up, 57)
        sign_up.refresh_from_db()
        assert sign_up.contact == ""

    @pytest.mark.django_db(transaction=True)
    def test_the_limit_holds_for_requests_at_the_same_moment(self, open_event: Event) -> None:
        for _number in range(PER_ADDRESS.most - 1):
            ask(open_event)
        start, outcomes = threading.Barrier(4), []

        def run() -> None:
            start.wait()
            try:
                ask(open_event)
                outcomes.append("saved")
            except TooManySignUps:
                outcomes.append("refused")
            finally:
                connection.close()

        threads = [threading.Thread(target=run) for _number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["refused", "refused", "refused", "saved"]


class TestDecision:
    def test_approval_adds_the_bike_and_its_people(self, open_event: Event) -> None:
        sign_up = ask(open_event, passenger="Nia", make="BMW", model="R 18", contact="555")
        bike = approve_sign_up(sign_up, 57)
        assert (bike.number, bike.make, bike.model, bike.is_walk_up) == (57, "BMW", "R 18", False)
        assert list(bike.players.values_list("name", "role")) == [("Nell", "rider"), ("Nia", "passenger")]
        assert list(list_damage(open_event)) == []

    def test_a_number_that_is_taken_changes_nothing(self, open_event: Event) -> None:
        sign_up = ask(open_event, contact="555")
        with pytest.raises(NumberTaken):
            approve_sign_up(sign_up, 3)
        sign_up.refresh_from_db()
        assert (sign_up.decision, sign_up.contact) == ("", "555")

    def test_only_the_first_decision_counts(self, open_event: Event) -> None:
        sign_up = ask(open_event)
        approve_sign_up(sign_up, 57)
        for decide in (decline_sign_up, lambda found: approve_sign_up(found, 58)):
            with pytest.raises(AlreadyDecided):
                decide(sign_up)
        assert not Bike.objects.filter(number=58).exists()


class TestPublicPage:
    def test_a_rider_asks_for_a_place(self, open_event: Event, client: Client) -> None:
        assert "Sign up for the ride" in get_visible_text(client.get(f"/events/{open_event.slug}/"))
        assert "The organiser decides" in get_visible_text(client.get(public_url(open_event)))
        answer = client.post(
            public_url(open_event), make_form(rider=" Nell  Blake ", number="57", contact="555"), follow=True
        )
        assert "Your sign-up has been sent" in get_visible_text(answer)
        sign_up = SignUp.objects.get()
        assert (sign_up.rider, sign_up.number, sign_up.contact, sign_up.decision) == ("Nell Blake", 57, "555", "")
        assert open_event.bikes.count() == 8

    def test_a_form_sent_twice_is_one_sign_up(self, open_event: Event, client: Client) -> None:
        sent = make_form()
        assert [client.post(public_url(open_event), sent).status_code for _ in range(2)] == [302, 302]
        assert SignUp.objects.count() == 1

    def test_problems_are_named_and_the_input_stays(self, open_event: Event, client: Client) -> None:
        for sent, message in (
            ({"rider": ""}, "Enter your name."),
            ({"number": "0"}, "Enter a number from 1 to 99999."),
            ({"number": "a"}, "Enter digits only"),
            ({"rider": "x" * 81}, "at most 80"),
            ({"contact": "x" * 121}, "at most 120"),
        ):
            answer = client.post(public_url(open_event), make_form(make="Honda", **sent))
            assert answer.status_code == 422
            assert message in get_visible_text(answer)
            assert 'value="Honda"' in answer.content.decode()
        assert client.post(public_url(open_event), {"rider": "Nell", "sign_up": "x"}).status_code == 422
        assert SignUp.objects.count() == 0

    def test_too_many_from_one_connection_are_refused_and_the_input_stays(
        self, open_event: Event, client: Client
    ) -> None:
        for _number in range(PER_ADDRESS.most):
            client.post(public_url(open_event), make_form())
        answer = client.post(public_url(open_event), make_form(make="Honda"))
        assert answer.status_code == 429
        assert "Try again in an hour" in get_visible_text(answer)
        assert 'value="Honda"' in answer.content.decode()

    def test_it_is_off_by_default(self, ride: Ride, client: Client) -> None:
        answer = client.get(public_url(ride.event))
        assert (answer.status_code, "Sign-up is closed" in get_visible_text(answer)) == (404, True)
        assert client.post(public_url(ride.event), make_form()).status_code == 404
        assert "Sign up" not in get_visible_text(client.get(f"/events/{ride.event.slug}/"))
        assert SignUp.objects.count() == 0

    @pytest.mark.parametrize(
        "state", [{"is_practice": True}, {"archived_at": dt.datetime(2026, 7, 1, tzinfo=dt.UTC)}], ids=str
    )
    def test_practice_and_archived_events_take_no_sign_ups(
        self, open_event: Event, client: Client, state: dict[str, object]
    ) -> None:
        Event.objects.update(**state)
        assert client.post(public_url(open_event), make_form()).status_code == 404
        assert SignUp.objects.count() == 0

    def test_of_a_draft_only_this_page_is_public_and_only_while_sign_up_is_open(
        self, open_event: Event, client: Client
    ) -> None:
        Event.objects.update(state=Event.State.DRAFT)
        assert client.get(public_url(open_event)).status_code == 200
        assert client.get(f"/events/{open_event.slug}/").status_code == 404
        Event.objects.update(is_sign_up_open=False)
        draft, missing = client.get(public_url(open_event)), client.get("/events/nothing-here/sign-up/")
        assert (draft.status_code, missing.status_code) == (404, 404)
        assert open_event.name not in get_visible_text(draft)


class TestDesk:
    def test_the_organiser_switches_it_on_and_gets_the_link(self, ride: Ride, alices: Client) -> None:
        address = f"/desk/events/{ride.event.slug}/settings/"
        names = ("name", "date", "time_zone", "people_shown")
        sent = {name: str(getattr(ride.event, name)) for name in names}
        assert public_url(ride.event) not in alices.get(address).content.decode()
        assert save(alices, address, {**sent, "is_sign_up_open": "on"}).status_code == 302
        assert public_url(ride.event) in alices.get(address).content.decode()
        save(alices, address, sent)
        ride.event.refresh_from_db()
        assert not ride.event.is_sign_up_open

    def test_it_lists_what_needs_a_decision_with_a_free_number(self, open_event: Event, alices: Client) -> None:
        ask(open_event, "Nell", 3, contact="555 1234")
        ask(open_event, "Nia", 57)
        page = alices.get(desk_url(open_event))
        text = get_visible_text(page)
        assert "555 1234" in text
        assert "Would like number 3, which is taken." in text
        assert [f'value="{number}"' in page.content.decode() for number in (3, 9, 57)] == [False, True, True]
        assert "2 sign-ups need your decision" in get_visible_text(alices.get(f"/desk/events/{open_event.slug}/"))

    def test_approving_and_declining(self, open_event: Event, alices: Client) -> None:
        nell, nia = ask(open_event, "Nell"), ask(open_event, "Nia", contact="555 1234")
        answer = alices.post(desk_url(open_event, nell), {"decision": "approve", "number": "9"}, follow=True)
        assert "Nell rides with number 9." in get_visible_text(answer)
        answer = alices.post(desk_url(open_event, nia), {"decision": "decline"}, follow=True)
        text = get_visible_text(answer)
        assert "Nia: declined" in text
        assert "Nell: approved, bike 9" in text
        assert "555 1234" not in text
        answer = alices.post(desk_url(open_event, nia), {"decision": "approve", "number": "10"}, follow=True)
        assert "already decided" in get_visible_text(answer)
        assert open_event.bikes.count() == 9

    def test_a_taken_number_proposes_the_next_free_one(self, open_event: Event, alices: Client) -> None:
        nell = ask(open_event)
        answer = alices.post(desk_url(open_event, nell), {"decision": "approve", "number": "3"})
        assert answer.status_code == 409
        assert "Number 3 is taken. The next free one is entered" in get_visible_text(answer)
        assert 'value="9"' in answer.content.decode()
        answer = alices.post(desk_url(open_event, nell), {"decision": "approve", "number": ""})
        assert (answer.status_code, "Enter a number for the bike." in get_visible_text(answer)) == (422, True)

    def test_while_a_contest_is_closed_nobody_is_added(
        self, ride: Ride, open_event: Event, alices: Client, desk: Actor
    ) -> None:
        close_contest(desk, uuid4(), ride.contest.pk, "over")
        answer = alices.post(desk_url(open_event, ask(open_event)), {"decision": "approve", "number": "9"})
        assert (answer.status_code, "A contest is closed" in get_visible_text(answer)) == (409, True)
        assert open_event.bikes.count() == 8

    def test_another_events_organiser_cannot_decide(
        self, open_event: Event, other_event: Event, sign_in: SignIn, charlie: User
    ) -> None:
        nell = ask(open_event, contact="555 1234")
        client = sign_in(charlie)
        assert client.get(desk_url(open_event)).status_code == 404
        assert client.post(desk_url(open_event, nell), {"decision": "decline"}).status_code == 404
        client.post(desk_url(other_event, nell), {"decision": "decline"})
        nell.refresh_from_db()
        assert nell.decision == ""


def test_erasing_a_name_finds_sign_ups(open_event: Event) -> None:
    ask(open_event, "Nell Blake", contact="555")
    ask(open_event, "Nia", passenger="Nell Blake")
    output = StringIO()
    call_command("erase", open_event.slug, "nell blake", yes=True, stdout=output)
    assert "Sign-up: Nell Blake" in output.getvalue()
    assert list(SignUp.objects.values_list("rider", "passenger")) == [("Nia", "")]
