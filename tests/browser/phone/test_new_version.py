"""A new version of the app waits while there is a draft, and restores the draft when it takes over."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.measure import get_box
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.browser.waits import wait_until
from tests.faults.scale import FULL

BEGUN = "416"

# Says that it is processing a request, as a page does, and is left before it has a response.
NEVER_ANSWERS = """
navigator.serviceWorker.addEventListener("message", (event) => {
  if (event.data?.ask !== "answer" || !window.neverAnswers) return;
  event.stopImmediatePropagation();
  event.ports[0].postMessage({ isTaken: true });
  window.wasAsked = true;
});
"""

ASK_FOR_NOTHING = """() => {
  window.neverAnswers = true;
  fetch(location.href, { headers: { "HX-Request": "true" } }).catch(() => {});
}"""

# Everything that the bar says while entries wait for a slow server.
FILL_BAR = """() => {
  const bar = document.getElementById("phone-bar");
  const line = bar.querySelector("[data-bar-line]").textContent;
  bar.querySelector("[data-bar-line]").textContent = bar.dataset.signedOut;
  bar.querySelector("[data-bar-send]").hidden = bar.querySelector("[data-bar-attention]").hidden = false;
  return line;
}"""
EMPTY_BAR = """line => {
  const bar = document.getElementById("phone-bar");
  bar.querySelector("[data-bar-line]").textContent = line;
  bar.querySelector("[data-bar-send]").hidden = bar.querySelector("[data-bar-attention]").hidden = true;
}"""


def _begin_entry_and_meet_new_version(site: Site, phone: Phone) -> list[str]:
    """Begin an entry, and find a newer version at the server; return the version of the app on the phone."""
    turn_entry.open_group(phone.page)
    turn_entry.open_bike(phone.page, "12")
    crew.tap_dice(phone.page, BEGUN)
    phone.wait_for_draft(len(BEGUN))
    version = _read_version(phone)
    site.go_offline()
    site.go_online(LANGUAGE_CODE="en-us")
    phone.page.reload()
    expect(phone.page.get_by_role("button", name="Use it now")).to_be_visible()
    _expect_draft(phone)
    return version


def _read_version(phone: Phone) -> list[str]:
    versions: list[str] = phone.page.evaluate(
        "caches.keys().then((all) => all.filter((name) => name.startsWith('tailgunner-')))"
    )
    return versions


def _expect_draft(phone: Phone) -> None:
    expect(phone.page.locator(".place .die")).to_have_count(len(BEGUN))


def test_it_waits_while_there_is_a_draft_and_takes_over_when_the_app_is_opened_again_or_the_draft_is_recorded(
    site: Site, phone: Phone
) -> None:
    old = _begin_entry_and_meet_new_version(site, phone)
    use = phone.page.get_by_role("button", name="Use it now")
    before = get_box(use)
    bar = phone.page.evaluate(FILL_BAR)
    expect(phone.page.get_by_role("button", name="Send now")).to_be_visible()
    assert get_box(use) == before, "the button keeps its place while the other lines change"
    phone.page.evaluate(EMPTY_BAR, bar)

    use.click()

    expect(phone.page.locator("#phone-bar")).to_contain_text("Finish or clear the entry you have started first.")
    _expect_draft(phone)
    assert set(old) < set(_read_version(phone))

    address = phone.page.url
    phone.close()
    phone.open()
    phone.page.goto(address)
    _expect_draft(phone)
    wait_until(phone.page, f"caches.keys().then((all) => !all.includes('{old[0]}'))")
    use = phone.page.get_by_role("button", name="Use it now")
    expect(use).to_be_hidden()

    new = _read_version(phone)
    site.go_offline()
    site.go_online()  # with yet another version: the first
    phone.page.reload()
    expect(use).to_be_visible()
    crew.tap_dice(phone.page, "53")
    use.click()
    reason = phone.page.get_by_text("Finish or clear the entry you have started first.")
    expect(reason).to_be_visible()
    crew.record_in_box(phone.page, "Chance")
    phone.wait_for_states(sent=1)
    expect(reason).to_be_hidden()
    with phone.page.expect_navigation():
        use.click()
    expect(use).to_be_hidden()
    assert set(new).isdisjoint(_read_version(phone))
    assert site.count_recorded([one["id"] for one in phone.read("operations")]) == [1]


def test_it_takes_over_though_a_page_has_not_answered_yet(site: Site, phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    phone.page.add_init_script(NEVER_ANSWERS)
    turn_entry.open_group(phone.page)
    site.go_offline()
    site.go_online(LANGUAGE_CODE="en-us")
    phone.page.reload()
    use = phone.page.get_by_role("button", name="Use it now")
    expect(use).to_be_visible()
    phone.page.evaluate(ASK_FOR_NOTHING)
    phone.page.wait_for_function("() => window.wasAsked")

    with phone.page.expect_navigation():
        use.click()

    expect(use).to_be_hidden()


# Where the server was unreachable just now, a reload asks the page that hangs first, and the server after it.
REACHABLE = [pytest.param(False, id="server unreachable just now")]
if FULL:
    REACHABLE += [pytest.param(True, id="server reachable")]


@pytest.mark.parametrize("is_reachable", REACHABLE)
def test_it_takes_over_though_a_page_was_left_before_it_answered(site: Site, phone: Phone, is_reachable: bool) -> None:
    phone.leave_out_engine(everywhere=True)
    phone.page.add_init_script(NEVER_ANSWERS)
    turn_entry.open_group(phone.page)
    phone.page.evaluate(ASK_FOR_NOTHING)
    phone.page.wait_for_function("() => window.wasAsked")
    old = _read_version(phone)
    site.go_offline()
    site.go_online(LANGUAGE_CODE="en-us")
    # A reload asks the server first, or the page that hangs.
    phone.page.evaluate(
        "isGood => navigator.serviceWorker.controller.postMessage({ tell: 'network', isGood })", is_reachable
    )
    phone.page.reload()

    with phone.page.expect_navigation():
        phone.page.get_by_role("button", name="Use it now").click()

    expect(phone.page.get_by_role("button", name="Use it now")).to_be_hidden()
    assert set(old).isdisjoint(_read_version(phone))
