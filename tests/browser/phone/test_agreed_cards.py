"""A rider agrees on a phone without signal; a correction at the desk voids it visibly, and the phone asks again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

RIDER = "Quin W."


def _open_card(page: Page) -> None:
    """Go from a list of the group's agreed cards to the rider's."""
    page.locator("a.agreed-list__bike", has_text=RIDER).click()


def test_an_agreement_without_signal_is_sent_and_asked_for_again_after_a_correction(
    site: Site, phone: Phone, organiser: Organiser
) -> None:
    page = phone.page
    site.go_offline()
    turn_entry.open_group(page)
    turn_entry.record_turn_offline(phone, "8", "55533", "Full house")
    turn_entry.go_back_to_group(page)
    page.locator("details.menu summary").click()
    page.get_by_role("link", name="Agreed cards").click()
    _open_card(page)
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("Agreed by the rider at")).to_be_visible()
    expect(page.locator("main .sync-line__waiting")).to_be_visible()
    expect(page.locator("#phone-bar")).to_contain_text("No signal. 2 to send")
    operations = [one["id"] for one in phone.read("operations")]
    site.go_online()
    phone.send_now()
    phone.wait_for_states(sent=2)
    assert site.count_recorded(operations) == [1, 1]

    organiser.open("cards/")
    organiser.follow("8")
    assert "Agreed by the rider at" in organiser.page.text
    organiser.follow("Void")
    organiser.submit("Void", reason="another bike's dice")
    assert "changed since" in organiser.page.text

    page.get_by_role("link", name="All cards of the group").click()
    _open_card(page)
    expect(page.get_by_text("changed since")).to_be_visible()
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("Agreed by the rider at")).to_be_visible()
