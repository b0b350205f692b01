"""A correction or a void that was not accepted is entered again in its form, with everything that was typed."""

from __future__ import annotations

import re
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.cluster.http_client import HttpClient

RESULT = {"seat": 0, "type": "result", "dice": [3, 3, 3, 1, 1]}
REASON = "The fifth die lay under the table"


def _open_history_without_signal(site: Site, phone: Phone) -> None:
    turn_entry.record_turn(phone.page, "8", "33311", "Yahtzee", "Finale")
    phone.wait_for_states(sent=1)
    site.refuse_connections()
    phone.page.locator("details.menu summary").click()
    phone.page.get_by_role("link", name="History and corrections").click()
    expect(phone.page.get_by_role("heading", name="Current entries")).to_be_visible()


def _give_reason(page: Page) -> None:
    page.locator(".reasons__choice", has_text="Other…").click()
    page.get_by_label("Reason").fill(REASON)


def _enter_again(site: Site, phone: Phone, elsewhere: HttpClient) -> None:
    """Let another phone's correction to threes arrive first; then enter this phone's entry again."""
    body = phone.read("operations")[-1]["body"]
    [target] = body["targets"]
    threes = [RESULT, {"seat": 0, "type": "score", "box": "threes"}]
    theirs = {**body, "id": str(uuid4()), "targets": [{**target, "actions": threes}]}
    answer = elsewhere.post_json("/api/v1/operations", {"operations": [theirs]})
    assert '"recorded"' in answer.text, answer.text
    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1, attention=1)
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text("Bike 8 Quin W.")
    expect(item).to_contain_text(REASON)
    expect(item).to_contain_text("The organiser will decide.")
    item.get_by_role("link", name="Enter it again").click()
    expect(phone.page.locator("#attention")).to_be_hidden()


def test_a_correction(site: Site, phone: Phone, new_link: MakeLink) -> None:
    elsewhere = site.join_elsewhere(new_link("Fay"))
    _open_history_without_signal(site, phone)
    page = phone.page
    page.get_by_role("link", name=re.compile("^Correct Finale")).click()
    page.locator(".place--change").last.click()
    crew.get_face_button(page, 3).click()
    crew.get_box_button(page, "Chance").click()
    _give_reason(page)
    page.get_by_role("button", name="Correct", exact=True).click()
    phone.wait_for_count("operations", 2)

    _enter_again(site, phone, elsewhere)

    expect(page.get_by_text("Recorded: Threes, 9 points")).to_be_visible()
    expect(page.locator(".turn-result__box")).to_have_text("Chance, 13 points")
    expect(page.locator(".turn-result__dice .die")).to_have_text(["3", "3", "3", "1", "3"])
    expect(page.get_by_label("Reason")).to_have_value(REASON)
    page.get_by_role("button", name="Correct", exact=True).click()
    phone.wait_for_states(sent=2, attention=1)
    expect(page.locator(".turn", has_text="Finale")).to_contain_text("Chance, 13 points")


def test_a_void(site: Site, phone: Phone, new_link: MakeLink) -> None:
    elsewhere = site.join_elsewhere(new_link("Fay"))
    _open_history_without_signal(site, phone)
    page = phone.page
    page.get_by_role("link", name=re.compile("^Void Finale")).click()
    _give_reason(page)
    page.get_by_role("button", name="Void", exact=True).click()
    phone.wait_for_count("operations", 2)

    _enter_again(site, phone, elsewhere)

    expect(page.get_by_role("heading", name=re.compile("^Void Finale.*Threes, 9 points"))).to_be_visible()
    expect(page.get_by_label("Reason")).to_have_value(REASON)
    page.get_by_role("button", name="Void", exact=True).click()
    phone.wait_for_states(sent=2, attention=1)
