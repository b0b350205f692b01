"""Who may open the entry pages: a table of people and pages, and what each of them gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.access import COOKIE
from scorekeeper.crew.models import CrewMember, Device, DiceSet, Group
from scorekeeper.crew.services.devices import make_device
from scorekeeper.scorecards.models import Operation, Turn
from scorekeeper.scorecards.urls import urlpatterns
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.scorecards.conftest import card_of, final

OF_THE_GROUP = {"group", "dice_set", "standing", "walk_up"}
OF_THE_BIKE = {"card", "undo", "other_turn", "history", "correct", "void", "move"}
FOR_EVERYBODY = {"scanned"}  # leads on to pages that look who is there
OF_THE_DESK = {"desk_card", "desk_correct", "desk_void", "desk_move", "desk_note", "desk_retire"}

# What each of them gets, by kind of page. A tail-gunner of another group and a stranger's organiser have no business
# with this bike; a road captain of another group takes the card itself over first.
EXPECTED: Mapping[str, tuple[int, int, int]] = {
    "nobody": (401, 401, 302),
    "revoked": (401, 401, 302),
    "rita": (200, 200, 302),
    "tom": (200, 200, 302),
    "lou": (200, 403, 302),
    "abroad": (200, 404, 302),
    "alice": (401, 401, 200),
    "bob": (401, 401, 200),
    "charlie": (401, 401, 404),
}


@pytest.fixture
def people(
    ride: Ride, alice, bob, charlie, other_event, crew_client: CrewClient, sign_in: SignIn
) -> Mapping[str, Callable[[], Client]]:
    """The cast, each with a browser; Lou is group two's tail-gunner, "abroad" a crew member of Charlie's ride."""
    lou = CrewMember.objects.create(group=ride.group_two, name="Lou", role=CrewMember.Role.TAIL_GUNNER)
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    DiceSet.objects.create(group=group, name="Theirs", ordinal=1)
    abroad = CrewMember.objects.create(group=group, name="Al", role=CrewMember.Role.ROAD_CAPTAIN)

    def revoked() -> Client:
        device, token = make_device(ride.rita)
        Device.objects.filter(pk=device.pk).update(revoked_at=timezone.now())
        client = Client()
        client.cookies[COOKIE] = token
        return client

    return {
        "nobody": Client,
        "revoked": revoked,
        "rita": lambda: crew_client(ride.rita),
        "tom": lambda: crew_client(ride.tom),
        "lou": lambda: crew_client(lou),
        "abroad": lambda: crew_client(abroad),
        "alice": lambda: sign_in(alice),
        "bob": lambda: sign_in(bob),
        "charlie": lambda: sign_in(charlie),
    }


def _address(ride: Ride, name: str) -> str:
    if name in OF_THE_GROUP:
        return reverse(f"scorecards:{name}")
    if name in OF_THE_BIKE:
        return reverse(f"scorecards:{name}", args=[ride.bikes[1].pk])
    return reverse(f"scorecards:{name}", args=[ride.event.slug, card_of(ride, ride.bikes[1]).pk])


def test_every_address_of_the_room_is_in_the_table() -> None:
    assert {pattern.name for pattern in urlpatterns} == OF_THE_GROUP | OF_THE_BIKE | OF_THE_DESK | FOR_EVERYBODY


@pytest.mark.parametrize("who", EXPECTED)
def test_everybody_gets_what_the_table_says(ride: Ride, note, people, who: str) -> None:
    note(1, 1, final([3, 4, 5, 5, 2], "chance"))
    turn = Turn.objects.get()
    client = people[who]()
    before = Operation.objects.count()

    for names, expected in zip((OF_THE_GROUP, OF_THE_BIKE, OF_THE_DESK), EXPECTED[who], strict=True):
        for name in names:
            if name != "undo":
                answer = client.get(_address(ride, name), {"turn": str(turn.pk)})
                assert answer.status_code == expected, name
                if expected in (401, 403, 404):
                    assert b"Chance" not in answer.content
            if expected != 200:
                posted = {"turn": turn.pk, "seq": turn.seq, "operation": uuid4(), "reason": "because"}
                assert client.post(_address(ride, name), posted).status_code == expected, name
    assert Operation.objects.count() == before


def test_a_card_of_another_event_is_not_found_under_ones_own(
    ride: Ride, note, charlie, other_event, sign_in: SignIn
) -> None:
    note(1, 1, final([3, 4, 5, 5, 2], "chance"))
    card = card_of(ride, ride.bikes[1])

    for name in sorted(OF_THE_DESK):
        url = reverse(f"scorecards:{name}", args=[other_event.slug, card.pk])
        assert sign_in(charlie).get(url, {"turn": str(Turn.objects.get().pk)}).status_code == 404


def test_a_bike_nobody_knows_is_not_there(ride: Ride, other_event, crew_client: CrewClient) -> None:
    foreign = Bike.objects.create(event=other_event, number=1)

    for bike_id in (uuid4(), foreign.pk):
        for name in sorted(OF_THE_BIKE - {"undo"}):
            assert crew_client(ride.rita).get(reverse(f"scorecards:{name}", args=[bike_id])).status_code == 404


def test_a_merged_bikes_address_leads_to_the_bike_it_was_merged_into(ride: Ride, crew_client: CrewClient) -> None:
    alias = Bike.objects.create(event=ride.event, number=1, suffix=2, group=ride.group_one, merged_into=ride.bikes[1])

    page = crew_client(ride.tom).get(reverse("scorecards:card", args=[alias.pk]))

    assert "Ann" in page.content.decode()


def test_pages_are_not_kept_by_caches(ride: Ride, crew_client: CrewClient) -> None:
    answer = crew_client(ride.tom).get(reverse("scorecards:group"))

    assert "no-store" in answer.headers["Cache-Control"]
    assert "Cookie" in answer.headers["Vary"]
