"""Further sheets of a bike on phones without signal: sold, recorded on, and sold on two phones at once."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.bikes.models import Bike, FurtherSheet, derive_sheet_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import add_poker_run, get_card_id, make_dice_run, roll, sell

pytestmark = pytest.mark.node


@pytest.fixture
def second(ride: Ride) -> Bike:
    """The second sheet of bike 2, sold before the phones load the ride; bike 2 has rolled its first turn."""
    make_dice_run(ride)
    rita = make_actor(ride.rita)
    sheet = sell(ride, rita, 2)
    roll(ride, rita, ride.bikes[2], 1, 20)
    return sheet


def get_sale_url(ride: Ride, number: int) -> str:
    query = f"contest={ride.contest.pk}&stop={ride.slots[0].stop_id}"
    return f"{reverse('scorecards:sell_sheet', args=[ride.bikes[number].pk])}?{query}"


def sell_on(phone: OfflinePhone, ride: Ride, number: int, sheet: int) -> Bike:
    """Sell a sheet on a phone, and return it without looking it up."""
    answer = phone.post(get_sale_url(ride, number), {"contest": ride.contest.pk, "operation": uuid4(), "number": sheet})
    assert answer.status_code == 302, answer.content.decode()
    assert [operation["kind"] for operation in answer.operations] == ["sell_sheet"]
    bike = ride.bikes[number]
    return Bike(id=derive_sheet_id(bike.pk, ride.contest.pk, sheet), event=ride.event, sheet_of=bike)


def roll_on(phone: OfflinePhone, ride: Ride, bike: Bike, total: int) -> str:
    """Record a turn at the first stop by its sum, and return the text of the page."""
    url = reverse("scorecards:card", args=[bike.pk])
    form = {
        "contest": ride.contest.pk,
        "slot": ride.slots[0].pk,
        "operation": uuid4(),
        "way": "paper",
        "total": total,
        "save": "paper",
    }
    answer = phone.post(url, form, {"HX-Request": "true"})
    assert [operation["kind"] for operation in answer.operations] == ["turn"], answer.content.decode()
    return get_visible_text(answer)


def test_the_pages_of_further_sheets_equal_the_servers(
    ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone
) -> None:
    phone = make_offline_phone(ride.rita)
    query = f"contest={ride.contest.pk}&stop={ride.slots[0].stop_id}"

    listed = get_visible_text(phone.get(f"/crew/?{query}"))
    assert "2 sheets, 1 to play" in listed
    assert "2/2" in get_visible_text(phone.get(f"/crew/?{query}&q=2"))
    assert "Next sheet: 2/2" in get_visible_text(phone.get(f"/crew/bikes/{ride.bikes[2].pk}/?{query}"))
    for page in ("card", "history", "other_turn", "sell_sheet"):
        phone.get(f"{reverse(f'scorecards:{page}', args=[second.pk])}?contest={ride.contest.pk}")
    phone.get("/crew/standing/")
    phone.get("/crew/agreed/")


def test_a_sheet_is_sold_and_rolls_without_signal(
    ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone
) -> None:
    phone = make_offline_phone(ride.rita)
    phone.is_connected = False
    third = sell_on(phone, ride, 2, 3)

    card = get_visible_text(phone.get(f"/crew/bikes/{third.pk}/?contest={ride.contest.pk}"))
    assert "2/3" in card
    assert "30" not in re.findall(r"\b\d+ points\b", card)
    text = roll_on(phone, ride, third, 25)
    assert "Next sheet: 2/2" in text
    assert not FurtherSheet.objects.filter(sheet=3).exists()

    receipts = phone.send()

    assert [receipt["outcome"] for receipt in receipts] == ["recorded", "recorded"]
    assert Turn.objects.filter(card=get_card_id(ride, third)).exists()
    assert phone.load() == []
    assert list(list_damage(ride.event)) == []


def test_next_leads_through_both_contests_at_the_stop_without_signal(
    ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone
) -> None:
    poker = add_poker_run(ride)
    phone = make_offline_phone(ride.rita)
    phone.get(f"/crew/bikes/{ride.bikes[2].pk}/?contest={ride.contest.pk}&slot={ride.slots[0].pk}")
    phone.is_connected = False

    text = roll_on(phone, ride, second, 25)
    assert "Next: 2, Poker run (Ben and Zoe)" in text
    assert "2 of 5 sheets played" in text
    slot = poker.slots.get(ordinal=1)
    form = {"contest": poker.pk, "slot": slot.pk, "operation": uuid4(), "dice": "AS", "choose": ":"}
    answer = phone.post(reverse("scorecards:card", args=[ride.bikes[2].pk]), form, {"HX-Request": "true"})
    assert [operation["kind"] for operation in answer.operations] == ["turn"], answer.content.decode()
    assert "Next bike: 3, Dice run (Cleo)" in get_visible_text(answer)

    assert [receipt["outcome"] for receipt in phone.send()] == ["recorded", "recorded"]


def test_what_a_sheet_would_lack_is_said_without_signal(
    ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone
) -> None:
    phone = make_offline_phone(ride.rita)
    phone.is_connected = False
    query = f"contest={ride.contest.pk}&stop={ride.slots[1].stop_id}"

    text = get_visible_text(phone.get(f"{reverse('scorecards:sell_sheet', args=[ride.bikes[2].pk])}?{query}"))

    assert "Already played: Ozweld's. A new sheet has no turns there." in text


def test_two_phones_that_sell_the_same_sheet_without_signal_mean_one(
    ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone
) -> None:
    phones = []
    for member, total in ((ride.rita, 25), (ride.tom, 11)):
        phone = make_offline_phone(member)  # the engine has one ride at a time
        phone.is_connected = False
        roll_on(phone, ride, sell_on(phone, ride, 2, 3), total)
        phones.append(phone)

    first, later = (phone.send() for phone in phones)

    assert [receipt["outcome"] for receipt in first] == ["recorded", "recorded"]
    assert [receipt["outcome"] for receipt in later] == ["merged", "conflict"], "two different rolls for one turn"
    assert FurtherSheet.objects.filter(sheet=3).count() == 1
    assert list(list_damage(ride.event)) == []


def test_a_sale_is_undone_without_signal(ride: Ride, second: Bike, make_offline_phone: MakeOfflinePhone) -> None:
    phone = make_offline_phone(ride.rita)
    phone.is_connected = False
    third = sell_on(phone, ride, 2, 3)

    url = reverse("scorecards:withdraw_sheet", args=[third.pk])
    phone.post(url, {"contest": ride.contest.pk, "operation": uuid4()})
    receipts = phone.send()

    assert [receipt["outcome"] for receipt in receipts] == ["recorded", "recorded"]
    assert FurtherSheet.objects.get().pk == second.pk
