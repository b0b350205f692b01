"""The phone's copy of the ride: downloaded once, then refreshed with what has changed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from playwright.sync_api import Page, Request, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

RIDE = "/api/v1/ride/parts"
DUE = "BBQ"  # the stop that the group's page shows
SOON = 20_000  # milliseconds; without a stream, a phone refreshes every minute
FETCH_ALL = """async () => {
  const answer = await fetch('/api/v1/ride/parts', { headers: { 'X-Ride-Format': '3' } });
  return Object.values((await answer.json()).parts).map(([, one]) => one);
}"""
REFRESH_LIST = """() => {
  document.querySelector(".group__head p").textContent = "out of date";
  document.dispatchEvent(new CustomEvent("phone:judged"));
}"""
CHANGE = """given => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const work = opening.result.transaction(["ride", "parts"], "readwrite");
    const [ride, parts] = ["ride", "parts"].map((name) => work.objectStore(name));
    const asking = ride.get("copy");
    asking.onsuccess = () => { const copy = asking.result; HOW };
    work.oncomplete = () => { opening.result.close(); resolve(); };
    work.onabort = reject;
  };
})"""


class RideRequests(list[str]):
    """The requests for the ride that a page made, by method, without those of this test."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        page.on("request", self._on_request)

    def _on_request(self, request: Request) -> None:
        if request.url.endswith(RIDE):
            self.append(request.method)


def _refresh(page: Page) -> None:
    with page.expect_request_finished(lambda request: request.url.endswith(RIDE) and request.method == "POST"):
        page.evaluate("dispatchEvent(new Event('online'))")


def _sorted(parts: list[dict[str, Any]]) -> list[str]:
    return sorted(map(str, parts))


def _expect_undisturbed(page: Page) -> None:
    """Expect that refreshing the list disturbs nobody."""
    head = page.locator(".group__head p")
    # It leaves the search open, and follows a tap beside the list.
    page.get_by_text("Find a bike").click()
    page.evaluate(REFRESH_LIST)
    expect(head).not_to_have_text("out of date")
    expect(page.get_by_label("Bike number")).to_be_visible()
    expect(page.locator(".find-bike summary").first).to_be_focused()

    # A row that is replaced between press and release would get no click.
    crew.get_bike_link(page, "8").hover()
    page.mouse.down()
    page.evaluate(REFRESH_LIST)
    # The refresh began first, so it has its page before these have theirs.
    page.evaluate("async () => { for (const _ of [1, 2]) await (await fetch(location.href)).text(); }")
    expect(head).to_have_text("out of date")
    page.mouse.up()
    expect(page.locator("h1 .plate")).to_contain_text("8")


def test_after_a_change_the_phone_downloads_only_that_and_shows_it_with_signal_and_without(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    turn_entry.open_group(phone.page)
    _expect_undisturbed(phone.page)
    turn_entry.go_back_to_group(phone.page)
    asked = RideRequests(phone.page)

    site.record_full_house_elsewhere(new_link("Fay"), "8", DUE)

    expect(crew.get_bike_link(phone.page, "8")).to_contain_text(
        "Full house: 25", timeout=SOON
    )  # nobody touched the phone
    phone.wait_for_ride("full_house")

    assert "GET" not in asked
    assert _sorted(phone.read("parts")) == _sorted(phone.page.evaluate(FETCH_ALL))
    site.go_offline()
    if FULL:  # the phone's database survives, as `test_without_signal.py` shows
        phone.kill()
        phone.open()
    else:
        turn_entry.go_to_stop(phone.page, "Finale")
    turn_entry.open_group(phone.page, DUE)
    expect(crew.get_bike_link(phone.page, "8")).to_contain_text("Full house: 25")


def test_a_copy_that_differs_from_the_servers_is_downloaded_in_full(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    phone.page.route("**/changes-stream", lambda route: route.fulfill(status=204))
    turn_entry.open_group(phone.page)
    site.record_full_house_elsewhere(new_link("Fay"), "8", DUE)
    # What no bucket shows: parts that do not match their fingerprints. There are too many of them to be sent anyway
    # because of other changes.
    how = """
        for (const key of Object.keys(copy.fingerprints).filter((one) => one.startsWith("bike:"))) {
          copy.fingerprints[key] = copy.fingerprints[key].slice(0, 4) + "00000000";
          parts.put({}, key);
        }
        ride.put(copy, "copy");
    """
    phone.page.evaluate(CHANGE.replace("HOW", how))

    with phone.page.expect_request_finished(lambda one: one.url.endswith(RIDE) and one.method == "GET"):
        _refresh(phone.page)

    phone.wait_until_parts_are_whole()  # the answer has arrived; storing it takes a moment
    phone.wait_for_ride("full_house")
    assert _sorted(phone.read("parts")) == _sorted(phone.page.evaluate(FETCH_ALL))
    expect(crew.get_bike_link(phone.page, "8")).to_contain_text("Full house: 25")  # without the stream too


def test_the_copy_of_an_older_app_is_used_until_there_is_signal(site: Site, phone: Phone) -> None:
    phone.page.goto("/healthz")  # no page of ours has the database open
    tables = phone.page.evaluate("async () => (await fetch('/api/v1/ride')).text()")
    how = "parts.clear(); ride.put({ text: given, etag: 'x', owner: copy.owner, asked: copy.asked }, 'copy')"
    site.go_offline()
    phone.page.evaluate(CHANGE.replace("HOW", how), tables)

    turn_entry.open_group(phone.page)
    operation = turn_entry.record_turn_offline(phone, "8", "55533", "Full house")
    site.go_online()
    phone.send_now()
    phone.wait_for_states(sent=1)

    assert site.count_recorded([operation]) == [1]
    # The first refresh may have been requested before the entry arrived, so another one follows.
    [(device,)] = site.query("SELECT device_id FROM scorecards_operation WHERE id = ?", UUID(operation).hex)
    phone.wait_for_ride(f'"{UUID(device)}": 1')
    assert _sorted(phone.read("parts")) == _sorted(phone.page.evaluate(FETCH_ALL))
