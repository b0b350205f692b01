"""Pending entries are sent, and only the server's receipt removes one from the phone's queue.

The queues are entered by hand while the server is stopped, except if a phone needs operations that no current form
makes, or if a short run tests what happens to a queue and not how it was filled.
"""

from __future__ import annotations

import threading
import time

import pytest
from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.figures import Figures
from tests.faults.scale import FULL, scaled

QUEUE = scaled(100, 50)  # by hand only in a full run
ANSWERS = scaled(100, 4)
FIFTY = scaled(50, 2)
STORED_DIRECTLY = 50  # operations put directly into the phone's database cost nothing

pytestmark = pytest.mark.timeout(900)  # the long queues are entered by hand


def _record_queue(site: Site, phone: Phone) -> list[str]:
    """Stop the server and record entries that it will get later; return the ids."""
    if FULL:
        site.go_offline()
        return turn_entry.register_walk_ups(phone, FIFTY)
    phone.page.goto("/healthz")  # no page of ours, so no engine has to start
    ids = phone.add_to_outbox(site.make_walk_ups(FIFTY))
    site.go_offline()
    return ids


def _record_forbidden_first(site: Site, phone: Phone) -> list[str]:
    """Record a full house that another phone recorded first, and walk-ups after it; return the ids."""
    if FULL:
        site.go_offline()
        turn_entry.open_group(phone.page)
        # As far as this phone knows, the box is open.
        forbidden = turn_entry.record_turn_offline(phone, "8", "66644", "Full house")
        return [forbidden, *turn_entry.register_walk_ups(phone, QUEUE - 1)]
    phone.leave_out_engine()
    phone.page.goto("/healthz")
    turn = site.make_scored_turn("8", "66644", "Full house")
    ids = phone.add_to_outbox([turn, *site.make_walk_ups(QUEUE - 1)])
    site.go_offline()
    return ids


def _expect_pending(phone: Phone, ids: list[str]) -> None:
    """Expect that exactly these are pending on the phone, in their order."""
    kept = phone.read("operations")
    assert [(one["id"], one["state"]) for one in kept] == [(operation, "waiting") for operation in ids]
    assert all(one["body"]["id"] == one["id"] for one in kept)


def _expect_sent(site: Site, phone: Phone, ids: list[str]) -> float:
    """Wait until all of these are sent and nothing is pending; return how many seconds it took."""
    start = time.monotonic()
    phone.wait_for_states(sent=len(ids))
    taken = time.monotonic() - start
    assert site.count_recorded(ids) == [1] * len(ids)
    return taken


def _add_figure(figures: Figures, what: str, ids: list[str], taken: float) -> None:
    figures.add(
        f"17 · {what} while entries are queued",
        f"{len(ids)} entered by hand: 0 deleted, all sent {taken:.1f} s later, each once",
    )


def test_a_forbidden_entry_at_the_head_of_a_queue_stops_none_and_is_shown(
    site: Site, phone: Phone, new_link: MakeLink, figures: Figures
) -> None:
    site.record_full_house_elsewhere(new_link(), "8", "Finale")
    forbidden, *others = _record_forbidden_first(site, phone)
    assert [one["id"] for one in phone.read("operations")] == [forbidden, *others]

    site.go_online()
    start = time.monotonic()
    if FULL:
        phone.go_online()
    else:
        phone.page.goto("/crew/ready/")
    phone.wait_for_states(sent=QUEUE - 1, attention=1)
    taken = time.monotonic() - start

    assert site.count_recorded([forbidden, *others]) == [0, *[1] * (QUEUE - 1)]
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_have_count(1)
    expect(item).to_contain_text("The rules do not allow it on this scorecard.")
    expect(item.locator("[data-item-why] li")).not_to_have_count(0)
    item.get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator("#attention")).to_be_hidden()
    assert phone.count() == {"sent": QUEUE - 1, "aside": 1}
    receipts = [one["receipt"] for one in phone.read("operations") if one["state"] == "sent"]
    assert all(len(receipt["entries"][0]["hash"]) == 64 for receipt in receipts)
    figures.add(
        "15 · an entry that the rules forbid is first in the queue",
        f"{QUEUE} entered by hand with the server stopped: {QUEUE - 1} delivered {taken:.1f} s after it was back, 1 "
        "shown with its reason",
    )


