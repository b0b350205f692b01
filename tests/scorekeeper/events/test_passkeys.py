"""/account/passkeys/: adding, listing, renaming and removing passkeys."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from fido2.utils import websafe_encode
from fido2.webauthn import AuthenticatorData
from pytest_django import Settings

from scorekeeper.events.models import Passkey, PasskeyChallenge
from scorekeeper.events.services.passkeys import CHALLENGE_LIFETIME, MAX_PASSKEYS, get_relying_party
from scorekeeper.events.services.sign_in_throttle import MAX_PER_BROWSER
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import is_signed_in
from tests.scorekeeper.events.authenticator import HOST, SITE, SecurityKey, read_options, store_passkey
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save

LIST, ADD, CREATE = "/account/passkeys/", "/account/passkeys/add/", "/account/passkeys/create/"
NOT_ADDED = "The passkey could not be added: the browser’s response does not belong to this page. Try again."
USED_BEFORE = "This page had been used already, or was open for more than 10 minutes. Try again."


@pytest.fixture(autouse=True)
def _address(settings: Settings) -> None:
    settings.BASE_URL = SITE


def begin(client: Client, name: str = "My phone"):
    """Enter name and password; return the page that creates the passkey."""
    assert client.post(ADD, {"name": name, "own_password": PASSWORD})["Location"] == CREATE
    return client.get(CREATE)


def send(client: Client, response: object):
    return client.post(CREATE, {"response": json.dumps(response)})


def add(client: Client, key: SecurityKey, name: str = "My phone") -> Passkey:
    assert send(client, key.create(read_options(begin(client, name))))["Location"] == LIST
    return Passkey.objects.get(credential_id=key.credential_id)


def test_a_passkey_is_added_after_the_password_and_listed(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)

    options = read_options(begin(client))
    page = get_visible_text(client.post(CREATE, {"response": json.dumps(SecurityKey().create(options))}, follow=True))

    assert options["rp"] == {"id": HOST, "name": "Tailgunner"}
    assert options["authenticatorSelection"]["userVerification"] == "preferred"
    assert "alice" not in options["user"]["id"]
    assert "“My phone” has been added. From now on you are asked for a passkey when you sign in." in page
    passkey = Passkey.objects.get()
    assert (passkey.user, passkey.name, passkey.host, passkey.sign_count) == (alice, "My phone", HOST, 1)
    for text in ("My phone", HOST, "Not yet"):
        assert text in get_visible_text(client.get(LIST))


def test_without_a_passkey_the_page_offers_to_add_one(alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get(LIST))

    assert f'href="{ADD}"' in page
    assert "<table" not in page
    assert f'href="{LIST}"' in get_page_text(sign_in(alice).get("/account/"))


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"name": "", "own_password": PASSWORD}, "id_name", "Enter a name for the passkey."),
        ({"name": "Key", "own_password": ""}, "id_own_password", "Enter your password."),
        (
            {"name": "Key", "own_password": "guess"},
            "id_own_password",
            "This is not your password. Check it, including capital letters.",
        ),
    ],
)
def test_without_name_and_password_none_is_created(
    alice: User, sign_in: SignIn, typed: dict[str, str], field: str, message: str
) -> None:
    client = sign_in(alice)

    response = client.post(ADD, typed)

    assert_refused(response, field, message)
    assert f'value="{typed["name"]}"' in get_page_text(response) or not typed["name"]
    assert client.get(CREATE)["Location"] == ADD
    assert not PasskeyChallenge.objects.exists()


def test_wrong_passwords_are_throttled_as_at_sign_in(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for _guess in range(MAX_PER_BROWSER):
        assert client.post(ADD, {"name": "Key", "own_password": "guess"}).status_code == 422

    assert client.post(ADD, {"name": "Key", "own_password": PASSWORD}).status_code == 429


def test_the_password_counts_for_ten_minutes(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    begin(client)

    with time_machine.travel(timezone.now() + dt.timedelta(minutes=10, seconds=1)):
        assert client.get(CREATE)["Location"] == ADD


@pytest.mark.parametrize(
    "key",
    [
        SecurityKey(origin="https://rides.example.com"),
        SecurityKey(origin=f"{SITE}:8443"),
        SecurityKey(host="other.org"),
    ],
    ids=["another site", "another port", "another relying party"],
)
def test_a_response_of_another_site_adds_nothing(alice: User, sign_in: SignIn, key: SecurityKey) -> None:
    client = sign_in(alice)

    response = send(client, key.create(read_options(begin(client))))

    assert response.status_code == 422
    assert NOT_ADDED in get_page_text(response)
    assert not Passkey.objects.exists()


def test_a_response_without_a_touch_adds_nothing(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)

    response = send(client, SecurityKey().create(read_options(begin(client)), flag=AuthenticatorData.FLAG.UV))

    assert NOT_ADDED in get_page_text(response)
    assert not Passkey.objects.exists()


@pytest.mark.parametrize(
    "response",
    [
        None,
        [],
        {},
        {"id": "AA", "rawId": "AA", "type": "public-key", "response": {}},
        {"id": "AA", "rawId": "AA", "response": {"clientDataJSON": "!", "attestationObject": "AAAA"}},
        {"id": "AA", "rawId": "AA", "response": {"clientDataJSON": "e30", "attestationObject": "nwAA"}},
    ],
)
def test_a_malformed_response_adds_nothing(alice: User, sign_in: SignIn, response: object) -> None:
    client = sign_in(alice)
    begin(client)

    assert send(client, response).status_code == 422
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("text", ["{", "[" * 60_000, '{"id":' * 9_000, "1", "NaN", "9" * 5_000, f'"{"x" * 70_000}"'])
def test_text_that_is_no_json_object_adds_nothing(alice: User, sign_in: SignIn, text: str) -> None:
    client = sign_in(alice)
    begin(client)

    page = client.post(CREATE, {"response": text})

    assert page.status_code == 422
    assert "The browser’s response cannot be read. Try again." in get_page_text(page)


def test_a_challenge_counts_once(alice: User, sign_in: SignIn) -> None:
    """Also after a refusal, and the page that refuses has a new one."""
    client = sign_in(alice)
    options = read_options(begin(client))
    refused = send(client, SecurityKey(origin="https://elsewhere.example").create(options))

    replayed = send(client, SecurityKey().create(options))

    assert USED_BEFORE not in get_page_text(refused)
    assert NOT_ADDED in get_page_text(replayed)
    assert not Passkey.objects.exists()
    assert send(client, SecurityKey().create(read_options(replayed)))["Location"] == LIST


def test_a_challenge_expires(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    options = read_options(begin(client))
    PasskeyChallenge.objects.update(expires_at=timezone.now())

    assert USED_BEFORE in get_page_text(send(client, SecurityKey().create(options)))
    assert dt.timedelta(minutes=10) == CHALLENGE_LIFETIME


def test_a_challenge_counts_only_in_the_browser_that_asked_for_it(alice: User, sign_in: SignIn) -> None:
    client, other = sign_in(alice), sign_in(alice)
    options = read_options(begin(client))
    begin(other)

    assert NOT_ADDED in get_page_text(send(other, SecurityKey().create(options)))


def test_expired_challenges_are_deleted(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    begin(client)
    PasskeyChallenge.objects.update(expires_at=timezone.now())

    client.get(CREATE)

    assert PasskeyChallenge.objects.count() == 1


@pytest.mark.database
def test_a_passkey_belongs_to_one_account_only(alice: User, bob: User, sign_in: SignIn) -> None:
    key = SecurityKey()
    add(sign_in(alice), key)

    client = sign_in(bob)
    page = get_page_text(send(client, key.create(read_options(begin(client)))))

    assert "This passkey has been added already." in page
    assert Passkey.objects.get().user == alice


def test_the_browser_is_told_which_passkeys_the_account_has(alice: User, sign_in: SignIn) -> None:
    client, key = sign_in(alice), SecurityKey()
    store_passkey(alice, key)
    store_passkey(alice, SecurityKey(host="laptop.local"))

    (excluded,) = read_options(begin(client))["excludeCredentials"]

    assert excluded == {"type": "public-key", "id": websafe_encode(key.credential_id)}


def test_an_account_has_at_most_ten(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for _each in range(MAX_PASSKEYS - 1):
        store_passkey(alice, SecurityKey())
    options = read_options(begin(client))
    store_passkey(alice, SecurityKey())  # in another browser

    refused = send(client, SecurityKey().create(options))

    assert "An account can have at most 10 passkeys. Remove one before you add another." in get_page_text(refused)
    assert Passkey.objects.count() == MAX_PASSKEYS
    assert "at most 10 passkeys" in get_page_text(client.get(LIST))
    assert client.get(ADD)["Location"] == LIST


def test_the_first_passkey_ends_sessions_that_needed_only_the_password(alice: User, sign_in: SignIn) -> None:
    client, other = sign_in(alice), sign_in(alice)

    add(client, SecurityKey())

    assert "You are signed out in all other browsers." in get_page_text(client.get(LIST))
    assert is_signed_in(client)
    assert not is_signed_in(other)


def test_a_second_passkey_ends_no_sessions(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    add(client, SecurityKey())
    other = sign_in(alice)

    add(client, SecurityKey(), "Spare key")

    assert is_signed_in(other)
    assert Passkey.objects.count() == 2


def test_it_can_be_renamed(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    passkey = add(client, SecurityKey())
    url = f"{LIST}{passkey.pk}/rename/"
    assert 'value="My phone"' in get_page_text(client.get(url))
    assert_refused(save(client, url, {"name": ""}), "id_name", "Enter a name for the passkey.")

    page = get_page_text(save(client, url, {"name": "Old phone"}, follow=True))

    assert "“My phone” has been renamed." in page
    assert Passkey.objects.get().name == "Old phone"


def test_removing_asks_for_the_password(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    passkey = add(client, SecurityKey())
    url = f"{LIST}{passkey.pk}/remove/"
    assert "It is your only passkey. Without it, your password alone is enough" in get_page_text(client.get(url))
    assert_refused(
        client.post(url, {"own_password": "guess"}),
        "id_own_password",
        "This is not your password. Check it, including capital letters.",
    )
    assert Passkey.objects.exists()

    page = get_page_text(client.post(url, {"own_password": PASSWORD}, follow=True))

    assert "“My phone” has been removed." in page
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("action", ["rename", "remove"])
def test_others_cannot_change_it(alice: User, bob: User, sign_in: SignIn, action: str) -> None:
    """Not even an organiser of the same ride."""
    passkey = add(sign_in(alice), SecurityKey())

    response = sign_in(bob).post(f"{LIST}{passkey.pk}/{action}/", {"name": "Bob’s", "own_password": PASSWORD})

    assert response.status_code == 404
    assert Passkey.objects.get().name == "My phone"


@pytest.mark.parametrize(
    ("address", "party"),
    [
        ("https://rides.example.org", ("rides.example.org", "https://rides.example.org")),
        ("https://Rides.Example.org:443", ("rides.example.org", "https://rides.example.org")),
        ("https://laptop.local:8443", ("laptop.local", "https://laptop.local:8443")),
        ("http://localhost:8000", ("localhost", "http://localhost:8000")),
        ("http://rides.example.org", None),
        ("https://192.168.1.5:8000", None),
        ("https://[fd00::5]:8000", None),
        ("http://127.0.0.1:8000", None),
    ],
)
def test_browsers_use_passkeys_with_https_and_a_name_only(
    settings: Settings, address: str, party: tuple[str, str] | None
) -> None:
    settings.BASE_URL = address

    assert get_relying_party() == party


@pytest.mark.parametrize("address", ["https://192.168.1.5:8000", "http://rides.example.org"])
def test_elsewhere_the_page_says_so_and_offers_nothing(
    alice: User, sign_in: SignIn, settings: Settings, address: str
) -> None:
    client = sign_in(alice)
    begin(client)
    settings.BASE_URL = address

    page = client.get(LIST)

    assert f"This site’s address is {address}, so you cannot add one here." in get_visible_text(page)
    assert f'href="{ADD}"' not in get_page_text(page)
    assert client.post(ADD, {"name": "Key", "own_password": PASSWORD})["Location"] == LIST
    assert client.get(CREATE, follow=True).redirect_chain[-1][0] == LIST


def test_it_asks_for_signing_in(client: Client, db: None) -> None:
    for url in (LIST, ADD, CREATE):
        assert client.get(url)["Location"] == f"/sign-in/?next={url}"


@pytest.mark.slow
@pytest.mark.program
def test_a_process_starts_without_the_library() -> None:
    """It takes a fifth of a second to load, and phones run the same modules without it."""
    code = (
        "import django, sys; django.setup(); import config.urls, scorekeeper.events.views.passkey_sign_in; "
        "sys.exit('fido2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
