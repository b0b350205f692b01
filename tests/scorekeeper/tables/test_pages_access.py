"""Which cards have a page of a table. Who may open it is tested in `tests/scorekeeper/rights`."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.tables.services.dealing import withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import actor, card_of, paper
from tests.scorekeeper.tables.conftest import Look
from tests.scorekeeper.tables.pages import crew_url, noted_at, press, tap

pytestmark = pytest.mark.django_db


def test_a_card_that_is_not_there_or_was_withdrawn_is_not_found(pigs: UUID, desk: Actor, phone: Any) -> None:
    withdraw_table(desk, uuid4(), pigs, "nobody came")

    assert phone.get(crew_url(pigs)).status_code == 404
    assert phone.get(crew_url(uuid4())).status_code == 404


def test_a_card_of_the_stops_is_no_table(ride: Ride, phone: Any) -> None:
    turn = TurnNote(ride.contest.pk, ride.bikes[1].pk, ride.slots[0].pk, paper("chance", 20))
    assert record_turn(actor(ride.rita), uuid4(), turn).is_applied

    assert phone.get(crew_url(card_of(ride, ride.bikes[1]).pk)).status_code == 404


def test_a_phone_that_was_signed_out_gets_back_what_was_tapped(
    pigs: UUID, look: Look, phone: Any, django_assert_num_queries: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    Device.objects.update(revoked_at=timezone.now())

    answer = press(phone, page, "tap:throw:dice", "5")

    assert answer.status_code == 401
    assert "Throw 2 5" in text_of(answer)
    with django_assert_num_queries(0):
        page = text_of(Client().post(crew_url(pigs), {"seen": "1", "note:throw:": "", "throw:dice": ["2", "5"]}))
    assert "Throw 2 5" in page
    assert "Ann" not in page
    assert noted_at(look, pigs) == []
