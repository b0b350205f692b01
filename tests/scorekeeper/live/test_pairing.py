"""`/screen` on a television, and the organiser's pages that pair it and unpair it."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from scorekeeper.common.models import UseCount
from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.models import Event
from scorekeeper.live.models import CODE_LENGTH, PairingCode, Screen
from scorekeeper.live.selectors.paired_screens import ON_FOR, present_paired_screens
from scorekeeper.live.services import (
    ALPHABET,
    CODE_LIFETIME,
    GUESSES,
    MAX_PER_ADDRESS,
    MAX_WAITING,
    TooManyWaiting,
    UnknownCode,
    get_code,
    make_code,
    normalize_code,
    pair_screen,
    split_code,
)
from scorekeeper.live.sources import PairedScreenSource, find_paired_screen_source
from scorekeeper.live.views.television import SCREEN_COOKIE
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text

TELEVISION = "/screen"
UNKNOWN = "No television shows this code now. Enter the code that it shows; it changes every 10 minutes."


def make_television() -> Client:
    """Return the browser of a television, which shows a code."""
    client = Client()
    assert client.get(TELEVISION).status_code == 200
    return client


@pytest.fixture
def television(db: None) -> Client:
    return make_television()


@pytest.fixture
def desk_page(ride: Ride) -> str:
    return reverse("live:settings", args=[ride.event.slug])


@pytest.fixture
def pair_page(ride: Ride) -> str:
    return reverse("live:pair", args=[ride.event.slug])


def get_shown_code(television: Client) -> str:
    code: str = television.get(TELEVISION).context["code"]
    return code


def pair(event: Event, television: Client, name: str = "Bar") -> Screen:
    return pair_screen(event, get_shown_code(television), name)


def check(television: Client, showing: object) -> str:
    """Return what the television's check makes it do: "" for nothing, "reload" to load its page again."""
    response = television.get(reverse("live:television_check"), {"showing": str(showing)})
    assert response.status_code == 204
    assert response["Cache-Control"] == "private, no-store"
    return "reload" if response.headers.get("HX-Refresh") == "true" else ""


@given(st.text(alphabet=" -\t\u00a0", max_size=3), st.booleans(), st.booleans())
def test_a_code_is_read_however_people_type_it(between: str, is_lower: bool, is_wide: bool) -> None:
    code = make_code()
    first, second = split_code(code)
    typed = f" {first}{between}{second} "
    typed = typed.lower() if is_lower else typed
    if is_wide:
        typed = "".join(chr(ord(char) + 0xFEE0) if char.isascii() and char.isalnum() else char for char in typed)

    assert normalize_code(typed) == code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(ALPHABET)


def test_no_characters_of_codes_look_alike_or_make_words() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert not set(ALPHABET) & set("AEIOU01258BDGLQSVZ")


def test_a_television_shows_a_code_and_has_a_secret_that_only_it_knows(client: Client, db: None) -> None:
    response = client.get(TELEVISION)

    waiting = PairingCode.objects.get()
    first, second = split_code(waiting.code)
    page = get_page_text(response)
    assert f"<span>{first}</span> <span>{second}</span>" in page
    assert 'content="10; url=/screen"' in page, "a browser without scripts looks by itself"
    assert response["Cache-Control"] == "private, no-store"
    cookie = client.cookies[SCREEN_COOKIE]
    assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Lax")
    assert waiting.token_digest == hash_token(cookie.value)
    assert cookie.value not in page
    assert get_shown_code(client) == waiting.code, "the same code until it expires"


def test_over_tls_the_cookie_belongs_to_this_host_alone(client: Client, settings: Settings, db: None) -> None:
    settings.SESSION_COOKIE_SECURE = True

    client.get(TELEVISION, secure=True)

    assert client.cookies[f"__Host-{SCREEN_COOKIE}"]["secure"]


