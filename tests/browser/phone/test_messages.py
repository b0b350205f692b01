"""Messages from the organiser on a phone with the app: with signal, hours later, and read without signal."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

SOON = 20_000  # milliseconds; without the stream, a phone refreshes every minute


def get_message(phone: Phone, text: str) -> Locator:
    return phone.page.locator("#crew-messages > [data-message]", has_text=text)


def count_read(site: Site) -> int:
    [(count,)] = site.query("SELECT count(*) FROM crew_messagereceipt")
    return int(count)


def test_a_message_comes_with_the_next_refresh_or_by_itself_goes_when_withdrawn_and_is_read_without_signal(
    site: Site, phone: Phone, organiser: Organiser
) -> None:
    organiser.send_message("Wait at the BBQ")
    site.go_offline()
    turn_entry.open_group(phone.page)
    expect(get_message(phone, "Wait at the BBQ")).to_have_count(0)

    site.go_online()
    phone.go_online()
    expect(get_message(phone, "Wait at the BBQ")).to_be_visible(timeout=SOON)
    organiser.submit("Withdraw")
    expect(get_message(phone, "Wait at the BBQ")).to_have_count(0, timeout=SOON)

    organiser.send_message("Rain at <b>Parks</b>")
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

    assert any(len(fact["ids"]) == 1 for fact in phone.read("facts") if isinstance(fact, dict) and "ids" in fact)
    if FULL:  # what is in the phone's database survives, as `test_without_signal.py` shows of entries
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
