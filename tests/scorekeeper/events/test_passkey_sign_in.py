"""/sign-in/passkey/: the second step of signing in to an account that has a passkey."""

from __future__ import annotations

import datetime as dt
import json

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from fido2.webauthn import AuthenticatorData
from pytest_django import Settings

from scorekeeper.events.browsers import Browser
from scorekeeper.events.models import Event, Passkey
from scorekeeper.events.services.access_tokens import create_access_token
from scorekeeper.events.services.account_links import create_invite, create_reset_link
from scorekeeper.events.services.accounts import change_password
from scorekeeper.events.services.passkeys import (
    ChallengeUnusable,
    PasskeyRefused,
    RelyingParty,
    begin_sign_in,
    remove_passkeys,
    use_passkey,
)
from scorekeeper.events.services.sign_in_throttle import MAX_FROM_UNKNOWN, MAX_PER_BROWSER, Factor, record_attempt
from tests.scorekeeper.conftest import PASSWORD
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, describe_password, is_signed_in
from tests.scorekeeper.events.authenticator import HOST, SITE, SecurityKey, read_options, store_passkey
from tests.scorekeeper.page_checks import get_page_text, get_visible_text

STEP = "/sign-in/passkey/"
NOT_YOURS = "This is not a passkey of your account at this site. Use one that you have added here."
START_AGAIN = "You are not signed in. Enter your name and password first."


@pytest.fixture(autouse=True)
def _address(settings: Settings) -> None:
    settings.BASE_URL = SITE


@pytest.fixture
def key(alice: User) -> SecurityKey:
    """The security key of Alice."""
    key = SecurityKey()
    store_passkey(alice, key)
    return key


def enter_password(client: Client, **extra: str):
    """Enter Alice's password; return the page of the second step."""
    return client.post("/sign-in/", {"username": "alice", "password": PASSWORD, **extra}, follow=True)


def send(client: Client, response: object, **extra: str):
    return client.post(STEP, {"response": json.dumps(response), **extra})


def test_the_passkey_is_asked_for_after_the_password(client: Client, key: SecurityKey) -> None:
    page = enter_password(client)

    assert page.redirect_chain == [(f"{STEP}?next=%2Fdesk%2F", 302)]
    assert "The password of alice is right. Now use your passkey to sign in." in get_visible_text(page)
    options = read_options(page)
    assert options["rpId"] == HOST
    assert options["userVerification"] == "preferred"
    assert [one["id"] for one in options["allowCredentials"]] == [key.sign(options)["id"]]
    assert not is_signed_in(client)

    assert send(client, key.sign(options))["Location"] == "/desk/"
    assert is_signed_in(client)
    passkey = Passkey.objects.get()
    assert (passkey.sign_count, passkey.last_used_at is not None) == (2, True)


def test_without_the_passkey_nobody_is_signed_in_not_even_partly(client: Client, alice: User, key: SecurityKey) -> None:
    before = alice.last_login
    enter_password(client)

    assert SESSION_KEY not in client.session
    assert client.get("/account/passkeys/")["Location"].startswith("/sign-in/")
    assert "alice" not in get_page_text(client.get("/"))
    alice.refresh_from_db()
    assert alice.last_login == before


def test_a_wrong_password_does_not_tell_that_there_is_a_passkey(client: Client, key: SecurityKey) -> None:
    response = client.post("/sign-in/", {"username": "alice", "password": "guess"})

    assert response.status_code == 422
    assert client.get(STEP)["Location"] == "/sign-in/"


def test_an_account_without_a_passkey_signs_in_as_before(client: Client, key: SecurityKey, bob: User) -> None:
    response = client.post("/sign-in/", {"username": "bob", "password": PASSWORD})

    assert response["Location"] == "/desk/"
    assert is_signed_in(client)


def test_it_returns_to_the_requested_page(client: Client, key: SecurityKey) -> None:
    page = enter_password(client, next="/desk/events/new/")

    assert 'name="next" value="/desk/events/new/"' in get_page_text(page)
    assert send(client, key.sign(read_options(page)), next="/desk/events/new/")["Location"] == "/desk/events/new/"


