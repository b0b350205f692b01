"""A phone of a ride that its organiser has deleted is told so, keeps its entries, and stops sending them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.organiser import Organiser
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

QUEUE = 3
NAME = "Tail Light Run"
TOLD = "This event was deleted by its organiser. Your 3 unsent entries are kept on this phone."


# Resolves when the phone has refreshed its copy of the ride once more.
WATCH = """() => {
  window.refreshed = new Promise((resolve) => document.addEventListener("phone:network", resolve, { once: true }));
}"""


def _purge_ride(site: Site, ride: ReadyRide) -> None:
    assert "was removed" in site.server.manage("purge_event", ride.ride.slug, "--yes")


# The server answers a phone of a purged ride as it does one of a deleted ride, as `test_delete_event.py` shows.
PURGED = [pytest.param(False, id="deleted"), *([pytest.param(True, id="purged")] if FULL else [])]


@pytest.mark.parametrize("is_purged", PURGED)
def test_a_phone_is_told_and_keeps_its_unsent_entries_without_sending_them_again_and_again(
    site: Site, phone: Phone, organiser: Organiser, ready_ride: ReadyRide, *, is_purged: bool
) -> None:
    phone.leave_out_engine(everywhere=True)
    bar = phone.page.locator("[data-bar-line]")
    if is_purged:
        _purge_ride(site, ready_ride)
    else:
        organiser.delete_ride(NAME)
    phone.page.goto("/crew/")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("This event was deleted")
    expect(bar).to_have_text("This event was deleted by its organiser.")
    phone.page.goto("/healthz")  # no page of ours, so nothing is sent yet
    ids = phone.add_to_outbox(site.make_walk_ups(QUEUE))

    phone.page.clock.install()
    with phone.page.expect_response("**/api/v1/operations") as refusal:
        phone.page.goto("/crew/ready/")
    assert refusal.value.status == 410
    expect(bar).to_have_text(TOLD)
    expect(phone.page.locator("[data-check='ride']")).to_contain_text("This event was deleted by its organiser.")
    expect(phone.page.locator("[data-check='sent']")).to_contain_text("Not sent: 3. Their event was deleted")
    expect(phone.page.locator("[data-bar-send]")).to_be_hidden()

    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    for _minute in range(3):  # a phone that goes on sending does so long before the third refresh of the ride
        phone.page.evaluate(WATCH)
        phone.page.clock.run_for("01:00")
        phone.page.evaluate("window.refreshed.then(() => {})")
    assert not [url for url in asked if url.endswith("/operations")]

    phone.page.reload()
    expect(bar).to_have_text(TOLD)
    assert [one["id"] for one in phone.read("operations") if one["state"] == "waiting"] == ids
