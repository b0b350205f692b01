"""What the crew does on a phone, tap by tap."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import urljoin

from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import make_link
from tests.browser.waits import wait_until

# Links of the page of a group: to its page at a stop, and to the scorecard of a bike.
STOP = r'<a class="stops__stop" href="([^"]+)"[^>]*>(?:(?!</a>).)*?\s{}\s*</a>'
# Follows a link if the app has started, which it does after the page is loaded; returns whether it has.
FOLLOW = """(address) => {
  const link = document.body.appendChild(document.createElement("a"));
  let isFollowed = false;
  addEventListener("click", (event) => {
    isFollowed = event.defaultPrevented;
    event.preventDefault();
  }, { once: true });
  link.href = address;
  link.click();
  link.remove();
  return isFollowed;
}"""
BIKE = r'<a class="bike-row[^"]*" href="([^"]+)">(?:(?!</a>).)*?<bdi>{}</bdi>'


def join(phone: Page, desk: Page, ride_desk: str, name: str) -> None:
    """Sign a crew member in on the phone: the organiser makes a link, and the phone opens it."""
    phone.goto(make_link(desk, ride_desk, name))
    phone.get_by_role("button", name="This is my phone").click()
    expect(phone).to_have_url("/crew/ready/")


def find_link(html: str, link: str, name: str) -> str:
    """Return where a link of the page of a group leads: `find_link(html, STOP, "Parks")`."""
    found = re.search(link.format(re.escape(escape(name))), html, re.DOTALL)
    assert found, html
    return unescape(found[1])


def show_group(phone: Page, stop: str) -> None:
    """Open the group at a stop by the address of its link, where it does not matter how to get there."""
    html = phone.request.get("/crew/").text()
    phone.goto(urljoin("/crew/", find_link(html, STOP, stop)))
    expect(phone.get_by_role("heading", level=1)).to_contain_text(stop)


def show_bike(phone: Page, stop: str, number: str) -> None:
    """Open the scorecard of a bike at a stop by the address of its link."""
    html = phone.request.get("/crew/").text()
    group = phone.request.get(urljoin("/crew/", find_link(html, STOP, stop))).text()
    phone.goto(find_link(group, BIKE, number))
    expect(phone.locator("h1 .plate")).to_contain_text(number)


def go_to_stop(phone: Page, stop: str) -> None:
    """Show the group at a stop."""
    phone.goto("/crew/")
    phone.get_by_role("navigation", name="Stops").get_by_role("link", name=stop).click()
    expect(phone).to_have_url(re.compile(r"[?&]stop="))  # the page before may be of this stop too
    expect(phone.get_by_role("heading", level=1)).to_contain_text(stop)


def follow_within_document(phone: Page, address: str) -> None:
    """Follow a link to a crew page, which does not load a new document."""
    phone.evaluate("window.isSameDocument = true")
    wait_until(phone, f"({FOLLOW})({json.dumps(address)})")
    wait_until(phone, f"location.href === {json.dumps(address)}")
    assert phone.evaluate("window.isSameDocument")


def expect_camera_to_read(phone: Page) -> None:
    """Scan with the page's button, and wait until the code that the camera shows is reported as no bike's."""
    phone.get_by_role("button", name="Scan a bike").click()
    scanner = phone.get_by_role("dialog", name="Point the camera at the code on the bike")
    expect(scanner.get_by_role("status")).to_contain_text("This is not a bike’s code.")


def get_bike_link(phone: Page, number: str) -> Locator:
    """Return the link of a bike in the list."""
    return phone.locator(".bike-row", has=phone.locator("bdi").get_by_text(number, exact=True)).first


def find_bike(phone: Page, number: str) -> None:
    """Search all groups for a bike."""
    phone.get_by_text("Find a bike").click()
    phone.get_by_label("Bike number").fill(number)
    phone.get_by_role("button", name="Search").click()


def open_bike(phone: Page, number: str) -> None:
    """Tap a bike in the list."""
    get_bike_link(phone, number).click()
    expect(phone.locator("h1 .plate")).to_contain_text(number)


def get_face_button(phone: Page, number: int) -> Locator:
    """Return the button of a die face."""
    return phone.locator("[data-dice-pad] button").nth(number - 1)


def tap_dice(phone: Page, dice: str) -> None:
    """Tap faces on the pad."""
    for digit in dice:
        get_face_button(phone, int(digit)).click()


def choose_input_method(phone: Page, name: str) -> None:
    """Choose how to enter the dice."""
    phone.get_by_role("button", name=name).click()
    expect(phone.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")


def get_box_button(phone: Page, name: str) -> Locator:
    """Return the button of a box."""
    return phone.locator("button.box", has=phone.get_by_text(name, exact=True))


def get_again_button(phone: Page) -> Locator:
    """Return the button that throws the dice again that are not kept."""
    return phone.get_by_role("button", name=re.compile("^(Throw .* again|All dice are kept)"))


def record_in_box(phone: Page, name: str) -> None:
    """Tap a box, which records the turn, and wait until the page says so."""
    get_box_button(phone, name).click()
    expect(phone.locator(".turn-result")).to_be_visible()


def record_turn(phone: Page, dice: str, name: str) -> None:
    """Record a turn by its final dice."""
    tap_dice(phone, dice)
    record_in_box(phone, name)


def count_taps(phone: Page, act: Callable[[], None]) -> int:
    """Return how often the screen was touched while `act` ran."""
    phone.evaluate("window.taps = 0; addEventListener('click', () => { window.taps += 1; }, true)")
    act()
    taps: int = phone.evaluate("window.taps")
    return taps
