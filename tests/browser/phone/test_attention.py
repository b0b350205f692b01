"""An entry that was not accepted is shown with its reason, and can be recorded again or dismissed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink, ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

RecordRejectedTurn = Callable[..., str]


@pytest.fixture
def record_rejected_turn(browser: Browser, site: Site, phone: Phone, new_link: MakeLink) -> RecordRejectedTurn:
    """Record a turn of bike 8 that conflicts with another phone's: `record_rejected_turn(dice, box, stop=...)`.

    The other phone records a full house at that stop; this one learns of it when it sends. Returns the operation's id.
    """

    def record(dice: str, box: str, *, stop: str) -> str:
        turn_entry.record_turn_elsewhere(browser, site, new_link(), "8", "55533", "Full house", stop=stop)
        site.go_offline()
        turn_entry.open_group(phone.page)
        operation = turn_entry.record_turn_offline(phone, "8", dice, box)
        site.go_online()
        phone.send_now()
        return operation

    return record


def _open_attention(phone: Phone) -> Locator:
    phone.page.get_by_role("button", name="1 need attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_have_count(1)
    return item


def _dismiss(phone: Phone) -> None:
    _open_attention(phone).get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator("#attention")).to_be_hidden()
    expect(phone.page.locator("[data-bar-attention]")).to_be_hidden()


def test_a_conflict_with_another_phone_and_the_organisers_decision_are_shown_and_an_accepted_entry_needs_no_attention(
    phone: Phone, record_rejected_turn: RecordRejectedTurn, desk: Page, ready_ride: ReadyRide
) -> None:
    record_rejected_turn("66612", "Sixes", stop="BBQ")
    item = _open_attention(phone)
    expect(item).to_contain_text("Bike 8, Quin W.: Sixes, 18 points")
    expect(item).to_contain_text("Someone else recorded this turn first, with a different result.")
    phone.page.locator("#attention").get_by_role("button", name="Close").click()
    mark = crew.get_bike_link(phone.page, "8").locator("[data-bike-mark]")
    turn_entry.open_group(phone.page, "BBQ")
    expect(mark).to_contain_text("Needs attention")
    _decide(desk, ready_ride, "Keep the current entry")

    _open_attention(phone)
    expect(item).to_contain_text("The organiser reviewed this entry and decided that it does not count.")
    expect(item.get_by_role("link", name="Enter it again")).to_be_hidden()
    phone.page.locator("#attention").get_by_role("button", name="Close").click()

    desk.get_by_role("link", name="Undo the decision").first.click()
    _give_reason(desk.locator("form", has_text="need your decision again"), "Undo the decision")
    _decide(desk, ready_ride, "Use the entry under review")
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.wait_for_states(sent=1)
    expect(phone.page.locator("[data-bar-attention]")).to_be_hidden()
    expect(mark).to_have_count(0)


def _decide(desk: Page, ready_ride: ReadyRide, choice: str) -> None:
    desk.goto(f"{ready_ride.ride.desk}review/")
    entry = desk.locator("section", has_text="Bike 8")
    entry.get_by_label(choice).check()
    _give_reason(entry, "Decide")
    expect(desk.get_by_role("heading", name="Decided", exact=True)).to_be_visible()


def _give_reason(form: Locator, button: str) -> None:
    form.get_by_label("Reason").fill("I looked at the dice")
    form.get_by_role("button", name=button, exact=True).click()


def test_a_refused_entry_is_recorded_again_in_another_box_and_is_accepted(
    site: Site, phone: Phone, record_rejected_turn: RecordRejectedTurn
) -> None:
    # The phone has its receipt before it can refresh the ride: its requests for it fail. If it learned that nothing is
    # new, it would rightly consider what it has just sent lost, and send it again.
    phone.page.route("**/api/v1/ride/parts", lambda _route: None)
    refused = record_rejected_turn("66644", "Full house", stop="Finale")
    item = _open_attention(phone)
    expect(item).to_contain_text("The rules do not allow it on this scorecard.")

    item.get_by_role("link", name="Enter it again").click()

    expect(phone.page.locator("#attention")).to_be_hidden()
    expect(phone.page.locator("h1 .plate")).to_contain_text("8")
    crew.record_in_box(phone.page, "Chance")  # the dice are in
    phone.wait_for_states(sent=1, attention=1)
    [again] = [one for one in phone.read("operations") if one["state"] == "sent"]
    assert [one["dice"] for one in again["body"]["actions"] if "dice" in one] == [[6, 6, 6, 4, 4]]
    assert site.count_recorded([refused, again["id"]]) == [0, 1]
    _dismiss(phone)
    assert phone.count() == {"sent": 1, "aside": 1}
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent")
