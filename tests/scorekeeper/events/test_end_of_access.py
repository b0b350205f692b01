"""After a break-in: whatever ends the access of an account ends all of it.

Someone else has got into Alice's account. They have signed in, created a token, an invitation and a link for Bob's new
password, and invited by name. Whichever way Alice or the operator reacts, nothing of it goes on.
"""

from __future__ import annotations

import datetime as dt
import io
import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import get_resolver

from scorekeeper.common.error_views import bad_request
from scorekeeper.events.account_jobs import ACCOUNT_JOBS
from scorekeeper.events.browsers import BROWSER_COOKIE
from scorekeeper.events.models import AccessToken, AccountSession, Event, OrganiserInvitation, Passkey
from scorekeeper.events.services.access_tokens import create_access_token
from scorekeeper.events.services.account_links import create_invite, create_reset_link
from scorekeeper.events.services.account_lock import AccessEnded
from scorekeeper.events.services.accounts import end_access
from scorekeeper.events.services.organiser_invitations import invite_by_name
from scorekeeper.events.services.passkeys import RelyingParty, add_passkey, begin_adding
from scorekeeper.live.stream_middleware import FINDERS
from scorekeeper.rights import ROUTES, Role
from tests.faults.figures import Figures
from tests.scorekeeper.conftest import PASSWORD
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, describe_password, is_signed_in
from tests.scorekeeper.events.authenticator import HOST, SITE, SecurityKey
from tests.scorekeeper.page_checks import get_page_text

Reaction = Callable[["Intrusion"], None]


class Intrusion:
    """What an intruder has in Alice's account.

    Attributes:
        own: Alice's browser.
        others: browsers of the intruder; the last of them has done nothing since it signed in.
        secrets: of access tokens, by their name.
        links: paths of links that were created with the account.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.alice = User.objects.get(username="alice")
        bob = User.objects.get(username="bob")
        self.own, *self.others = (_sign_in(Client()) for _browser in range(4))
        for browser in (self.own, *self.others[:2]):
            assert is_signed_in(browser)
        AccountSession.objects.order_by("started_at")[3].delete()  # a session from before they were recorded
        scope, lifetime = AccessToken.Scope.READ, dt.timedelta(days=30)
        self.secrets = {
            name: create_access_token(self.alice, name, scope, lifetime)[1] for name in ("website", "unknown")
        }
        assert all(self.works(secret) for secret in self.secrets.values())
        self.links = [
            f"/invited/{create_invite(event, self.alice)[1]}/",
            f"/new-password/{create_reset_link(bob, self.alice)[1]}/",
            f"/new-password/{create_reset_link(self.alice, bob)[1]}/",
        ]
        invite_by_name(event, "charlie", self.alice)

    def works(self, secret: str) -> bool:
        """Return whether a token gets what only organisers see."""
        url = f"/api/v1/events/{self.event.slug}"
        response = Client().get(url, headers={"Authorization": f"Bearer {secret}"})
        assert response.status_code in (HTTPStatus.OK, HTTPStatus.UNAUTHORIZED), response.content
        return response.status_code == HTTPStatus.OK

    def list_what_goes_on(self) -> list[str]:
        """Return whatever still gives access, apart from Alice's own browser."""
        browsers = [f"browser {number}" for number, one in enumerate(self.others, 1) if is_signed_in(one)]
        tokens = [f"token {name}" for name, secret in self.secrets.items() if self.works(secret)]
        links = [
            f"link {link.split('/')[1]}" for link in self.links if Client().get(link).status_code != HTTPStatus.GONE
        ]
        rows = [
            "session row"
            for session in Session.objects.exclude(session_key=self.own.session.session_key)
            if session.get_decoded().get(SESSION_KEY) == str(self.alice.pk)
        ]
        invitations = ["invitation"] * OrganiserInvitation.objects.open().count()
        return [*browsers, *tokens, *links, *rows, *invitations]


def _sign_in(client: Client, password: str = PASSWORD) -> Client:
    assert client.post("/sign-in/", {"username": "alice", "password": password}).status_code == HTTPStatus.FOUND
    return client


def change_password(case: Intrusion, **typed: object) -> None:
    response = case.own.post("/account/", {"old_password": PASSWORD, **describe_password(), **typed})
    assert response.status_code == HTTPStatus.FOUND
    assert is_signed_in(case.own)


