"""The public sign-up page, its limits, the organiser's decisions, telling the riders, and erasing how to reach them."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, quote
from uuid import uuid4

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import NumberTaken
from scorekeeper.common.models import UseCount
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import SignUp
from scorekeeper.players.selectors import list_untold_sign_ups
from scorekeeper.players.sign_up_answers import write_answer
from scorekeeper.players.sign_ups import (
    MAX_PENDING,
    PER_ADDRESS,
    AlreadyDecided,
    NothingToTell,
    PlaceRequest,
    TooManySignUps,
    add_sign_up,
    approve_sign_up,
    decline_sign_up,
    erase_old_contacts,
    mark_as_told,
)
from scorekeeper.standings.management.commands import sweep
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.conftest import desk

pytestmark = pytest.mark.database

__all__ = ["desk"]

ADDRESS = "203.0.113.7"


@pytest.fixture
def open_event(ride: Ride) -> Event:
    """The ride with sign-up open, a week before."""
    date = timezone.localdate() + dt.timedelta(days=7)
    Event.objects.filter(pk=ride.event.pk).update(is_sign_up_open=True, date=date)
    ride.event.refresh_from_db()
    return ride.event


@pytest.fixture
def alices(sign_in: SignIn, alice: User) -> Client:
    return sign_in(alice)


def ask(event: Event, rider: str = "Nell", number: int | None = None, address: str = ADDRESS, **more: Any) -> SignUp:
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

    def test_no_address_is_stored(self, open_event: Event) -> None:
        ask(open_event, contact="nell@example.org")
        assert ADDRESS not in str([*SignUp.objects.values(), *UseCount.objects.values()])

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

    def test_the_bike_joins_the_group_that_the_organiser_chose(self, open_event: Event, ride: Ride) -> None:
        assert approve_sign_up(ask(open_event), "00057", ride.group_one).group == ride.group_one


class TestContacts:
    """How to reach a rider: kept until the rider was told, at the latest 14 days after the ride."""

    @pytest.mark.parametrize("decide", [decline_sign_up, lambda found: approve_sign_up(found, 57)])
    def test_it_is_kept_with_the_decision_and_erased_when_the_rider_was_told(
        self, open_event: Event, decide: Callable[[SignUp], object]
    ) -> None:
        sign_up = ask(open_event, contact="555 1234")
        with pytest.raises(NothingToTell):
            mark_as_told(sign_up)
        decide(sign_up)
        sign_up.refresh_from_db()
        assert (sign_up.contact, sign_up.told_at) == ("555 1234", None)
        mark_as_told(sign_up)
        sign_up.refresh_from_db()
        assert sign_up.contact == ""
        assert sign_up.told_at is not None
        with pytest.raises(NothingToTell):
            mark_as_told(sign_up)

    def test_all_of_a_ride_are_erased_14_days_after_it(self, open_event: Event, other_event: Event) -> None:
        Event.objects.filter(pk=other_event.pk).update(date=open_event.date + dt.timedelta(days=1))
        decided, pending = (ask(open_event, contact="555 1234") for _number in range(2))
        decline_sign_up(decided)
        later = ask(other_event, contact="555 1234", address="203.0.113.8")
        midnight = dt.datetime.combine(open_event.date + dt.timedelta(days=14), dt.time(), dt.UTC)
        contacts = SignUp.objects.order_by("contact").values_list("pk", flat=True)
        for moment, kept in ((midnight - dt.timedelta(seconds=1), 3), (midnight, 1), (midnight, 1)):
            with time_machine.travel(moment, tick=False):
                erase_old_contacts()
            assert contacts.exclude(contact="").count() == kept
        assert list(contacts.exclude(contact="")) == [later.pk]
        assert SignUp.objects.filter(pk__in=[decided.pk, pending.pk], told_at=None).count() == 2

    def test_the_sweeper_erases_them(self) -> None:
        with patch.object(sweep, "run_periodically") as run, patch("signal.signal"):
            call_command("sweep")
        [jobs] = run.call_args.args
        assert [job.run for job in jobs if job.name == "erase_sign_up_contacts"] == [erase_old_contacts]

    def test_sign_ups_decided_before_count_as_told(self, open_event: Event) -> None:
        """Their contact was erased with the decision. One without a decision keeps its own."""
        decided, pending = ask(open_event), ask(open_event, contact="555 1234")
        decline_sign_up(decided)
        import_module("scorekeeper.players.migrations.0007_told").mark_decided_as_told(apps, None)
        decided.refresh_from_db()
        pending.refresh_from_db()
        assert decided.told_at == decided.decided_at is not None
        assert (pending.contact, pending.told_at) == ("555 1234", None)


class TestAnswers:
    """The message to the rider, and the links that begin to send it."""

    def test_a_rider_with_a_place_learns_number_group_and_where_to_look(self, open_event: Event, ride: Ride) -> None:
        sign_up = ask(open_event)
        approve_sign_up(sign_up, "00057", ride.group_one)
        [found] = list_untold_sign_ups(open_event)
        text = write_answer(found, "https://example.org/ride/").text
        assert text.startswith(f"Hello Nell, you have a place at {open_event.name} on ")
        assert f"Your number is 57. Your group is {ride.group_one.name}." in text
        assert "https://example.org/ride/" in text
        SignUp.objects.update(bike=None)  # as when the bike is deleted
        [found] = list_untold_sign_ups(open_event)
        assert "Your number" not in write_answer(found, "").text

    def test_a_rider_without_a_place_learns_that(self, open_event: Event) -> None:
        sign_up = ask(open_event)
        decline_sign_up(sign_up)
        [found] = list_untold_sign_ups(open_event)
        text = write_answer(found, "https://example.org/ride/").text
        assert "we have no place for you this time" in text
        assert "https://" not in text

    def test_an_email_address_can_be_written_to(self, open_event: Event) -> None:
        answer = write_answer(
            SignUp(event=open_event, rider="Zoë & Bo", decision="declined", contact=" a?b&c@d.org "), ""
        )
        address, _, query = answer.mail_href.removeprefix("mailto:").partition("?")
        assert address == "a%3Fb%26c@d.org"
        sent = parse_qs(query)
        assert sent["body"] == [answer.text]
        assert sent["subject"] == [f"Your sign-up for {open_event.name}"]
        assert (answer.sms_href, answer.call_href) == ("", "")

    @pytest.mark.parametrize(
        ("contact", "number"),
        [
            ("+44 (0) 7700 900-123", "+4407700900123"),
            ("555.1234", "5551234"),
            ("\u0661\u0662\u0663 \u0664\u0665", "12345"),
        ],
    )
    def test_a_phone_number_can_be_called_and_written_to(self, open_event: Event, contact: str, number: str) -> None:
        answer = write_answer(SignUp(event=open_event, rider="Nell", decision="declined", contact=contact), "")
        assert answer.call_href == f"tel:{number}"
        assert answer.sms_href == f"sms:{number}?body={quote(answer.text)}"
        assert answer.mail_href == ""

    @pytest.mark.parametrize(
        "contact", ["", "ask Bo", "555", "555 1234 or nell@example.org", "javascript:alert(1)", "1" * 16, "+1+2345"]
    )
    def test_of_anything_else_no_link_is_made(self, open_event: Event, contact: str) -> None:
        answer = write_answer(SignUp(event=open_event, rider="Nell", decision="declined", contact=contact), "")
        assert (answer.mail_href, answer.sms_href, answer.call_href) == ("", "", "")


class TestPublicPage:
    def test_a_rider_asks_for_a_place(self, open_event: Event, client: Client) -> None:
        assert "Sign up for the event" in get_visible_text(client.get(f"/events/{open_event.slug}/"))
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
            ({"number": "0"}, "Enter a number from 1 to 99999, such as 57 or 12A."),
            ({"number": "a"}, "Enter a number from 1 to 99999"),
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

    def test_a_rider_may_choose_a_group_of_this_ride_or_none(
        self, open_event: Event, ride: Ride, client: Client, other_event: Event
    ) -> None:
        foreign = Group.objects.create(event=other_event, name="Elsewhere", ordinal=1)
        page = client.get(public_url(open_event)).content.decode()
        assert ride.group_one.name in page
        assert "Elsewhere" not in page
        own = Group.objects.create(event=open_event, name="Late risers", ordinal=9)
        for group, status in ((str(own.pk), 302), ("", 302), (str(foreign.pk), 422)):
            assert client.post(public_url(open_event), make_form(group=group)).status_code == status
        assert list(SignUp.objects.values_list("group", flat=True)) == [own.pk, None]
        own.delete()
        assert list(SignUp.objects.values_list("group", flat=True)) == [None, None]

    def test_it_closes_by_itself_after_the_day_of_the_ride_where_the_ride_is(
        self, open_event: Event, client: Client, alices: Client
    ) -> None:
        Event.objects.update(time_zone="America/Edmonton")
        open_event.refresh_from_db()
        midnight = dt.datetime.combine(open_event.date + dt.timedelta(days=1), dt.time(), open_event.zone)
        with time_machine.travel(midnight - dt.timedelta(seconds=1), tick=False):
            assert client.get(public_url(open_event)).status_code == 200
            assert "Sign up for the event" in get_visible_text(client.get(f"/events/{open_event.slug}/"))
        with time_machine.travel(midnight, tick=False):
            answer = client.get(public_url(open_event))
            assert (answer.status_code, "Nobody can sign up" in get_visible_text(answer)) == (404, True)
            assert client.post(public_url(open_event), make_form()).status_code == 404
            assert "Sign up" not in get_visible_text(client.get(f"/events/{open_event.slug}/"))
            assert "closed by itself" in get_visible_text(alices.get(desk_url(open_event)))
            assert "closed by itself" in get_visible_text(alices.get(f"/desk/events/{open_event.slug}/settings/"))
            Event.objects.update(state=Event.State.DRAFT)
            draft = client.get(public_url(open_event))
            assert "Nobody can sign up" in get_visible_text(draft)
            assert f'href="/events/{open_event.slug}/"' not in draft.content.decode()
        assert SignUp.objects.count() == 0

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
        assert "555 1234" in text
        answer = alices.post(desk_url(open_event, nia), {"decision": "approve", "number": "10"}, follow=True)
        assert "already decided" in get_visible_text(answer)
        assert open_event.bikes.count() == 9

    def test_the_organiser_tells_the_riders_and_marks_them(self, open_event: Event, alices: Client, ride: Ride) -> None:
        nell = ask(open_event, "Nell", contact="nell@example.org", group=ride.group_one)
        page = alices.get(desk_url(open_event))
        assert f'<dt>Group asked for</dt><dd class="facts__text">{ride.group_one.name}</dd>' in get_page_text(page)
        answer = alices.post(
            desk_url(open_event, nell),
            {"decision": "approve", "number": "9", "group": str(ride.group_one.pk)},
            follow=True,
        )
        text, html = get_visible_text(answer), answer.content.decode()
        assert "Nell rides with number 9." in text
        assert "Assign the bike" not in text
        assert f"Your group is {ride.group_one.name}." in text
        assert 'href="mailto:nell@example.org?subject=' in html
        roster = f"/desk/events/{open_event.slug}/bikes/"
        Event.objects.update(is_sign_up_open=False)
        assert "Sign-ups (1)" in get_visible_text(alices.get(roster))
        answer = alices.post(f"{desk_url(open_event, nell)}told/", follow=True)
        text = get_visible_text(answer)
        assert "Nell has been told. Their email or phone is deleted." in text
        assert "nell@example.org" not in text
        assert "told" in text.split("Decided")[1]
        assert "Sign-ups (" not in get_visible_text(alices.get(roster))
        answer = alices.post(f"{desk_url(open_event, nell)}told/", follow=True)
        assert "nothing left to tell Nell" in get_visible_text(answer)

    def test_after_14_days_nobody_is_to_be_told_any_more(self, open_event: Event, alices: Client) -> None:
        decline_sign_up(ask(open_event, "Nell"))
        assert "To tell" in get_visible_text(alices.get(desk_url(open_event)))
        Event.objects.update(date=timezone.localdate(timezone=dt.UTC) - dt.timedelta(days=14))
        text = get_visible_text(alices.get(desk_url(open_event)))
        assert "To tell" not in text
        assert "emails and phone numbers of all sign-ups are deleted" in text

    def test_a_group_that_is_gone_is_named_and_no_group_can_be_chosen(
        self, open_event: Event, alices: Client, other_event: Event
    ) -> None:
        foreign = Group.objects.create(event=other_event, name="Elsewhere", ordinal=1)
        nell = ask(open_event)
        sent = {"decision": "approve", "number": "9", "group": str(foreign.pk)}
        answer = alices.post(desk_url(open_event, nell), sent)
        assert (answer.status_code, "This group no longer exists" in get_visible_text(answer)) == (422, True)
        assert alices.post(desk_url(open_event, nell), {**sent, "decision": "decline"}).status_code == 302

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
        decline = SignUp.objects.filter(pk=nell.pk)
        assert client.post(f"{desk_url(other_event, nell)}told/").status_code == 404
        assert decline.get().contact == "555 1234"
        nell.refresh_from_db()
        assert nell.decision == ""


def test_erasing_a_name_finds_sign_ups(open_event: Event) -> None:
    ask(open_event, "Nell Blake", contact="555")
    ask(open_event, "Nia", passenger="Nell Blake")
    output = StringIO()
    call_command("erase", open_event.slug, "nell blake", yes=True, stdout=output)
    assert "Sign-up: Nell Blake" in output.getvalue()
    assert list(SignUp.objects.values_list("rider", "passenger")) == [("Nia", "")]
