"""Sending: who is tried again, what is given up, and where nothing is ever sent."""

from __future__ import annotations

import datetime as dt
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config.broker import TASK_ROUTES
from scorekeeper.common.periodic_jobs import PERIODIC_JOBS
from scorekeeper.push import sending
from scorekeeper.push.asking import (
    ASK_INTERVAL,
    BATCH_SIZE,
    MAX_BATCHES,
    ask_for_due_messages,
    make_first_key,
    release_claims,
)
from scorekeeper.push.contact import get_subject
from scorekeeper.push.endpoints import PushTarget
from scorekeeper.push.models import PushKey, PushSubscription
from scorekeeper.push.selectors import CLAIM_LIFETIME, list_due, seems_offline
from scorekeeper.push.sending import RETRY_DELAYS, send_batch
from scorekeeper.push.services import follow, notice_news
from scorekeeper.push.tasks import send
from scorekeeper.push.vapid import ensure_key, get_public_key
from scorekeeper.webhooks import receiver_connection
from scorekeeper.webhooks.models import DeliveryAttempt
from tests.programs import ROOT
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.push.conftest import (
    CONTACT,
    Browser,
    PushService,
    let_news_age,
    make_all_due,
    send_due,
)
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.webhooks.conftest import respond, run_receiver

pytestmark = [pytest.mark.django_db, pytest.mark.database]
AddTurn = Callable[..., Any]
Problem = DeliveryAttempt.Problem
RIDE_LONG = 11 * 60  # seconds after which a turn is not told any more


@pytest.fixture
def record(ride: Ride, add_turn: AddTurn, update_standings: Callable[[], bool]) -> Callable[[int], None]:
    """Record a turn of bike 1 in a slot."""

    def make(slot: int) -> None:
        box = ("fours", "fives", "sixes", "chance")[slot - 1]
        add_turn(1, slot, make_paper_turn(box, 20))
        update_standings()

    return make


@pytest.fixture
def ask(django_capture_on_commit_callbacks: Callable[[], Any]) -> Callable[[], list[list[str]]]:
    """Ask workers for what is due; return the batches that they are asked for."""

    def make() -> list[list[str]]:
        with django_capture_on_commit_callbacks() as callbacks:
            ask_for_due_messages()
        messages = [callback.args[0] for callback in callbacks]
        assert {message.task for message in messages} <= {"push.send"}
        return [json.loads(message.arguments)["subscription_ids"] for message in messages]

    return make


def resolve_to(*addresses: str) -> Callable[..., Sequence[Any]]:
    """Return a resolver that gives every name these addresses."""
    return lambda _host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]


def test_a_message_says_who_sends_it(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    send_due()

    ((_path, headers, _body),) = service.receiver.received
    claims = service.check_sender(headers)
    assert (claims["sub"], claims["k"]) == (CONTACT, client.get("/push/key").json()["key"])
    assert 0 < int(headers["ttl"]) <= 10 * 60


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_no_longer_exists_is_deleted(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None], status: int
) -> None:
    browser.follow(client, ride)
    service.receiver.answers = [respond(status)]
    record(1)

    assert send_due() == 1
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("status", [400, 403, 413, 429, 500, 503])
def test_a_message_that_is_not_accepted_is_tried_a_few_times_and_then_given_up(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None], status: int
) -> None:
    browser.follow(client, ride)
    service.receiver.answers = [respond(status)] * 9
    record(1)
    attempts = send_due()
    assert send_due() == 0, "before the pause is over"
    for _ in range(8):
        make_all_due()
        attempts += send_due()

    assert attempts == len(RETRY_DELAYS) + 1
    service.receiver.answers.clear()
    record(2)
    assert send_due() == 1
    assert service.get_notifications(browser)[-1]["title"] == "Bike 1 (Ann) recorded 20 at Parks"