def test_an_expired_code_is_renewed_and_no_longer_works(ride: Ride, television: Client) -> None:
    old = get_shown_code(television)
    PairingCode.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))

    with pytest.raises(UnknownCode):
        pair_screen(ride.event, old, "Bar")
    assert check(television, old) == "reload"
    new = get_shown_code(television)
    assert new != old
    assert check(television, new) == ""
    assert PairingCode.objects.get().expires_at > timezone.now() + CODE_LIFETIME - dt.timedelta(minutes=1)
    assert pair_screen(ride.event, new, "Bar").name == "Bar"


def test_codes_of_televisions_that_are_gone_are_deleted(client: Client, television: Client) -> None:
    PairingCode.objects.update(expires_at=timezone.now() - CODE_LIFETIME - dt.timedelta(seconds=1))

    client.get(TELEVISION)

    assert PairingCode.objects.get().code == get_shown_code(client)
    assert get_shown_code(television) != "", "one that comes back gets another"


def test_beyond_a_number_of_waiting_televisions_no_other_gets_a_code(
    client: Client, television: Client, ride: Ride
) -> None:
    now = timezone.now()
    PairingCode.objects.bulk_create(
        PairingCode(token_digest=str(n), code=f"X{n:05}", expires_at=now + CODE_LIFETIME) for n in range(MAX_WAITING)
    )
    paired = Client()
    paired.cookies[SCREEN_COOKIE] = "secret"
    Screen.objects.create(event=ride.event, name="Bar", token_digest=hash_token("secret"))

    refused = client.get(TELEVISION)
    assert refused.status_code == 429
    assert refused["Retry-After"] == "60"
    assert "tries again every 60 seconds" in get_page_text(refused)
    assert SCREEN_COOKIE not in client.cookies
    assert paired.get(TELEVISION).status_code == 200
    code = get_shown_code(television)
    PairingCode.objects.filter(code=code).update(expires_at=now)
    assert get_shown_code(television) != code, "one that waits already gets its next code"
    with pytest.raises(TooManyWaiting):
        get_code("", "198.51.100.1")


def test_one_network_address_cannot_take_all_the_places(client: Client, db: None) -> None:
    for host in range(MAX_PER_ADDRESS):
        assert Client(REMOTE_ADDR=f"2001:db8::{host:x}").get(TELEVISION).status_code == 200

    assert Client(REMOTE_ADDR="2001:db8::ffff").get(TELEVISION).status_code == 429, "one connection has a whole network"
    assert client.get(TELEVISION).status_code == 200
    assert not PairingCode.objects.filter(address_digest__contains="2001").exists()


def test_an_organiser_pairs_a_television_by_its_code_and_it_notices(
    ride: Ride, television: Client, sign_in: SignIn, alice: User, desk_page: str, pair_page: str
) -> None:
    code = get_shown_code(television)
    typed = f" {code[:3].lower()}-{code[3:]}"

    response = sign_in(alice).post(pair_page, {"code": typed, "name": "Bar"})

    screen = Screen.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{desk_page}{screen.pk}/")
    assert check(television, code) == "reload"
    page = television.get(TELEVISION)
    assert "R.O.C.K. Yahtzee</h1>" in get_page_text(page)
    assert "data-steer" not in get_page_text(page), "nobody is signed in at it"
    assert check(television, screen.pk) == ""
    assert not PairingCode.objects.exists()
    assert [row.uses for row in UseCount.objects.all()] == [[]]
    assert Screen.objects.get().token_digest == hash_token(television.cookies[SCREEN_COOKIE].value)


def test_the_organiser_does_not_steer_from_a_paired_screen(ride: Ride, sign_in: SignIn, alice: User) -> None:
    """Even if an organiser has signed in with the television's browser."""
    television = sign_in(alice)
    television.get(TELEVISION)
    pair(ride.event, television)

    assert "data-steer" not in get_page_text(television.get(TELEVISION))