@pytest.mark.parametrize("url", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_it_never_redirects_to_another_site(client: Client, key: SecurityKey, url: str) -> None:
    page = enter_password(client, next=url)

    assert send(client, key.sign(read_options(page)), next=url)["Location"] == "/desk/"
    assert client.get(STEP, {"next": url})["Location"] == "/desk/"


def test_an_invited_person_returns_to_the_invitation(
    client: Client, key: SecurityKey, other_event: Event, charlie: User
) -> None:
    """Its link is a secret, so no session stores it."""
    _link, token = create_invite(other_event, charlie)
    invitation = f"/invited/{token}/"

    page = client.post(f"{invitation}sign-in/", {"username": "alice", "password": PASSWORD}, follow=True)

    assert page["Referrer-Policy"] == "same-origin"
    assert page["X-Robots-Tag"] == "noindex"
    assert token not in str([session.get_decoded() for session in Session.objects.all()])
    assert send(client, key.sign(read_options(page)), next=invitation)["Location"] == invitation
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://rides.example.com"},
        {"origin": "http://rides.example.org"},
        {"origin": "https://evil.rides.example.org"},
        {"host": "example.org"},
    ],
)
def test_a_response_of_another_site_is_refused(client: Client, key: SecurityKey, change: dict[str, str]) -> None:
    for name, value in change.items():
        setattr(key, name, value)

    response = send(client, key.sign(read_options(enter_password(client))))

    assert response.status_code == 422
    assert NOT_YOURS in get_page_text(response)
    assert not is_signed_in(client)


def test_another_authenticator_is_refused(client: Client, key: SecurityKey) -> None:
    assert NOT_YOURS in get_page_text(send(client, SecurityKey().sign(read_options(enter_password(client)))))
    assert not is_signed_in(client)


def test_another_authenticator_with_the_same_id_is_refused(client: Client, key: SecurityKey) -> None:
    forged = SecurityKey(count=5)
    forged.credential_id = key.credential_id

    assert NOT_YOURS in get_page_text(send(client, forged.sign(read_options(enter_password(client)))))
    assert not is_signed_in(client)


def test_the_passkey_of_another_account_is_refused(client: Client, key: SecurityKey, bob: User) -> None:
    of_bob = SecurityKey()
    store_passkey(bob, of_bob)

    assert NOT_YOURS in get_page_text(send(client, of_bob.sign(read_options(enter_password(client)))))
    assert not is_signed_in(client)


def test_a_response_without_a_touch_is_refused(client: Client, key: SecurityKey) -> None:
    options = read_options(enter_password(client))

    assert send(client, key.sign(options, flag=AuthenticatorData.FLAG.UV)).status_code == 422
    assert not is_signed_in(client)


def test_a_touch_without_a_screen_lock_is_enough(client: Client, key: SecurityKey) -> None:
    """Not every security key has a PIN, and the password was right already."""
    options = read_options(enter_password(client))

    assert send(client, key.sign(options, flag=AuthenticatorData.FLAG.UP)).status_code == 302


@pytest.mark.parametrize("response", [None, "x", [1], {}, {"id": "AA", "rawId": "AA", "response": {"signature": 1}}])
def test_a_malformed_response_is_refused(client: Client, key: SecurityKey, response: object) -> None:
    enter_password(client)

    assert send(client, response).status_code == 422
    assert not is_signed_in(client)


def test_a_new_passkeys_response_is_none_of_a_sign_in(client: Client, key: SecurityKey) -> None:
    assert send(client, key.create(read_options(enter_password(client)))).status_code == 422
    assert not is_signed_in(client)


def test_a_response_counts_once(client: Client, key: SecurityKey) -> None:
    response = key.sign(read_options(enter_password(client)))
    assert send(client, response).status_code == 302
    client.post("/sign-out/")

    enter_password(client)

    assert send(client, response).status_code == 422
    assert not is_signed_in(client)