def test_pauses_grow(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    service.receiver.answers = [respond(500)] * 9
    record(1)
    pauses = []
    for _ in RETRY_DELAYS:
        make_all_due()
        before = timezone.now()
        send_due()
        next_attempt = PushSubscription.objects.get().next_attempt_at
        assert next_attempt is not None
        pauses.append(next_attempt - before)

    limits = [(delay * 0.8, delay * 1.2 + dt.timedelta(seconds=5)) for delay in RETRY_DELAYS]
    assert all(least <= pause <= most for pause, (least, most) in zip(pauses, limits, strict=True))


def test_a_message_that_is_too_old_is_not_sent(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    notice_news()
    let_news_age(RIDE_LONG)

    assert send_due() == 0


def test_results_are_worth_telling_for_longer(
    ride: Ride, browser: Browser, client: Client, record: Callable[[int], None], publish_results: Callable[[], None]
) -> None:
    browser.follow(client, ride, None)
    record(1)
    publish_results()
    notice_news()
    let_news_age(RIDE_LONG)

    assert send_due() == 1


def test_a_redirect_is_not_followed(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    with run_receiver() as elsewhere:
        service.receiver.answers = [respond(307, {"Location": elsewhere.url})]
        send_due()

        assert elsewhere.received == []
    assert PushSubscription.objects.get().problem == Problem.REDIRECT


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://10.0.0.1/send/1",
        "https://127.0.0.1/send/1",
        "http://127.0.0.1:8000/send/1",
        "https://[::1]/send/1",
        "https://[::ffff:10.0.0.1]/send/1",
        "https://169.254.169.254/latest/meta-data/",
        "https://192.168.1.1/send/1",
        "https://2130706433/send/1",
        "https://0x7f.1/send/1",
        "https://localhost/send/1",
        "https://push.localhost/send/1",
        "http://push.example.org/send/1",
        "https://push.example.org:8443/send/1",
        "https://8.8.8.8/send/1",  # public, but no push service
        "https://club@push.example.org/send/1",
        "https://push.example.org/send/1#part",
        "ftp://push.example.org/send/1",
        "//push.example.org/send/1",
        "https://push.example.org/" + "a" * 1000,
        "https://push.example.org/send/1\r\nX: y",
        "javascript:alert(1)",
        "",
    ],
)
def test_an_endpoint_that_cannot_be_a_push_service_is_refused(
    ride: Ride, client: Client, settings: Settings, endpoint: str
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False
    response = Browser(endpoint).follow(client, ride)

    is_number = endpoint in ("https://2130706433/send/1", "https://0x7f.1/send/1")
    # These are names by their form. The resolver reads them as addresses, and then they are refused.
    assert response.status_code == 200 if is_number else response.status_code in (400, 422)
    assert PushSubscription.objects.exists() == is_number


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QGabc",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d%3d",
        "https://push.example.org:443/send/1",
    ],
)
def test_the_push_services_of_browsers_are_accepted(
    ride: Ride, client: Client, settings: Settings, endpoint: str
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False

    assert Browser(endpoint).follow(client, ride).status_code == 200


@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.5"],
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:192.168.0.1"],
        ["fe80::1%eth0"],
        ["169.254.169.254"],
        ["93.184.215.14", "10.0.0.5"],
    ],
)
def test_a_name_that_leads_to_a_private_address_gets_nothing(
    ride: Ride,
    client: Client,
    settings: Settings,
    record: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    addresses: list[str],
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False
    connected: list[Any] = []
    monkeypatch.setattr(socket, "getaddrinfo", resolve_to(*addresses))
    monkeypatch.setattr(socket, "create_connection", lambda *args, **_: connected.append(args))
    Browser("https://push.example.org/send/1").follow(client, ride)
    record(1)

    assert send_due() == 1
    assert connected == []
    assert PushSubscription.objects.get().problem == Problem.ADDRESS


def test_a_service_that_hangs_delays_only_itself(
    ride: Ride, service: PushService, client: Client, record: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver_connection, "MAX_SECONDS", 0.5)
    end = threading.Event()

    def hang(_handler: BaseHTTPRequestHandler) -> None:
        end.wait(10)

    with run_receiver() as slow:
        slow.answers = [hang] * 3
        hanging = PushService(slow)
        for _ in range(3):
            hanging.add_browser().follow(client, ride)
        browser = service.add_browser()
        browser.follow(client, ride)
        record(1)
        attempts = send_due()
        end.set()

    assert len(service.get_notifications(browser)) == 1
    assert attempts == 2, "the first attempt at a service that hangs is the only one of its batch"
    waiting = PushSubscription.objects.filter(receiver=f"127.0.0.1:{slow.port}")
    assert set(waiting.values_list("tries", "problem")) == {(1, Problem.TIMEOUT)}
    assert not list_due(timezone.now()).exists()


def test_each_service_is_asked_in_batches_of_its_own(
    ride: Ride, record: Callable[[int], None], ask: Callable[[], list[list[str]]]
) -> None:
    big, small = "https://one.example.org/", "https://two.example.org/"
    for number in range(BATCH_SIZE + 1):
        subscribe(ride, f"{big}{number}")
    subscribe(ride, small)
    PushSubscription.objects.update(tried_at=timezone.now())  # both services have taken a message before
    record(1)
    notice_news()
    asked = ask()

    assert sorted(map(len, asked)) == [1, 1, BATCH_SIZE]
    hosts = [{one.receiver for one in PushSubscription.objects.filter(pk__in=batch)} for batch in asked]
    assert [len(found) for found in hosts] == [1, 1, 1]

    assert ask() == [], "until the workers have had their time"
    PushSubscription.objects.update(asked_at=timezone.now() - ASK_INTERVAL)
    assert sorted(map(len, ask())) == [1, 1, BATCH_SIZE]


def test_a_service_that_fails_gets_one_batch_at_a_time(
    ride: Ride, record: Callable[[int], None], ask: Callable[[], list[list[str]]]
) -> None:
    for number in range(BATCH_SIZE + 1):
        subscribe(ride, f"https://one.example.org/{number}")
    record(1)
    notice_news()
    PushSubscription.objects.filter(endpoint__endswith="/7").update(tries=1)

    assert [len(batch) for batch in ask()] == [BATCH_SIZE]


def test_services_that_never_took_a_message_share_half_of_the_threads(
    ride: Ride, record: Callable[[int], None], ask: Callable[[], list[list[str]]]
) -> None:
    for number in range(40):
        subscribe(ride, f"https://host-{number}.example.org/")
    for number in range(2):
        subscribe(ride, f"https://one.example.org/{number}")
    of_one = PushSubscription.objects.filter(receiver__startswith="one.")
    of_one.update(tried_at=timezone.now())
    record(1)
    notice_news()
    asked = ask()

    assert sorted(map(len, asked)) == [*MAX_BATCHES * [1], 2], "one that works is asked for all that is due there"
    assert {str(pk) for pk in of_one.values_list("pk", flat=True)} in [set(batch) for batch in asked]
    assert ask() == [], "until one of the four has answered"
    PushSubscription.objects.filter(pk=next(batch for batch in asked if len(batch) == 1)[0]).delete()
    assert [len(batch) for batch in ask()] == [1]


def test_a_worker_that_dies_leaves_an_attempt_that_counts(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    notice_news()
    subscription = PushSubscription.objects.get()
    assert sending._claim(subscription.pk, timezone.now()) is not None
    assert sending._claim(subscription.pk, timezone.now()) is None, "another worker"

    make_all_due()
    assert send_due() == 0
    release_claims([str(subscription.pk)])
    assert PushSubscription.objects.get().tries == 1
    assert send_due() == 1


def test_a_claim_of_a_dead_worker_ends_by_itself(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    notice_news()
    sending._claim(PushSubscription.objects.get().pk, timezone.now())
    make_all_due()
    PushSubscription.objects.update(claimed_at=timezone.now() - CLAIM_LIFETIME - dt.timedelta(seconds=1))

    assert send_due() == 1


def test_the_task_of_the_queue_sends_what_is_due(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    notice_news()
    send([str(pk) for pk in PushSubscription.objects.values_list("pk", flat=True)])

    assert len(service.get_notifications(browser)) == 1
    assert TASK_ROUTES[send.name] == {"queue": "push"}


def test_the_sweeper_notices_asks_and_tidies_up() -> None:
    jobs = {job.name: job.interval for job in PERIODIC_JOBS if "push" in job.name}

    assert jobs == {
        "make_push_key": 3600,
        "notice_push_news": 5,
        "ask_for_push_messages": 5,
        "delete_push_subscriptions": 3600,
    }


def test_what_every_process_loads_has_no_library_that_encrypts() -> None:
    """It takes 9 MB in each of them."""
    program = "import django, sys; django.setup(); sys.exit('cryptography' in sys.modules)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}

    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, timeout=120).returncode == 0


def test_a_batch_of_what_was_deleted_meanwhile_does_nothing(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    browser.follow(client, ride)
    record(1)
    notice_news()
    ids = list(PushSubscription.objects.values_list("pk", flat=True))
    PushSubscription.objects.all().delete()

    assert send_batch(ids) == []


def test_the_server_says_when_it_reaches_no_push_service(
    ride: Ride, service: PushService, browser: Browser, client: Client, record: Callable[[int], None]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        lost = Browser(f"http://127.0.0.1:{closed.getsockname()[1]}/send/1")
    lost.follow(client, ride)
    assert not lost.ask(client, "told").json()["is_offline"], "before the first attempt"
    record(1)
    send_due()
    assert lost.ask(client, "told").json()["is_offline"]

    browser.follow(client, ride)
    record(2)
    send_due()
    assert not seems_offline(timezone.now())


def test_the_key_is_made_once_and_shared(client: Client) -> None:
    assert not PushKey.objects.exists()
    for _ in range(2):
        make_first_key()
    key = get_public_key()

    assert get_public_key() == key == client.get("/push/key").json()["key"]
    assert PushKey.objects.count() == 1
    assert "PRIVATE" not in str(client.get("/push/key").content) + str(PushKey.objects.get()) + repr(ensure_key())


@pytest.mark.parametrize(
    ("contact", "address", "subject"),
    [
        ("mailto:club@example.org", "http://127.0.0.1:8000", "mailto:club@example.org"),
        ("", "https://rides.example.org", "https://rides.example.org"),
        ("", "https://rides.example.org:8443", "https://rides.example.org"),
        ("", "http://rides.example.org", ""),
        ("", "https://192.168.1.20:8000", ""),
        ("", "https://laptop.local", ""),
    ],
)
def test_push_services_are_told_whom_to_ask(settings: Settings, contact: str, address: str, subject: str) -> None:
    settings.PUSH_CONTACT, settings.BASE_URL = contact, address

    assert get_subject() == subject


def test_without_a_contact_nothing_is_offered_and_nothing_asked(
    ride: Ride,
    browser: Browser,
    client: Client,
    settings: Settings,
    record: Callable[[int], None],
    ask: Callable[[], list[list[str]]],
) -> None:
    browser.follow(client, ride)
    settings.PUSH_CONTACT = ""
    record(1)
    notice_news()

    assert ask() == []
    assert client.get("/push/key").json() == {"key": ""}
    assert browser.follow(client, ride).json() == {"why": "setup"}


def subscribe(ride: Ride, endpoint: str) -> None:
    target = PushTarget.from_json(Browser(endpoint).description)
    follow(ride.event, ride.contest, ride.bikes[1], target, "en-gb")