@pytest.mark.parametrize(
    ("code", "name", "field", "said"),
    [
        ("", "Bar", "id_code", "Enter the six characters that the television shows."),
        ("NOSUCH", "Bar", "id_code", UNKNOWN),
        ("{code}", "", "id_name", "Enter a name, such as “Bar”."),
        ("{code}", "stage", "id_name", "There is a screen with this name already. Enter another, such as “Bar 2”."),
    ],
)
def test_a_refusal_says_what_is_wrong_keeps_what_was_typed_and_pairs_nothing(
    ride: Ride,
    television: Client,
    sign_in: SignIn,
    alice: User,
    pair_page: str,
    code: str,
    name: str,
    field: str,
    said: str,
) -> None:
    pair(ride.event, make_television(), "Stage")
    typed = {"code": code.replace("{code}", get_shown_code(television)), "name": name}

    response = sign_in(alice).post(pair_page, typed)

    assert_refused(response, field, said)
    assert all(f'value="{value}"' in get_page_text(response) for value in typed.values() if value)
    assert Screen.objects.count() == 1
    assert PairingCode.objects.count() == 1


def test_wrong_codes_are_throttled_per_account(
    ride: Ride, television: Client, sign_in: SignIn, alice: User, bob: User, pair_page: str
) -> None:
    right = {"code": get_shown_code(television), "name": "Bar"}
    alices = sign_in(alice)
    for _guess in range(GUESSES.most):
        assert alices.post(pair_page, {"code": "NOSUCH", "name": "Bar"}).status_code == 422

    response = alices.post(pair_page, right)
    assert_refused(response, "id_code", "10 wrong codes were entered. Wait 15 minutes, then try again.", status=429)
    assert not Screen.objects.exists()
    assert sign_in(bob).post(pair_page, right).status_code == 302

    other = make_television()
    with time_machine.travel(timezone.now() + dt.timedelta(seconds=GUESSES.window - 30)):
        assert alices.post(pair_page, {"code": get_shown_code(other), "name": "Two"}).status_code == 429
    with time_machine.travel(timezone.now() + dt.timedelta(seconds=GUESSES.window)):
        right = {"code": get_shown_code(other), "name": "Two"}
        assert alices.post(pair_page, right).status_code == 302, "what was refused did not count"


def test_a_right_code_does_not_reset_the_count(
    ride: Ride, television: Client, sign_in: SignIn, alice: User, pair_page: str
) -> None:
    """Otherwise someone with a television of their own could guess without end."""
    alices = sign_in(alice)
    for _guess in range(GUESSES.most - 1):
        alices.post(pair_page, {"code": "NOSUCH", "name": "Bar"})

    assert alices.post(pair_page, {"code": get_shown_code(television), "name": "Bar"}).status_code == 302
    assert alices.post(pair_page, {"code": "NOSUCH", "name": "Two"}).status_code == 422
    assert alices.post(pair_page, {"code": "NOSUCH", "name": "Two"}).status_code == 429


def test_a_code_works_once(ride: Ride, other_event: Event, television: Client) -> None:
    code = get_shown_code(television)
    pair_screen(ride.event, code, "Bar")

    with pytest.raises(UnknownCode):
        pair_screen(other_event, code, "Theirs")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_organisers_with_the_same_code_one_gets_the_television(ride: Ride, other_event: Event) -> None:
    code = get_shown_code(make_television())

    def try_pairing(event: Event) -> bool:
        try:
            pair_screen(event, code, "Bar")
        except UnknownCode:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(try_pairing, [ride.event, other_event])) == [False, True]
    assert Screen.objects.count() == 1


