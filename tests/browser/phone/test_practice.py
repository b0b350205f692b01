"""A phone practises and goes back to the ride: both keep their own entries, with and without signal."""

from __future__ import annotations

from uuid import UUID

from playwright.sync_api import expect

from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

NAME = "Our own ride"
MAKE_RIDE = f"UPDATE events_event SET is_practice = 0, name = '{NAME}'"
DRAFT = "UPDATE events_event SET state = 'draft' WHERE NOT is_practice"
OPEN = "UPDATE events_event SET state = 'open'"
EVENTS = "SELECT o.id, e.is_practice FROM scorecards_operation o JOIN events_event e ON e.id = o.event_id"


def _start_practice(site: Site, phone: Phone, organiser: Organiser) -> None:
    assert site.change(MAKE_RIDE)  # the demo is a practice event itself
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride(NAME)
    organiser.open("")
    organiser.submit("Practise with the crew")
    assert "This is a practice" in organiser.page.text


def _switch(phone: Phone, button: str) -> None:
    phone.page.goto("/crew/switch/")
    phone.page.get_by_role("button", name=button).click()
    phone.expect_key_registered()


def _record_offline(site: Site, phone: Phone, number: int = turn_entry.FIRST_NUMBER, *, by_hand: bool = FULL) -> str:
    """Record an entry that names no event, so that only the phone knows where it belongs; return its id."""
    if by_hand:
        site.go_offline()
        [operation] = turn_entry.register_walk_ups(phone, 1, number)
    else:
        phone.page.goto("/healthz")  # no page of ours, so nothing is sent yet
        [operation] = phone.add_to_outbox(site.make_walk_ups(1, number))
        site.go_offline()
    return operation


def test_entries_of_the_ride_and_of_its_practice_stay_apart_on_one_phone_also_once_the_practice_is_started_over(
    site: Site, phone: Phone, organiser: Organiser
) -> None:
    _start_practice(site, phone, organiser)
    band = phone.page.locator("[data-practice-band]")
    own = _record_offline(site, phone)

    assert site.change(DRAFT)  # so that the entry of the ride stays pending
    site.go_online()
    _switch(phone, "Practise")
    expect(band).to_be_visible()  # on a page that is the same for everyone
    expect(phone.page).to_have_title("Practice · Ready for the ride? · Tailgunner")
    assert phone.count() == {"waiting": 1}
    practised = _record_offline(site, phone, by_hand=True)
    expect(band).to_be_visible()
    assert phone.count() == {"waiting": 2}
    if FULL:  # in Node, the same engine says so in each run
        phone.page.goto("/crew/switch/")
        expect(phone.page.get_by_role("heading", level=1)).to_have_text("This needs signal")

    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1, waiting=1)
    assert site.change(OPEN)
    phone.send_now()
    phone.wait_for_states(sent=2)  # the entry of the ride too, while the phone practises

    recorded = {str(UUID(one)): bool(is_practice) for one, is_practice in site.query(EVENTS)}
    assert (recorded[own], recorded[practised]) == (False, True)
    _switch(phone, "Back to the event")  # with the key that it had before
    expect(band).to_be_hidden()
    phone.page.get_by_role("link", name="Go to my group").click()
    expect(phone.page.get_by_role("navigation", name="Stops")).to_be_visible()

    # The practice is started over while the phone has an entry for it.
    _switch(phone, "Practise")
    _record_offline(site, phone, turn_entry.FIRST_NUMBER + 1)
    phone.page.goto("about:blank")  # no page of ours, so nothing is sent yet
    phone.leave_out_engine(everywhere=True)
    site.go_online()
    organiser.follow("Start over")
    organiser.submit("Start over")
    assert "The practice starts over" in organiser.page.text
    phone.page.goto("/crew/")
    expect(phone.page.locator("[data-bar-line]")).to_contain_text("This practice has ended. Go back to the event")
    _switch(phone, "Back to the event")
    phone.wait_for_states(sent=2, attention=1)
    phone.page.get_by_role("button", name="1 needs attention").click()
    expect(phone.page.locator(".attention__item").first).to_contain_text("recorded in a practice that has ended")
