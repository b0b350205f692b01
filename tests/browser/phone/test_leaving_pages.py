"""What a page is still doing when the user navigates on: it ends quietly, and changes nothing that is shown.

The app navigates within one document, so whatever a page has begun goes on after the page is gone. An error in it fails
the test (`page_monitor`).
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

DRAFT = "UPDATE events_event SET state = 'draft'"


def _expect_group(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Stops")).to_be_visible()
    assert page.evaluate(FINISH)  # in the document that the test began with
    expect(page.get_by_role("navigation", name="Stops")).to_be_visible()


def test_what_a_page_reads_is_not_shown_once_the_user_has_left_it(phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    page = phone.page
    page.goto("/crew/ready/")
    expect(page.locator("[data-check='swap'].check--yes")).to_be_visible()
    page.evaluate(HOLD)
    page.evaluate(HOLD_REGISTRATION)

    page.get_by_role("link", name="Go to my group").click()

    _expect_group(page)


def test_receipts_can_be_shared_while_the_user_navigates_on(phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    page = phone.page
    page.goto("/healthz")
    receipt = {"outcome": "recorded", "entries": [], "problems": []}
    phone.add_to_outbox([{"id": "00000000-0000-7000-8000-000000000001"}], state="sent", receipt=receipt)
    page.goto("/crew/ready/")
    page.evaluate(HOLD)
    page.evaluate(HOLD_SHARING)
    page.get_by_role("button", name="Save receipts").click()
    page.wait_for_function("() => window.isHeld")

    page.get_by_role("link", name="Go to my group").click()

    _expect_group(page)


def test_going_back_closes_the_codes_on_the_screen(site: Site, phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    page = phone.page
    page.goto("/crew/")
    assert site.change(DRAFT)  # so that the entry stays pending
    phone.add_to_outbox([site.make_scored_turn("8", "55533", "Full house")])
    page.evaluate(HOLD)
    _open_swap(page)
    page.get_by_role("button", name="Show codes").click()
    expect(page.locator("#swap-codes")).to_be_visible()
    page.evaluate("window.dialog = document.getElementById('swap-codes')")

    page.go_back()

    _expect_group(page)
    assert page.evaluate("[dialog.isConnected, dialog.open]") == [False, False]


def test_a_page_that_is_ready_late_does_not_replace_the_next_one(phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    page = phone.page
    page.goto("/crew/")
    page.evaluate(HOLD)
    page.evaluate(HOLD_STYLES)
    _open_swap(page)
    page.wait_for_function("() => window.isHeld")

    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Parks").click()

    expect(page.get_by_role("link", name="Parks")).to_have_attribute("aria-current", "true")
    _expect_group(page)


def test_the_page_opened_without_signal_does_not_replace_one_that_the_server_had_first(
    site: Site, phone: Phone
) -> None:
    page = phone.page
    page.goto("/crew/")
    address = crew.get_bike_link(page, "8").get_attribute("href")
    assert address
    page.add_init_script(HELD_ENGINE)
    page.goto("/healthz")  # no page of the crew's is open that could answer
    site.go_offline()
    # Asked once, while there is no signal: an answer would replace the page that the next tap is on.
    with page.expect_console_message(lambda message: message.text.startswith("The server does not answer")):
        page.goto(address)
    expect(page.locator("[data-shell-starting]")).to_be_visible()

    site.go_online()
    page.get_by_role("link", name="Tailgunner").click()
    expect(page.get_by_role("navigation", name="Stops")).to_be_visible()
    page.evaluate(START_ENGINE)
    site.go_offline()
    assert page.evaluate(ASK_PHONE) == "phone"  # one page at a time, and this one after the shell's

    _expect_group(page)


def _open_swap(page: Page) -> None:
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Swap entries with another phone").click()


HOLD = "window.held = new Promise((resolve) => { window.release = resolve; }); true"
# Ends what is held, and returns once everything that waited for it is done.
FINISH = "async () => { window.release(); await new Promise((resolve) => { setTimeout(resolve); }); return true; }"
HOLD_REGISTRATION = """() => {
  const container = navigator.serviceWorker;
  const ask = container.getRegistration.bind(container);
  container.getRegistration = async (scope) => { await window.held; return ask(scope); };
  document.dispatchEvent(new CustomEvent("phone:engine", { detail: {} }));
}"""
HOLD_SHARING = """() => {
  navigator.canShare = () => true;
  navigator.share = async () => { window.isHeld = true; await window.held; };
}"""
# A stylesheet that takes long.
HOLD_STYLES = """() => Object.defineProperty(HTMLLinkElement.prototype, "onload", {
  set(listener) {
    window.isHeld = true;
    this.addEventListener("load", async () => { await window.held; listener(); });
  },
})"""
# An engine that starts only once it is released, as on a slow phone.
HELD_ENGINE = """
window.held = new Promise((resolve) => { window.release = resolve; });
window.Worker = class extends Worker {
  addEventListener(kind, listener) {
    super.addEventListener(kind, async (event) => { await window.held; listener(event); });
  }
};
"""
START_ENGINE = """() => new Promise((resolve) => {
  document.addEventListener("phone:engine", ({ detail }) => { if (detail.how === "ready") resolve(); });
  window.release();
})"""
ASK_PHONE = """async () => {
  const answer = await fetch("/crew/", { headers: { Accept: "text/html" } });
  return answer.headers.get("X-Tailgunner-From") && "phone";
}"""
