"""/desk/events/<slug>/crew/… and /phones/…"""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from scorekeeper.common.qr import make_qr_code
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import CrewMember, Device, Group, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.members import MemberInUse, delete_member
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save


def address_of(member: CrewMember) -> str:
    return f"/desk/events/{member.group.event.slug}/crew/{member.pk}/"


def test_a_member_is_added_to_a_crew(group_one: Group, alice: User, sign_in: SignIn) -> None:
    client, address = sign_in(alice), f"/desk/events/{group_one.event.slug}/groups/{group_one.pk}/crew/new/"
    assert f'<option value="{group_one.pk}" selected>' in get_page_text(client.get(address))

    response = client.post(address, {"name": "Rita", "role": "road_captain", "group": group_one.pk})

    member = CrewMember.objects.get()
    assert response["Location"] == address_of(member)
    assert (member.name, member.role, member.group) == ("Rita", "road_captain", group_one)


def test_missing_fields_are_explained(group_one: Group, alice: User, sign_in: SignIn) -> None:
    address = f"/desk/events/{group_one.event.slug}/groups/{group_one.pk}/crew/new/"

    response = sign_in(alice).post(address, {"name": "", "role": "tail_gunner", "group": group_one.pk})
    assert_refused(response, "id_name", "Enter the name.")
    assert re.search(r'value="tail_gunner"[^>]* checked', get_page_text(response))

    response = sign_in(alice).post(address, {"name": "Rita", "group": group_one.pk})
    assert response.status_code == 422
    assert '<a href="#id_role_0">Choose their role.</a>' in get_page_text(response)
    assert 'value="Rita"' in get_page_text(response)


def test_a_group_of_another_event_cannot_be_chosen(
    rita: CrewMember, other_event: Event, alice: User, sign_in: SignIn
) -> None:
    foreign = Group.objects.create(event=other_event, name="Foreign group", ordinal=1)

    response = save(sign_in(alice), address_of(rita), {"name": "Rita", "role": "supervisor", "group": foreign.pk})

    assert response.status_code == 422
    assert "Foreign group" not in get_page_text(response)
    rita.refresh_from_db()
    assert rita.role == "road_captain"


def test_a_member_moves_to_another_group_with_their_phone(
    rita: CrewMember, group_two: Group, alice: User, sign_in: SignIn
) -> None:
    device, _token = create_device(rita)

    save(sign_in(alice), address_of(rita), {"name": "Rita", "role": "supervisor", "group": group_two.pk})

    device.refresh_from_db()
    assert device.member.group == group_two
    assert not device.member.can_take_over


def test_a_link_is_shown_once_with_its_qr_code(rita: CrewMember, alice: User, sign_in: SignIn, settings) -> None:
    settings.BASE_URL = "https://rides.example.org"
    client = sign_in(alice)

    page = get_page_text(client.post(f"{address_of(rita)}invite/", {"make": "link"}))

    match = re.search(r'value="(https://rides\.example\.org/crew/join/([A-Za-z0-9_-]{43})/)"', page)
    assert match is not None
    link, token = match.groups()
    assert make_qr_code(link).path in page
    assert "data-copy" in page
    invitation = Invitation.objects.get()
    assert invitation.token_digest == hash_token(token)
    assert token not in str(Invitation.objects.values())
    assert token not in get_page_text(client.get(address_of(rita)))
    assert client.get(f"{address_of(rita)}invite/").status_code == 405


def test_a_link_expires_after_seven_days(rita: CrewMember, alice: User, sign_in: SignIn) -> None:
    sign_in(alice).post(f"{address_of(rita)}invite/", {"make": "link"})

    invitation = Invitation.objects.get()
    assert invitation.is_usable()
    assert invitation.is_usable(invitation.created_at + dt.timedelta(days=6, hours=23))
    assert not invitation.is_usable(invitation.created_at + dt.timedelta(days=7, seconds=1))


def test_a_new_link_ends_the_previous_one(rita: CrewMember, tom: CrewMember, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for member in (tom, rita, rita):
        client.post(f"{address_of(member)}invite/", {"make": "link"})

    first, second = rita.invitations.order_by("created_at")
    assert [first.is_usable(), second.is_usable()] == [False, True]
    assert tom.invitations.get().is_usable()


def test_a_member_page_lists_the_phones(rita: CrewMember, alice: User, sign_in: SignIn) -> None:
    now = timezone.now()
    for change in ({}, {"revoked_at": now}, {"revoked_at": now, "left_at": now}, {"expires_at": now}):
        device, _token = create_device(rita)
        Device.objects.filter(pk=device.pk).update(**change)

    page = get_page_text(sign_in(alice).get(address_of(rita)))

    assert page.count("/revoke/") == 2, "for the valid phone and the one that signed out"
    assert "Revoked" in page
    assert "Signed out" in page
    assert "Expired" in page


def test_times_are_shown_in_the_time_zone_of_the_ride(rita: CrewMember, alice: User, sign_in: SignIn) -> None:
    _device, _token = create_device(rita)
    Device.objects.update(last_seen_at=dt.datetime(2026, 6, 20, 20, 30, tzinfo=dt.UTC))

    assert "20 Jun, 14:30" in get_page_text(sign_in(alice).get(address_of(rita)))


def test_a_phone_is_revoked_after_confirmation(
    rita: CrewMember, alice: User, sign_in: SignIn, crew_client: CrewClient
) -> None:
    phone = crew_client(rita)
    device = Device.objects.get()
    address = f"/desk/events/{rita.group.event.slug}/phones/{device.pk}/revoke/"
    client = sign_in(alice)

    assert "Revoke the phone of Rita?" in get_page_text(client.get(address))
    device.refresh_from_db()
    assert device.is_valid()

    assert client.post(address)["Location"] == address_of(rita)
    device.refresh_from_db()
    revoked = device.revoked_at
    assert not device.is_valid()
    assert phone.post("/crew/sign-out/").status_code == 401

    client.post(address)
    device.refresh_from_db()
    assert device.revoked_at == revoked


def test_a_member_who_never_had_a_phone_can_be_removed(rita: CrewMember, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    assert "Remove Rita?" in get_page_text(client.get(f"{address_of(rita)}delete/"))

    client.post(f"{address_of(rita)}delete/")

    assert not CrewMember.objects.exists()


def test_a_member_who_had_a_phone_cannot_be_removed(rita: CrewMember, alice: User, sign_in: SignIn) -> None:
    create_device(rita)

    with pytest.raises(MemberInUse):
        delete_member(rita)
    response = sign_in(alice).post(f"{address_of(rita)}delete/", follow=True)

    assert "Rita has had a phone" in get_page_text(response)
    assert CrewMember.objects.get() == rita