def test_an_entry_that_the_server_cannot_process_is_shown_and_everything_else_arrives(site: Site, phone: Phone) -> None:
    phone.leave_out_engine()
    item = phone.page.locator(".attention__item")
    phone.page.goto("/healthz")
    [alone] = phone.add_to_outbox(site.make_walk_ups(1))
    with site.fail_on(alone):
        phone.page.goto("/crew/ready/")
        phone.wait_for_states(attention=1)
    _send_again(phone)
    phone.wait_for_states(sent=1)

    phone.page.goto("/healthz")
    ids = phone.add_to_outbox(site.make_walk_ups(9))
    failing = ids.pop(3)
    with site.fail_on(failing):
        phone.page.goto("/crew/ready/")
        phone.wait_for_states(sent=1 + 8, attention=1)
    assert site.count_recorded([failing, *ids]) == [0, *[1] * 8]
    _send_again(phone)
    phone.wait_for_states(sent=1 + 9)
    assert site.count_recorded([alone, failing]) == [1, 1]

    # No response can repeat the id of one of these.
    phone.page.goto("/healthz")
    one, other, another = site.make_walk_ups(3)
    phone.add_to_outbox([one, {**other, "id": "x" * 100}, another])
    phone.page.goto("/crew/ready/")
    phone.wait_for_states(sent=1 + 9 + 2, attention=1)
    phone.page.get_by_role("button", name="1 needs attention").click()
    expect(item).to_contain_text("The server did not accept it.")


def _send_again(phone: Phone) -> None:
    """Send the only entry again that the server failed on."""
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text("The server cannot process this entry, though it can process your others.")
    item.get_by_role("button", name="Send it again").click()


def test_the_login_page_of_another_network_acknowledges_nothing(site: Site, phone: Phone, figures: Figures) -> None:
    site.go_offline()
    with site.answer_as_captive_portal() as asked:
        ids = turn_entry.register_walk_ups(phone, FIFTY)
        ids.append(turn_entry.record_turn_offline(phone, "8", "55533", "Full house"))
        while asked.count(SENDING) < ANSWERS:
            phone.page.get_by_role("button", name="Send now").click()
            _expect_pending(phone, ids)
        phone.page.get_by_role("link", name="All bikes").last.click()
        expect(crew.get_bike_link(phone.page, "8").locator(".sync-line__waiting")).to_be_visible()
        phone.leave_out_engine(everywhere=True)
        phone.page.reload()
        expect(phone.page.locator("#phone-bar")).to_contain_text(f"wants you to sign in. {len(ids)} to send")
        _expect_pending(phone, ids)
        answers, others = asked.count(SENDING), len(asked) - asked.count(SENDING)

    site.go_online()
    phone.send_now()

    taken = _expect_sent(site, phone, ids)
    figures.add(
        "16 · another network answers with its login page",
        f"{answers:,} such answers to {len(ids)} entries that were sent, {others:,} to all else that a phone asks: 0 "
        f"taken for an acknowledgement; all sent {taken:.1f} s after our server was asked again, each once",
    )


def test_an_entry_recorded_during_a_failing_attempt_is_sent_by_itself(site: Site, phone: Phone) -> None:
    site.go_offline()
    turn_entry.open_group(phone.page)
    lets_go = threading.Event()
    with site.answer_as_captive_portal(lets_go) as asked:
        with phone.page.expect_request("**/api/v1/operations"):
            ids = [turn_entry.record_turn_offline(phone, "8", "55533", "Full house")]
        turn_entry.go_back_to_group(phone.page)
        ids.append(turn_entry.record_turn_offline(phone, "12", "66612", "Sixes"))
        assert asked.count(SENDING) == 1
        lets_go.set()
        expect(phone.page.locator("#phone-bar")).to_contain_text("wants you to sign in. 2 to send")

    site.go_online()

    _expect_sent(site, phone, ids)


def test_what_a_page_wanted_to_send_while_another_was_sending_is_sent_once_that_has_ended(
    site: Site, phone: Phone
) -> None:
    """Send an entry that could not be proven: no timer waits for it, since it is not pending before a page looks."""
    phone.leave_out_engine(everywhere=True)
    turn_entry.open_group(phone.page)
    phone.page.evaluate(LOCK_SENDER)
    receipt = {"outcome": "unproven", "entries": [], "problems": []}
    ids = phone.add_to_outbox(site.make_walk_ups(1), state="attention", isUnproven=True, receipt=receipt)

    phone.page.evaluate(TRY_TO_SEND)
    assert phone.count() == {"attention": 1}
    phone.page.evaluate("releaseSender()")

    _expect_sent(site, phone, ids)


ENDS = [("phone revoked", "revoked_at"), ("session expired", "expires_at")]  # the server answers both alike


