"""The bar says how the server can be reached, soon after that has changed, though nobody touches the phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import NEVER_STARTED, Phone
from tests.browser.phone.site import Site

SOON = 5_000  # milliseconds
PATIENCE = 6.0  # seconds: longer than the phone waits for a page of the server
NO_SIGNAL, SIGN_IN = "No signal", "This Wi-Fi wants you to sign in"


def test_the_bar_follows_the_signal_and_a_page_that_needs_it_opens_when_it_is_back(site: Site, phone: Phone) -> None:
    turn_entry.open_group(phone.page)
    bar = phone.page.locator("#phone-bar")
    expect(phone.page.locator("#phone-bar")).not_to_contain_text(NO_SIGNAL)

    site.refuse_connections()
    expect(bar).to_contain_text(NO_SIGNAL, timeout=SOON)
    with site.answer_as_captive_portal():
        expect(bar).to_contain_text(SIGN_IN, timeout=SOON)
    expect(bar).to_contain_text(NO_SIGNAL, timeout=SOON)

    phone.page.locator("details.menu summary").click()
    phone.page.get_by_role("link", name="Tables", exact=True).click()
    expect(phone.page.get_by_role("heading", name="Tables", level=1)).to_be_visible()
    phone.page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<i data-needs-signal></i>')")
    site.go_online()
    expect(bar).not_to_contain_text(NO_SIGNAL, timeout=SOON)
    expect(phone.page.locator("[data-needs-signal]")).to_have_count(0)


def test_a_slow_server_is_called_slow(phone: Phone) -> None:
    turn_entry.open_group(phone.page)
    phone.page.route("**/api/v1/operations", lambda _route: None)

    turn_entry.record_turn_offline(phone, "8", "55533", "Full house")

    bar = phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("Sending … 1 to send", timeout=SOON)
    expect(bar).to_contain_text("Slow connection. 1 to send", timeout=SOON)


def test_a_slow_servers_page_is_shown_if_it_arrives_before_the_engine_has_started(site: Site, phone: Phone) -> None:
    turn_entry.open_group(phone.page)
    phone.page.goto("about:blank")  # no page of the app is open that could answer
    phone.page.add_init_script(NEVER_STARTED)
    site.slow_down(PATIENCE)
    try:
        phone.page.goto("/crew/", wait_until="commit")
        expect(phone.page.get_by_text("Opening …")).to_be_visible()
        expect(crew.get_bike_link(phone.page, "8")).to_be_visible()
    finally:
        site.slow_down(0)
