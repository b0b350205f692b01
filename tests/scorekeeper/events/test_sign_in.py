"""/sign-in/ and /sign-out/, and how guessing is slowed down."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import SignInAttempt
from scorekeeper.events.services.sign_in import MOST, WITHIN
from tests.scorekeeper.conftest import PASSWORD
from tests.scorekeeper.pages import assert_refused, text_of

WRONG = "This name and this password do not go together. Check both; capital letters matter."


def sign_in(client: Client, username: str, password: str, **more: str):
    return client.post("/sign-in/", {"username": username, "password": password, **more})


def is_signed_in(client: Client) -> bool:
    return client.get("/desk/").status_code == 200


def test_an_organiser_signs_in_and_sees_her_events(client: Client, alice: User) -> None:
    assert "Sign in" in text_of(client.get("/sign-in/"))

    response = sign_in(client, "alice", PASSWORD)

    assert (response.status_code, response["Location"]) == (302, "/desk/")
    assert is_signed_in(client)


def test_she_comes_back_to_the_page_she_wanted(client: Client, alice: User) -> None:
    asked = client.get("/desk/events/new/")
    assert asked["Location"] == "/sign-in/?next=/desk/events/new/"
    assert 'name="next" value="/desk/events/new/"' in text_of(client.get(asked["Location"]))

    response = sign_in(client, "alice", PASSWORD, next="/desk/events/new/")

    assert response["Location"] == "/desk/events/new/"


def test_nobody_is_led_to_another_site(client: Client, alice: User) -> None:
    response = sign_in(client, "alice", PASSWORD, next="https://elsewhere.example/")

    assert response["Location"] == "/desk/"


@pytest.mark.parametrize("name", ["alice", "nobody"])
def test_a_wrong_password_and_an_unknown_name_are_answered_alike(client: Client, alice: User, name: str) -> None:
    response = sign_in(client, name, "guess")

    assert_refused(response, "id_password", WRONG)
    assert f'value="{name}"' in text_of(response)
    assert "guess" not in text_of(response)
    assert not is_signed_in(client)


def test_empty_fields_are_named_one_by_one(client: Client, db: None) -> None:
    response = sign_in(client, "", "")

    assert response.status_code == 422
    assert text_of(response).count("Enter your name.") == 2
    assert text_of(response).count("Enter your password.") == 2


def test_the_eleventh_guess_in_a_quarter_of_an_hour_is_not_even_looked_at(client: Client, alice: User) -> None:
    for _guess in range(MOST):
        assert sign_in(client, "alice", "guess").status_code == 422

    response = sign_in(client, "alice", PASSWORD)

    message = "There were 10 wrong passwords for this name. Wait a quarter of an hour, then try again."
    assert_refused(response, "id_password", message, status=429)
    assert not is_signed_in(client)


def test_writing_the_name_differently_gives_no_further_guesses(client: Client, alice: User) -> None:
    for _guess in range(MOST):
        sign_in(client, "alice", "guess")

    assert sign_in(client, " ALICE", "guess").status_code == 429


def test_neighbours_on_the_same_address_are_not_affected(client: Client, alice: User, bob: User) -> None:
    for _guess in range(MOST + 1):
        sign_in(client, "alice", "guess")

    assert sign_in(client, "bob", PASSWORD).status_code == 302


def test_refused_guesses_do_not_prolong_the_wait(client: Client, alice: User) -> None:
    for _guess in range(MOST + 5):
        sign_in(client, "alice", "guess")
    assert SignInAttempt.objects.count() == MOST

    SignInAttempt.objects.update(at=timezone.now() - WITHIN - dt.timedelta(seconds=1))

    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_the_right_password_starts_the_count_afresh(client: Client, alice: User) -> None:
    for _guess in range(MOST - 1):
        sign_in(client, "alice", "guess")

    sign_in(client, "alice", PASSWORD)

    assert not SignInAttempt.objects.exists()


def test_no_name_is_kept_of_an_attempt(client: Client, db: None) -> None:
    sign_in(client, "my password by mistake", "guess")

    assert "mistake" not in str(SignInAttempt.objects.values())


def test_signing_out_takes_a_button_not_a_link(client: Client, alice: User) -> None:
    client.force_login(alice)

    assert client.get("/sign-out/").status_code == 405
    assert is_signed_in(client)

    assert client.post("/sign-out/")["Location"] == "/"
    assert not is_signed_in(client)
