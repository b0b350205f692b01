"""Agreed cards on a phone with and without signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.agreements.conftest import add_turn, get_agreement, get_digest, list_agreed
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone, PhoneResponse
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, list_forms, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import make_paper_turn

__all__ = ["add_turn"]

GROUP, CONFIRM = "/crew/agreed/", "/crew/agreed/confirm/"
AddTurn = Callable[..., Receipt]


def get_url(ride: Ride, number: int) -> str:
    return f"/crew/bikes/{ride.bikes[number].pk}/agree/?contest={ride.contest.pk}"


def tap(phone: OfflinePhone, url: str) -> PhoneResponse:
    """Press the first button of the page: “I agree”, or the undo."""
    form = next(form for form in list_forms(phone.get(url)) if "digest" in form)
    return phone.post(url, form)


def test_phones_get_agreements_only_to_cards_that_they_may_open(
    ride: Ride, add_turn: AddTurn, crew_client: CrewClient
) -> None:
    for number in (1, 5):
        seen = SeenCard(ride.contest.pk, ride.bikes[number].pk, "a" * 64)
        agree(Actor(uuid4(), ride.event.pk), uuid4(), seen)

    def count(client: Any) -> int:
        return len(RideCopy(client).contents["agreements.Agreement"]["agreements.Agreement"])

    assert count(crew_client(ride.tom)) == 1
    assert count(crew_client(ride.rita)) == 2, "a road captain opens every card"
    for old in ("/api/v1/ride", "/api/v1/ride/parts"):
        assert "agreements.Agreement" not in crew_client(ride.rita).get(old).content.decode()


@pytest.mark.node
class TestPhone:
    @pytest.fixture
    def phone(self, ride: Ride, add_turn: AddTurn, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
        add_turn(1, 1, make_paper_turn("chance", 24))
        add_turn(2, 1, make_paper_turn("chance", 18))
        return make_offline_phone(ride.rita)

    def test_its_pages_equal_the_servers(self, ride: Ride, phone: OfflinePhone) -> None:
        agree(Actor(uuid4(), ride.event.pk), uuid4(), SeenCard(ride.contest.pk, ride.bikes[1].pk, get_digest(ride, 1)))
        phone.load()
        assert "Agreed by the rider at" in get_visible_text(phone.get(get_url(ride, 1)))
        assert "1 of 2 agreed" in get_visible_text(phone.get(GROUP))
        phone.get(f"/crew/bikes/{ride.bikes[1].pk}/history/?contest={ride.contest.pk}")
        phone.get(get_url(ride, 3))

    def test_a_turn_and_the_agreement_to_it_without_signal_reach_the_server(
        self, ride: Ride, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        press(phone, tap_dice(phone, phone.get(card_url(ride, 1, 2)), "34552"), choose="score:fives")
        answer = tap(phone, get_url(ride, 1))
        assert [operation["kind"] for operation in answer.operations] == ["agree"]
        assert "Agreed by the rider at" in get_visible_text(phone.get(get_url(ride, 1)))

        assert phone.load() == [], "replayed on a fresh copy of the ride, nothing is refused"
        assert "Agreed by the rider at" in get_visible_text(phone.get(get_url(ride, 1)))
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 2
        assert get_agreement(ride, 1).current is not None, "the server's card has the same figures"
        assert list(list_damage(ride.event)) == []

    def test_it_is_undone_without_signal(self, ride: Ride, phone: OfflinePhone) -> None:
        phone.is_connected = False
        tap(phone, get_url(ride, 1))
        answer = tap(phone, get_url(ride, 1))
        assert [operation["agreed"] for operation in answer.operations] == [False]
        assert "Not agreed yet" in get_visible_text(phone.get(get_url(ride, 1)))
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 2
        assert list_agreed() == set()

    def test_a_correction_elsewhere_voids_it_visibly_and_asks_again(self, ride: Ride, phone: OfflinePhone) -> None:
        phone.is_connected = False
        tap(phone, get_url(ride, 1))
        turn = Turn.objects.get(card__seats__bike=ride.bikes[1])
        target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", 20))
        desk = Actor(uuid4(), ride.event.pk)
        amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"], "though it is to older figures"
        assert get_agreement(ride, 1).earlier == Agreement.objects.get()
        phone.load()
        page = get_visible_text(phone.get(get_url(ride, 1)))
        assert "changed since" in page
        assert "I agree" in page
        tap(phone, get_url(ride, 1))
        phone.send()
        assert get_agreement(ride, 1).current is not None

    def test_a_road_captain_confirms_the_group_without_signal(self, ride: Ride, phone: OfflinePhone) -> None:
        phone.is_connected = False
        page = phone.get(f"{CONFIRM}?contest={ride.contest.pk}")
        answer = phone.post(CONFIRM, read_form(page))
        assert [operation["by"] for operation in answer.operations] == ["captain"] * 2
        assert "2 of 2 agreed" in get_visible_text(phone.get(GROUP))
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 2
        assert list_agreed() == {(1, "captain"), (2, "captain")}
