"""/desk/events/<slug>/groups/…"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.groups import GroupInUse, add_group, delete_group, rename_group
from scorekeeper.crew.services.members import add_member
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save


def list_names(event: Event) -> list[str]:
    return [group.name for group in list_groups(event)]


def test_a_new_group_has_three_dice_sets(event: Event, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/groups/", {"name": "Group one"})

    group = Group.objects.get()
    assert response.status_code == 302
    assert [dice_set.name for dice_set in group.dice_sets.all()] == ["Road captain", "Tail-gunner", "Third"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("", "Enter the name of the group."), ("Group one", "There is already a group called “Group one”.")],
)
def test_a_group_needs_a_unique_name(
    group_one: Group, event: Event, alice: User, sign_in: SignIn, name: str, message: str
) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/groups/", {"name": name})

    assert_refused(response, "id_name", message)
    assert f'value="{name}"' in get_page_text(response) or not name
    assert list_names(event) == ["Group one"]


def test_another_event_can_use_the_same_name(
    group_one: Group, other_event: Event, charlie: User, sign_in: SignIn
) -> None:
    sign_in(charlie).post(f"/desk/events/{other_event.slug}/groups/", {"name": "Group one"})

    assert list_names(other_event) == ["Group one"]


def data_for(group: Group, name: str, *dice_sets: str) -> dict[str, str]:
    ids = [dice_set.pk for dice_set in group.dice_sets.all()]
    return {"name": name} | {f"dice_set_{pk}": text for pk, text in zip(ids, dice_sets, strict=True)}


def test_a_group_and_its_dice_sets_are_renamed(group_one: Group, event: Event, alice: User, sign_in: SignIn) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/groups/{group_one.pk}/"
    assert 'value="Tail-gunner"' in get_page_text(client.get(address))

    data = data_for(group_one, "The fast ones", "Tail-gunner", "Road captain", "Blue dice")
    assert save(client, address, data).status_code == 302

    assert list_names(event) == ["The fast ones"]
    names = [dice_set.name for dice_set in group_one.dice_sets.all()]
    assert names == ["Tail-gunner", "Road captain", "Blue dice"]


def test_two_dice_sets_with_the_same_name_are_rejected_at_the_second(
    group_one: Group, event: Event, alice: User, sign_in: SignIn
) -> None:
    data = data_for(group_one, "Group one", "Blue", "Blue", "Red")
    field = [name for name in data if name != "name"][1]

    response = save(sign_in(alice), f"/desk/events/{event.slug}/groups/{group_one.pk}/", data)

    assert_refused(response, f"id_{field}", "Two dice sets cannot both be called “Blue”.")
    assert 'value="Red"' in get_page_text(response)


def test_dice_sets_can_swap_names_in_one_step(group_one: Group) -> None:
    first, second, third = group_one.dice_sets.all()

    rename_group(group_one, "Group one", {first.pk: second.name, second.pk: first.name, third.pk: third.name})

    assert [dice_set.name for dice_set in group_one.dice_sets.all()] == ["Tail-gunner", "Road captain", "Third"]


def test_groups_can_be_moved(group_one: Group, group_two: Group, event: Event, alice: User, sign_in: SignIn) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/groups/{group_two.pk}/move/"

    client.post(address, {"direction": "up"})
    assert list_names(event) == ["Group two", "Group one"]
    client.post(address, {"direction": "up"})
    assert list_names(event) == ["Group two", "Group one"]
    client.post(address, {"direction": "down"})
    assert list_names(event) == ["Group one", "Group two"]
    assert client.post(address, {"direction": "away"}).status_code == 400


def test_an_empty_group_is_deleted_after_confirmation(
    event: Event, group_two: Group, alice: User, sign_in: SignIn
) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/groups/{group_two.pk}/delete/"

    assert "Delete Group two?" in get_page_text(client.get(address))
    client.post(address)

    assert list_names(event) == []


def test_a_group_with_crew_or_bikes_cannot_be_deleted(
    rita: CrewMember, bikes: Mapping[int, Bike], group_two: Group, event: Event, alice: User, sign_in: SignIn
) -> None:
    for group in (rita.group, group_two):
        with pytest.raises(GroupInUse):
            delete_group(group)
        address = f"/desk/events/{event.slug}/groups/{group.pk}/delete/"
        response = sign_in(alice).post(address, follow=True)
        assert f"{group.name} has bikes or crew." in get_page_text(response)

    assert list_names(event) == ["Group one", "Group two"]


def test_the_list_shows_who_has_a_phone(
    rita: CrewMember, tom: CrewMember, alice: User, sign_in: SignIn, crew_client: CrewClient
) -> None:
    create_device(rita)

    page = get_page_text(sign_in(alice).get(f"/desk/events/{rita.group.event.slug}/groups/"))

    rows = {name: page.split(f">{name}</a>")[1].split("</tr>")[0] for name in ("Rita", "Tom")}
    assert "Signed in" in rows["Rita"]
    assert "Road captain" in rows["Rita"]
    assert "None yet" in rows["Tom"]


def test_a_crew_is_listed_by_role(
    sue: CrewMember, tom: CrewMember, rita: CrewMember, gus: CrewMember, event: Event, alice: User, sign_in: SignIn
) -> None:
    """The road captain comes first, then the tail-gunner, then the supervisors by name."""
    add_member(rita.group, name="Abe", role=CrewMember.Role.SUPERVISOR)

    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/groups/"))

    assert re.findall(r">(Rita|Tom|Abe|Sue|Gus)</a>", page) == ["Rita", "Tom", "Abe", "Sue", "Gus"]


def test_the_number_of_queries_does_not_grow_with_crews(
    rita: CrewMember, event: Event, alice: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(alice)
    for number in range(5):
        group = add_group(event, f"Group {number}")
        for name in ("Una", "Vic"):
            create_device(add_member(group, name=name, role=CrewMember.Role.SUPERVISOR))

    # the session, the user, its last use, the event; groups, crews, dice sets; the contests, for the menu
    with django_assert_num_queries(8):
        client.get(f"/desk/events/{event.slug}/groups/")
