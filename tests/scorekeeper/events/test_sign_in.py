"""/sign-in/ and /sign-out/, and the throttling of sign-ins."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.events.browsers import BROWSER_COOKIE
from scorekeeper.events.models import SignInAttempt
from scorekeeper.events.services.sign_in_throttle import (
    BROWSER_WINDOW,
    MAX_FROM_UNKNOWN,
    MAX_PER_BROWSER,
    UNKNOWN_WINDOW,
    get_account_digest,
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

    assert sign_in(client, " ALICE", "guess").status_code == 429


def test_other_accounts_on_the_same_ip_address_are_not_affected(client: Client, alice: User, bob: User) -> None:
    for _guess in range(MAX_PER_BROWSER + 1):
        sign_in(client, "alice", "guess")

    assert sign_in(client, "bob", PASSWORD).status_code == 302


def test_rejected_attempts_do_not_extend_the_wait(client: Client, alice: User) -> None:
    for _guess in range(MAX_PER_BROWSER + 5):
        sign_in(client, "alice", "guess")
    assert SignInAttempt.objects.count() == MAX_PER_BROWSER

    SignInAttempt.objects.update(at=timezone.now() - BROWSER_WINDOW - dt.timedelta(seconds=1))

    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_the_right_password_resets_the_count(client: Client, alice: User) -> None:
    for _guess in range(MAX_PER_BROWSER - 1):
        sign_in(client, "alice", "guess")

    sign_in(client, "alice", PASSWORD)

    assert not SignInAttempt.objects.exists()


def guess(times: int, name: str = "alice") -> list[int]:
    """Guess in a new browser; return the statuses."""
    browser = Client()
    browser.get("/sign-in/")
    return [sign_in(browser, name, "guess").status_code for _guess in range(times)]


def guess_in_new_browsers(times: int, name: str = "alice") -> None:
    """Record this many wrong guesses, each in a new browser."""
    now, account = timezone.now(), get_account_digest(name)
    SignInAttempt.objects.bulk_create(
        SignInAttempt(account_digest=account, browser_digest=str(number), at=now) for number in range(times)
    )


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
        f"{len(in_one):,} in one browser: {in_one.count(422)} checked in {BROWSER_WINDOW.seconds // 60} minutes; "
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
    SignInAttempt.objects.update(at=timezone.now() - UNKNOWN_WINDOW)
    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_a_known_browser_is_never_blocked_by_others(client: Client, alice: User) -> None:
    client.get("/sign-in/")
    sign_in(client, "alice", PASSWORD)
    client.post("/sign-out/")
    guess_in_new_browsers(10 * MAX_FROM_UNKNOWN)
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
    assert SignInAttempt.objects.filter(is_known=False).count() == 0


@pytest.mark.parametrize("cookie", ["", "made:up", "e30:1abc:made-up"])
def test_a_forged_cookie_does_not_make_a_browser_known(client: Client, alice: User, cookie: str) -> None:
    guess_in_new_browsers(MAX_FROM_UNKNOWN)
    client.cookies[BROWSER_COOKIE] = cookie

    assert sign_in(client, "alice", PASSWORD).status_code == 429


def test_an_attempt_stores_no_name(client: Client, db: None) -> None:
    sign_in(client, "my password by mistake", "guess")

    assert "mistake" not in str(SignInAttempt.objects.values())


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
