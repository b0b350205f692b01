"""/desk/events/<slug>/organisers/"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from scorekeeper.events.models import Event, Organiser
from scorekeeper.events.services.events import LastOrganiser, add_organiser, remove_organiser
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text


def list_names(event: Event) -> list[str]:
    return sorted(event.organisers.values_list("user__username", flat=True))


def test_an_organiser_is_added_by_sign_in_name(event: Event, alice: User, charlie: User, sign_in: SignIn) -> None:
    for _twice in range(2):
        response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/", {"username": "charlie"})
        assert response.status_code == 302

    assert list_names(event) == ["alice", "bob", "charlie"]
    assert sign_in(charlie).get(f"/desk/events/{event.slug}/settings/").status_code == 200


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            "dora",
            "There is no account called “dora”. Check capital letters, "
            "or ask the person who runs this site to create one.",
        ),
        ("", "Enter the name they sign in with."),
    ],
)
def test_an_unknown_name_is_explained(event: Event, alice: User, sign_in: SignIn, typed: str, message: str) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/", {"username": typed})

    assert_refused(response, "id_username", message)
    assert not typed or f'value="{typed}"' in get_page_text(response)


def test_an_organiser_is_removed_after_confirmation(event: Event, alice: User, bob: User, sign_in: SignIn) -> None:
    bobs = Organiser.objects.get(user=bob)
    address = f"/desk/events/{event.slug}/organisers/{bobs.pk}/remove/"
    client = sign_in(alice)

    assert "Remove bob?" in get_page_text(client.get(address))
    assert list_names(event) == ["alice", "bob"]

    assert client.post(address, {"confirm": "yes"})["Location"] == f"/desk/events/{event.slug}/organisers/"
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
    response = sign_in(alice).post(
        f"/desk/events/{event.slug}/organisers/{own.pk}/remove/", {"confirm": "yes"}, follow=True
    )

    assert "An event needs at least one organiser." in get_page_text(response)
    assert list_names(event) == ["alice"]


def test_an_organiser_of_another_event_cannot_be_removed(
    event: Event, other_event: Event, alice: User, sign_in: SignIn
) -> None:
    foreign = other_event.organisers.get()

    response = sign_in(alice).post(f"/desk/events/{event.slug}/organisers/{foreign.pk}/remove/", {"confirm": "yes"})

    assert response.status_code == 404
    assert other_event.organisers.count() == 1
