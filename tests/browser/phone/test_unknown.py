"""Requests about objects created since the phone last refreshed go to the server."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import crew, rogue, table_game, tables
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import WITHOUT_ENGINE, Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

RIDE = "**/api/v1/ride/parts"
NUMBER, DELETED_NUMBER, EARLIER_NUMBER, OWN_NUMBER = "700", "701", "702", "703"
CONTEST = "Rogue at the campfire"
TABLE, REMOVED_TABLE = ("Pam H. (bike 3)", "Quin W. (bike 8)"), ("Cal D. (bike 12)", "Lena F. (bike 17)")


def _stop_refreshing(phone: Phone) -> None:
    # The server's response from just before: nothing has changed.
    phone.page.context.route(RIDE, lambda route: route.fulfill(status=304, headers={"X-Tailgunner": "1"}))


def _register_elsewhere(site: Site, link: str, number: str) -> None:
    """Register a walk-up bike on another phone."""
    site.record_elsewhere(link, *site.make_walk_ups(1, int(number)))


def _add_bike(organiser: Organiser, number: str) -> None:
    organiser.open("bikes/new/")
    organiser.submit("Add the bike", number=number, rider=f"Rider {number}", group="Early Birds")


def _register_at_server(phone: Phone, number: str) -> None:
    """Register a bike on a page whose engine cannot start: the server handles its forms. Then close that page."""
    without_engine = phone.page
    without_engine.add_init_script(WITHOUT_ENGINE)
    turn_entry.open_group(without_engine)
    turn_entry.register(without_engine, number)
    assert phone.count() == {}
    phone.page = without_engine.context.new_page()
    without_engine.close()


def _open_at_bbq(phone: Phone, number: str = NUMBER) -> None:
    turn_entry.go_to_stop(phone.page, "BBQ")
    turn_entry.open_bike(phone.page, number)


def _expect_kept_draft(phone: Phone, kept: int) -> None:
    """Expect that the only tap is kept, as the last of this many, that the phone says why, and sends nothing again."""
    expect(phone.page.get_by_role("heading", name="Page not found")).to_be_visible()
    phone.wait_for_states(attention=kept)
    assert phone.read("taps") == []
    turn_entry.open_group(phone.page)
    phone.page.get_by_role("button", name=f"{kept} need{'s' if kept == 1 else ''} attention").click()
    item = phone.page.locator(".attention__item").nth(kept - 1)
    expect(item).to_contain_text("It could not be recorded. It is kept on this phone only.")
    expect(item).to_contain_text("This tap could not be recorded. Check the scorecard and enter it again.")
    phone.page.locator("#attention").get_by_role("button", name="Close").click()


def _count_entries(site: Site) -> int:
    [(count,)] = site.query("SELECT COUNT(*) FROM scorecards_entry")
    return int(count)


def _expect_recorded(site: Site, phone: Phone, before: int, **states: int) -> None:
    """Expect that the server has recorded one entry since, and that the phone has only those in these states."""
    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    phone.wait_for_states(**states)


def _record_turn(phone: Phone) -> None:
    """Record a turn of bike 8 at the BBQ, and expect that no page says that there is no signal."""
    turn_entry.open_bike(phone.page, "8")
    crew.record_turn(phone.page, "55533", "Full house")
    phone.wait_for_states(sent=1)
    phone.wait_for_ride('"full_house"')  # it has nothing left to refresh
    if FULL:  # in Node, the same engine does so in each run
        _correct_turn(phone)
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent")
    expect(phone.page.locator("#phone-bar")).not_to_contain_text("No signal")


def _correct_turn(phone: Phone) -> None:
    phone.page.locator("details.menu summary").click()
    phone.page.get_by_role("link", name="History and corrections").click()
    phone.page.get_by_role("link", name=re.compile("^Correct BBQ")).click()
    for _ in range(2):
        phone.page.locator(".place--change").last.click()
        crew.get_face_button(phone.page, 4).click()
    crew.get_box_button(phone.page, "Full house").click()
    phone.page.locator(".reasons__choice", has_text="Misread").click()
    phone.page.get_by_role("button", name="Correct", exact=True).click()
    expect(phone.page.locator("main")).to_contain_text("Misread")
    phone.wait_for_states(sent=2)
    phone.wait_for_ride("Misread")


def test_a_page_of_the_server_refreshes_the_phone_and_a_turn_of_a_later_bike_is_recorded_with_signal_and_kept_without(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    turn_entry.open_group(phone.page)
    _register_elsewhere(site, new_link(), EARLIER_NUMBER)
    turn_entry.go_to_stop(phone.page, "BBQ")
    phone.wait_for_ride(f"Rider {EARLIER_NUMBER}")
    _record_turn(phone)
    sent = phone.count()["sent"]

    turn_entry.open_group(phone.page)
    _stop_refreshing(phone)
    _register_elsewhere(site, new_link(), NUMBER)
    _open_at_bbq(phone)
    before = _count_entries(site)

    crew.record_turn(phone.page, "66612", "Sixes")

    expect(phone.page.locator(".turn-result")).to_contain_text(f"Bike {NUMBER}")
    _expect_recorded(site, phone, before, sent=sent)

    # Without signal, the next one stays on the page and on the phone until it is recorded.
    turn_entry.go_back_to_group(phone.page)
    turn_entry.go_to_stop(phone.page, "Finale")
    finale = phone.page.url
    turn_entry.open_bike(phone.page, NUMBER)
    crew.tap_dice(phone.page, "55533")
    expect(crew.get_box_button(phone.page, "Full house")).to_be_visible()
    site.go_offline()

    crew.get_box_button(phone.page, "Full house").click()

    expect(phone.page.locator("#not-sent")).to_contain_text("What you entered is still here")
    expect(phone.page.locator(".dice-row .die")).to_have_count(5)
    phone.wait_for_count("taps", 1)
    expect(phone.page.locator("#phone-bar")).to_contain_text("1 to send")

    phone.page.context.unroute(RIDE)
    phone.kill()
    site.go_online()
    phone.open()
    phone.page.goto(finale)
    phone.wait_for_count("taps", 0)
    phone.wait_for_states(sent=sent + 1)
    assert _count_entries(site) == before + 2
    # It is shown without a reload.
    expect(crew.get_bike_link(phone.page, NUMBER)).to_contain_text("Full house: 25")


def test_what_was_created_at_the_server_is_used_with_signal_and_if_it_is_gone_the_tap_is_kept_with_the_reason(
    site: Site, phone: Phone, organiser: Organiser
) -> None:
    _stop_refreshing(phone)
    for number in (NUMBER, DELETED_NUMBER):
        _add_bike(organiser, number)
    for players in (TABLE, REMOVED_TABLE):
        organiser.create_table(CONTEST, *players)
    _register_at_server(phone, OWN_NUMBER)
    turn_entry.open_group(phone.page)
    table_game.go_to_table(phone.page, CONTEST, "Pam H.")
    before = _count_entries(site)
    rogue.roll(phone.page, "C22456")
    _expect_recorded(site, phone, before)

    phone.page.get_by_role("link", name="All tables").last.click()
    table_game.open_listed_table(phone.page, CONTEST, "Cal D.")
    tables.tap(phone.page, "roll:dice", "C22456")
    # The page loads the values once; of a table that is gone it would get none.
    expect(phone.page.locator("#odds:not([hx-get])")).to_be_attached()
    organiser.follow("Remove, Cal D.")
    organiser.submit("Remove the table", reason="created twice")
    tables.press_record(phone.page, "Record roll")
    _expect_kept_draft(phone, 1)

    for number in (NUMBER, OWN_NUMBER):
        _open_at_bbq(phone, number)
        before = _count_entries(site)
        crew.record_turn(phone.page, "55533", "Full house")
        expect(phone.page.locator(".turn-result")).to_contain_text(f"Bike {number}")
        _expect_recorded(site, phone, before, attention=1)
        turn_entry.go_back_to_group(phone.page)

    _open_at_bbq(phone, DELETED_NUMBER)
    crew.tap_dice(phone.page, "55533")
    expect(crew.get_box_button(phone.page, "Full house")).to_be_visible()
    organiser.open("bikes/")
    organiser.follow(DELETED_NUMBER)
    organiser.follow("Delete")
    organiser.submit("Delete the bike")
    crew.get_box_button(phone.page, "Full house").click()
    phone.leave_out_engine(everywhere=True)
    _expect_kept_draft(phone, 2)
