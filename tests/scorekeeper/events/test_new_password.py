"""A forgotten password: /desk/events/<slug>/organisers/<id>/reset-password/ and /new-password/<token>/.

Alice and Bob organise one ride together. Charlie organises another.
"""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import AccountLink, Event, Organiser
from scorekeeper.events.services.account_links import ResetNotAllowed, create_reset_link
from scorekeeper.events.services.events import add_organiser, remove_organiser
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import (
    GOOD_PASSWORD,
    OWN_PASSWORD,
    can_sign_in,
    describe_password,
    is_signed_in,
)
from tests.scorekeeper.page_checks import assert_refused, get_page_text


def get_page(event: Event, user: User) -> str:
    """Return the URL of the page on which a co-organiser creates the link for the user."""
    return f"/desk/events/{event.slug}/organisers/{event.organisers.get(user=user).pk}/reset-password/"


def make_link(user: User, by: User | None) -> str:
    _link, token = create_reset_link(user, by)
    return f"/new-password/{token}/"


def sign_in_as(name: str, password: str) -> str:
    """Sign in with a new browser and return the text of the first page."""
    return get_page_text(Client().post("/sign-in/", {"username": name, "password": password}, follow=True))


def test_a_co_organiser_creates_a_link_and_it_gives_a_new_password(
    event: Event, alice: User, bob: User, sign_in: SignIn, client: Client
) -> None:
    alices_desk, bobs_desk = sign_in(alice), sign_in(bob)
    assert "Create a link for a new password for bob?" in get_page_text(alices_desk.get(get_page(event, bob)))
    assert not AccountLink.objects.exists()

    page = get_page_text(alices_desk.post(get_page(event, bob), OWN_PASSWORD))

    match = re.search(r'value="http://[^/"]+(/new-password/[A-Za-z0-9_-]{43}/)"', page)
    assert match
    link = AccountLink.objects.get()
    assert dt.timedelta(hours=23) < link.expires_at - timezone.now() <= dt.timedelta(hours=24)
    assert match[1].split("/")[2] not in str(AccountLink.objects.values())
    assert is_signed_in(bobs_desk), "creating the link changes nothing"
    assert "For the account bob. alice created this link." in get_page_text(client.get(match[1]))
    response = client.post(match[1], describe_password())
    assert response["Location"] == "/sign-in/"
    assert can_sign_in("bob", GOOD_PASSWORD)
    assert not can_sign_in("bob", PASSWORD)
    assert not is_signed_in(bobs_desk)
    assert not is_signed_in(client)
    assert is_signed_in(alices_desk)


def test_the_person_sees_at_the_next_sign_in_who_created_it(event: Event, alice: User, bob: User) -> None:
    assert "created a link" not in sign_in_as("bob", PASSWORD)
    link = make_link(bob, alice)

    assert "alice created a link for a new password for you on" in sign_in_as("bob", PASSWORD)
    assert "created a link" not in sign_in_as("bob", PASSWORD), "once is enough"

    Client().post(link, describe_password())
    page = sign_in_as("bob", GOOD_PASSWORD)
    assert "alice created a link for a new password for you on" in page
    assert "It was used on" in page
    assert "created a link" not in sign_in_as("bob", GOOD_PASSWORD)


def test_the_account_page_names_every_such_link(event: Event, alice: User, bob: User, sign_in: SignIn) -> None:
    make_link(bob, None)
    make_link(bob, alice)

    page = get_page_text(sign_in(bob).get("/account/"))

    assert re.search(r"Created by alice on [^.]*\. Not used\. Changing your password ends it\.", page)
    assert re.search(r"Created by the person who runs this site on [^.]*\. Not used, and no longer works\.", page)


def test_a_co_organiser_of_one_ride_cannot_get_into_another(
    event: Event, other_event: Event, alice: User, bob: User, sign_in: SignIn
) -> None:
    add_organiser(other_event, bob, has_accepted=True)
    desk = sign_in(alice)

    response = desk.get(get_page(event, bob))
    assert "You can’t give bob a new password" in get_page_text(response)
    assert "manage.py organiser bob --reset" in get_page_text(response)
    assert other_event.name not in get_page_text(response)
    assert desk.post(get_page(event, bob), OWN_PASSWORD).status_code == 422
    with pytest.raises(ResetNotAllowed):
        create_reset_link(bob, alice)
    assert not AccountLink.objects.exists()

    add_organiser(other_event, alice, has_accepted=True)
    assert desk.post(get_page(event, bob), OWN_PASSWORD).status_code == 200