def test_unpairing_sends_the_television_back_to_a_code_at_once(
    ride: Ride, television: Client, sign_in: SignIn, alice: User, desk_page: str
) -> None:
    screen = pair(ride.event, television)
    source = find_paired_screen_source(screen.pk)
    assert source is not None
    before = source.take_snapshot()
    unpair = reverse("live:unpair", args=[ride.event.slug, screen.pk])
    desk = sign_in(alice)
    assert "Unpair “Bar”?" in get_page_text(desk.get(unpair))
    assert Screen.objects.exists(), "asking changes nothing"

    assert desk.post(unpair)["Location"] == desk_page

    assert not Screen.objects.exists()
    told = source.take_snapshot().diff_from(before)
    assert reverse("live:television_check") in told
    assert 'hx-trigger="load' in told
    assert "Yahtzee" not in told
    assert find_paired_screen_source(screen.pk) is None
    assert television.get(reverse("live:paired_stream", args=[screen.pk])).status_code == 404
    assert check(television, screen.pk) == "reload"
    assert television.get(TELEVISION, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    secret = television.cookies[SCREEN_COOKIE].value
    assert get_shown_code(television)
    assert television.cookies[SCREEN_COOKIE].value != secret, "the old secret is worth nothing"


def test_the_secret_opens_nothing_but_its_screen(ride: Ride, television: Client, desk_page: str) -> None:
    screen = pair(ride.event, television)

    assert television.get(desk_page).status_code == 302
    assert television.post(reverse("live:unpair", args=[ride.event.slug, screen.pk])).status_code == 302
    assert television.get(reverse("crew:sign_out")).status_code == 401
    assert Screen.objects.filter(pk=screen.pk).exists()


def test_organisers_see_and_change_only_the_screens_of_their_own_event(
    ride: Ride, other_event: Event, television: Client, sign_in: SignIn, alice: User, charlie: User, desk_page: str
) -> None:
    theirs = pair(other_event, television, "Theirs")
    alices = sign_in(alice)

    assert "Theirs" not in get_page_text(alices.get(desk_page))
    for route in ("live:edit_screen", "live:unpair"):
        foreign = reverse(route, args=[ride.event.slug, theirs.pk])
        assert (alices.get(foreign).status_code, alices.post(foreign).status_code) == (404, 404)
        own = reverse(route, args=[other_event.slug, theirs.pk])
        assert alices.get(own).status_code == 404
        assert sign_in(charlie).get(own).status_code == 200
    public = Screen.objects.create(event=ride.event, is_public=True)
    for route in ("live:edit_screen", "live:unpair"):
        assert alices.post(reverse(route, args=[ride.event.slug, public.pk])).status_code == 404
    assert Screen.objects.count() == 2


def test_the_list_says_what_each_screen_shows_and_whether_it_is_on(
    ride: Ride, television: Client, sign_in: SignIn, alice: User, desk_page: str
) -> None:
    screen = pair(ride.event, television)
    Screen.objects.update(parts=["sponsors", str(ride.contest.pk)])

    def read() -> str:
        return get_page_text(sign_in(alice).get(desk_page))

    assert "Not seen yet" in read()
    assert "Sponsors, R.O.C.K. Yahtzee and Messages" in read()
    check(television, screen.pk)
    assert "On now" in read()
    Screen.objects.update(last_seen_at=timezone.now() - ON_FOR - dt.timedelta(seconds=1))
    assert "Not on" in read()
    assert "Last seen" in read()
    television.get(TELEVISION)
    assert [shown.is_on for shown in present_paired_screens(ride.event)] == [True]


def test_being_seen_is_stored_every_few_seconds_at_most_and_is_no_change_of_the_screen(
    ride: Ride, television: Client
) -> None:
    screen = pair(ride.event, television)
    check(television, screen.pk)
    seen = Screen.objects.get().last_seen_at

    check(television, screen.pk)

    assert Screen.objects.get().last_seen_at == seen
    assert Screen.objects.get().version == screen.version


def test_a_screen_of_a_draft_waits_until_the_ride_is_opened(ride: Ride, television: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    screen = pair(ride.event, television)
    source = PairedScreenSource(Screen.objects.select_related("event").get(pk=screen.pk))
    before = source.take_snapshot()

    assert "This event is not open yet" in get_page_text(television.get(TELEVISION))
    Event.objects.update(state=Event.State.OPEN)

    assert "R.O.C.K. Yahtzee</h1>" in source.take_snapshot().diff_from(before)


def test_deleting_a_ride_unpairs_its_screens(ride: Ride, other_event: Event, television: Client) -> None:
    pair(other_event, television)
    other_event.delete()

    assert get_shown_code(television)


def test_without_asgi_a_paired_screen_has_no_stream(ride: Ride, television: Client) -> None:
    screen = pair(ride.event, television)

    assert television.get(reverse("live:paired_stream", args=[screen.pk])).status_code == 204
