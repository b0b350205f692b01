"""Two phones without signal record for one bike; entries without a conflict both count, in either order."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.servers import wait_until

BIKE = "8"
POINTS = 25 + 18  # of the two turns


def test_two_slots_of_one_bike_from_two_phones_both_count(
    site: Site, phone: Phone, other_phone: Phone, organiser: Organiser, ready_ride: ReadyRide
) -> None:
    board = ready_ride.ride.board
    before = site.read_board(board)[BIKE]
    site.go_offline()
    turn_entry.open_group(phone.page, "BBQ")
    ids = [turn_entry.record_turn_offline(phone, BIKE, "55533", "Full house")]
    turn_entry.open_group(other_phone.page, "Finale")
    ids.append(turn_entry.record_turn_offline(other_phone, BIKE, "66612", "Sixes"))

    site.go_online()

    for one in (other_phone, phone):
        one.go_online()
        one.wait_for_states(sent=1)
        expect(one.page.locator("#phone-bar")).to_contain_text("All sent")
        expect(one.page.locator("[data-bar-attention]")).to_be_hidden()
    assert site.count_recorded(ids) == [1, 1]
    assert {one["receipt"]["outcome"] for each in (phone, other_phone) for one in each.read("operations")} == {
        "recorded"
    }
    for one in (phone, other_phone):
        for stop, turn in (("BBQ", "Full house 25"), ("Finale", "Sixes 18")):
            turn_entry.open_group(one.page, stop)
            expect(crew.get_bike_link(one.page, BIKE)).to_contain_text(turn)
    organiser.open("review/")
    assert f"</span> {BIKE}</span>" not in organiser.page.text
    wait_until(lambda: site.read_board(board)[BIKE] == before + POINTS, "the turns are on the leaderboard")
