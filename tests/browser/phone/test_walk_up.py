"""A walk-up without signal: the phone asks about a taken number, and the registration can be undone there."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site


def _expect_pad_on_screen(page: Page) -> None:
    """Expect that nothing above the dice pad pushes a part of it off a small screen."""
    assert page.viewport_size == {"width": 360, "height": 640}
    assert page.evaluate("scrollY") == 0
    for face in range(1, 7):
        expect(crew.get_face_button(page, face)).to_be_in_viewport(ratio=1)


def test_a_walk_up_rolls_at_once_at_a_later_stop_without_signal(site: Site, phone: Phone) -> None:
    turn_entry.open_group(phone.page, "Finale")
    site.go_offline()
    turn_entry.register(phone.page, "500")

    expect(phone.page.get_by_text("Registered. To undo it, tap ⋮ at the top.")).to_be_visible()
    _expect_pad_on_screen(phone.page)


def test_without_signal_the_phone_asks_about_a_taken_number_and_the_registration_is_undone(
    site: Site, phone: Phone
) -> None:
    page = phone.page
    turn_entry.open_group(page)
    before = site.query("SELECT COUNT(*) FROM bikes_bike WHERE number = '00008'")
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
    _expect_pad_on_screen(page)
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Undo the registration").click()
    expect(page.get_by_text("bike 8 (2) is no longer registered")).to_be_visible()

    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=2)
    kinds = "SELECT kind, outcome FROM scorecards_operation ORDER BY rowid DESC LIMIT 2"
    assert set(site.query(kinds)) == {("register_bike", "recorded"), ("withdraw_bike", "recorded")}
    assert site.query("SELECT COUNT(*) FROM bikes_bike WHERE number = '00008'") == before
