"""Forms that ask for one's own password again: making a token, inviting by name or link, and a link for a new password.

A browser that somebody left signed in is not enough for any of them.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from scorekeeper.events.models import AccessToken, AccountLink, Event, OrganiserInvitation
from scorekeeper.events.services.sign_in_throttle import MAX_PER_BROWSER
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import can_sign_in
from tests.scorekeeper.page_checks import assert_refused, get_page_text

Form = Callable[[Event, User], tuple[str, dict[str, str]]]

FORMS: dict[str, Form] = {
    "a token": lambda _event, _bob: ("/account/tokens/", {"name": "Website", "scope": "read", "lifetime": "30"}),
    "an invitation by name": lambda event, _bob: (f"/desk/events/{event.slug}/organisers/", {"username": "dora"}),
    "an invitation by link": lambda event, _bob: (f"/desk/events/{event.slug}/organisers/invite/", {}),
    "a new password": lambda event, bob: (
        f"/desk/events/{event.slug}/organisers/{event.organisers.get(user=bob).pk}/reset-password/",
        {},
    ),
}


def count_made() -> int:
    return sum(model.objects.count() for model in (AccessToken, AccountLink, OrganiserInvitation))


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_made_without_the_own_password(
    event: Event, alice: User, bob: User, sign_in: SignIn, form: str
) -> None:
    url, typed = FORMS[form](event, bob)
    client = sign_in(alice)
    field = "id_link_own_password" if form == "an invitation by link" else "id_own_password"

    assert_refused(client.post(url, {**typed, "own_password": ""}), field, "Enter your password.")
    response = client.post(url, {**typed, "own_password": "guess"})
    assert_refused(response, field, "This is not your password. Check it, including capital letters.")
    assert 'value="guess"' not in get_page_text(response)
    assert count_made() == 0

    client.post(url, {**typed, "own_password": PASSWORD})
    assert count_made() == 1


@pytest.mark.parametrize("form", FORMS)
def test_guesses_are_throttled_as_at_sign_in(event: Event, alice: User, bob: User, sign_in: SignIn, form: str) -> None:
    url, typed = FORMS[form](event, bob)
    client = sign_in(alice)
    for _guess in range(MAX_PER_BROWSER):
        assert client.post(url, {**typed, "own_password": "guess"}).status_code == 422

    assert client.post(url, {**typed, "own_password": PASSWORD}).status_code == 429
    assert count_made() == 0
    assert not can_sign_in("alice", PASSWORD), "guesses on all pages count together"
