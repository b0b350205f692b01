"""Two phones without signal record for one bike; entries without a conflict both count, in either order."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser import crew, results
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

BIKE = "8"
POINTS = 25 + 18  # of the two turns


def _read_total(page: Page, board: str) -> int:
    page.goto(board)
    [row] = [row for row in results.read_board(page) if BIKE in row.bike.split()]
    return int(row.total)


def test_two_slots_of_one_bike_from_two_phones_both_count(
    site: Site, phone: Phone, other_phone: Phone, desk: Page, ready_ride: ReadyRide, browser: Browser
) -> None:
    before = _read_total(desk, ready_ride.ride.board)
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
    desk.goto(f"{ready_ride.ride.desk}review/")
    expect(desk.get_by_role("heading", name=f"Bike {BIKE}", exact=True)).to_have_count(0)
    desk.goto(ready_ride.ride.board)
    results.wait_for_board(desk, 1, has_text=str(before + POINTS))
    assert _read_total(desk, ready_ride.ride.board) == before + POINTS
