"""Who may open the pages of a table: any phone of the event's crew, and its organisers."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device, DiceSet, Group
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.tables.services.dealing import withdraw_table
from scorekeeper.tables.urls import urlpatterns
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import actor, card_of, paper
from tests.scorekeeper.tables.conftest import Act, Look, throw
from tests.scorekeeper.tables.pages import crew_url, desk_url, noted_at, press, tap

pytestmark = pytest.mark.django_db

CREW = {"table", "undo", "retire", "history", "correct", "void"}


@pytest.fixture
def addresses(pigs: UUID, act: Act, look: Look) -> dict[str, str]:
    """The pages that can be opened by a link, with what they are about."""
    act(pigs, throw(2))
    (action_id,) = look(pigs).noted
    about = f"?action={action_id}"
    return {"table": "", "history": "", "retire": "?seat=0", "correct": about, "void": about}


def test_every_address_of_a_table_is_a_pair_of_doors_to_a_page_but_for_withdrawing() -> None:
    tables = {str(pattern.name) for pattern in urlpatterns if "card_id" in str(pattern.pattern)}
    assert tables == CREW | {f"desk_{name}" for name in (*CREW, "withdraw")}


@pytest.mark.parametrize("page", sorted(CREW - {"undo"}))
def test_any_phone_of_the_event_and_no_other(
    ride: Ride, pigs: UUID, crew_client: CrewClient, phone: Any, page: str, addresses: Any, other_event: Any
) -> None:
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    DiceSet.objects.create(group=group, name="Theirs", ordinal=1)
    abroad = CrewMember.objects.create(group=group, name="Al", role=CrewMember.Role.ROAD_CAPTAIN)
    url = crew_url(pigs, page) + addresses[page]

    phones = [crew_client(ride.rita), crew_client(ride.gus), crew_client(abroad), Client()]

    assert [phone.get(url).status_code for phone in phones] == [200, 200, 404, 401]


@pytest.mark.parametrize("page", sorted(CREW - {"undo"}))
def test_the_organisers_of_the_event_and_no_others(
    ride: Ride, pigs: UUID, alice: User, sign_in: SignIn, page: str, addresses: Any, bob: User, charlie: User
) -> None:
    url = desk_url(ride, pigs, page) + addresses[page]

    browsers = [sign_in(alice), sign_in(bob), sign_in(charlie), Client()]

    assert [browser.get(url).status_code for browser in browsers] == [200, 200, 404, 302]


def test_a_card_that_is_not_there_or_was_withdrawn_is_not_found(pigs: UUID, desk: Actor, phone: Any) -> None:
    withdraw_table(desk, uuid4(), pigs, "nobody came")

    assert phone.get(crew_url(pigs)).status_code == 404
    assert phone.get(crew_url(uuid4())).status_code == 404


def test_a_card_of_the_stops_is_no_table(ride: Ride, phone: Any) -> None:
    turn = TurnNote(ride.contest.pk, ride.bikes[1].pk, ride.slots[0].pk, paper("chance", 20))
    assert record_turn(actor(ride.rita), uuid4(), turn).is_applied

    assert phone.get(crew_url(card_of(ride, ride.bikes[1]).pk)).status_code == 404


def test_a_phone_that_was_signed_out_gets_back_what_was_tapped(pigs: UUID, look: Look, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    Device.objects.update(revoked_at=timezone.now())

    answer = press(phone, page, "tap:throw:dice", "5")

    assert answer.status_code == 401
    assert "Throw 2 5" in text_of(answer)
    assert noted_at(look, pigs) == []
