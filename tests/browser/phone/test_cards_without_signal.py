"""Cards are drawn and sold on a phone without signal, and all of them count once they are sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.browser.phone.test_plain_pad import BROKEN, find_bike

BIKE = "8"
STOPS = ("Parks", "BBQ")  # the second and the third of the ride


@pytest.fixture
def contest(site: Site, organiser: Organiser) -> str:
    """A poker run beside the ride's own contest, with two turns and a card for sale; return its id."""
    organiser.open("contests/new/poker-run/")
    options: dict[str, Any] = {"options.extra": 1}
    organiser.submit("Add the contest", **options)
    fields = re.findall(r'name="(stop_[^"]+)"', organiser.page.text)
    assert len(fields) > 2
    turns: dict[str, Any] = {name: int(number in (1, 2)) for number, name in enumerate(fields)}
    organiser.submit("Save the turns", **turns)
    organiser.open("contests/")
    (found,) = set(re.findall(r"/contests/(poker-run[\w-]*)/", organiser.page.text))
    return found


def _open_contest(page: Page, stop: str) -> None:
    turn_entry.open_group(page, stop)
    link = page.get_by_role("navigation", name="Contests").get_by_role("link", name="Poker run")
    link.click()
    expect(link).to_have_attribute("aria-current", "true")  # the list before it has the same heading
    expect(page.get_by_role("heading", level=1)).to_contain_text(stop)


def _tap_card(page: Page, card: str) -> None:
    page.locator(".card-pad__key", has=page.locator(f"input[value='{card[:-1]}']")).click()
    page.locator(f"[data-card-pad] button[value='{card}']").click()


def _wait_for_contest(phone: Phone) -> None:
    phone.page.goto("/crew/")
    phone.page.evaluate("dispatchEvent(new Event('online'))")  # the phone refreshes its copy of the ride
    phone.wait_for_ride("Poker run")


def _record_card(phone: Phone, card: str) -> str:
    page = phone.page
    _tap_card(page, card)
    page.locator("button.box").click()
    expect(page.locator(".turn-result .sync-line__waiting")).to_be_visible()
    operation: str = phone.read("operations")[-1]["id"]
    return operation


def test_cards_are_recorded_and_one_is_sold_without_signal(site: Site, phone: Phone, contest: str) -> None:
    page = phone.page
    _wait_for_contest(phone)
    site.go_offline()
    ids = []
    for stop, card in zip(STOPS, ("KS", "9D"), strict=True):
        _open_contest(page, stop)
        crew.open_bike(page, BIKE)
        ids.append(_record_card(phone, card))
    expect(page.locator(".turn-result")).to_contain_text("High card, K-9")

    page.get_by_role("link", name="Buy a card").click()
    page.locator(".card-pad__key", has=page.locator("input[value='K']")).click()
    expect(page.locator("[data-card-pad] button[value='KS']")).to_be_disabled()
    page.locator("[data-card-pad] button[value='KH']").click()
    page.locator("button.box").click()
    result = page.locator(".turn-result")
    expect(result).to_contain_text("Card bought")
    expect(result.locator(".sync-line__waiting")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone. The card is not bought.")).to_be_visible()
    page.locator("button.box").click()
    expect(result).to_contain_text("Pair, K-K-9")
    expect(page.get_by_role("navigation", name="Next").get_by_role("link").first).to_be_visible()
    ids += [operation["id"] for operation in phone.read("operations")[2:]]

    site.go_online()
    phone.send_now()
    expect(page.locator("#phone-bar")).to_contain_text("All sent")
    assert site.count_recorded(ids) == [1, 1, 1, 1, 1]
    assert {one["receipt"]["outcome"] for one in phone.read("operations")} == {"recorded"}


def test_without_the_rules_a_card_is_entered_on_the_plain_pad(site: Site, phone: Phone, contest: str) -> None:
    page = phone.page
    _wait_for_contest(phone)
    page.add_init_script(BROKEN)
    site.go_offline()
    page.goto("/crew/plain/")
    expect(page.locator("[data-plain-form]")).to_be_visible()
    page.locator("select[name=contest]").select_option(label="Poker run")
    page.locator("select[name=bike]").select_option(label=find_bike(page))
    _tap_card(page, "KS")

    page.get_by_role("button", name="Save on this phone").click()

    expect(page.locator("[data-plain-said]")).to_contain_text("king of spades")
    (operation,) = phone.read("operations")
    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1)
    assert site.count_recorded([operation["id"]]) == [1]
