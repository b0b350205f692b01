"""Messages from the organiser on a phone with the app: with signal, hours later, and read without signal."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

SOON = 20_000  # milliseconds; without the stream, a phone refreshes every minute


def send(desk: Page, ready_ride: ReadyRide, text: str) -> None:
    desk.goto(f"{ready_ride.ride.desk}messages/")
    desk.get_by_label("Message", exact=True).fill(text)
    desk.get_by_role("button", name="Send").click()
    expect(desk.get_by_text("The message has been sent.")).to_be_visible()


def get_message(phone: Phone, text: str) -> Locator:
    return phone.page.locator("#crew-messages > [data-message]", has_text=text)


def count_read(site: Site) -> int:
    [(count,)] = site.query("SELECT count(*) FROM crew_messagereceipt")
    return int(count)


def test_a_message_arrives_by_itself_and_is_read_without_signal(
    site: Site, phone: Phone, desk: Page, ready_ride: ReadyRide
) -> None:
    turn_entry.open_group(phone.page)
    send(desk, ready_ride, "Rain at <b>Parks</b>")
    expect(get_message(phone, "Rain at <b>Parks</b>")).to_be_visible(timeout=SOON)  # nobody touched the phone
    phone.wait_for_ride("Rain at")

    site.go_offline()
    turn_entry.go_to_stop(phone.page, "BBQ")  # a page that the phone answers
    message = get_message(phone, "Rain at <b>Parks</b>")
    expect(message).to_have_count(1)
    turn_entry.record_turn_offline(phone, "8", "55533", "Full house")  # the message blocks nothing
    turn_entry.go_back_to_group(phone.page)
    message.get_by_role("button", name="Got it").click()
    expect(message).to_have_count(0)
    turn_entry.go_to_stop(phone.page, "Finale")
    expect(message).to_have_count(0)

    phone.kill()
    phone.open()
    turn_entry.open_group(phone.page)
    expect(get_message(phone, "Rain at <b>Parks</b>")).to_have_count(0)
    assert count_read(site) == 0
    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1)
    phone.wait_until_message_is_reported()
    assert count_read(site) == 1


def test_a_message_sent_while_the_phone_had_no_signal_comes_with_the_next_refresh_and_goes_when_withdrawn(
    site: Site, phone: Phone, desk: Page, ready_ride: ReadyRide
) -> None:
    send(desk, ready_ride, "Wait at the BBQ")
    site.go_offline()
    turn_entry.open_group(phone.page)
    expect(get_message(phone, "Wait at the BBQ")).to_have_count(0)

    site.go_online()
    phone.go_online()
    expect(get_message(phone, "Wait at the BBQ")).to_be_visible(timeout=SOON)
    desk.get_by_role("button", name="Withdraw").click()
    expect(get_message(phone, "Wait at the BBQ")).to_have_count(0, timeout=SOON)