def _sign_out_everywhere(case: Intrusion) -> None:
    case.own.post("/sign-out/everywhere/")


def _reset_by_the_operator(case: Intrusion) -> None:
    link = f"/new-password/{create_reset_link(case.alice, None)[1]}/"
    assert Client().post(link, describe_password()).status_code == HTTPStatus.FOUND


def _reset_by_a_co_organiser(case: Intrusion) -> None:
    assert Client().post(case.links[-1], describe_password()).status_code == HTTPStatus.FOUND


def _set_by_the_operator(case: Intrusion) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("getpass.getpass", lambda *_args, **_more: GOOD_PASSWORD)
        call_command("changepassword", "alice", stdout=io.StringIO())


def _deactivate(case: Intrusion) -> None:
    call_command("organiser", "alice", "--deactivate", stdout=io.StringIO())


def _deactivate_and_activate(case: Intrusion) -> None:
    _deactivate(case)
    call_command("organiser", "alice", "--activate", stdout=io.StringIO())
    assert User.objects.get(username="alice").is_active


def _deactivate_by_hand(case: Intrusion) -> None:
    """Another program, such as a shell, sets the column. The sweeper finds it, and the account comes back later."""
    User.objects.filter(pk=case.alice.pk).update(is_active=False)
    assert not any(map(is_signed_in, case.others)), "at once, before the sweeper"
    assert not any(map(case.works, case.secrets.values()))
    run_jobs()
    User.objects.filter(pk=case.alice.pk).update(is_active=True)


def run_jobs() -> None:
    """Run the sweeper's jobs of this app once."""
    for job in ACCOUNT_JOBS:
        job.run()


REACTIONS: dict[str, Reaction] = {
    "the owner changes the password": change_password,
    "sign out everywhere": _sign_out_everywhere,
    "a link of the operator": _reset_by_the_operator,
    "a link of a co-organiser": _reset_by_a_co_organiser,
    "manage.py changepassword": _set_by_the_operator,
    "manage.py organiser --deactivate": _deactivate,
    "deactivated and activated again": _deactivate_and_activate,
    "is_active set by hand": _deactivate_by_hand,
}


@pytest.fixture
def intrusion(event: Event, charlie: User) -> Intrusion:
    return Intrusion(event)


@pytest.mark.parametrize("reaction", REACTIONS)
def test_nothing_of_a_break_in_goes_on(intrusion: Intrusion, reaction: str) -> None:
    assert len(intrusion.list_what_goes_on()) == 3 + 2 + 3 + 3 + 1

    REACTIONS[reaction](intrusion)

    assert intrusion.list_what_goes_on() == []


def _add_passkey(alice: User) -> None:
    party = RelyingParty(HOST, SITE)
    ceremony = begin_adding(alice, party)
    add_passkey(alice, "phone", party, ceremony.challenge_id, SecurityKey().create(ceremony.options))


CREATIONS: dict[str, Callable[[Intrusion], object]] = {
    "a token": lambda case: create_access_token(case.alice, "late", AccessToken.Scope.READ, dt.timedelta(days=30)),
    "an invitation by link": lambda case: create_invite(case.event, case.alice),
    "an invitation by name": lambda case: invite_by_name(case.event, "charlie", case.alice),
    "a link for a new password": lambda case: create_reset_link(User.objects.get(username="bob"), case.alice),
    "a passkey": lambda case: _add_passkey(case.alice),
}


@pytest.mark.parametrize("reaction", ["the owner changes the password", "manage.py organiser --deactivate"])
@pytest.mark.parametrize("creation", CREATIONS)
def test_a_request_that_was_let_in_before_creates_nothing_afterwards(
    intrusion: Intrusion, creation: str, reaction: str
) -> None:
    """The request has found the account before, and takes its time: checking a password does."""
    REACTIONS[reaction](intrusion)

    with pytest.raises(AccessEnded):
        CREATIONS[creation](intrusion)

    assert intrusion.list_what_goes_on() == []
    assert not AccessToken.objects.filter(name="late").exists()
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("error", [AccessEnded(), SessionInterrupted()])
def test_such_a_request_leads_to_signing_in(rf: RequestFactory, error: SessionInterrupted) -> None:
    handler: Any = get_resolver().resolve_error_handler(400)
    assert handler is bad_request
    response = bad_request(rf.post("/account/tokens/"), error)

    assert (response.status_code, response["Location"]) == (HTTPStatus.FOUND, "/sign-in/")