@pytest.mark.parametrize(("what", "end"), ENDS if FULL else ENDS[:1])
def test_a_phone_that_is_signed_out_sends_its_queue_to_the_organiser(
    site: Site, phone: Phone, new_link: MakeLink, figures: Figures, what: str, end: str
) -> None:
    phone.leave_out_engine()
    phone.page.goto("/healthz")
    [turn] = phone.add_to_outbox([site.make_forbidden_turn()])
    ids = _record_queue(site, phone)
    assert site.change(f"UPDATE crew_device SET {end} = '2020-01-01' WHERE last_seen_at IS NOT NULL")
    site.go_online()

    start = time.monotonic()
    phone.page.goto("/crew/ready/")
    phone.wait_for_states(sent=FIFTY, attention=1)
    taken = time.monotonic() - start

    bar = phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("Signed out. Entries under review: 1.")
    phone.page.get_by_role("button", name="1 needs attention").click()
    expect(phone.page.locator(".attention__item")).to_contain_text("The organiser will decide whether it counts.")
    assert site.query("SELECT count(*) FROM scorecards_reviewitem WHERE reason = 'revoked'") == [(1,)]
    assert site.count_recorded([turn, *ids]) == [0, *[1] * FIFTY], "an entry under review is on no scorecard"
    phone.join(new_link())
    expect(bar).not_to_contain_text("Signed out")
    assert phone.count() == {"sent": FIFTY, "attention": 1}
    _add_figure(figures, what, [turn, *ids], taken)


def test_a_phone_whose_cookie_is_not_accepted_keeps_its_queue_until_it_has_a_new_link(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    """As over HTTPS with a cookie from before the prefix __Host-: the server does not know the phone."""
    phone.leave_out_engine()
    phone.page.goto("/healthz")
    ids = _record_queue(site, phone)
    phone.page.context.clear_cookies()
    site.go_online()

    phone.page.goto("/crew/ready/")

    bar = phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("Signed out")
    assert phone.count() == {"waiting": FIFTY}
    phone.join(new_link())
    phone.wait_for_states(sent=FIFTY)
    assert site.count_recorded(ids) == [1] * FIFTY


def test_a_new_version_takes_over_when_asked_and_signing_out_warns_and_both_keep_a_full_queue(
    site: Site, phone: Phone, new_link: MakeLink, figures: Figures
) -> None:
    link = new_link()
    phone.leave_out_engine()
    ids = _record_queue(site, phone)
    site.change("UPDATE events_event SET state = 'draft'")  # so that the server records nothing yet
    before = phone.page.evaluate("caches.keys()")
    site.go_online(LANGUAGE_CODE="en-us")

    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("#phone-bar")).to_contain_text("A new version is ready")
    with phone.page.expect_navigation():
        phone.page.get_by_role("button", name="Use it now").click()
    expect(phone.page.locator("#phone-bar")).to_contain_text(f"The event is not open. {FIFTY} to send")
    assert phone.page.evaluate("caches.keys()") != before
    _expect_pending(phone, ids)

    phone.page.goto("/crew/sign-out/")
    expect(phone.page.locator("[data-unsent-warning]")).to_contain_text(f"not sent yet: {FIFTY}.")
    expect(phone.page.locator("#phone-bar")).to_contain_text(f"The event is not open. {FIFTY} to send")
    phone.page.get_by_role("button", name="Sign out").click()
    expect(phone.page.get_by_role("heading", name="This phone is signed out")).to_be_visible()
    _expect_pending(phone, ids)

    site.change("UPDATE events_event SET state = 'open'")
    phone.join(link)
    taken = _expect_sent(site, phone, ids)
    for what in ("app updated", "phone signed out"):
        _add_figure(figures, what, ids, taken)


def test_a_queue_in_the_format_of_the_version_before_is_migrated(site: Site, phone: Phone) -> None:
    phone.leave_out_engine()
    operations = site.make_walk_ups(STORED_DIRECTLY)
    phone.page.goto("/healthz")  # no page of ours has the database open
    phone.page.evaluate(FIRST_FORMAT, [{"id": one["id"], "body": one, "state": "waiting"} for one in operations])

    phone.page.goto("/crew/ready/")

    _expect_sent(site, phone, [one["id"] for one in operations])


LOCK_SENDER = """() => new Promise((isLocked) => {
  navigator.locks.request("tailgunner-sender", () => {
    isLocked();
    return new Promise((release) => { window.releaseSender = release; });
  });
})"""
TRY_TO_SEND = """() => new Promise((hasEnded) => {
  document.addEventListener("phone:sender", ({ detail }) => { if (!detail.isSending) hasEnded(); });
  document.dispatchEvent(new CustomEvent("phone:ride"));
})"""
SENDING = "POST /api/v1/operations"
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
