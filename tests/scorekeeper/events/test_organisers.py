"""/desk/events/<slug>/organisers/"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import Event, Organiser, OrganiserInvitation
from scorekeeper.events.services.accounts import end_access
from scorekeeper.events.services.events import LastOrganiser, add_organiser, remove_organiser
from scorekeeper.events.services.organiser_invitations import (
    InvitationClosed,
    accept_invitation,
    delete_expired_invitations,
    invite_by_name,
)
from tests.scorekeeper.conftest import PASSWORD, SignIn
from tests.scorekeeper.events.account_forms import OWN_PASSWORD
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.statements import FRAME, record_statements


def list_names(event: Event) -> list[str]:
    return sorted(event.organisers.values_list("user__username", flat=True))


def invite(client: Client, event: Event, name: str, **typed: str) -> Any:
    return client.post(f"/desk/events/{event.slug}/organisers/", {"username": name, **OWN_PASSWORD, **typed})


def get_buttons(client: Client, answer: str) -> list[str]:
    """Return where the buttons on the person's page of events send their answer."""
    return re.findall(rf'action="(/desk/invitations/[\w-]+/{answer}/)"', get_page_text(client.get("/desk/")))


def test_who_is_invited_by_name_organises_the_event_once_they_accept(
    event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    for _twice in range(2):
        assert invite(sign_in(alice), event, "charlie").status_code == 302
    charlies = sign_in(charlie)
    assert list_names(event) == ["alice", "bob"]
    assert charlies.get(f"/desk/events/{event.slug}/settings/").status_code == 404
    page = get_page_text(charlies.get("/desk/"))
    assert "alice invites you to help organise Rock the Roll on 20 June 2026." in page
    assert "Whoever has that link can sign in as you." in page

    (button,) = get_buttons(charlies, "accept")
    response = charlies.post(button, follow=True)

    assert "You are now an organiser of Rock the Roll." in get_page_text(response)
    assert list_names(event) == ["alice", "bob", "charlie"]
    assert not OrganiserInvitation.objects.exists()
    assert charlies.post(button).status_code == 404, "an invitation works once"


def test_the_next_sign_in_says_that_there_are_invitations(event: Event, alice: User, charlie: User) -> None:
    invite_by_name(event, "charlie", alice)
    typed = {"username": "charlie", "password": PASSWORD}

    assert "alice invites you" in get_page_text(Client().post("/sign-in/", typed, follow=True))
    page = get_page_text(Client().post("/sign-in/", {**typed, "next": "/account/"}, follow=True))
    assert "You have 1 invitation to organise an event." in page


def test_who_declines_is_not_asked_again_and_nobody_is_told(
    event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    invite_by_name(event, "charlie", alice)
    listed = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/organisers/"))
    charlies = sign_in(charlie)

    charlies.post(get_buttons(charlies, "decline")[0])

    assert get_buttons(charlies, "accept") == []
    assert list_names(event) == ["alice", "bob"]
    now_listed = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/organisers/"))
    assert "alice invited charlie on" in now_listed
    assert strip_token(now_listed) == strip_token(listed)


def strip_token(page: str) -> str:
    return re.sub(r'name="(csrfmiddlewaretoken|form_id)" value="[\w-]+"', "", page)


def test_nobody_answers_an_invitation_of_somebody_else(
    event: Event, alice: User, bob: User, charlie: User, sign_in: SignIn
) -> None:
    invitation = invite_by_name(event, "charlie", alice)

    for answer in ("accept", "decline"):
        assert sign_in(bob).post(f"/desk/invitations/{invitation.pk}/{answer}/").status_code == 404
    with pytest.raises(InvitationClosed):
        accept_invitation(invitation, bob)
    assert list_names(event) == ["alice", "bob"]


@pytest.mark.parametrize(
    "end", ["it is withdrawn", "it expires", "its creator is removed", "its creator is signed out"]
)
def test_an_invitation_cannot_be_accepted_any_more_once(
    event: Event, alice: User, bob: User, charlie: User, sign_in: SignIn, end: str
) -> None:
    invitation = invite_by_name(event, "charlie", bob)
    charlies = sign_in(charlie)
    (button,) = get_buttons(charlies, "accept")
    match end:
        case "it is withdrawn":
            url = f"/desk/events/{event.slug}/organisers/named/{invitation.pk}/withdraw/"
            assert "charlie" in get_page_text(sign_in(alice).post(url, follow=True))
        case "it expires":
            OrganiserInvitation.objects.update(expires_at=timezone.now())
            delete_expired_invitations()
            assert not OrganiserInvitation.objects.exists()
        case "its creator is removed":
            remove_organiser(Organiser.objects.get(user=bob))
        case "its creator is signed out":
            end_access(bob)

    assert charlies.post(button).status_code == 404
    with pytest.raises(InvitationClosed):
        accept_invitation(invitation, charlie)


def test_an_invitation_of_another_event_cannot_be_withdrawn(
    event: Event, other_event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    foreign = invite_by_name(other_event, "alice", charlie)

    url = f"/desk/events/{event.slug}/organisers/named/{foreign.pk}/withdraw/"
    assert sign_in(alice).post(url).status_code == 404
    assert OrganiserInvitation.objects.open().exists()


def test_the_answer_does_not_say_whether_an_account_exists(
    event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    """Not by its words, its status, its statements, the list afterwards, or a second invitation."""
    former = User.objects.create(username="chester", is_active=False)
    answers = []
    for name in ("charlie", "dorothy", former.username):
        for _twice in range(2):
            client = sign_in(alice)
            with record_statements() as statements:
                response = invite(client, event, name)
            page = get_page_text(client.get(f"/desk/events/{event.slug}/organisers/"))
            assert f"{name} is invited. If there is an account with exactly this name" in page
            listed = re.findall(rf"alice invited {name} on .*?\.", page)
            # The first of these requests makes the rows that count alice's own password, whatever name she enters.
            own = [sql for sql in statements if not sql.startswith(FRAME) and "common_usecount" not in sql]
            ran = [sql.replace("= NULL", "= %s") for sql in own]
            answers.append((response.status_code, response["Location"], ran, len(listed)))
            if _twice:
                OrganiserInvitation.objects.all().delete()

    assert answers[0] == answers[2] == answers[4]
    assert answers[1] == answers[3] == answers[5]


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"username": ""}, "id_username", "Enter the name they sign in with."),
        ({"username": "bob"}, "id_username", "“bob” organises this event already."),
        ({"own_password": ""}, "id_own_password", "Enter your password."),
        (
            {"own_password": "guess"},
            "id_own_password",
            "This is not your password. Check it, including capital letters.",
        ),
    ],
)
def test_what_is_wrong_is_explained_and_nobody_is_invited(
    event: Event, alice: User, sign_in: SignIn, typed: dict[str, str], field: str, message: str
) -> None:
    response = invite(sign_in(alice), event, "dorothy", **typed)

    assert_refused(response, field, message)
    name = typed.get("username", "dorothy")
    assert not name or f'value="{name}"' in get_page_text(response)
    assert "guess" not in get_page_text(response)
    assert not OrganiserInvitation.objects.exists()


