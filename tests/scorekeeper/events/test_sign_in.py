"""/sign-in/ and /sign-out/, and the throttling of sign-ins."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.common.models import UseCount
from scorekeeper.common.rate_limits import count_use
from scorekeeper.events.browsers import BROWSER_COOKIE, Browser
from scorekeeper.events.services.sign_in_throttle import (
    ALL_NAMES,
    FROM_UNKNOWN,
    MAX_FROM_UNKNOWN,
    MAX_PER_BROWSER,
    NAMES_PER_ADDRESS,
    PER_BROWSER,
    TooManyAttempts,
    get_account_digest,
    record_attempt,
)
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import PASSWORD
from tests.scorekeeper.page_checks import assert_refused, get_page_text

WRONG = "The name or the password is wrong. Check both, including capital letters."


def sign_in(client: Client, username: str, password: str, **extra: str):
    return client.post("/sign-in/", {"username": username, "password": password, **extra})


def is_signed_in(client: Client) -> bool:
    return client.get("/desk/").status_code == 200


def test_an_organiser_signs_in_and_sees_her_events(client: Client, alice: User) -> None:
    assert "Sign in" in get_page_text(client.get("/sign-in/"))

    response = sign_in(client, "alice", PASSWORD)

    assert (response.status_code, response["Location"]) == (302, "/desk/")
    assert is_signed_in(client)


def test_a_next_that_is_no_path_is_no_error(client: Client, alice: User) -> None:
    response = client.post("/sign-in/?next=desk", {"username": "alice", "password": PASSWORD, "next": "desk"})

    assert (response.status_code, response["Location"]) == (302, "desk")
    assert client.get("/sign-in/passkey/?next=desk")["Location"] == "/desk/"


def test_signing_in_returns_to_the_requested_page(client: Client, alice: User) -> None:
    redirect = client.get("/desk/events/new/")
    assert redirect["Location"] == "/sign-in/?next=/desk/events/new/"
    assert 'name="next" value="/desk/events/new/"' in get_page_text(client.get(redirect["Location"]))

    response = sign_in(client, "alice", PASSWORD, next="/desk/events/new/")

    assert response["Location"] == "/desk/events/new/"


def test_signing_in_never_redirects_to_another_site(client: Client, alice: User) -> None:
    response = sign_in(client, "alice", PASSWORD, next="https://elsewhere.example/")

    assert response["Location"] == "/desk/"


@pytest.mark.parametrize("name", ["alice", "nobody"])
def test_a_wrong_password_and_an_unknown_name_get_the_same_response(client: Client, alice: User, name: str) -> None:
    response = sign_in(client, name, "guess")

    assert_refused(response, "id_password", WRONG)
    assert f'value="{name}"' in get_page_text(response)
    assert "guess" not in get_page_text(response)
    assert not is_signed_in(client)


def test_empty_fields_are_named_one_by_one(client: Client, db: None) -> None:
    response = sign_in(client, "", "")

    assert response.status_code == 422
    assert get_page_text(response).count("Enter your name.") == 2
    assert get_page_text(response).count("Enter your password.") == 2


def test_the_eleventh_attempt_in_fifteen_minutes_is_not_checked(client: Client, alice: User) -> None:
    for _guess in range(MAX_PER_BROWSER):
        assert sign_in(client, "alice", "guess").status_code == 422

    response = sign_in(client, "alice", PASSWORD)

    message = "10 wrong passwords were entered for this name. Wait 15 minutes, then try again."
    assert_refused(response, "id_password", message, status=429)
    assert not is_signed_in(client)


def test_writing_the_name_differently_gives_no_more_attempts(client: Client, alice: User) -> None:
    for _guess in range(MAX_PER_BROWSER):
        sign_in(client, "alice", "guess")

    assert sign_in(client, " ａｌｉｃｅ", "guess").status_code == 429


@pytest.mark.timeout(10)  # at a time that grows with the square, it would take longer
def test_a_name_of_very_many_accents_is_answered_at_once(client: Client, db: None) -> None:
    assert sign_in(client, "a" + "\u0323\u0301" * 60_000, "wrong").status_code == 422


def test_other_accounts_on_the_same_ip_address_are_not_affected(client: Client, alice: User, bob: User) -> None:
    for _guess in range(MAX_PER_BROWSER + 1):
        sign_in(client, "alice", "guess")

    assert sign_in(client, "bob", PASSWORD).status_code == 302


def test_rejected_attempts_do_not_extend_the_wait(client: Client, alice: User) -> None:
    began = time.time()
    for minute in (0, 7, 14):
        with time_machine.travel(began + 60 * minute):
            for _guess in range(MAX_PER_BROWSER + 1):
                status = sign_in(client, "alice", "guess").status_code
            assert status == 429

    with time_machine.travel(began + PER_BROWSER.window + 30):
        assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_there_are_never_more_than_ten_attempts_in_any_fifteen_minutes(client: Client, alice: User) -> None:
    """A window that begins anew would let through ten just before its end, and ten more just after it."""
    began = time.time()
    sign_in(client, "alice", "guess")
    checked = 1
    for minute in (14, 15, 16, 28):
        with time_machine.travel(began + 60 * minute + 1):
            checked += [sign_in(client, "alice", "guess").status_code for _guess in range(12)].count(422)

    assert checked == MAX_PER_BROWSER + 1, "of the ten, only the first was more than fifteen minutes ago"


def test_the_right_password_resets_the_count(client: Client, alice: User) -> None:
    for _round in range(2):
        for _guess in range(MAX_PER_BROWSER - 1):
            assert sign_in(client, "alice", "guess").status_code == 422
        assert sign_in(client, "alice", PASSWORD).status_code == 302
        client.post("/sign-out/")


def guess(times: int, name: str = "alice") -> list[int]:
    """Guess in a new browser; return the statuses."""
    browser = Client()
    browser.get("/sign-in/")
    return [sign_in(browser, name, "guess").status_code for _guess in range(times)]


def guess_in_new_browsers(times: int, name: str = "alice") -> None:
    """Record this many wrong guesses, each in a new browser at an address of its own."""
    for number in range(times):
        with suppress(TooManyAttempts):
            record_attempt(name, Browser(id=str(number), address=f"203.0.113.{number}"))


def test_wrong_passwords_in_another_browser_lock_nobody_out(client: Client, alice: User) -> None:
    assert guess(MAX_PER_BROWSER + 2) == [422] * MAX_PER_BROWSER + [429] * 2

    client.get("/sign-in/")
    assert sign_in(client, "alice", PASSWORD).status_code == 302


@pytest.mark.slow
def test_of_many_guesses_few_are_checked_and_neighbours_sign_in(
    client: Client, alice: User, bob: User, figures: Figures
) -> None:
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")
    in_one = guess(scaled(300, 30))
    browsers = scaled(40, 8)
    in_many = [status for _browser in range(browsers) for status in guess(12)]

    checked = in_one.count(422) + in_many.count(422)
    assert in_one.count(422) == MAX_PER_BROWSER
    assert checked <= MAX_FROM_UNKNOWN
    assert checked + in_one.count(429) + in_many.count(429) == len(in_one) + len(in_many)
    assert sign_in(client, "alice", PASSWORD).status_code == 302  # from a browser that is known to the account
    assert sign_in(Client(), "bob", PASSWORD).status_code == 302  # from the same address
    figures.add(
        "29 · guesses at a password",
        f"{len(in_one):,} in one browser: {in_one.count(422)} checked in {PER_BROWSER.window // 60} minutes; "
        f"{len(in_many):,} more in {browsers} others: {in_many.count(422)} checked in an hour. The organiser, in her "
        "own browser, and another, at the same address, signed in",
    )


def test_all_new_browsers_together_have_a_limit(client: Client, alice: User) -> None:
    guess_in_new_browsers(MAX_FROM_UNKNOWN - 1)
    assert guess(2) == [422, 429]

    client.get("/sign-in/")
    response = sign_in(client, "alice", PASSWORD)

    message = "Someone is trying many passwords for this name. Sign in with a browser you have"
    assert response.status_code == 429
    assert message in get_page_text(response)
    with time_machine.travel(time.time() + FROM_UNKNOWN.window + 1):
        assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_a_known_browser_is_never_blocked_by_others(client: Client, alice: User) -> None:
    client.get("/sign-in/")
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")
    guess_in_new_browsers(MAX_FROM_UNKNOWN + 10)
    assert guess(1) == [429]

    assert sign_in(client, "alice", "mistyped").status_code == 422
    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_a_browser_is_known_only_to_accounts_that_signed_in_with_it(client: Client, alice: User, bob: User) -> None:
    client.get("/sign-in/")
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")
    guess_in_new_browsers(MAX_FROM_UNKNOWN, "bob")

    assert sign_in(client, "bob", PASSWORD).status_code == 429


def test_a_known_browser_has_its_own_limit(client: Client, alice: User) -> None:
    client.get("/sign-in/")
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")

    assert [sign_in(client, "alice", "guess").status_code for _guess in range(MAX_PER_BROWSER + 1)] == [
        422
    ] * MAX_PER_BROWSER + [429]
    assert guess(1) == [422], "what is mistyped there does not count for others"
    for _left in range(MAX_FROM_UNKNOWN - 1):
        count_use(FROM_UNKNOWN, get_account_digest("alice"))
    assert guess(1) == [429]


@pytest.mark.parametrize("cookie", ["", "made:up", "e30:1abc:made-up"])
def test_a_forged_cookie_does_not_make_a_browser_known(client: Client, alice: User, cookie: str) -> None:
    guess_in_new_browsers(MAX_FROM_UNKNOWN)
    client.cookies[BROWSER_COOKIE] = cookie

    assert sign_in(client, "alice", PASSWORD).status_code == 429


def test_an_attempt_stores_no_name(client: Client, db: None) -> None:
    sign_in(client, "my password by mistake", "guess")

    assert UseCount.objects.exists()
    assert "mistake" not in str(UseCount.objects.values())


def spray(browsers: list[Client], address: str = "127.0.0.1") -> list[int]:
    """Try one password with forty names, in these browsers by turns; return the statuses."""
    statuses = []
    for number in range(40):
        browser = browsers[number % len(browsers)]
        data = {"username": f"rider{number}", "password": "Password1"}
        statuses.append(browser.post("/sign-in/", data, REMOTE_ADDR=address).status_code)
    return statuses


def make_browsers(count: int) -> list[Client]:
    browsers = [Client() for _browser in range(count)]
    for browser in browsers:
        browser.get("/sign-in/")
    return browsers


@pytest.mark.parametrize("browsers", [1, 40], ids="{} browsers".format)
def test_one_password_cannot_be_tried_with_many_names(db: None, browsers: int) -> None:
    most = ALL_NAMES.most if browsers == 1 else NAMES_PER_ADDRESS.most
    assert spray(make_browsers(browsers)) == [422] * most + [429] * (40 - most)


def test_without_cookies_it_is_one_browser(db: None) -> None:
    assert spray([Client() for _browser in range(40)]).count(422) == ALL_NAMES.most


def test_who_tries_many_names_is_told_when_to_try_again_and_other_addresses_are_not_affected(
    client: Client, alice: User
) -> None:
    spray(make_browsers(1))
    response = sign_in(client, "alice", PASSWORD)
    said = "Too many names or passwords were tried from your connection. Sign in with a browser you have signed in with"
    assert_refused(response, "id_password", f"{said} before, or wait 60 minutes.", status=429)

    answer = client.post("/sign-in/", {"username": "alice", "password": PASSWORD}, REMOTE_ADDR="192.0.2.8")
    assert answer.status_code == 302


def test_many_names_at_its_address_do_not_block_a_known_browser(client: Client, alice: User) -> None:
    client.get("/sign-in/")
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")
    spray(make_browsers(40))

    assert sign_in(client, "alice", "mistyped").status_code == 422
    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_an_account_of_ones_own_gives_no_more_attempts_at_others(client: Client, bob: User) -> None:
    client.get("/sign-in/")
    statuses = []
    for number in range(30):
        statuses.append(sign_in(client, f"rider{number}", "Password1").status_code)
        assert sign_in(client, "bob", PASSWORD).status_code == 302
        client.post("/sign-out/")
    assert statuses.count(422) == ALL_NAMES.most


@pytest.mark.parametrize("alike", ["Alice", "jeßica"])
def test_an_account_with_a_name_that_looks_alike_gives_no_more_attempts(client: Client, db: None, alike: str) -> None:
    """Mallory, who can create accounts by invitations, has one whose name differs by a capital letter or a ß."""
    name = alike.casefold()
    for each in (name, alike):
        User.objects.create_user(each, password=PASSWORD)
    client.get("/sign-in/")
    statuses = []
    for _round in range(MAX_PER_BROWSER + 5):
        statuses.append(sign_in(client, name, "guess").status_code)
        assert sign_in(client, alike, PASSWORD).status_code == 302
        client.post("/sign-out/")
    assert statuses.count(422) == MAX_PER_BROWSER

    guess_in_new_browsers(MAX_FROM_UNKNOWN, name)
    other = Client()
    other.get("/sign-in/")
    sign_in(other, alike, PASSWORD)
    other.post("/sign-out/")
    assert sign_in(other, name, "guess").status_code == 429, "the browser is known to the other account only"


def test_a_whole_club_signs_in_at_one_address(db: None) -> None:
    for number in range(30):
        User.objects.create_user(f"rider{number}", password=PASSWORD)
        browser = Client()
        browser.get("/sign-in/")
        assert sign_in(browser, f"rider{number}", PASSWORD).status_code == 302


def test_over_https_a_message_that_another_host_planted_is_not_shown(client: Client, db: None, settings) -> None:
    """A host of the same domain can set cookies for ours, but none whose name begins with __Host-."""
    text = "You are not signed in. Enter your name and password first."
    planted = client.get("/sign-in/passkey/").cookies["messages"].value
    settings.SESSION_COOKIE_SECURE = True

    client.cookies["messages"] = planted
    assert text not in get_page_text(client.get("/sign-in/", secure=True))

    cookies = client.get("/sign-in/passkey/", secure=True).cookies
    assert list(cookies) == ["__Host-messages"]
    cookie = cookies["__Host-messages"]
    assert (cookie["path"], cookie["domain"], cookie["secure"], cookie["httponly"]) == ("/", "", True, True)
    response = client.get("/sign-in/", secure=True)
    assert text in get_page_text(response)
    assert response.cookies["__Host-messages"].value == ""


def test_signing_out_needs_a_post(client: Client, alice: User) -> None:
    client.force_login(alice)

    assert client.get("/sign-out/").status_code == 405
    assert is_signed_in(client)

    assert client.post("/sign-out/")["Location"] == "/"
    assert not is_signed_in(client)


def test_signing_out_everywhere_ends_all_sessions_of_the_organiser_and_no_others(
    client: Client, alice: User, bob: User
) -> None:
    other, bobs = Client(), Client()
    for browser, name in ((client, "alice"), (other, "alice"), (bobs, "bob")):
        sign_in(browser, name, PASSWORD)
    assert "Sign out everywhere" in get_page_text(client.get("/account/"))
    assert "Crew phones stay signed in" in get_page_text(client.get("/sign-out/everywhere/"))
    assert is_signed_in(other)

    response = client.post("/sign-out/everywhere/", follow=True)

    assert "You are signed out in every browser, and your access tokens are revoked." in get_page_text(response)
    assert [is_signed_in(browser) for browser in (client, other, bobs)] == [False, False, True]
    assert other.get("/sign-out/everywhere/")["Location"].startswith("/sign-in/")


def test_changing_the_password_ends_existing_sessions(client: Client, alice: User) -> None:
    sign_in(client, "alice", PASSWORD)
    alice.set_password("another one, and long")
    alice.save()
    assert not is_signed_in(client)
