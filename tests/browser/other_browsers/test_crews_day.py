"""A crew's day in Firefox and WebKit: what is recorded, with signal or without, is neither lost nor counted twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tests.browser.measure import LEVELS
from tests.browser.other_browsers.conftest import RideDay
from tests.browser.other_browsers.firefox import Firefox
from tests.browser.other_browsers.other_browser import WIDTH, OtherBrowser

VENDOR = Path(__file__).parents[1] / "vendor"
# Pages of the crew without an id in their address.
CREW_PAGES = (
    *("/crew/", "/crew/ready/", "/crew/swap/", "/crew/plain/", "/crew/tables/", "/crew/walk-up/", "/crew/standing/"),
    *("/crew/dice-set/", "/crew/switch/", "/crew/sign-out/"),
)
READ_OPERATIONS = """const opening = indexedDB.open("tailgunner");
await new Promise((resolve, reject) => { opening.onsuccess = resolve; opening.onerror = reject; });
const asking = opening.result.transaction("operations").objectStore("operations").getAll();
await new Promise((resolve, reject) => { asking.onsuccess = resolve; asking.onerror = reject; });
opening.result.close();
return asking.result.map(({ id, state }) => ({ id, state }));"""
LEAVE_WHILE_READING = """const isStore = ({ name }) => name.includes("/js/phone/store.");
const find = () => performance.getEntriesByType("resource").find(isStore);
while (!find()) await new Promise((resolve) => { setTimeout(resolve, 50); });
const { open } = await import(find().name);
const db = await open();
setTimeout(() => {
  for (let count = 0; count < 300; count += 1) db.getAll("parts").catch(() => {});
  location.href = args[0];
});"""
# Neither browser has an API for it; Chromium has one.
MAY_USE_CAMERA = """const policy = document.permissionsPolicy ?? document.featurePolicy;
if (policy) return policy.allowsFeature("camera");
const { headers } = await fetch(location.href);
return !(headers.get("Permissions-Policy") ?? "").includes("camera=()");"""
MEASURE = "return [innerWidth, document.documentElement.scrollWidth]"
LIST_BARRIERS = f"""{(VENDOR / "axe-core-4.14.1/axe.min.js").read_text("utf-8")};
const {{ violations }} = await axe.run(document, {{ runOnly: args[0], resultTypes: ["violations"] }});
const serious = violations.filter(({{ impact }}) => ["serious", "critical"].includes(impact));
return serious.flatMap(({{ id, nodes }}) => nodes.map(({{ target }}) => `${{id}}: ${{target}}`));"""
LIST_BIKES = "return [...document.querySelectorAll('.bike-row')].map((link) => link.getAttribute('href'))"


def join(phone: OtherBrowser, link: str) -> None:
    """Join the crew, and wait for the page that says what the phone still needs."""
    phone.goto(link)
    phone.tap("button", "This is my phone")
    phone.wait_for("[data-check='app']")


def open_group(phone: OtherBrowser) -> None:
    """Open the list of bikes."""
    phone.goto("/crew/")
    phone.wait_for(".bike-row")


def record_turn(phone: OtherBrowser, number: str, dice: str, box: str) -> None:
    """Open the group, and record a turn of one of its bikes."""
    open_group(phone)
    phone.tap(".bike-row bdi", number)
    phone.wait_for("h1 .plate", number)
    for face in dice:
        phone.tap(f"[data-dice-pad] button:nth-child({face})")
    phone.tap("button.box .box__label", box)
    phone.wait_for(".turn-result")


def record_roll(phone: OtherBrowser, player: str, dice: str) -> None:
    """Open a player's table of Rogue, and record a roll."""
    phone.goto("/crew/tables/")
    phone.tap(".bike-row", player)
    for face in dice:
        phone.tap(f'button[name="tap:roll:dice"][value="{face}"]')
    phone.tap("button", "Record roll")
    phone.wait_for("#last", f"Rolled {' '.join(dice)}")


def read_operations(phone: OtherBrowser) -> list[dict[str, Any]]:
    """Return id and state of everything that was recorded on the phone."""
    found: list[dict[str, Any]] = phone.evaluate(READ_OPERATIONS)
    return found


def wait_for_states(phone: OtherBrowser, **counts: int) -> None:
    """Wait until this many operations are in each state, and none in another."""
    phone.wait_until(lambda: Counter(one["state"] for one in read_operations(phone)) == counts, f"{counts}")


def test_everything_recorded_on_a_day_is_counted_exactly_once(ride_day: RideDay, phone: OtherBrowser) -> None:
    site, organiser, _data = ride_day
    join(phone, organiser.make_link("Emil"))
    phone.wait_for("[data-ready='yes']")

    record_turn(phone, "8", "55533", "Full house")
    wait_for_states(phone, sent=1)
    site.refuse_connections()
    record_turn(phone, "12", "44412", "Chance")
    record_turn(phone, "17", "11224", "Chance")
    record_roll(phone, "Pam", "222345")
    wait_for_states(phone, sent=1, waiting=3)
    # WebDriver keeps no profile of WebKit. There the page is only opened again, which starts its engine again.
    if isinstance(phone, Firefox):
        phone.close()
        phone.open()
    open_group(phone)
    wait_for_states(phone, sent=1, waiting=3)
    for number, box in (("8", "Full house: 25"), ("12", "Chance: 15"), ("17", "Chance: 10")):
        assert box in phone.text(".bike-row", number)
    site.go_online()

    wait_for_states(phone, sent=4)
    assert site.count_recorded([one["id"] for one in read_operations(phone)]) == [1, 1, 1, 1]


def test_a_page_that_is_left_while_it_reads_does_not_block_the_next_one(ride_day: RideDay, phone: OtherBrowser) -> None:
    """WebKit freezes a page that is left, with what it reads, and kept the phone's database from all other pages."""
    join(phone, ride_day.organiser.make_link("Emil"))
    phone.wait_for("[data-ready='yes']")
    open_group(phone)

    phone.evaluate(LEAVE_WHILE_READING, "/crew/ready/")

    phone.wait_until(lambda: phone.evaluate("return location.pathname") == "/crew/ready/", "the next page")
    phone.wait_for("[data-ready='yes']")
    assert read_operations(phone) == []


def list_pages(phone: OtherBrowser) -> list[str]:
    """Return the crew's pages, with one of each kind that has an id in its address."""
    open_group(phone)
    [bike, *_] = phone.evaluate(LIST_BIKES)
    return [*CREW_PAGES, bike, f"{bike.partition('?')[0]}history/"]


def test_the_crews_pages_are_not_wider_than_a_phone_and_accessible(ride_day: RideDay, phone: OtherBrowser) -> None:
    join(phone, ride_day.organiser.make_link("Emil"))

    barriers = {}
    for path in list_pages(phone):
        phone.goto(path)
        phone.wait_for("h1")
        width, content = phone.evaluate(MEASURE)
        assert width == WIDTH
        assert content <= width, path
        barriers[path] = phone.evaluate(LIST_BARRIERS, LEVELS)

    assert {path: found for path, found in barriers.items() if found} == {}


def test_every_page_of_the_crew_may_use_the_camera(ride_day: RideDay, phone: OtherBrowser) -> None:
    join(phone, ride_day.organiser.make_link("Emil"))

    refused = []
    for path in list_pages(phone):
        phone.goto(path)
        phone.wait_for("h1")
        if not phone.evaluate(MAY_USE_CAMERA):
            refused.append(path)

    assert refused == []