def test_an_organiser_is_removed_after_confirmation(event: Event, alice: User, bob: User, sign_in: SignIn) -> None:
    bobs = Organiser.objects.get(user=bob)
    address = f"/desk/events/{event.slug}/organisers/{bobs.pk}/remove/"
    client = sign_in(alice)

    assert "Remove bob?" in get_page_text(client.get(address))
    assert list_names(event) == ["alice", "bob"]

    assert client.post(address)["Location"] == f"/desk/events/{event.slug}/organisers/"
    assert list_names(event) == ["alice"]
    assert sign_in(bob).get(f"/desk/events/{event.slug}/settings/").status_code == 404


def test_a_removed_organiser_has_no_access_and_can_be_added_again(event: Event, bob: User, sign_in: SignIn) -> None:
    remove_organiser(Organiser.objects.get(user=bob))
    assert sign_in(bob).get("/desk/").status_code == 200
    assert event.name not in get_page_text(sign_in(bob).get("/desk/"))

    for _twice in range(2):
        remove_organiser(add_organiser(event, bob))
    add_organiser(event, bob)

    assert list_names(event) == ["alice", "bob"]


def test_the_last_organiser_cannot_be_removed(event: Event, alice: User, bob: User, sign_in: SignIn) -> None:
    remove_organiser(Organiser.objects.get(user=bob))
    own = Organiser.objects.get(user=alice)

    with pytest.raises(LastOrganiser):
        remove_organiser(own)
    response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/{own.pk}/remove/", follow=True)

    assert "An event needs at least one organiser." in get_page_text(response)
    assert list_names(event) == ["alice"]


def test_an_organiser_whom_two_others_remove_at_once_is_removed_once(event: Event, bob: User) -> None:
    seen_by_each = [Organiser.objects.get(user=bob) for _each in range(2)]

    for organiser in seen_by_each:
        remove_organiser(organiser)

    assert list_names(event) == ["alice"]
    assert event.former_organisers.count() == 1


def test_an_organiser_of_another_event_cannot_be_removed(
    event: Event, other_event: Event, alice: User, sign_in: SignIn
) -> None:
    foreign = other_event.organisers.get()

    response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/{foreign.pk}/remove/")

    assert response.status_code == 404
    assert other_event.organisers.count() == 1
