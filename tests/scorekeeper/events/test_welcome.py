"""/welcome/<token>/: the first organiser of a new installation."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import AccountLink
from scorekeeper.events.services.account_links import (
    AlreadySetUp,
    LinkUnusable,
    create_invite,
    create_setup_link,
    use_setup_link,
)
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, can_sign_in, describe_account, is_signed_in
from tests.scorekeeper.page_checks import assert_refused, get_page_text

pytestmark = pytest.mark.django_db
FIRST_RUN = "Nobody has an account here yet"


def make_link() -> str:
    _link, token = create_setup_link()
    return f"/welcome/{token}/"


def test_the_first_organiser_chooses_a_name_and_a_password_and_goes_on_to_the_first_ride(client: Client) -> None:
    response = client.post(make_link(), describe_account("alice"), follow=True)

    assert response.redirect_chain == [("/desk/events/new/", 302)]
    assert "Welcome, alice. Create your first event." in get_page_text(response)
    assert is_signed_in(client)
    assert can_sign_in("alice", GOOD_PASSWORD)


def test_opening_the_link_does_not_use_it(client: Client) -> None:
    link = make_link()

    for request in (client.get, client.head, client.get):
        assert request(link).status_code == 200

    assert "Set up Tailgunner" in get_page_text(client.get(link))
    assert AccountLink.objects.get().is_usable()


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        (describe_account(""), "id_username", "Enter a name."),
        (describe_account("al ice"), "id_username", "Use only letters, digits and @ . + - _, without spaces."),
        (describe_account("alice", ""), "id_password1", "Enter a password."),
        (describe_account("alice", GOOD_PASSWORD, ""), "id_password2", "Enter the password again."),
        (
            describe_account("alice", GOOD_PASSWORD, "something else"),
            "id_password2",
            "The two passwords are different. Enter the same password twice.",
        ),
        (describe_account("alice", "password"), "id_password1", "This password is too common."),
    ],
)
def test_a_bad_name_or_password_is_explained_and_the_link_still_works(
    client: Client, typed: dict[str, str], field: str, message: str
) -> None:
    link = make_link()

    response = client.post(link, typed)

    assert_refused(response, field, message)
    assert typed["password1"] == "" or f'value="{typed["password1"]}"' not in get_page_text(response)
    assert not User.objects.exists()
    assert client.post(link, describe_account("alice")).status_code == 302


def test_the_link_works_once(client: Client) -> None:
    link = make_link()
    Client().post(link, describe_account("alice"))

    for response in (client.get(link), client.post(link, describe_account("mallory"))):
        assert response.status_code == 410
        assert "This link has been used" in get_page_text(response)
    assert User.objects.get().username == "alice"
    assert not is_signed_in(client)


def test_the_link_ends_when_an_account_is_created_in_another_way(client: Client, request) -> None:
    link = make_link()
    request.getfixturevalue("alice")

    for response in (client.get(link), client.post(link, describe_account("mallory"))):
        assert response.status_code == 410
        assert "This link no longer works" in get_page_text(response)
    assert User.objects.get().username == "alice"
    with pytest.raises(AlreadySetUp):
        create_setup_link()


def test_a_newer_link_replaces_the_older_one(client: Client) -> None:
    older, newer = make_link(), make_link()

    assert client.post(older, describe_account("mallory")).status_code == 410
    assert client.post(newer, describe_account("alice")).status_code == 302


def test_the_link_ends_after_a_day(client: Client) -> None:
    link = make_link()
    assert dt.timedelta(hours=23) < AccountLink.objects.get().expires_at - timezone.now() <= dt.timedelta(hours=24)
    AccountLink.objects.update(expires_at=timezone.now())

    for response in (client.get(link), client.post(link, describe_account("alice"))):
        assert response.status_code == 410
        assert "manage.py organiser --set-up" in get_page_text(response)
    assert not User.objects.exists()


@pytest.mark.parametrize("token", ["x", "A" * 43, "å"])
def test_nobody_gets_in_with_a_guessed_link(client: Client, token: str) -> None:
    make_link()

    for response in (client.get(f"/welcome/{token}/"), client.post(f"/welcome/{token}/", describe_account("mallory"))):
        assert response.status_code == 404
        assert "We don’t know this link" in get_page_text(response)
    assert not User.objects.exists()


def test_a_link_for_another_purpose_does_not_set_up(client: Client, event, alice: User) -> None:
    _link, token = create_invite(event, alice)
    User.objects.all().update(is_active=True)

    assert client.post(f"/welcome/{token}/", describe_account("mallory")).status_code == 404


def test_a_form_on_another_site_cannot_set_up(db: None) -> None:
    strict = Client(enforce_csrf_checks=True)

    assert strict.post(make_link(), describe_account("mallory")).status_code == 403
    assert not User.objects.exists()


def test_the_url_is_hidden_from_other_sites_caches_and_search_engines(client: Client) -> None:
    link = make_link()

    for response in (client.get(link), client.get("/welcome/unknown/"), client.post(link, describe_account("alice"))):
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cache-Control"] == "private, no-store"
        assert response["X-Robots-Tag"] == "noindex"


def test_only_a_digest_is_stored_and_no_log_has_the_token(
    client: Client, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    link = make_link()
    token = link.split("/")[2]
    client.get(link)
    client.post(link, describe_account("alice"))

    logged = caplog.text + "".join(capsys.readouterr())
    assert "welcome/<str:token>/" in logged, "the route is logged, so there was something to find"
    assert token not in logged
    assert GOOD_PASSWORD not in logged
    assert token not in str(AccountLink.objects.values())


@pytest.mark.parametrize("page", ["/", "/sign-in/"])
def test_the_front_page_and_the_sign_in_page_say_where_the_link_is(client: Client, page: str) -> None:
    text = get_page_text(client.get(page))

    assert FIRST_RUN in text
    assert "look at the window in which you started it" in text
    assert "manage.py organiser --set-up" in text
    assert "manage.py organiser NAME" in text


@pytest.mark.parametrize("page", ["/", "/sign-in/"])
def test_nobody_is_told_of_it_once_there_is_an_account(client: Client, alice: User, page: str) -> None:
    assert FIRST_RUN not in get_page_text(client.get(page))


@pytest.mark.django_db(transaction=True)
def test_only_one_of_eight_people_at_once_becomes_the_first_organiser() -> None:
    link, _token = create_setup_link()
    start = threading.Barrier(8)
    outcomes: list[str] = []

    def send(number: int) -> None:
        start.wait()
        try:
            use_setup_link(AccountLink.objects.get(pk=link.pk), f"organiser{number}", GOOD_PASSWORD)
            outcomes.append("set up")
        except LinkUnusable:
            outcomes.append("too late")
        finally:
            connection.close()

    people = [threading.Thread(target=send, args=[number]) for number in range(8)]
    for person in people:
        person.start()
    for person in people:
        person.join()

    assert sorted(outcomes) == ["set up"] + ["too late"] * 7
    assert User.objects.count() == 1