@pytest.mark.database
def test_two_requests_that_read_the_session_at_once_use_one_challenge_once(alice: User) -> None:
    key, party = SecurityKey(count=None), RelyingParty(HOST, SITE)
    passkey = store_passkey(alice, key)
    challenge_id, options = begin_sign_in(alice, party)
    response = key.sign(options)

    assert use_passkey(alice, party, challenge_id, response) == passkey
    with pytest.raises(ChallengeUnusable):
        use_passkey(alice, party, challenge_id, response)


def test_a_challenge_is_gone_after_a_refusal_too(alice: User) -> None:
    key, party = SecurityKey(count=None), RelyingParty(HOST, SITE)
    store_passkey(alice, key)
    challenge_id, options = begin_sign_in(alice, party)

    with pytest.raises(PasskeyRefused):
        use_passkey(alice, party, challenge_id, SecurityKey().sign(options))
    with pytest.raises(ChallengeUnusable):
        use_passkey(alice, party, challenge_id, key.sign(options))


def test_a_challenge_of_another_account_is_refused(alice: User, bob: User) -> None:
    key, party = SecurityKey(), RelyingParty(HOST, SITE)
    store_passkey(bob, key)
    challenge_id, options = begin_sign_in(alice, party)

    with pytest.raises(ChallengeUnusable):
        use_passkey(bob, party, challenge_id, key.sign(options))


def test_a_challenge_of_another_browser_is_refused(client: Client, key: SecurityKey) -> None:
    """Someone who knows the password cannot have the person sign for them."""
    other = Client()
    response = key.sign(read_options(enter_password(client)))
    enter_password(other)

    assert send(other, response).status_code == 422
    assert not is_signed_in(other)
    assert send(Client(), response)["Location"] == "/sign-in/"


def test_the_second_step_has_ten_minutes(client: Client, key: SecurityKey) -> None:
    response = key.sign(read_options(enter_password(client)))

    with time_machine.travel(timezone.now() + dt.timedelta(minutes=10, seconds=1)):
        assert send(client, response)["Location"] == "/sign-in/"
        assert START_AGAIN in get_page_text(client.get("/sign-in/"))
        assert not is_signed_in(client)


def test_a_new_password_ends_a_sign_in_that_is_pending(client: Client, alice: User, key: SecurityKey) -> None:
    response = key.sign(read_options(enter_password(client)))
    change_password(alice, GOOD_PASSWORD)

    assert send(client, response)["Location"] == "/sign-in/"
    assert not is_signed_in(client)


def test_a_deactivated_account_does_not_get_in(client: Client, alice: User, key: SecurityKey) -> None:
    response = key.sign(read_options(enter_password(client)))
    User.objects.filter(pk=alice.pk).update(is_active=False)

    assert send(client, response)["Location"] == "/sign-in/"


def test_the_session_gets_a_new_key_at_both_steps(client: Client, key: SecurityKey) -> None:
    """Someone who planted a session in the browser learns nothing by it."""
    client.session.save()
    keys = [client.session.session_key]
    options = read_options(enter_password(client))
    keys.append(client.session.session_key)
    send(client, key.sign(options))
    keys.append(client.session.session_key)

    assert len(set(keys)) == 3
    assert not {"pending_sign_in", "passkey_challenge"} & set(client.session.keys())