@pytest.mark.django_db(transaction=True)
def test_what_is_just_being_created_ends_too(alice: User) -> None:
    """The owner signs out everywhere while a request is about to commit a token: that waits for it, and revokes it."""
    ending = threading.Thread(target=_end_access, args=[alice])
    with transaction.atomic():
        create_access_token(alice, "late", AccessToken.Scope.READ, dt.timedelta(days=30))
        ending.start()
        ending.join(timeout=0.5)
    ending.join()

    assert AccessToken.objects.get().revoked_at is not None


def _end_access(user: User) -> None:
    try:
        end_access(user)
    finally:
        connection.close()


def test_links_alone_end_with_an_account_that_is_deactivated_by_hand(event: Event, alice: User, bob: User) -> None:
    invitation, reset = create_invite(event, alice)[1], create_reset_link(bob, alice)[1]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert Client().get(f"/new-password/{reset}/").status_code == HTTPStatus.GONE, "at once, before the sweeper"

    run_jobs()

    assert Client().get(f"/invited/{invitation}/").status_code == HTTPStatus.GONE


def test_the_owner_keeps_a_token_on_purpose(intrusion: Intrusion) -> None:
    page = get_page_text(intrusion.own.get("/account/"))
    tokens = {token.name: str(token.pk) for token in AccessToken.objects.all()}
    for key in tokens.values():
        assert f'name="revoked_tokens" value="{key}"' in page
    assert page.count("checked") == len(tokens), "all are ticked"

    change_password(intrusion, listed_tokens=list(tokens.values()), revoked_tokens=[tokens["unknown"]])

    assert intrusion.list_what_goes_on() == ["token website"]


def test_a_token_that_was_not_on_the_page_is_revoked(intrusion: Intrusion) -> None:
    """The intruder creates one after the owner has opened the page."""
    listed = [str(AccessToken.objects.get(name="website").pk)]

    change_password(intrusion, listed_tokens=listed)

    assert intrusion.list_what_goes_on() == ["token website"]


def test_what_is_unticked_stays_so_when_the_form_is_refused(intrusion: Intrusion) -> None:
    tokens = [str(pk) for pk in AccessToken.objects.values_list("pk", flat=True)]
    typed = {"old_password": "guess", **describe_password(), "listed_tokens": tokens, "revoked_tokens": tokens[:1]}

    page = get_page_text(intrusion.own.post("/account/", typed))

    assert page.count("checked") == 1
    assert intrusion.works(intrusion.secrets["website"])


def test_a_known_browser_has_no_access_by_itself(intrusion: Intrusion) -> None:
    change_password(intrusion)
    known = Client()
    known.cookies[BROWSER_COOKIE] = intrusion.others[0].cookies[BROWSER_COOKIE].value

    assert not is_signed_in(known)


def test_streams_carry_what_everyone_may_see_except_that_of_a_ride() -> None:
    """So only the stream of a ride has to be closed when access ends (`live/test_ride_access.py`)."""
    streams = {name: set(row.values()) for name, row in ROUTES.items() if name in FINDERS}

    assert {name for name, roles in streams.items() if roles != {Role.ANYBODY}} == {"live:changes"}


@pytest.mark.slow
def test_the_figure(event: Event, charlie: User, figures: Figures) -> None:
    ended, going_on = 0, []
    for name, react in REACTIONS.items():
        with transaction.atomic():
            intrusion = Intrusion(event)
            ended += len(intrusion.list_what_goes_on())
            react(intrusion)
            going_on += [(name, one) for one in intrusion.list_what_goes_on()]
            transaction.set_rollback(True)
    assert going_on == []
    figures.add(
        "43 · an account that somebody else got into: its password changed, signed out everywhere, or deactivated",
        f"{len(REACTIONS)} ways, {ended} sessions, tokens, links and invitations: 0 of them go on, and no token but "
        "one that its owner kept on purpose",
    )
