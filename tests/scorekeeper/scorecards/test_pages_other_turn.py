"""/crew/bikes/<id>/other-turn/: a turn of another stop, with the reason."""

from __future__ import annotations

from typing import Any

from scorekeeper.ledger.models import Operation
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import crew_url, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_paper_turn


def test_a_late_turn_is_recorded_at_its_own_stop_with_the_reason(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)
    add_turn(1, 2, make_paper_turn("aces", 3))
    url = crew_url(ride, 1, "other_turn")
    page = phone.get(url).content.decode()
    assert "Ozweld" in page
    assert "Parks" not in page, "it is already recorded"

    answer = phone.post(url, {"slot": ride.slots[0].pk, "reason": "arrived late"})
    card = phone.get(answer.url)
    assert "Recorded late: arrived late" in card.content.decode()
    press(phone, tap_dice(phone, card, "34552"), choose="score:chance")

    assert list_bike_turns(ride, 1) == [(1, "chance", 19), (2, "aces", 3)]
    assert Operation.objects.get(actor_id=ride.tom.pk).reason.text == "arrived late"


def test_turn_and_reason_are_required(ride: Ride, crew_client: CrewClient) -> None:
    answer = crew_client(ride.tom).post(crew_url(ride, 1, "other_turn"), {"slot": "", "reason": " "})

    assert answer.status_code == 422
    assert answer.content.decode().count("Choose a turn.") == 2
    assert answer.content.decode().count("Enter why you are recording it now.") == 2


def test_a_complete_card_says_so(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    boxes = ["aces", "twos", "threes", "fours", "fives"]
    for slot, box in enumerate(boxes, 1):
        add_turn(1, slot, make_paper_turn(box, 0))

    assert "Every turn is recorded" in crew_client(ride.tom).get(crew_url(ride, 1, "other_turn")).content.decode()


def test_a_bike_taken_over_stays_taken_over(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)

    answer = phone.post(crew_url(ride, 7, "other_turn"), {"slot": ride.slots[0].pk, "reason": "late"})

    assert read_form(phone.get(answer.url))["takes_over"] == ["1"]
