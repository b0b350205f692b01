"""Which scorecards have a table page. Who may open it is tested in `tests/scorekeeper/rights`."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.tables.services import withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_paper_turn
from tests.scorekeeper.table_fixtures import ReadTable
from tests.scorekeeper.table_forms import crew_url, list_action_data, press, tap

pytestmark = pytest.mark.django_db


def test_an_unknown_or_withdrawn_table_is_not_found(pig_table: UUID, desk: Actor, phone: Any) -> None:
    withdraw_table(desk, uuid4(), pig_table, "nobody came")

    assert phone.get(crew_url(pig_table)).status_code == 404
    assert phone.get(crew_url(uuid4())).status_code == 404


def test_a_scorecard_at_stops_is_not_a_table(ride: Ride, phone: Any) -> None:
    turn = TurnInput(ride.contest.pk, ride.bikes[1].pk, ride.slots[0].pk, make_paper_turn("chance", 20))
    assert record_turn(make_actor(ride.rita), uuid4(), turn).is_applied

    assert phone.get(crew_url(get_bike_card(ride, ride.bikes[1]).pk)).status_code == 404


def test_a_phone_that_was_signed_out_gets_its_input_back(
    pig_table: UUID, fetch_table: ReadTable, phone: Any, django_assert_num_queries: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)
    Device.objects.update(revoked_at=timezone.now())

    answer = press(phone, page, "tap:throw:dice", "5")

    assert answer.status_code == 401
    assert "Throw 2 5" in get_page_text(answer)
    with django_assert_num_queries(0):
        page = get_page_text(
            Client().post(crew_url(pig_table), {"seen": "1", "note:throw:": "", "throw:dice": ["2", "5"]})
        )
    assert "Throw 2 5" in page
    assert "Ann" not in page
    assert list_action_data(fetch_table, pig_table) == []
