"""Inviting an organiser by link: /desk/events/<slug>/organisers/invite/ and /invited/<token>/."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.common.qr import make_qr_code
from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.forms.accounts import NAMES_TRIED
from scorekeeper.events.models import AccountLink, Event
from scorekeeper.events.services.account_links import (
    LinkUnusable,
    accept_invite,
    accept_invite_with_new_account,
    create_invite,
    create_setup_link,
)
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.events.services.sign_in_throttle import MAX_PER_BROWSER
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import (
    GOOD_PASSWORD,
    OWN_PASSWORD,
    can_sign_in,
    describe_account,
    is_signed_in,
)
from tests.scorekeeper.page_checks import assert_refused, get_page_text


def make_link(event: Event, by: User) -> str:
    _link, token = create_invite(event, by)
    return f"/invited/{token}/"


def list_names(event: Event) -> list[str]:
    return sorted(event.organisers.values_list("user__username", flat=True))


def test_the_link_is_shown_once_with_a_code_to_scan(event: Event, alice: User, sign_in: SignIn, settings) -> None:
    settings.BASE_URL = "https://rides.example.org"
    client = sign_in(alice)

    response = client.post(f"/desk/events/{event.slug}/organisers/invite/", OWN_PASSWORD)

    page = get_page_text(response)
    match = re.search(r'value="(https://rides\.example\.org/invited/([A-Za-z0-9_-]{43})/)"', page)
    assert match
    link = AccountLink.objects.get()
    assert link.token_digest == hash_token(match[2])
    assert (link.event, link.created_by) == (event, alice)
    assert dt.timedelta(days=6) < link.expires_at - timezone.now() <= dt.timedelta(days=7)
    assert make_qr_code(match[1]).path in page
    listed = get_page_text(client.get(f"/desk/events/{event.slug}/organisers/"))
    assert "alice created a link on" in listed
    assert match[2] not in listed


def test_an_invited_person_creates_an_account_and_organises_the_event(event: Event, alice: User) -> None:
    link, client = make_link(event, alice), Client()
    page = get_page_text(client.get(link))
    assert "alice invites you to help organise Rock the Roll on 20 June 2026." in page

    response = client.post(link, describe_account("dora"), follow=True)

    assert response.redirect_chain == [(f"/desk/events/{event.slug}/", 302)]
    assert "You are now an organiser of Rock the Roll." in get_page_text(response)
    assert list_names(event) == ["alice", "bob", "dora"]
    assert can_sign_in("dora", GOOD_PASSWORD)


def test_an_invited_person_signs_in_with_the_account_they_have(event: Event, alice: User, charlie: User) -> None:
    link, client = make_link(event, alice), Client()
    page = get_page_text(client.get(f"{link}sign-in/"))
    assert "Sign in to your account to organise Rock the Roll." in page

    response = client.post(f"{link}sign-in/", {"username": "charlie", "password": PASSWORD})

    assert response["Location"] == link
    assert list_names(event) == ["alice", "bob"], "signing in does not use the link"
    assert "You are signed in as charlie." in get_page_text(client.get(link))
    response = client.post(link, {"accept": "yes"})
    assert response["Location"] == f"/desk/events/{event.slug}/"
    assert list_names(event) == ["alice", "bob", "charlie"]


def test_passwords_are_throttled_there_too(event: Event, alice: User, charlie: User, client: Client) -> None:
    address = f"{make_link(event, alice)}sign-in/"
    for _guess in range(MAX_PER_BROWSER):
        assert client.post(address, {"username": "charlie", "password": "guess"}).status_code == 422

    assert client.post(address, {"username": "charlie", "password": PASSWORD}).status_code == 429


def test_nobody_learns_from_it_which_names_of_a_list_exist(event: Event, alice: User, bob: User) -> None:
    """The form has to say that a name is taken; but not for a list of names, whatever the number of links."""
    for number in range(NAMES_TRIED.most):
        link = make_link(event, alice)
        response = Client().post(link, describe_account(f"nobody{number}", "short"))
        assert response.status_code == 422
    answers = [Client().post(link, describe_account(name, "short")) for name in ("bob", "nobody")]

    assert [response.status_code for response in answers] == [429, 429]
    page, other = (re.sub(r'csrfmiddlewaretoken" value="\w+"', "", get_page_text(response)) for response in answers)
    assert page.replace("bob", "nobody") == other
    assert "Too many names were tried with invitations of the same person. Wait 60 minutes, then try" in page
    assert 'value="bob"' in get_page_text(answers[0])
    assert Client().post(link, describe_account("dora")).status_code == 429
    assert Client().post(make_link(event, bob), describe_account("dora")).status_code == 302


@pytest.mark.parametrize("name", ["ALICE", "jÜrgen", "weiß"])
def test_a_name_that_differs_from_anothers_only_in_case_is_taken(event: Event, alice: User, name: str) -> None:
    """People would take one for the other, in an invitation for example."""
    for taken in ("jürgen", "WEISS"):
        User.objects.create(username=taken)

    response = Client().post(make_link(event, alice), describe_account(name))

    assert_refused(response, "id_username", "Someone already has this name. Choose another one.")


def test_an_organiser_who_opens_the_link_does_not_use_it(
    event: Event, alice: User, bob: User, client: Client, sign_in: SignIn
) -> None:
    link = make_link(event, alice)

    for response in (sign_in(bob).get(link, follow=True), sign_in(bob).post(link, follow=True)):
        assert response.redirect_chain[0][0] == f"/desk/events/{event.slug}/"
        assert "The invitation has not been used." in get_page_text(response)

    assert client.post(link, describe_account("dora")).status_code == 302


def test_the_link_works_for_one_person(event: Event, alice: User, charlie: User, sign_in: SignIn) -> None:
    link, dora = make_link(event, alice), Client()
    dora.post(link, describe_account("dora"))

    stranger, charlies = Client(), sign_in(charlie)
    for response in (
        stranger.get(link),
        stranger.post(link, describe_account("mallory")),
        stranger.get(f"{link}sign-in/"),
        charlies.get(link),
        charlies.post(link, {"accept": "yes"}),
    ):
        assert response.status_code == 410
        assert "This link has been used" in get_page_text(response)
    assert list_names(event) == ["alice", "bob", "dora"]
    assert not User.objects.filter(username="mallory").exists()
    assert dora.get(link)["Location"] == f"/desk/events/{event.slug}/", "who used it wants to continue"


def test_an_organiser_withdraws_the_link(event: Event, alice: User, bob: User, sign_in: SignIn, client: Client) -> None:
    link = make_link(event, alice)
    invite = AccountLink.objects.get()
    desk = sign_in(bob)

    response = desk.post(f"/desk/events/{event.slug}/organisers/invitations/{invite.pk}/withdraw/", follow=True)

    assert "The invitation has been withdrawn." in get_page_text(response)
    assert "It has not been used" not in get_page_text(response)
    for response in (client.get(link), client.post(link, describe_account("dora"))):
        assert response.status_code == 410
        assert "until it is withdrawn" in get_page_text(response)


def test_a_link_of_another_event_cannot_be_withdrawn(
    event: Event, other_event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    create_invite(other_event, charlie)
    foreign = AccountLink.objects.get()

    response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/invitations/{foreign.pk}/withdraw/")

    assert response.status_code == 404
    foreign.refresh_from_db()
    assert foreign.is_usable()


def test_the_invitations_of_an_organiser_end_when_they_are_removed(
    event: Event, alice: User, bob: User, client: Client
) -> None:
    bobs, alices = make_link(event, bob), make_link(event, alice)

    remove_organiser(event.organisers.get(user=bob))

    assert client.post(bobs, describe_account("bob2")).status_code == 410
    assert client.get(alices).status_code == 200


def test_a_name_that_someone_has_is_refused_and_the_link_still_works(
    event: Event, alice: User, charlie: User, client: Client
) -> None:
    link = make_link(event, alice)

    response = client.post(link, describe_account("CHARLIE"))

    assert_refused(response, "id_username", "Someone already has this name. Choose another one.")
    assert client.post(link, describe_account("charlotte")).status_code == 302
    assert list_names(event) == ["alice", "bob", "charlotte"]


def test_the_link_ends_after_a_week(event: Event, alice: User, client: Client) -> None:
    link = make_link(event, alice)
    AccountLink.objects.update(expires_at=timezone.now())

    assert client.get(link).status_code == 410
    assert client.post(link, describe_account("dora")).status_code == 410
    assert list_names(event) == ["alice", "bob"]


@pytest.mark.parametrize("page", ["", "sign-in/"])
def test_an_unknown_link_says_what_to_do(db: None, client: Client, page: str) -> None:
    response = client.get(f"/invited/unknown/{page}")

    assert response.status_code == 404
    assert "ask for a new one" in get_page_text(response)


def test_the_link_of_an_event_that_is_deleted_at_that_moment_is_unknown(
    event: Event, alice: User, charlie: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_then_accept(link: AccountLink, user: User) -> None:
        AccountLink.objects.filter(pk=link.pk).delete()
        accept_invite(link, user)

    monkeypatch.setattr("scorekeeper.events.services.account_links.accept_invite", delete_then_accept)

    response = sign_in(charlie).post(make_link(event, alice))

    assert response.status_code == 404
    assert list_names(event) == ["alice", "bob"]


def test_a_set_up_link_is_no_invitation(client: Client, db: None) -> None:
    _link, token = create_setup_link()

    assert client.get(f"/invited/{token}/").status_code == 404


def test_the_url_is_hidden_from_other_sites_caches_and_search_engines(
    event: Event, alice: User, client: Client
) -> None:
    link = make_link(event, alice)

    for response in (client.get(link), client.get(f"{link}sign-in/"), client.post(link, describe_account("dora"))):
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cache-Control"] == "private, no-store"
        assert response["X-Robots-Tag"] == "noindex"
    assert is_signed_in(client)


def run_at_once(*actions: Callable[[], object]) -> list[object]:
    """Run the actions in threads that start together, and return their results or what they raised."""
    start = threading.Barrier(len(actions))
    outcomes: list[object] = []

    def run(action: Callable[[], object]) -> None:
        start.wait()
        try:
            outcomes.append(action())
        except (LinkUnusable, ValidationError) as error:
            outcomes.append(error)
        finally:
            connection.close()

    people = [threading.Thread(target=run, args=[action]) for action in actions]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert len(outcomes) == len(actions)
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_only_one_of_eight_people_at_once_is_let_in(event: Event, alice: User) -> None:
    create_invite(event, alice)
    link = AccountLink.objects.select_related("event").get()
    guests = [User.objects.create(username=f"guest{number}") for number in range(8)]

    outcomes = run_at_once(*(partial(accept_invite, link, guest) for guest in guests))

    assert outcomes.count(event) == 1
    assert event.organisers.count() == 3


@pytest.mark.django_db(transaction=True)
def test_of_people_who_choose_one_name_at_once_one_gets_it_and_the_links_of_the_others_still_work(
    event: Event, alice: User
) -> None:
    for _guest in range(4):
        create_invite(event, alice)
    links = AccountLink.objects.select_related("event")

    outcomes = run_at_once(*(partial(accept_invite_with_new_account, link, "dora", GOOD_PASSWORD) for link in links))

    refused = [outcome for outcome in outcomes if isinstance(outcome, ValidationError)]
    assert len(refused) == 3
    assert all("username" in error.message_dict for error in refused)
    assert list_names(event) == ["alice", "bob", "dora"]
    assert AccountLink.objects.usable().count() == 3
