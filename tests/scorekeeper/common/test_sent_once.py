"""A form that is sent twice creates one row, and the second answer leads to it."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.common.models import SentForm
from scorekeeper.common.rights_check import list_routes
from scorekeeper.common.sent_once import delete_old_forms
from scorekeeper.crew.models import CrewMember, CrewMessage, Group, Invitation
from scorekeeper.dice.models import DiceTest
from scorekeeper.events.models import AccessToken, AccountLink, Contest, Event, OrganiserInvitation
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize
from scorekeeper.seasons.models import Season
from scorekeeper.stops.models import Stop
from scorekeeper.webhooks.models import Webhook
from tests.scorekeeper.conftest import PASSWORD, Ride, SignIn
from tests.scorekeeper.rights.small_ride import make_small_ride
from tools.phone_engine.page_crawler import CrawledPage

FIELDS = {"name": "Nova ride", "date": "2026-09-05", "time_zone": "Europe/Zurich", "people_shown": "names"}
ROSTER = "number,rider\n71,Uma\n72,Vic\n"


def read_form(client: Client, page: str, route: str) -> tuple[str, dict[str, str]]:
    """Return the address and the fields of the form on a page that is sent to a route."""
    crawled = CrawledPage(client.get(page).content.decode())
    for form in crawled.forms:
        action = urljoin(page, form.action)
        if form.method.lower() == "post" and resolve(urlsplit(action).path).view_name == route:
            return action, dict(form.fields)
    raise AssertionError(f"{page} has no form for {route}")


def list_cases(ride: Ride) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    """Yield route, page, model and what is entered."""
    desk, group, contest = f"/desk/events/{ride.event.slug}", ride.group_one.pk, str(ride.contest.pk)
    yield "events:create", "/desk/events/new/", Event, FIELDS
    yield "desk:copy", "/desk/copy/", Event, {**FIELDS, "source": str(ride.event.pk)}
    yield "desk:practice", f"{desk}/", Event, {}
    yield "seasons:create", "/desk/seasons/new/", Season, {"name": "2026", "points": "3 2 1", "points_below": "0"}
    yield "events:create_contest", f"{desk}/contests/new/rogue/", Contest, {"name": "Second"}
    yield "stops:list", f"{desk}/stops/", Stop, {"name": "Café"}
    yield "crew:groups", f"{desk}/groups/", Group, {"name": "Third"}
    yield "crew:new_member", f"{desk}/groups/{group}/crew/new/", CrewMember, {"name": "Una", "role": "supervisor"}
    yield "crew:invite", f"{desk}/crew/{ride.tom.pk}/", Invitation, {}
    yield "crew:messages", f"{desk}/messages/", CrewMessage, {"text": "Rain ahead", "is_for_crew": "on"}
    yield "players:add_bike", f"{desk}/bikes/new/", Bike, {"number": "71", "rider": "Uma"}
    yield "players:add_player", f"{desk}/people/new/", Player, {"name": "Uma"}
    yield "check_in:items", f"{desk}/check-in/items/", CheckItem, {"name": "Waiver"}
    yield "prizes:list", f"{desk}/prizes/", Prize, {"rule": "place", "place": "1", "contest": contest}
    yield "dice:start_test", f"{desk}/dice/tests/new/", DiceTest, {"name": "Red dice", "die": "0"}
    yield "webhooks:list", f"{desk}/webhooks/", Webhook, {"url": "https://club.example.org/hook"}
    yield "events:access_tokens", "/account/tokens/", AccessToken, {"name": "Site", "own_password": PASSWORD}
    yield "events:invite_organiser", f"{desk}/organisers/", AccountLink, {"own_password": PASSWORD}
    yield (
        "events:organisers",
        f"{desk}/organisers/",
        OrganiserInvitation,
        {"username": "charlie", "own_password": PASSWORD},
    )


@pytest.mark.django_db
def test_a_form_that_is_sent_twice_makes_one_row(ride: Ride, alice: User, charlie: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for route, page, model, entered in list_cases(ride):
        action, fields = read_form(client, page, route)
        assert re.fullmatch(r"[0-9a-f-]{36}", fields["form_id"]), route
        before = model.objects.count()
        first, second = (client.post(action, {**fields, **entered}) for _twice in range(2))
        assert first.status_code in (200, 302), (route, first.status_code)
        assert model.objects.count() == before + 1, route
        assert second.status_code == first.status_code, route
        assert second.headers.get("Location") == first.headers.get("Location"), route
        if first.status_code == 200:  # a link or secret that is shown once
            assert second.content == first.content, route
        if route == "desk:practice":
            continue  # a ride has one
        # The next form makes another row.
        _action, again = read_form(client, page, route)
        assert again["form_id"] != fields["form_id"], route


@pytest.mark.django_db
def test_a_list_that_is_imported_twice_is_imported_once(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, page = sign_in(alice), f"/desk/events/{ride.event.slug}/bikes/import/"
    preview = CrawledPage(client.post(page, {"text": ROSTER}).content.decode())
    form = next(form for form in preview.forms if "digest" in dict(form.buttons))
    fields = {"form_id": dict(form.fields)["form_id"], "digest": dict(form.buttons)["digest"], "text": ROSTER}
    fields |= {"agreed": "on"}

    first, second = (client.post(page, fields) for _twice in range(2))

    assert [first.status_code, second.status_code] == [302, 302]
    assert second.headers["Location"] == first.headers["Location"]
    assert ride.event.bikes.filter(number__in=(71, 72)).count() == 2


@pytest.mark.django_db
def test_a_refused_form_and_a_changed_one_are_sent_anew(alice: User, bob: User, sign_in: SignIn) -> None:
    client, page = sign_in(alice), "/desk/events/new/"
    form = {**FIELDS, "form_id": str(uuid4())}
    refused = client.post(page, {**form, "name": ""})
    assert refused.status_code == 422
    assert f'value="{form["form_id"]}"' in refused.content.decode(), "the form keeps its id"
    assert client.post(page, form).status_code == 302
    # Gone back, and changed.
    assert client.post(page, {**form, "name": "Another"}).status_code == 302
    # Somebody else, with the same id.
    assert sign_in(bob).post(page, form).status_code == 302
    assert sorted(Event.objects.values_list("name", flat=True)) == ["Another", "Nova ride", "Nova ride"]


@pytest.mark.django_db
def test_what_failed_with_a_message_is_sent_anew(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, desk = sign_in(alice), f"/desk/events/{ride.event.slug}"
    forms: Mapping[str, type[Event] | type[Invitation]] = {
        f"{desk}/practice/": Event,
        f"{desk}/crew/{ride.tom.pk}/invite/": Invitation,
    }
    for address, model in forms.items():
        form, before = {"form_id": str(uuid4())}, model.objects.count()
        Event.objects.update(archived_at=timezone.now())
        assert "is in the archive" in client.post(address, form, follow=True).content.decode()
        # Taken out in another tab; then somebody goes back.
        Event.objects.update(archived_at=None)
        client.post(address, form)
        assert model.objects.count() == before + 1, address


@pytest.mark.django_db
def test_the_database_cannot_read_what_was_shown_once(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, page = sign_in(alice), f"/desk/events/{ride.event.slug}/crew/{ride.tom.pk}/"
    action, fields = read_form(client, page, "crew:invite")
    shown = client.post(action, fields).content.decode()
    token = re.findall(r"/crew/join/([^/]+)/", shown)[0]

    stored = SentForm.objects.get()
    answer = bytes(stored.page or b"")

    assert token.encode() not in answer
    assert fields["form_id"].replace("-", "") not in f"{stored.key}{answer!r}"
    SentForm.objects.update(sent_at=timezone.now() - dt.timedelta(days=3))
    delete_old_forms()
    assert not SentForm.objects.exists()


@pytest.mark.django_db
def test_every_decorated_form_has_an_id() -> None:
    ride = make_small_ride("Quokka")
    client, missing, seen = ride.get_desk(), set(), set()
    once = {name for name, route in list_routes().items() if getattr(route.callback, "is_sent_once", False)}
    pages = {ride.get_url(name) for name in list_routes()}
    for page in sorted(pages):
        if not page.startswith(("/desk/", "/account/")):
            continue
        response = client.get(page)
        if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
            continue
        for form in CrawledPage(response.content.decode()).forms:
            route = resolve(urlsplit(urljoin(page, form.action)).path).view_name
            if form.method.lower() == "post" and route in once:
                seen.add(route)
                missing |= set() if "form_id" in dict(form.fields) else {(page, route)}
    assert missing == set()
    # Of a practice, of an open roster, after entering the password, and for a co-organiser: not on this ride.
    others = {"desk:practice_play", "desk:practice_restart", "events:create_passkey", "events:reset_password"}
    assert once - seen <= {*others, "players:add_bike"}


@pytest.mark.django_db(transaction=True)
def test_two_at_the_same_moment_make_one_row(alice: User, sign_in: SignIn) -> None:
    form = {**FIELDS, "form_id": str(uuid4())}
    answers: list[Mapping[str, str]] = []
    client = sign_in(alice)

    def send(cookies: Any) -> None:
        own = Client()
        own.cookies = cookies
        answers.append(own.post("/desk/events/new/", form).headers)
        connections.close_all()

    run: Callable[[], threading.Thread] = lambda: threading.Thread(target=send, args=(client.cookies,))  # noqa: E731
    threads = [run() for _twice in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Event.objects.count() == 1
    assert len({answer["Location"] for answer in answers}) == 1
