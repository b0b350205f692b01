"""The security log has a line for whoever gets in or is refused, and for whatever gives access; and no secret."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.common.security_log import log_change
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import revoke_device
from scorekeeper.crew.services.invitations import InvitationUnusable, accept_invitation, create_invitation
from scorekeeper.events.models import AccessToken, Event
from scorekeeper.events.services.access_tokens import create_access_token, record_token_use, revoke_access_token
from scorekeeper.events.services.account_links import LinkUnusable, accept_invite, create_invite, create_reset_link
from scorekeeper.events.services.accounts import end_access
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.events.services.organiser_invitations import accept_invitation as accept_named
from scorekeeper.events.services.organiser_invitations import invite_by_name
from tests.scorekeeper.conftest import PASSWORD

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any) -> Lines:
    """Return the lines so far, each as what it says."""
    caplog.set_level(logging.INFO, logger="tailgunner.security")

    def read() -> list[dict[str, Any]]:
        records = [record for record in caplog.records if record.name == "tailgunner.security"]
        return [record.msg for record in records if isinstance(record.msg, dict)]

    return read


@pytest.fixture(autouse=True)
def _commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every change of a test as committed at once; `test_what_is_rolled_back` shows when it is not."""
    monkeypatch.setattr(transaction, "on_commit", lambda function, **_options: function())


def list_events(lines: Lines) -> list[str]:
    return [line["event"] for line in lines()]


def test_signing_in_and_wrong_passwords(client: Client, alice: User, lines: Lines) -> None:
    client.post("/sign-in/", {"username": "alice", "password": "gravel and dust"})
    client.post("/sign-in/", {"username": "my secret", "password": "gravel and dust"})
    client.post("/sign-in/", {"username": "alice", "password": PASSWORD})

    known, unknown, signed_in = [line for line in lines() if "sign" in line["event"]]
    assert (known["event"], known["account"], known["address"]) == ("sign_in_refused", alice.pk, "127.0.0.1")
    assert (unknown["event"], unknown.get("account"), unknown["level"]) == ("sign_in_refused", None, "warning")
    assert (signed_in["event"], signed_in["account"], signed_in["level"]) == ("signed_in", alice.pk, "info")
    assert "my secret" not in str(lines())
    assert "gravel" not in str(lines())


def test_too_many_attempts_name_the_limit(client: Client, alice: User, lines: Lines) -> None:
    for _attempt in range(11):
        client.post("/sign-in/", {"username": "alice", "password": "gravel and dust"})

    assert list_events(lines)[-2:] == ["limited", "password_not_checked"]
    assert lines()[-1]["limit"] == "sign-in by name and browser"


@pytest.mark.django_db
def test_any_other_limit_is_named(lines: Lines) -> None:
    limit = RateLimit("letters", 1, 60)
    count_use(limit, "somebody at 192.0.2.9")
    with pytest.raises(RateLimited):
        count_use(limit, "somebody at 192.0.2.9")

    assert [(line["event"], line["limit"]) for line in lines()] == [("limited", "letters")]
    assert "192.0.2.9" not in str(lines())


def test_links_for_organisers(event: Event, alice: User, charlie: User, lines: Lines) -> None:
    link, secret = create_invite(event, alice)
    accept_invite(link, charlie)
    with pytest.raises(LinkUnusable):
        accept_invite(link, charlie)
    create_reset_link(charlie, None)
    create_reset_link(charlie, None)

    assert list_events(lines) == [
        *("link_created", "link_used", "organiser_added", "link_refused"),
        *("link_created", "link_ended", "link_created"),
    ]
    assert lines()[0]["by"] == alice.pk
    assert lines()[4]["purpose"] == "reset"
    assert secret not in str(lines())


def test_tokens(alice: User, lines: Lines) -> None:
    token, secret = create_access_token(alice, "club site", AccessToken.Scope.READ, dt.timedelta(days=1))
    record_token_use(token)
    record_token_use(token)
    revoke_access_token(token)
    revoke_access_token(token)

    assert list_events(lines) == ["token_created", "token_used", "token_revoked"]
    assert {line["program"] for line in lines()} == {str(token.pk)}
    assert secret not in str(lines())


def test_who_organises_a_ride(event: Event, alice: User, charlie: User, lines: Lines) -> None:
    accept_named(invite_by_name(event, "charlie", alice), charlie)
    remove_organiser(event.organisers.get(user=charlie))
    end_access(charlie)

    assert list_events(lines) == [
        *("organiser_invited", "invitation_accepted", "organiser_added"),
        *("organiser_removed", "access_ended"),
    ]


def test_phones_of_the_crew(rita: CrewMember, lines: Lines) -> None:
    invitation, secret = create_invitation(rita)
    device, cookie = accept_invitation(invitation)
    with pytest.raises(InvitationUnusable):
        accept_invitation(invitation)
    revoke_device(device)

    assert list_events(lines) == ["crew_link_created", "crew_link_used", "crew_link_refused", "phone_revoked"]
    assert secret not in str(lines())
    assert cookie not in str(lines())


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_was_no_change(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with transaction.atomic():
        log_change("organiser_added", account=1)
        transaction.set_rollback(True)
    assert lines() == []

    with transaction.atomic():
        log_change("organiser_added", account=1)
        assert lines() == []
    assert list_events(lines) == ["organiser_added"]
