"""The list of sessions on /account/, ending one of them, and deleting what is left of ended ones."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import AccountSession
from scorekeeper.events.services.sessions import USE_INTERVAL, delete_ended_sessions, list_sessions, name_browser
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import describe_password, is_signed_in
from tests.scorekeeper.page_checks import get_page_text, get_visible_text

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
    "Mobile/15E148 Safari/604.1"
)
CHROME = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 "
    "Safari/537.36 Edg/139.0.0.0"
)


def sign_in_with(user_agent: str, name: str = "alice") -> Client:
    client = Client(headers={"User-Agent": user_agent})
    client.post("/sign-in/", {"username": name, "password": PASSWORD})
    return client


def get_end_url(user: User, label: str) -> str:
    (session,) = (one for one in list_sessions(user) if one.label == label)
    return f"/account/sessions/{session.pk}/end/"


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        (FIREFOX, ("Firefox", "Linux")),
        (IPHONE, ("Safari", "iPhone")),
        (CHROME, ("Chrome", "Android")),
        (EDGE, ("Edge", "Windows")),
        ("curl/8.14.1", ("", "")),
        ("", ("", "")),
    ],
)
def test_a_browser_is_named(user_agent: str, label: tuple[str, str]) -> None:
    assert name_browser(user_agent) == label


def test_the_page_lists_the_sessions_and_marks_this_one(alice: User, bob: User) -> None:
    here = sign_in_with(FIREFOX)
    sign_in_with(IPHONE)
    sign_in_with("")
    sign_in_with(EDGE, "bob")

    page = get_visible_text(here.get("/account/"))

    for text in ("Firefox on Linux (this browser)", "Safari on iPhone", "Unknown browser"):
        assert text in page
    assert "Edge" not in page
    assert page.count("(this browser)") == 1
    assert page.count(f"{timezone.now():%Y}") >= 6


def test_each_session_can_be_ended(alice: User) -> None:
    here, phone = sign_in_with(FIREFOX), sign_in_with(IPHONE)

    page = get_page_text(here.post(get_end_url(alice, "Safari on iPhone"), follow=True))

    assert "Safari on iPhone is signed out." in page
    assert [is_signed_in(browser) for browser in (here, phone)] == [True, False]
    assert Session.objects.count() == 1
    assert here.post(get_end_url(alice, "Firefox on Linux"))["Location"] == "/sign-in/"
    assert not is_signed_in(here)


def test_nobody_ends_the_session_of_somebody_else(alice: User, bob: User) -> None:
    sign_in_with(FIREFOX)
    bobs = sign_in_with(EDGE, "bob")

    assert bobs.post(get_end_url(alice, "Firefox on Linux")).status_code == 404
    assert len(list_sessions(alice)) == 1


def test_the_last_use_is_written_every_few_minutes(alice: User) -> None:
    client = sign_in_with(FIREFOX)
    first = AccountSession.objects.get().last_used_at
    client.get("/desk/")
    assert AccountSession.objects.get().last_used_at == first

    AccountSession.objects.update(last_used_at=first - USE_INTERVAL)
    client.get("/desk/")
    assert AccountSession.objects.get().last_used_at >= first


def test_a_session_from_before_is_recorded_when_it_is_used(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    AccountSession.objects.all().delete()
    client.get("/desk/", headers={"User-Agent": FIREFOX})

    assert [session.label for session in list_sessions(alice)] == ["Firefox on Linux"]


def test_a_changed_password_leaves_this_session_with_its_first_use(alice: User) -> None:
    client = sign_in_with(FIREFOX)
    begin = timezone.now() - dt.timedelta(days=3)
    AccountSession.objects.update(started_at=begin)

    client.post("/account/", {"old_password": PASSWORD, **describe_password()})

    assert is_signed_in(client)
    assert [session.started_at for session in list_sessions(alice)] == [begin]


def test_the_key_of_a_session_is_in_no_row_of_ours_and_on_no_page(alice: User) -> None:
    client = sign_in_with(FIREFOX)
    key = str(client.session.session_key)

    assert key not in str(AccountSession.objects.values())
    assert key not in get_page_text(client.get("/account/"))
    assert len(re.findall(r"/account/sessions/[\w-]+/end/", get_page_text(client.get("/account/")))) == 1


def test_sessions_that_have_expired_are_deleted_with_what_was_recorded(alice: User) -> None:
    """Today's browser stays, and so does one that has just signed in."""
    old, ended, _here = sign_in_with(IPHONE), sign_in_with(EDGE), sign_in_with(FIREFOX)
    now = timezone.now()
    Session.objects.filter(session_key=old.session.session_key).update(expire_date=now - dt.timedelta(seconds=1))
    ended.post("/sign-out/")
    AccountSession.objects.update(started_at=now - dt.timedelta(hours=1))

    delete_ended_sessions()

    assert Session.objects.count() == 1
    assert [session.label for session in AccountSession.objects.all()] == ["Firefox on Linux"]
