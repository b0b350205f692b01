"""An entry that was not accepted is shown with its reason, and can be recorded again or dismissed."""

from __future__ import annotations

from uuid import UUID

from playwright.sync_api import Locator, expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site


def _record_rejected_turn(site: Site, phone: Phone, link: str, number: str, dice: str, box: str, stop: str) -> str:
    """Record a turn that conflicts with another phone's full house at that stop; return the operation's id.

    This phone learns of it when it sends.
    """
    site.record_full_house_elsewhere(link, number, stop)
    site.go_offline()
    turn_entry.open_group(phone.page, "BBQ")
    operation = turn_entry.record_turn_offline(phone, number, dice, box)
    site.go_online()
    phone.send_now()
    return operation


def _open_attention(phone: Phone) -> Locator:
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_have_count(1)
    return item


def _dismiss(phone: Phone) -> None:
    _open_attention(phone).get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator("#attention")).to_be_hidden()
    expect(phone.page.locator("[data-bar-attention]")).to_be_hidden()


def _record_again(site: Site, phone: Phone, link: str, sent: int) -> None:
    """Record a refused entry again in another box, after this many were sent."""
    # The phone has its receipt before it can refresh the ride: its requests for it fail. If it learned that nothing is
    # new, it would rightly consider what it has just sent lost, and send it again.
    phone.page.route("**/api/v1/ride/parts", lambda _route: None)
    refused = _record_rejected_turn(site, phone, link, "12", "66644", "Full house", "Finale")
    item = _open_attention(phone)
    expect(item).to_contain_text("The rules do not allow it on this scorecard.")

    item.get_by_role("link", name="Enter it again").click()

    expect(phone.page.locator("#attention")).to_be_hidden()
    expect(phone.page.locator("h1 .plate")).to_contain_text("12")
    crew.record_in_box(phone.page, "Chance")  # the dice are in
    phone.wait_for_states(sent=sent + 1, attention=1)
    again = [one for one in phone.read("operations") if one["state"] == "sent"][-1]
    assert [one["dice"] for one in again["body"]["actions"] if "dice" in one] == [[6, 6, 6, 4, 4]]
    assert site.count_recorded([refused, again["id"]]) == [0, 1]
    _dismiss(phone)
    assert phone.count() == {"sent": sent + 1, "aside": 1}
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent")


def test_a_conflict_and_the_organisers_decisions_are_shown_and_a_refused_entry_is_recorded_again_in_another_box(
    site: Site, phone: Phone, new_link: MakeLink, organiser: Organiser
) -> None:
    _record_rejected_turn(site, phone, new_link(), "8", "66612", "Sixes", "BBQ")
    item = _open_attention(phone)
    expect(item).to_contain_text("Bike 8, Quin W.: Sixes, 18 points")
    expect(item).to_contain_text("Another entry for this turn arrived first, with a different result.")
    phone.page.locator("#attention").get_by_role("button", name="Close").click()
    mark = crew.get_bike_link(phone.page, "8").locator("[data-bike-mark]")
    turn_entry.open_group(phone.page, "BBQ")
    expect(mark).to_contain_text("Needs attention")
    [(item_id,)] = site.query("SELECT id FROM scorecards_reviewitem ORDER BY rowid DESC LIMIT 1")
    review = f"review/{UUID(item_id)}/"
    organiser.open("review/")
    organiser.submit("Decide", review, decision="keep", reason="I looked at the dice")

    _open_attention(phone)
    expect(item).to_contain_text("The organiser reviewed this entry and decided that it does not count.")
    expect(item.get_by_role("link", name="Enter it again")).to_be_hidden()
    phone.page.locator("#attention").get_by_role("button", name="Close").click()

    organiser.open(f"{review}take-back/")
    organiser.submit("Undo the decision", reason="I looked at the dice")
    organiser.open("review/")
    organiser.submit("Decide", review, decision="apply", reason="I looked at the dice")
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.wait_for_states(sent=1)
    expect(phone.page.locator("[data-bar-attention]")).to_be_hidden()
    expect(mark).to_have_count(0)

    _record_again(site, phone, new_link(), sent=1)
