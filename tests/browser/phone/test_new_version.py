"""A new version of the app waits while there is a draft, and restores the draft when it takes over."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import crew
from tests.browser.page_monitor import PageMonitor
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

# Taps "Use it now". Meanwhile the page finds signal again and again, and sends requests.
USE_IT_ON_BUSY_PAGE = """() => {
  document.querySelector("[data-bar-use]").click();
  setInterval(() => {
    document.dispatchEvent(new CustomEvent("phone:network", { detail: { how: "ok" } }));
    fetch("/api/v1/ride/parts").catch(() => {});
  }, 5);
}"""

# Loads every script of the page again, at the address that another version could have for it.
LOAD_SCRIPTS_OF_ANOTHER_VERSION = """() => Promise.all([...document.querySelectorAll("script[type=module][src]")]
  .map((script) => script.src.replace(/\\.[0-9a-f]{12}(?=\\.js$)/, ""))
  .map((src) => new Promise((resolve) => {
    const script = Object.assign(document.createElement("script"), { type: "module", src });
    script.onload = script.onerror = () => resolve(src);
    document.head.append(script);
  })))"""

# How far the update button moves when the bar says everything that it says while entries wait for a slow server. In one
# step, since the bar says again what is true whenever something happens on the phone.
MEASURE_SHIFT = """() => {
  const bar = document.getElementById("phone-bar");
  const find = (name) => bar.querySelector(`[data-bar-${name}]`);
  const [line, use, others] = [find("line"), find("use"), [find("send"), find("attention")]];
  const { textContent } = line;
  const before = use.getBoundingClientRect();
  line.textContent = bar.dataset.signedOut;
  others.forEach((button) => { button.hidden = false; });
  const after = use.getBoundingClientRect();
  const shown = others.map((button) => button.offsetHeight > 0);
  line.textContent = textContent;
  others.forEach((button) => { button.hidden = true; });
  const shift = [after.x - before.x, after.y - before.y, after.width - before.width, after.height - before.height];
  return { shown, shift };
}"""


def _begin_entry_and_meet_new_version(site: Site, phone: Phone) -> list[str]:
    """Begin an entry, and find a newer version at the server; return the version of the app on the phone."""
    turn_entry.open_group(phone.page)
    turn_entry.open_bike(phone.page, "12")
    crew.tap_dice(phone.page, BEGUN)
    phone.wait_for_draft(len(BEGUN))
    version = _read_version(phone)
    _meet_new_version(site, phone)
    _expect_draft(phone)
    return version


def _meet_new_version(site: Site, phone: Phone) -> Locator:
    """Find a newer version at the server; return the button that lets it take over."""
    site.go_offline()
    site.go_online(LANGUAGE_CODE="en-us")
    phone.page.reload()
    use = phone.page.get_by_role("button", name="Use it now")
    expect(use).to_be_visible()
    return use


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
    assert phone.page.evaluate(MEASURE_SHIFT) == {"shown": [True, True], "shift": [0, 0, 0, 0]}

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
    _expect_draft(phone)
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
    use = _meet_new_version(site, phone)
    phone.page.evaluate(ASK_FOR_NOTHING)
    phone.page.wait_for_function("() => window.wasAsked")

    with phone.page.expect_navigation():
        use.click()

    expect(use).to_be_hidden()


def test_it_takes_over_though_the_page_finds_signal_and_sends_requests_meanwhile(site: Site, phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    turn_entry.open_group(phone.page)
    use = _meet_new_version(site, phone)

    with phone.page.expect_navigation():
        phone.page.evaluate(USE_IT_ON_BUSY_PAGE)

    expect(use).to_be_hidden()


def test_scripts_of_another_version_do_not_handle_taps_a_second_time(phone: Phone, page_monitor: PageMonitor) -> None:
    """The app of version 1.0.0 loads the scripts of newer pages into the document that it keeps."""
    turn_entry.open_group(phone.page)
    turn_entry.open_bike(phone.page, "12")

    loaded = phone.page.evaluate(LOAD_SCRIPTS_OF_ANOTHER_VERSION)

    assert {urlsplit(src).path for src in loaded} >= {"/static/js/dice.js", "/static/js/phone/app.js"}
    crew.record_turn(phone.page, "66612", "Sixes")
    ended = [text for text in page_monitor.complaints if "since another version of it runs on this page" in text]
    assert len(ended) == len(loaded) - 1, "all but the app, which says nothing"
    page_monitor.complaints[:] = [text for text in page_monitor.complaints if text not in ended]


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
