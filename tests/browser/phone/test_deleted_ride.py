"""A phone of a ride that its organiser has deleted is told so, keeps its entries, and stops sending them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

QUEUE = 3
TOLD = "This ride was deleted by its organiser. Your 3 unsent entries are kept on this phone."


def _delete_ride(desk: Page, ride: ReadyRide) -> None:
    desk.goto(f"{ride.ride.desk}delete/")
    desk.get_by_label("Name of the event").fill(desk.locator(".site-bar__event").inner_text())
    desk.get_by_role("button", name="Delete the event").click()
    expect(desk.locator(".notice--success")).to_contain_text("has been deleted")


def _purge_ride(site: Site, ride: ReadyRide) -> None:
    assert "was removed" in site.server.manage("purge_event", ride.ride.slug, "--yes")


@pytest.mark.parametrize("is_purged", [False, True], ids=["deleted", "purged"])
def test_its_unsent_entries_are_kept_and_not_sent_again_and_again(
    site: Site, phone: Phone, desk: Page, ready_ride: ReadyRide, *, is_purged: bool
) -> None:
    phone.leave_out_engine()
    phone.page.goto("/healthz")  # no page of ours, so nothing is sent yet
    ids = phone.add_to_outbox(site.make_walk_ups(QUEUE))
    if is_purged:
        _purge_ride(site, ready_ride)
    else:
        _delete_ride(desk, ready_ride)

    phone.page.clock.install()
    with phone.page.expect_response("**/api/v1/operations") as refusal:
        phone.page.goto("/crew/ready/")
    assert refusal.value.status == 410
    bar = phone.page.locator("[data-bar-line]")
    expect(bar).to_have_text(TOLD)
    expect(phone.page.locator("[data-check='ride']")).to_contain_text("This ride was deleted by its organiser.")
    expect(phone.page.locator("[data-check='sent']")).to_contain_text("Not sent: 3. Their ride was deleted")
    expect(phone.page.locator("[data-bar-send]")).to_be_hidden()

    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    for _minutes in range(3):  # a phone that goes on sending does so long before the third refresh of the ride
        with phone.page.expect_response("**/api/v1/ride/parts"):
            phone.page.clock.run_for("02:00")
    assert not [url for url in asked if url.endswith("/operations")]

    phone.page.reload()
    expect(bar).to_have_text(TOLD)
    assert [one["id"] for one in phone.read("operations") if one["state"] == "waiting"] == ids


def test_a_phone_with_nothing_to_send_is_told_too(phone: Phone, desk: Page, ready_ride: ReadyRide) -> None:
    _delete_ride(desk, ready_ride)

    phone.page.goto("/crew/")

    expect(phone.page.get_by_role("heading", level=1)).to_have_text("This ride was deleted")
    expect(phone.page.locator("[data-bar-line]")).to_have_text("This ride was deleted by its organiser.")
