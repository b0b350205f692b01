"""/account/tokens/: creating, listing and revoking the tokens of programs."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.models import AccessToken
from scorekeeper.events.selectors import get_access_token
from scorekeeper.events.services.access_tokens import create_access_token, record_token_use
from scorekeeper.events.services.account_links import create_reset_link, use_reset_link
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, OWN_PASSWORD
from tests.scorekeeper.page_checks import assert_refused, get_page_text

URL = "/account/tokens/"
FORM = {"name": "Club website", "scope": "read", "lifetime": "30", **OWN_PASSWORD}


def add_token(user: User, name: str = "Club website") -> AccessToken:
    return create_access_token(user, name, AccessToken.Scope.READ, dt.timedelta(days=30))[0]


def test_a_created_token_is_shown_once_and_stored_as_a_digest(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)

    page = get_page_text(client.post(URL, FORM))
    (secret,) = re.findall(r"tgp_[\w-]{40,}", page)

    token = get_access_token(secret)
    assert token is not None
    assert (token.user, token.name, token.scope) == (alice, "Club website", "read")
    assert dt.timedelta(days=29) < token.expires_at - token.created_at < dt.timedelta(days=31)
    stored = [str(value) for value in AccessToken.objects.values_list().get()]
    assert hash_token(secret) in stored
    assert secret not in stored
    assert secret not in get_page_text(client.get(URL))


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({**FORM, "name": ""}, "id_name", "Enter what the token is for."),
        ({**FORM, "lifetime": "10000"}, "id_lifetime", "Select a valid choice. 10000 is not one of the available"),
        ({**FORM, "scope": "everything"}, "id_scope", "Value ‘everything’ is not a valid choice."),
    ],
)
def test_what_is_wrong_is_explained_and_nothing_is_created(
    alice: User, sign_in: SignIn, typed: dict[str, str], field: str, message: str
) -> None:
    response = sign_in(alice).post(URL, typed)

    assert response.status_code == 422
    assert not AccessToken.objects.exists()
    if field == "id_name":
        assert_refused(response, field, message)


def test_the_list_says_what_each_token_may_do_and_when_it_was_used(alice: User, bob: User, sign_in: SignIn) -> None:
    used, _unused, old = add_token(alice, "Website"), add_token(alice, "Spreadsheet"), add_token(alice, "Old one")
    add_token(bob, "Bob’s own")
    record_token_use(used)
    AccessToken.objects.filter(pk=old.pk).update(expires_at=old.created_at)

    page = get_page_text(sign_in(alice).get(URL))

    for text in ("Website", "Spreadsheet", "Old one", "Read what you can see", "Not yet", "Works until", "Expired on"):
        assert text in page
    assert "Bob’s own" not in page
    assert page.count(f"{used.created_at.year}") > 3


def test_the_last_use_is_written_once_a_minute(alice: User) -> None:
    token = add_token(alice)
    record_token_use(token)
    first = token.last_used_at
    record_token_use(token)
    assert token.last_used_at == first is not None

    token.last_used_at = first - dt.timedelta(minutes=1)
    record_token_use(token)
    assert AccessToken.objects.get().last_used_at == token.last_used_at > first


def test_revoking_asks_first_and_ends_only_an_own_token(alice: User, bob: User, sign_in: SignIn) -> None:
    token = add_token(alice)
    url = f"{URL}{token.pk}/revoke/"
    assert sign_in(bob).post(url).status_code == 404

    client = sign_in(alice)
    assert "Revoke “Club website”?" in get_page_text(client.get(url))
    assert AccessToken.objects.get().is_usable
    page = get_page_text(client.post(url, follow=True))

    assert "“Club website” has been revoked." in page
    assert "Revoked on" in page
    assert not AccessToken.objects.get().is_usable


def test_a_new_password_by_a_link_ends_the_tokens(alice: User) -> None:
    """Someone else may have created them: the link is how an account is recovered."""
    add_token(alice)
    use_reset_link(create_reset_link(alice, None)[0], GOOD_PASSWORD)

    assert not AccessToken.objects.get().is_usable


def test_it_asks_for_signing_in(client: Client, db: None) -> None:
    assert client.get(URL).status_code == 302
