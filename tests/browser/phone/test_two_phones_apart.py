"""Two phones without signal record for one bike; entries without a conflict both count, in either order."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink, ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL
from tests.faults.servers import wait_until

BIKE = "8"
TURNS = (("BBQ", "55533", "Full house"), ("Finale", "66612", "Sixes"))
POINTS = 25 + 18  # of the two turns


@pytest.fixture
def phones(request: pytest.FixtureRequest, phone: Phone) -> list[Phone]:
    """Both phones. In a short run, an entry over HTTP takes the place of the other one's."""
    return [phone, request.getfixturevalue("other_phone")] if FULL else [phone]


def test_two_slots_of_one_bike_from_two_phones_both_count(
    site: Site,
    phones: list[Phone],
    new_link: MakeLink,
    organiser: Organiser,
    ready_ride: ReadyRide,
) -> None:
    board = ready_ride.ride.board
    before = site.read_board(board)[BIKE]
    link = new_link("Fay")
    site.go_offline()
    ids = []
    for one, (stop, dice, box) in zip(phones, TURNS, strict=False):
        turn_entry.open_group(one.page, stop)
        ids.append(turn_entry.record_turn_offline(one, BIKE, dice, box))

    site.go_online()
    for stop, dice, box in TURNS[len(phones) :]:
        elsewhere = site.make_scored_turn(BIKE, dice, box, stop)
        site.record_elsewhere(link, elsewhere)
        ids.append(elsewhere["id"])

    for one in reversed(phones):
        one.go_online()
        one.wait_for_states(sent=1)
        expect(one.page.locator("#phone-bar")).to_contain_text("All sent")
        expect(one.page.locator("[data-bar-attention]")).to_be_hidden()
    assert site.count_recorded(ids) == [1, 1]
    assert {one["receipt"]["outcome"] for each in phones for one in each.read("operations")} == {"recorded"}
    for one in phones:
        for stop, turn in (("BBQ", "Full house: 25"), ("Finale", "Sixes: 18")):
            turn_entry.open_group(one.page, stop)
            expect(crew.get_bike_link(one.page, BIKE)).to_contain_text(turn)
    organiser.open("review/")
    assert f"</span> {BIKE}</span>" not in organiser.page.text
    wait_until(lambda: site.read_board(board)[BIKE] == before + POINTS, "the turns are on the leaderboard")
