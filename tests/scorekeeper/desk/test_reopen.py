"""`/desk/events/<slug>/finish/<contest>/reopen/` and `.../missed/`: taking back what a closing recorded as missed."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.services.closure import reopen_contest
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.desk.conftest import get_line_text, make_operation_id
from tests.scorekeeper.scorecards.card_forms import card_url
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_paper_turn
from tests.scorekeeper.standings.test_take_back_closing import get_turn

PAD = 'name="tap"'


@pytest.fixture
def two_turns(add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))


@pytest.mark.usefixtures("two_turns")
def test_one_press_reopens_and_takes_back_what_the_closing_recorded(
    ride: Ride, organiser: Client, crew_client: CrewClient, url, close, desk: Actor
) -> None:
    phone, address = crew_client(ride.rita), card_url(ride, 1, 2)
    pad = phone.get(address).content.decode()
    close()
    assert "Missed" in phone.get(address).content.decode()
    turn = get_turn(ride, 2, 3)
    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("fives", 10))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "it was on paper")
    page = organiser.get(url("reopen"))
    assert "recorded 7 missing turns as missed (bikes: 2)" in get_line_text(page)
    assert "Bike 2 at BBQ: corrected" in get_line_text(page)
    (closing,) = re.findall(r'name="take_back" value="([0-9a-f-]+)"', page.content.decode())

    sent = {"operation": make_operation_id(), "reason": "too early", "take_back": closing}
    done = get_line_text(organiser.post(url("reopen"), sent, follow=True))

    assert "is open again" in done
    assert "7 missed turns were taken back. Phones offer them again." in done
    assert "Left as they are, because someone has changed them since: bike 2 at BBQ." in done
    assert "Take back missed turns" not in done
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (3, "fives", 10)]
    assert _without_ids(phone.get(address).content.decode()) == _without_ids(pad)
    assert organiser.post(url("reopen"), sent, follow=True).status_code == 200
    assert Entry.objects.filter(kind="clear_missed").count() == 2


@pytest.mark.usefixtures("two_turns")
def test_the_other_button_keeps_them_and_the_page_of_the_contest_still_offers_it(
    ride: Ride, organiser: Client, url, close
) -> None:
    close()
    sent = {"operation": make_operation_id(), "reason": "one group was forgotten"}
    done = organiser.post(url("reopen"), sent, follow=True)
    assert len(list_bike_turns(ride, 1)) == 5
    assert url("clear_missed") in done.content.decode()
    page = organiser.get(url("clear_missed"))
    (closing,) = re.findall(r'name="take_back" value="([0-9a-f-]+)"', page.content.decode())

    refused = organiser.post(url("clear_missed"), {"operation": make_operation_id(), "take_back": closing})
    assert refused.status_code == 422
    assert "Enter a reason." in get_line_text(refused)
    cleared = organiser.post(
        url("clear_missed"),
        {"operation": make_operation_id(), "reason": "too early", "take_back": closing},
        follow=True,
    )

    assert "8 missed turns were taken back" in get_line_text(cleared)
    assert len(list_bike_turns(ride, 1)) == 1
    assert organiser.get(url("clear_missed")).status_code == 302


def test_there_is_nothing_to_take_back_where_nothing_was_missing(ride: Ride, organiser: Client, url, close) -> None:
    close()

    page = organiser.get(url("reopen"))

    assert "take_back" not in page.content.decode()
    assert "Reopen</button>" in get_line_text(page).replace("> ", ">").replace(" <", "<")


@pytest.mark.usefixtures("two_turns")
def test_someone_else_was_quicker(ride: Ride, organiser: Client, url, close, desk: Actor) -> None:
    closing = close().operation_id
    reopen_contest(desk, uuid4(), ride.contest.pk, "too early", closing)
    sent = {"operation": make_operation_id(), "reason": "too early", "take_back": str(closing)}

    for page in ("reopen", "clear_missed"):
        answer = organiser.post(url(page), sent, follow=True)
        assert "Someone else has just changed this contest" in get_line_text(answer)


def _without_ids(page: str) -> str:
    return re.sub(r'[0-9a-f-]{36}|value="[A-Za-z0-9]{64}"|nonce="[^"]*"', "", page)
