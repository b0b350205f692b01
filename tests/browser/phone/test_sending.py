"""What waits on the phone is sent, and leaves the phone's queue for nothing but the server's receipt.

The queues are laid into the phone's database as a page leaves them that was killed; everything else is real.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

HUNDRED = 100
FIFTY = 50


def test_one_that_the_rules_forbid_at_the_head_of_a_hundred_stops_none_and_is_shown(site: Site, phone: Phone) -> None:
    phone.page.goto("/crew/ready/")
    forbidden, others = site.make_forbidden_turn(), site.make_walk_ups(HUNDRED - 1)
    phone.queue([forbidden, *others])

    phone.page.reload()
    phone.wait_for_states(sent=HUNDRED - 1, attention=1)

    assert site.count_recorded([one["id"] for one in others]) == [1] * (HUNDRED - 1)
    phone.page.get_by_role("button", name="1 need attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text("The rules do not allow it on this card.")
    expect(item.locator("[data-item-why] li")).not_to_have_count(0)
    item.get_by_role("button", name="Set it aside").click()
    expect(phone.page.locator("#attention")).to_be_hidden()
    assert phone.count() == {"sent": HUNDRED - 1, "aside": 1}
    receipts = [one["receipt"] for one in phone.read("operations") if one["state"] == "sent"]
    assert all(len(receipt["entries"][0]["hash"]) == 64 for receipt in receipts)


def test_the_login_page_of_another_network_acknowledges_nothing(site: Site, phone: Phone) -> None:
    phone.page.goto("/crew/ready/")
    site.stop()
    with site.captive() as asked:
        ids = phone.queue(site.make_walk_ups(3))
        phone.page.evaluate("dispatchEvent(new Event('online'))")
        expect(phone.page.locator("#phone-bar")).to_contain_text("No signal. 3 to send")
        phone.page.get_by_role("button", name="Send now").click()
        phone.page.reload()
        expect(phone.page.get_by_role("heading", name="Ready for the ride?")).to_be_visible()
        expect(phone.page.locator("#phone-bar")).to_contain_text("No signal. 3 to send")
        assert "POST /api/v1/operations" in asked
        assert phone.count() == {"waiting": 3}

    site.start()
    phone.page.get_by_role("button", name="Send now").click()

    phone.wait_for_states(sent=3)
    assert site.count_recorded(ids) == [1, 1, 1]


@pytest.mark.parametrize("end", ["revoked_at = '2020-01-01'", "expires_at = '2020-01-01'"])
def test_a_phone_that_is_signed_out_keeps_its_queue_until_it_has_a_new_link(
    site: Site, phone: Phone, new_link: MakeLink, end: str
) -> None:
    phone.page.goto("/crew/ready/")
    assert site.change(f"UPDATE crew_device SET {end} WHERE last_seen_at IS NOT NULL")
    ids = phone.queue(site.make_walk_ups(FIFTY))

    phone.page.reload()

    expect(phone.page.locator("#phone-bar")).to_contain_text("Signed out. This phone keeps 50 notes")
    assert phone.count() == {"waiting": FIFTY}
    phone.join(new_link())
    phone.wait_for_states(sent=FIFTY)
    assert site.count_recorded(ids) == [1] * FIFTY


def test_signing_out_warns_of_what_is_unsent_and_keeps_it(site: Site, phone: Phone, new_link: MakeLink) -> None:
    phone.page.goto("/crew/ready/")
    assert site.change("UPDATE events_event SET state = 'draft'")  # so that the server takes nothing yet
    ids = phone.queue(site.make_walk_ups(FIFTY))

    phone.page.goto("/crew/sign-out/")
    expect(phone.page.locator("[data-unsent-warning]")).to_contain_text("not sent yet: 50.")
    expect(phone.page.locator("#phone-bar")).to_contain_text("The ride is not open. 50 to send")
    phone.page.get_by_role("button", name="Sign out").click()

    expect(phone.page.get_by_role("heading", name="This phone is signed out")).to_be_visible()
    assert phone.count() == {"waiting": FIFTY}
    site.change("UPDATE events_event SET state = 'open'")
    phone.join(new_link())
    phone.wait_for_states(sent=FIFTY)
    assert site.count_recorded(ids) == [1] * FIFTY


def test_a_new_version_with_a_full_queue_takes_over_when_asked_and_loses_nothing(site: Site, phone: Phone) -> None:
    phone.page.goto("/crew/ready/")
    site.change("UPDATE events_event SET state = 'draft'")
    ids = phone.queue(site.make_walk_ups(FIFTY))
    before = phone.page.evaluate("caches.keys()")
    site.stop()
    site.start(LANGUAGE_CODE="en-us")

    phone.page.reload()
    expect(phone.page.locator("#phone-bar")).to_contain_text("A new version is ready")
    with phone.page.expect_navigation():
        phone.page.get_by_role("button", name="Use it now").click()
    expect(phone.page.locator("#phone-bar")).to_contain_text("The ride is not open. 50 to send")

    assert phone.page.evaluate("caches.keys()") != before
    assert phone.count() == {"waiting": FIFTY}
    site.change("UPDATE events_event SET state = 'open'")
    phone.page.get_by_role("button", name="Send now").click()
    phone.wait_for_states(sent=FIFTY)
    assert site.count_recorded(ids) == [1] * FIFTY


def test_a_queue_in_the_format_of_the_version_before_is_taken_over_as_it_is(site: Site, phone: Phone) -> None:
    operations = site.make_walk_ups(FIFTY)
    phone.page.goto("/healthz")  # no page of ours has the database open
    phone.page.evaluate(FIRST_FORMAT, [{"id": one["id"], "body": one, "state": "waiting"} for one in operations])

    phone.page.goto("/crew/ready/")

    phone.wait_for_states(sent=FIFTY)
    assert site.count_recorded([one["id"] for one in operations]) == [1] * FIFTY


FIRST_FORMAT = """rows => new Promise((resolve, reject) => {
  const clearing = indexedDB.deleteDatabase("tailgunner");
  clearing.onerror = reject;
  clearing.onsuccess = () => {
    const opening = indexedDB.open("tailgunner", 1);
    opening.onupgradeneeded = () => {
      const operations = opening.result.createObjectStore("operations", { keyPath: "seq", autoIncrement: true });
      operations.createIndex("id", "id", { unique: true });
      operations.createIndex("state", "state");
      opening.result.createObjectStore("ride");
      opening.result.createObjectStore("drafts", { keyPath: "place" });
      opening.result.createObjectStore("facts");
      rows.forEach((row) => operations.add(row));
    };
    opening.onerror = reject;
    opening.onsuccess = () => { opening.result.close(); resolve(); };
  };
})"""