@pytest.mark.parametrize("change", ["bob organises another ride", "alice was removed", "bob was removed"])
def test_the_link_no_longer_works_once_its_creator_may_not_create_it(
    event: Event, other_event: Event, alice: User, bob: User, charlie: User, client: Client, change: str
) -> None:
    add_organiser(event, charlie, has_accepted=True)
    link = make_link(bob, alice)
    match change:
        case "bob organises another ride":
            add_organiser(other_event, bob, has_accepted=True)
        case "alice was removed":
            remove_organiser(Organiser.objects.get(event=event, user=alice))
        case "bob was removed":
            remove_organiser(Organiser.objects.get(event=event, user=bob))

    for response in (client.get(link), client.post(link, describe_password())):
        assert response.status_code == 410
        assert "This link no longer works" in get_page_text(response)
    assert can_sign_in("bob", PASSWORD)


def test_nobody_creates_a_link_for_themselves_or_for_a_stranger(
    event: Event, other_event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    """Otherwise a browser that was left signed in would be enough to take over the account."""
    desk = sign_in(alice)
    foreign = other_event.organisers.get().pk

    assert desk.post(get_page(event, alice), OWN_PASSWORD)["Location"] == "/account/"
    assert desk.post(f"/desk/events/{event.slug}/organisers/{foreign}/reset-password/", OWN_PASSWORD).status_code == 404
    for user in (alice, charlie):
        with pytest.raises(ResetNotAllowed):
            create_reset_link(user, alice)
    assert not AccountLink.objects.exists()


def test_the_operators_link_works_for_everyone(event: Event, other_event: Event, bob: User, client: Client) -> None:
    add_organiser(other_event, bob, has_accepted=True)
    link = make_link(bob, None)

    assert "The person who runs this site created this link." in get_page_text(client.get(link))
    assert client.post(link, describe_password()).status_code == 302
    assert "The person who runs this site created a link for a new password" in sign_in_as("bob", GOOD_PASSWORD)


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        (describe_password(""), "id_new_password1", "Enter a password."),
        (describe_password("12345678"), "id_new_password1", "This password is too common."),
        (
            describe_password(GOOD_PASSWORD, "another"),
            "id_new_password2",
            "The two passwords are different. Enter the same password twice.",
        ),
    ],
)
def test_a_bad_password_is_explained_and_the_link_still_works(
    event: Event, alice: User, bob: User, client: Client, typed: dict[str, str], field: str, message: str
) -> None:
    link = make_link(bob, alice)

    assert_refused(client.post(link, typed), field, message)
    assert can_sign_in("bob", PASSWORD)
    assert client.post(link, describe_password()).status_code == 302


def test_the_link_works_once_and_for_a_day_and_until_a_newer_one(
    event: Event, alice: User, bob: User, client: Client
) -> None:
    older, link = make_link(bob, alice), make_link(bob, alice)
    assert client.post(older, describe_password("never to be used")).status_code == 410

    assert client.post(link, describe_password()).status_code == 302
    response = client.post(link, describe_password("never to be used"))
    assert response.status_code == 410
    assert "This link has been used" in get_page_text(response)

    late = make_link(bob, alice)
    AccountLink.objects.update(expires_at=timezone.now())
    assert client.post(late, describe_password("never to be used")).status_code == 410
    assert can_sign_in("bob", GOOD_PASSWORD)


def test_changing_the_password_ends_an_unused_link(
    event: Event, alice: User, bob: User, sign_in: SignIn, client: Client
) -> None:
    link = make_link(bob, alice)

    sign_in(bob).post("/account/", {"old_password": PASSWORD, **describe_password()})

    assert client.post(link, describe_password("never to be used")).status_code == 410
    assert can_sign_in("bob", GOOD_PASSWORD)


def test_an_unknown_link_says_what_to_do(client: Client, db: None) -> None:
    response = client.get("/new-password/unknown/")

    assert response.status_code == 404
    assert "We don’t know this link" in get_page_text(response)


def test_the_url_is_hidden_from_other_sites_caches_and_search_engines(
    event: Event, alice: User, bob: User, client: Client
) -> None:
    link = make_link(bob, alice)

    for response in (client.get(link), client.get("/new-password/unknown/"), client.post(link, describe_password())):
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cache-Control"] == "private, no-store"
        assert response["X-Robots-Tag"] == "noindex"
