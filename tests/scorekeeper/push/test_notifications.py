"""What spectators are told: what the audience sees, in their language, and nothing that is withheld."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.selectors import format_entrant
from scorekeeper.push.models import PushNews, PushSubscription, PushTopic
from scorekeeper.push.services import notice_news
from scorekeeper.standings.services.closure import reopen_contest
from tests.scorekeeper.conftest import RIDERS, Ride
from tests.scorekeeper.push.conftest import Browser, PushService, publish, send_due
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = [pytest.mark.django_db, pytest.mark.database]
AddTurn = Callable[..., Any]
Update = Callable[[], bool]


def tell(service: PushService, browser: Browser) -> list[str]:
    """Send what is new; return the titles that the browser got since the last call."""
    service.receiver.received.clear()
    send_due()
    return [one["title"] for one in service.get_notifications(browser)]


def test_a_follower_is_told_what_a_bike_recorded_and_where(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 2, make_paper_turn("chance", 25))
    update_standings()
    send_due()

    (notification,) = service.get_notifications(browser)
    assert notification["title"] == "Bike 1 (Ann) recorded 25 at Parks"
    assert notification["body"] == "Total: 25 · R.O.C.K. Yahtzee · Rock the Roll"
    assert notification["url"] == f"/events/{ride.event.slug}/{ride.contest.slug}/bikes/{ride.bikes[1].pk}/"
    assert client.get(notification["url"]).status_code == 200
    assert send_due() == 0


def test_other_bikes_and_what_was_recorded_before_are_not_told(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12))
    update_standings()
    browser.follow(client, ride, 1)
    add_turn(2, 1, make_paper_turn("chance", 25))
    update_standings()

    assert tell(service, browser) == []


def test_turns_that_arrive_together_are_one_notification_with_the_newest_first(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    for ordinal, (box, points) in enumerate([("fours", 12), ("chance", 25), ("fives", 15)], 1):
        add_turn(1, ordinal, make_paper_turn(box, points))
    update_standings()
    send_due()

    (notification,) = service.get_notifications(browser)
    assert notification["title"] == "Bike 1 (Ann) recorded 15 at BBQ"
    assert notification["body"].split("\n")[:2] == [
        "Bike 1 (Ann) recorded 25 at Parks",
        "Bike 1 (Ann) recorded 12 at Ozweld's",
    ]


def test_a_correction_is_told_only_if_the_points_have_changed(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Update,
    correct: Callable[..., Any],
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 2, make_paper_turn("chance", 25))
    update_standings()
    tell(service, browser)

    correct(1, 2, make_paper_turn("fives", 25))
    update_standings()
    assert tell(service, browser) == []

    correct(1, 2, make_paper_turn("chance", 20))
    update_standings()
    assert tell(service, browser) == ["Corrected: Bike 1 (Ann) at Parks is now 20"]


def test_people_are_named_as_the_event_shows_them(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    Event.objects.filter(pk=ride.event.pk).update(people_shown=Event.PeopleShown.NUMBERS)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()

    assert tell(service, browser) == ["Bike 1 recorded 25 at Ozweld's"]


def test_each_reader_has_a_language(
    ride: Ride, service: PushService, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    german, english = service.add_browser(), service.add_browser()
    german.follow(Client(headers={"Accept-Language": "de"}), ride, 1)
    english.follow(client, ride, 1)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    send_due()
    with translation.override("de"):
        entrant = format_entrant("1", "Ann")
        expected = translation.gettext("%(entrant)s recorded %(points)s at %(stop)s")

    assert service.get_notifications(english)[0]["title"] == "Bike 1 (Ann) recorded 25 at Ozweld's"
    found = service.get_notifications(german)[0]["title"]
    assert found == expected % {"entrant": entrant, "points": 25, "stop": "Ozweld's"}
    assert found != "Bike 1 (Ann) recorded 25 at Ozweld's"


def test_official_results_and_new_revisions_are_told(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    close: Callable[[], Any],
    desk: Actor,
) -> None:
    follower = service.add_browser()
    browser.follow(client, ride, None)
    follower.follow(client, ride, 1)
    add_turn(1, 1, make_paper_turn("chance", 25))
    close()
    tell(service, browser)
    publish(ride, desk)

    assert tell(service, browser) == ["Results are official: R.O.C.K. Yahtzee"]
    (notification,) = service.get_notifications(follower)
    assert notification["title"] == "Results are official: R.O.C.K. Yahtzee"

    reopen_contest(desk, uuid4(), ride.contest.pk, "a card was found")
    assert tell(service, browser) == []
    close()
    publish(ride, desk)
    assert tell(service, browser) == ["Official results have changed: R.O.C.K. Yahtzee"]


def test_turns_that_closing_adds_are_no_news(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    close: Callable[[], Any],
    update_standings: Update,
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    browser.follow(client, ride, 1)
    close()
    update_standings()

    assert tell(service, browser) == []


def test_a_freeze_is_silent_and_what_was_recorded_in_it_is_never_told(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Update,
    close: Callable[[], Any],
    desk: Actor,
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    tell(service, browser)

    freeze_standings(ride.event)
    assert tell(service, browser) == [], "the freeze itself"
    add_turn(1, 2, make_paper_turn("fours", 12))
    update_standings()
    assert tell(service, browser) == [], "a turn"
    close()
    publish(ride, desk)
    assert tell(service, browser) == [], "the result"
    start_reveal(ride.event, [ride.contest])
    assert tell(service, browser) == [], "the start of the reveal"
    for step in range(8):
        reveal_to_step(ride.event, step)
        assert tell(service, browser) == [], "a step of the reveal"

    lift_freeze(ride.event)
    assert tell(service, browser) == ["Results are official: R.O.C.K. Yahtzee"]
    assert tell(service, browser) == []


def test_a_freeze_that_nobody_noticed_counts_too(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    freeze_standings(ride.event)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    lift_freeze(ride.event)

    assert tell(service, browser) == []
    add_turn(1, 2, make_paper_turn("fours", 12))
    update_standings()
    assert tell(service, browser) == ["Bike 1 (Ann) recorded 12 at Parks"]


def test_whoever_follows_during_a_freeze_learns_nothing_of_it(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    freeze_standings(ride.event)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    before = browser.follow(client, ride, 1).json()

    assert PushTopic.objects.get().seen == {}
    assert tell(service, browser) == []
    lift_freeze(ride.event)
    assert tell(service, browser) == []
    assert browser.ask(client, "told").json() == before


def test_what_was_noticed_before_a_freeze_is_not_sent_in_it(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()
    notice_news()
    assert PushNews.objects.count() == 1

    freeze_standings(ride.event)
    assert tell(service, browser) == []
    lift_freeze(ride.event)
    assert tell(service, browser) == []


def test_a_hidden_event_is_silent(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    add_turn(1, 1, make_paper_turn("chance", 25))
    update_standings()

    assert tell(service, browser) == []
    assert browser.ask(client, "told").json()["told"] == []
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.OPEN)
    assert tell(service, browser) == []


def test_a_message_says_what_is_seen_when_it_is_sent(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Update,
    correct: Callable[..., Any],
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 2, make_paper_turn("chance", 25))
    update_standings()
    notice_news()
    correct(1, 2, make_paper_turn("chance", 20))
    update_standings()

    assert tell(service, browser) == ["Bike 1 (Ann) recorded 20 at Parks"]


def test_a_turn_that_was_voided_before_it_was_sent_is_not_told(
    ride: Ride,
    service: PushService,
    browser: Browser,
    client: Client,
    add_turn: AddTurn,
    update_standings: Update,
    correct: Callable[..., Any],
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 2, make_paper_turn("chance", 25))
    update_standings()
    notice_news()
    correct(1, 2, None)
    update_standings()

    assert tell(service, browser) == []


def test_nothing_is_stored_that_names_anybody_or_says_a_score(
    ride: Ride, service: PushService, browser: Browser, client: Client, add_turn: AddTurn, update_standings: Update
) -> None:
    browser.follow(client, ride, 1)
    add_turn(1, 2, make_paper_turn("chance", 25))
    update_standings()
    notice_news()

    assert list(PushNews.objects.values_list("kind", "key")) == [("recorded", "2")]
    stored = [str(row) for model in (PushTopic, PushNews, PushSubscription) for row in model.objects.values()]
    assert [name for name in RIDERS if any(name in row for row in stored)] == []


def test_without_followers_a_look_is_one_statement(ride: Ride) -> None:
    with CaptureQueriesContext(connection) as queries:
        notice_news()

    assert len(queries) == 1


def test_with_nothing_new_a_look_is_two_statements_for_each_event(
    ride: Ride, service: PushService, client: Client
) -> None:
    for number in range(1, 9):
        service.add_browser().follow(client, ride, number)
    with CaptureQueriesContext(connection) as queries:
        notice_news()

    assert len(queries) == 2
