"""/account/: changing the password and ending sessions."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.services.sign_in_throttle import MAX_PER_BROWSER
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, can_sign_in, describe_password, is_signed_in
from tests.scorekeeper.page_checks import assert_refused, get_page_text


def describe_change(current: str = PASSWORD, password: str = GOOD_PASSWORD, again: str | None = None) -> dict[str, str]:
    return {"old_password": current, **describe_password(password, again)}


def test_it_is_linked_from_the_header_of_the_organisers_pages(alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get("/desk/"))

    assert 'href="/account/"' in page


def test_changing_the_password_ends_the_other_sessions_and_this_one_stays(
    alice: User, bob: User, sign_in: SignIn
) -> None:
    here, elsewhere, bobs = sign_in(alice), sign_in(alice), sign_in(bob)

    response = here.post("/account/", describe_change(), follow=True)

    assert "Your password has been changed." in get_page_text(response)
    assert [is_signed_in(browser) for browser in (here, elsewhere, bobs)] == [True, False, True]
    assert can_sign_in("alice", GOOD_PASSWORD)
    assert not can_sign_in("alice", PASSWORD)


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        (describe_change(""), "id_old_password", "Enter your current password."),
        (
            describe_change("guess"),
            "id_old_password",
            "Your current password is wrong. Check it, including capital letters.",
        ),
        (describe_change(password=""), "id_new_password1", "Enter a password."),
        (describe_change(password="alice1234"), "id_new_password1", "The password is too similar to the username."),
        (describe_change(again=""), "id_new_password2", "Enter the password again."),
    ],
)
def test_what_is_wrong_is_explained_and_nothing_changes(
    alice: User, sign_in: SignIn, typed: dict[str, str], field: str, message: str
) -> None:
    client = sign_in(alice)

    assert_refused(client.post("/account/", typed), field, message)
    assert can_sign_in("alice", PASSWORD)


def test_guessing_the_current_password_is_throttled(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for _guess in range(MAX_PER_BROWSER):
        assert client.post("/account/", describe_change("guess")).status_code == 422

    response = client.post("/account/", describe_change())

    message = "10 wrong passwords were entered for this name. Wait 15 minutes, then try again."
    assert_refused(response, "id_old_password", message, status=429)
    assert not can_sign_in("alice", PASSWORD), "guesses on both pages count together"


def test_signing_out_everywhere_is_offered(alice: User, sign_in: SignIn) -> None:
    assert 'href="/sign-out/everywhere/"' in get_page_text(sign_in(alice).get("/account/"))


def test_it_needs_somebody_who_is_signed_in(client: Client, db: None) -> None:
    assert client.get("/account/")["Location"] == "/sign-in/?next=/account/"
