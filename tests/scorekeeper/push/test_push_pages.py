"""The switch on public pages, and what its script asks: following, stopping, and how often anybody may."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.services import make_bundle
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.push import services, views
from scorekeeper.push.models import PushNews, PushSubscription, PushTopic
from scorekeeper.push.services import KEPT_FOR, delete_what_is_over, notice_news
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.push.conftest import Browser, PushService, send_due
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.table_fixtures import BANK, AddAction, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]
AddTurn = Callable[..., Any]


def get_pages(ride: Ride) -> dict[str, tuple[str, str]]:
    """The pages with a switch, and the contest and entrant that it is about."""
    slugs, bike = [ride.event.slug, ride.contest.slug], str(ride.bikes[1].pk)
    return {
        reverse("results:event", args=slugs[:1]): ("", ""),
        reverse("results:leaderboard", args=slugs): ("", ""),
        reverse("results:bike", args=[*slugs, bike]): (ride.contest.slug, bike),
    }


def test_the_pages_of_the_audience_have_a_switch_that_is_hidden_without_its_script(ride: Ride, client: Client) -> None:
    for path, (contest, entrant) in get_pages(ride).items():
        page = client.get(path).content.decode()

        assert page.count("data-push ") == 1
        switch = page[page.index('<section class="stack push') :].partition(">")[0]
        assert " hidden" in switch
        assert "data-set-up" in switch
        assert f'data-contest="{contest}"' in switch
        assert f'data-entrant="{entrant}"' in switch
        assert '<link rel="manifest"' in page


def test_the_switch_says_that_a_server_without_a_contact_cannot_send(
    ride: Ride, client: Client, settings: Settings
) -> None:
    settings.PUSH_CONTACT = ""
    page = client.get(next(iter(get_pages(ride)))).content.decode()

    assert "data-set-up" not in page
    assert "This server is not set up to send notifications" in page


def test_archived_events_have_no_switch(ride: Ride, browser: Browser, client: Client) -> None:
    Event.objects.filter(pk=ride.event.pk).update(archived_at=timezone.now())

    assert [path for path in get_pages(ride) if "data-push" in client.get(path).content.decode()] == []
    assert browser.follow(client, ride).status_code == 404
    assert client.get(reverse("push:manifest", args=[ride.event.slug])).status_code == 404


def test_a_switch_costs_a_page_no_statement(ride: Ride, client: Client) -> None:
    path = list(get_pages(ride))[2]
    with CaptureQueriesContext(connection) as queries:
        client.get(path)

    assert [query["sql"] for query in queries if "push_" in query["sql"]] == []


def test_following_and_stopping_say_what_the_browser_is_told(ride: Ride, browser: Browser, client: Client) -> None:
    first = browser.follow(client, ride, 1).json()["told"]
    assert [one["text"] for one in first] == ["Bike 1 (Ann) in R.O.C.K. Yahtzee, Rock the Roll"]
    assert (first[0]["event"], first[0]["contest"]) == (ride.event.slug, ride.contest.slug)
    assert first[0]["entrant"] == str(ride.bikes[1].pk)
    assert client.get(first[0]["url"]).status_code == 200

    second = browser.follow(client, ride, None).json()["told"]
    assert [one["text"] for one in second] == [
        "Bike 1 (Ann) in R.O.C.K. Yahtzee, Rock the Roll",
        "Official results of Rock the Roll",
    ]
    assert browser.ask(client, "told").json()["told"] == second
    assert browser.ask(client, "stop", topic=first[0]["topic"]).json()["told"] == second[1:]
    assert browser.ask(client, "stop", topic=first[0]["topic"]).json()["told"] == second[1:], "once more"


def test_one_browser_can_neither_see_nor_stop_what_another_is_told(
    ride: Ride, service: PushService, browser: Browser, client: Client
) -> None:
    (told,) = browser.follow(client, ride).json()["told"]
    other = service.add_browser()

    assert other.ask(client, "told").json()["told"] == []
    assert other.ask(client, "stop", topic=told["topic"]).json()["told"] == []
    assert browser.ask(client, "told").json()["told"] == [told]


def test_following_twice_is_following_once(ride: Ride, browser: Browser, client: Client) -> None:
    for _ in range(2):
        assert browser.follow(client, ride).status_code == 200

    assert PushSubscription.objects.count() == PushTopic.objects.count() == 1


def test_a_new_endpoint_takes_the_place_of_the_one_before(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Callable[[], bool],
) -> None:
    browser.follow(client, ride, 1)
    browser.follow(client, ride, 2)
    new = service.add_browser()
    new.follow(client, ride, 2)

    assert len(browser.ask(client, "move", new=new.description).json()["told"]) == 2
    assert browser.ask(client, "told").json()["told"] == []
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    assert send_due() == 1
    assert len(service.get_notifications(new)) == 1


@pytest.mark.parametrize("state", ["draft", "deleted"])
def test_what_is_not_public_cannot_be_followed(ride: Ride, browser: Browser, client: Client, state: str) -> None:
    if state == "draft":
        Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    else:
        delete_event(ride.event)

    assert browser.follow(client, ride, 1).status_code in (404, 410)
    assert browser.follow(client, ride, None).status_code in (404, 410)
    assert client.get(reverse("push:manifest", args=[ride.event.slug])).status_code in (404, 410)


@pytest.mark.parametrize(
    "subject",
    [
        {"contest": "no-such-contest"},
        {"entrant": "no-such-bike"},
        {"entrant": str(uuid4())},
        {"event": "charlies-run-efgh5678"},
        {"event": "\0"},
        {"contest": "\ud800"},
        {"entrant": ""},
        {"contest": ""},
        {"event": ["x"]},
    ],
)
def test_what_does_not_exist_cannot_be_followed(
    ride: Ride, other_event: Event, browser: Browser, client: Client, subject: dict[str, Any]
) -> None:
    assert browser.follow(client, ride, 1, **subject).status_code == 404
    assert not PushTopic.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"null",
        b'"endpoint"',
        b"{}",
        b'{"endpoint": 1}',
        b'{"endpoint": "\\ud800"}',
        b'{"endpoint": "https://push.example.org/\\u0000"}',
        b"\xff\xfe",
        b"[" * 3000,
        b'{"endpoint": "' + b"a" * 5000 + b'"}',
    ],
)
@pytest.mark.parametrize("what", ["told", "follow", "stop", "move"])
def test_what_cannot_be_read_is_refused(client: Client, db: None, what: str, body: bytes) -> None:
    response = client.post(f"/push/{what}", body, content_type="application/json")

    assert (response.status_code, response.json()) == (400, {"why": "unreadable"})


@pytest.mark.parametrize(
    "keys",
    [None, [], {}, {"p256dh": "a", "auth": "b"}, {"p256dh": 1, "auth": 2}, {"p256dh": "A" * 87, "auth": "A" * 22}],
)
def test_an_endpoint_without_usable_keys_is_refused(ride: Ride, browser: Browser, client: Client, keys: Any) -> None:
    response = browser.follow(client, ride, 1, keys=keys)

    assert (response.status_code, response.json()) == (422, {"why": "endpoint"})
    assert browser.ask(client, "move", new={"endpoint": browser.endpoint, "keys": keys}).status_code == 422
    assert browser.ask(client, "move", new="nowhere").status_code == 422


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example.org"}])
@pytest.mark.parametrize("what", ["told", "follow", "stop", "move"])
def test_other_sites_cannot_ask(ride: Ride, browser: Browser, what: str, headers: dict[str, str]) -> None:
    client = Client(headers=headers)

    assert browser.ask(client, what, topic=str(uuid4())).status_code == 403


def test_a_form_of_another_site_is_no_json(ride: Ride, browser: Browser) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/push/follow", {"endpoint": browser.endpoint})

    assert response.status_code == 400


def test_a_browser_can_follow_so_much_and_no_more(
    ride: Ride, browser: Browser, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_PER_DEVICE", 2)
    statuses = [browser.follow(client, ride, number).status_code for number in (1, 2, 3, 2)]

    assert statuses == [200, 200, 422, 200]
    assert browser.follow(client, ride, 4).json() == {"why": "too_many"}


def test_an_event_can_have_so_many_followers_and_no_more(
    ride: Ride, service: PushService, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_PER_EVENT", 2)
    statuses = [service.add_browser().follow(client, ride, 1).status_code for _ in range(3)]

    assert statuses == [200, 200, 422]


def test_an_address_can_subscribe_so_often_and_no_more(ride: Ride, service: PushService, client: Client) -> None:
    for _ in range(views.FOLLOW_LIMIT.most):
        response = service.add_browser().ask(client, "follow")
        assert response.status_code == 404
    response = service.add_browser().follow(client, ride)

    assert (response.status_code, response.json()) == (429, {"why": "limited"})
    assert 0 < int(response.headers["Retry-After"]) <= 60 * 60
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert service.add_browser().follow(elsewhere, ride).status_code == 200


def test_everything_is_deleted_with_the_event(
    ride: Ride,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Callable[[], bool],
) -> None:
    browser.follow(client, ride, 1)
    browser.follow(client, ride, None)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    notice_news()
    assert PushNews.objects.exists()

    delete_event(Event.objects.get(pk=ride.event.pk))

    assert [model for model in (PushTopic, PushNews, PushSubscription) if model.objects.exists()] == []


def test_everything_is_deleted_some_time_after_the_ride(ride: Ride, browser: Browser, client: Client) -> None:
    Event.objects.filter(pk=ride.event.pk).update(date=timezone.now().date() - KEPT_FOR)
    browser.follow(client, ride, 1)
    delete_what_is_over()
    assert PushSubscription.objects.exists()

    past = timezone.now() - KEPT_FOR - dt.timedelta(days=1)
    Event.objects.filter(pk=ride.event.pk).update(date=past.date())
    delete_what_is_over()
    assert PushSubscription.objects.exists(), "somebody who began to follow only now"
    PushSubscription.objects.update(created_at=past)
    delete_what_is_over()

    assert not PushSubscription.objects.exists()
    assert not PushTopic.objects.exists()


def test_what_nobody_follows_any_more_is_deleted(ride: Ride, browser: Browser, client: Client) -> None:
    (told,) = browser.follow(client, ride, 1).json()["told"]
    browser.ask(client, "stop", topic=told["topic"])
    delete_what_is_over()

    assert not PushTopic.objects.exists()


@pytest.mark.parametrize("roster", ["full", "public"])
def test_bundles_have_nothing_of_it(ride: Ride, browser: Browser, client: Client, roster: Roster) -> None:
    browser.follow(client, ride, 1)
    client.get("/push/key")
    with make_bundle(ride.event, roster) as bundle:
        content = b"".join(bundle.read_chunks())

    keys = browser.description["keys"]
    secrets = (browser.endpoint, keys["p256dh"], keys["auth"], "PRIVATE KEY")
    assert [text for text in secrets if text.encode() in content] == []


def test_a_merged_bike_is_followed_as_the_one_that_it_became(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Callable[[], bool],
) -> None:
    browser.follow(client, ride, 2)
    type(ride.bikes[2]).objects.filter(pk=ride.bikes[2].pk).update(merged_into=ride.bikes[1])
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    send_due()

    assert service.get_notifications(browser)[0]["title"] == "Bike 1 (Ann) recorded 25 at Ozweld's"


def test_a_player_is_told_of_when_a_table_is_finished(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    pig_contest: Contest,
    pig_table: UUID,
    pig_race: None,
    people: Mapping[str, Player],
    add_action: AddAction,
) -> None:
    subject = {"contest": pig_contest.slug, "entrant": str(people["Ann"].pk)}
    assert browser.follow(client, ride, 1, **subject).status_code == 200
    add_action(pig_table, make_throw(5, 5))
    refresh_standings(pig_contest.pk)
    assert send_due() == 0, "the game goes on"
    for action in (make_throw(5, 5), BANK):
        add_action(pig_table, action)
    refresh_standings(pig_contest.pk)
    send_due()

    (notification,) = service.get_notifications(browser)
    assert notification["title"] == "Ann finished at table 1 with 2"
    assert client.get(notification["url"]).status_code == 200


def test_the_service_worker_handles_notifications_and_no_requests(client: Client, db: None) -> None:
    response = client.get("/push/worker.js")

    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "no-cache"
    assert "Service-Worker-Allowed" not in response.headers, "its scope is below its own address"
    script = response.content.decode()
    assert '"fetch"' not in script
    assert "caches" not in script
    assert script == (Path(views.SCRIPT)).read_text("utf-8")


def test_an_iphone_finds_a_manifest_for_the_home_screen(ride: Ride, client: Client) -> None:
    response = client.get(reverse("push:manifest", args=[ride.event.slug]))
    content = json.loads(response.content)

    assert response.headers["Content-Type"] == "application/manifest+json"
    assert (content["name"], content["display"]) == (ride.event.name, "standalone")
    assert content["scope"] == content["start_url"] == reverse("results:event", args=[ride.event.slug])
    assert content["id"] != json.loads(client.get("/manifest.webmanifest").content)["id"], "of the crew's app"
