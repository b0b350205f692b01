"""A walk-up without signal: the phone asks about a taken number, and the registration can be undone there."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site


def test_without_signal_the_phone_asks_about_a_taken_number_and_the_registration_is_undone(
    site: Site, phone: Phone
) -> None:
    page = phone.page
    turn_entry.open_group(page)
    before = site.query("SELECT COUNT(*) FROM bikes_bike WHERE number = 8")
    site.go_offline()
    page.get_by_role("link", name="Add a walk-up bike").last.click()
    expect(page.get_by_role("heading", name="Add a walk-up bike")).to_be_visible()
    page.get_by_label("Number").fill("8")
    page.get_by_label("Rider").fill("Ida")
    page.get_by_role("button", name="Add the bike").click()
    expect(page.get_by_role("alert")).to_contain_text("the same bike?")
    expect(page.get_by_role("link", name="Yes, open bike 8")).to_be_visible()

    page.get_by_role("button", name="No, another bike with the same number").click()
    expect(page.locator("h1 .plate")).to_contain_text("8 (2)")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Undo the registration").click()
    expect(page.get_by_text("bike 8 (2) is no longer registered")).to_be_visible()

    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=2)
    kinds = "SELECT kind, outcome FROM scorecards_operation ORDER BY rowid DESC LIMIT 2"
    assert set(site.query(kinds)) == {("register_bike", "recorded"), ("withdraw_bike", "recorded")}
    assert site.query("SELECT COUNT(*) FROM bikes_bike WHERE number = 8") == before