@pytest.mark.parametrize("count", [1, 0])
def test_a_count_that_does_not_grow_is_refused(
    client: Client, key: SecurityKey, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    Passkey.objects.update(sign_count=2)
    key.count = count

    page = get_page_text(send(client, key.sign(read_options(enter_password(client)))))

    assert "someone may have a copy of it." in page
    assert not is_signed_in(client)
    assert Passkey.objects.get().sign_count == 2
    assert "sign_count_not_grown" in caplog.text


def test_an_authenticator_that_does_not_count_is_accepted(client: Client, alice: User) -> None:
    key = SecurityKey(count=None)
    store_passkey(alice, key)

    for _time in range(2):
        assert send(client, key.sign(read_options(enter_password(client)))).status_code == 302
        client.post("/sign-out/")


def test_the_eleventh_attempt_in_fifteen_minutes_is_not_checked(client: Client, key: SecurityKey) -> None:
    """The right password in between does not reset the count."""
    for _attempt in range(MAX_PER_BROWSER):
        assert send(client, SecurityKey().sign(read_options(enter_password(client)))).status_code == 422

    response = send(client, key.sign(read_options(enter_password(client))))

    assert response.status_code == 429
    assert "10 attempts with a passkey have failed. Wait 15 minutes, then try again." in get_page_text(response)
    assert not is_signed_in(client)


def test_the_right_passkey_resets_the_count(client: Client, key: SecurityKey) -> None:
    for _time in range(2):
        for _attempt in range(MAX_PER_BROWSER - 1):
            assert send(client, SecurityKey().sign(read_options(enter_password(client)))).status_code == 422

        assert send(client, key.sign(read_options(enter_password(client)))).status_code == 302
        client.post("/sign-out/")


def test_attempts_in_other_browsers_do_not_lock_out_a_known_one(client: Client, key: SecurityKey) -> None:
    send(client, key.sign(read_options(enter_password(client))))
    client.post("/sign-out/")
    for number in range(MAX_FROM_UNKNOWN):
        record_attempt("alice", Browser(id=str(number), address=f"203.0.113.{number}"), Factor.PASSKEY)

    other = Client()
    assert send(other, key.sign(read_options(enter_password(other)))).status_code == 429
    assert send(client, key.sign(read_options(enter_password(client)))).status_code == 302


@pytest.mark.parametrize("name", ["passkey:alice", "passkey alice", "\x1fpasskey alice"])
def test_a_stranger_cannot_use_up_the_attempts_with_passkeys(client: Client, key: SecurityKey, name: str) -> None:
    """The page would say that somebody knows Alice's password, and she could sign in with no new browser."""
    for number in range(MAX_FROM_UNKNOWN):
        guess = {"username": name, "password": "guess"}
        Client().post("/sign-in/", guess, REMOTE_ADDR=f"203.0.113.{number}")

    assert send(client, key.sign(read_options(enter_password(client)))).status_code == 302


@pytest.mark.parametrize("address", ["http://192.168.1.5:8000", "https://192.168.1.5", "https://new.example.org"])
def test_where_the_passkey_does_not_work_nobody_signs_in(
    client: Client, key: SecurityKey, settings: Settings, address: str
) -> None:
    """Otherwise someone with the password would sign in there."""
    settings.BASE_URL = address

    page = enter_password(client)

    assert page.status_code == 422
    text = get_visible_text(page)
    assert f"Your account asks for a passkey, and yours works only at {HOST}. This site’s address is {address}" in text
    assert "the person who runs this site can remove your passkeys" in text
    assert not is_signed_in(client)


def test_passkeys_that_the_operator_removed_are_no_longer_asked_for(
    client: Client, alice: User, key: SecurityKey
) -> None:
    enter_password(client)
    assert remove_passkeys(alice) == 1

    assert client.get(STEP)["Location"] == "/sign-in/"
    enter_password(client)
    assert is_signed_in(client)


def test_a_link_for_a_new_password_does_not_replace_the_passkey(client: Client, alice: User, key: SecurityKey) -> None:
    _link, token = create_reset_link(alice, None)
    assert client.post(f"/new-password/{token}/", describe_password()).status_code == 302

    page = client.post("/sign-in/", {"username": "alice", "password": GOOD_PASSWORD}, follow=True)

    assert Passkey.objects.exists()
    assert not is_signed_in(client)
    assert send(client, key.sign(read_options(page))).status_code == 302


def test_tokens_of_programs_work_without_it(client: Client, alice: User, key: SecurityKey, event: Event) -> None:
    _token, secret = create_access_token(alice, "Website", "read", dt.timedelta(days=1))  # type: ignore[arg-type]

    response = client.get(f"/api/v1/events/{event.slug}", headers={"Authorization": f"Bearer {secret}"})

    assert response.status_code == 200


def test_whoever_is_signed_in_already_goes_on(client: Client, alice: User, key: SecurityKey) -> None:
    client.force_login(alice)

    assert client.get(STEP, {"next": "/account/"})["Location"] == "/account/"
