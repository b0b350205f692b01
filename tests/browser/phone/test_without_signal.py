"""Without its server a phone opens the app, shows the group, records turns, and loses nothing when it is killed."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import NEVER_STARTED, WITHOUT_ENGINE, Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL


def test_a_turn_and_tapped_dice_survive_the_browser_and_each_entry_is_sent_once(site: Site, phone: Phone) -> None:
    site.go_offline()
    turn_entry.open_group(phone.page)
    ids = [turn_entry.record_turn_offline(phone, "8", "55533", "Full house")]
    phone.page.locator("#next").click()
    expect(crew.get_face_button(phone.page, 1)).to_be_visible()
    expect(phone.page.locator("#phone-bar")).to_contain_text("No signal. 1 to send")
    turn_entry.go_back_to_group(phone.page)
    turn_entry.open_bike(phone.page, "12")
    address = phone.page.url
    crew.tap_dice(phone.page, "416")
    phone.wait_for_draft(3)

    phone.kill()
    phone.open()
    phone.page.goto(address)

    expect(phone.page.locator(".place .die")).to_have_count(3)
    phone.page.wait_for_function("() => [...document.fonts].every(({ status }) => status === 'loaded')")
    crew.tap_dice(phone.page, "53")
    crew.record_in_box(
        phone.page, "Large straight" if crew.get_box_button(phone.page, "Large straight").count() else "Chance"
    )
    assert phone.read("drafts") == []
    ids.append(phone.read("operations")[-1]["id"])
    turn_entry.go_back_to_group(phone.page)
    row = crew.get_bike_link(phone.page, "8")
    expect(row).to_contain_text("Full house: 25")
    expect(row.locator(".sync-line__waiting")).to_be_visible()
    ids.append(turn_entry.record_turn_offline(phone, "3", "44412", "Fours"))
    site.go_online()
    phone.send_now()
    expect(phone.page.locator(".turn-result .sync-line__sent")).to_be_visible()
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent")
    assert site.count_recorded(ids) == [1, 1, 1]

    if FULL:
        _open_again_with_signal(site, phone)


def _open_again_with_signal(site: Site, phone: Phone) -> None:
    """Expect that a phone that was killed shows what it sends when it is opened again, without a reload.

    In a short run, `test_unknown.py` shows this of a tap that the server has to process.
    """
    turn_entry.go_back_to_group(phone.page)
    site.go_offline()
    turn_entry.record_turn_offline(phone, "17", "11224", "Chance")
    phone.kill()
    site.go_online()
    phone.open()
    turn_entry.open_group(phone.page)
    phone.wait_for_states(sent=4)
    expect(crew.get_bike_link(phone.page, "17")).to_contain_text("Chance: 10")


def test_a_tap_before_the_engine_has_started_is_saved_and_processed_by_the_next_page(site: Site, phone: Phone) -> None:
    phone.page.add_init_script(WITHOUT_ENGINE)
    crew.show_bike(phone.page, "BBQ", "8")
    crew.tap_dice(phone.page, "55533")
    phone.wait_for_draft(5)
    phone.page.add_init_script(NEVER_STARTED)

    phone.page.reload()
    crew.get_box_button(phone.page, "Full house").click()
    expect(phone.page.locator("#phone-bar")).to_contain_text("Saved on this phone.")
    assert len(phone.read("taps")) == 1
    phone.kill()
    site.go_offline()
    phone.open()
    turn_entry.open_group(phone.page)

    expect(crew.get_bike_link(phone.page, "8")).to_contain_text("Full house: 25")
    assert phone.count() == {"waiting": 1}
    assert phone.read("taps") == []


def test_a_browser_that_cannot_store_anything_says_so(phone: Phone) -> None:
    phone.page.add_init_script("delete window.caches; delete window.indexedDB;")

    phone.page.goto("/crew/ready/")

    expect(phone.page.locator("[data-check='app']")).to_contain_text("This browser cannot store the app")
    expect(phone.page.locator("[data-ready='no']")).to_be_visible()
