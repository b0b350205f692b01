"""A phone without signal, in Chromium: ``python benchmarks/opening_without_signal.py``.

A phone joins a demo ride and downloads it; then the server is stopped for good. The script measures:

- the size of all files that the app caches, as they are served, fetched one by one;
- a cold start: a killed browser is started again, from its navigation to the group's page until a bike is visible;
- a warm response: from a tap on a bike until its card is visible;
- with Chromium's processor six times slower: from a tap on a die until the die is visible; from a tap on a box until
  the box looks pressed, and until the page says that the turn is saved on this phone.

The medians of five rounds are compared. The script exits with status 1 if a cold start takes more than 3 s or a tap
more than 100 ms.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402 - the path is set above

from tests.browser import crew  # noqa: E402
from tests.browser.desk import make_link, sign_in  # noqa: E402
from tests.browser.phone.phone import TIMEOUT_MS, Phone  # noqa: E402
from tests.browser.running_server import serve  # noqa: E402
from tests.cluster.ports import find_port  # noqa: E402
from tests.services import find_browser  # noqa: E402
from tests.shared_folder import open_shared_folder  # noqa: E402

ROUNDS = 5
COLD_MS, TAP_MS = 3000, 100
SLOWER = 6
BOXES = ("Full house", "Sixes", "Chance", "Threes", "Fives")
# Taps an element, and returns the milliseconds until an element that matches `shows` is painted.
TAP = """([tapped, shows]) => new Promise((resolve) => {
  const start = performance.now();
  const look = () => document.querySelector(shows)
    ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
  document.querySelector(tapped).click();
  look();
})"""


def measure_app_size(url: str) -> tuple[int, int]:
    """Return how many files the app caches, and their bytes over the wire."""
    script = urllib.request.urlopen(f"{url}/sw.js").read().decode()  # noqa: S310 - it is our own server
    found = re.search(r"^const APP = (\{.*?\});?$", script, re.MULTILINE)
    assert found, script[:200]
    app = json.loads(found[1])
    paths = [*app["files"], *app["pages"]]
    headers = {"Accept-Encoding": "br, gzip"}
    responses = (urllib.request.urlopen(urllib.request.Request(f"{url}{path}", headers=headers)) for path in paths)  # noqa: S310
    return len(paths), sum(len(response.read()) for response in responses)


def open_group(phone: Phone) -> float:
    """Return the milliseconds until the group's list is visible."""
    start = time.perf_counter()
    phone.page.goto("/crew/")
    expect(phone.page.locator(".bike-row").first).to_be_visible()
    return (time.perf_counter() - start) * 1000


def open_card(page: Page, number: str) -> float:
    """Return the milliseconds from the tap on a bike until its card is visible."""
    start = time.perf_counter()
    crew.get_bike_link(page, number).click()
    expect(crew.get_face_button(page, 1)).to_be_visible()
    return (time.perf_counter() - start) * 1000


def measure(phone: Phone, numbers: list[str]) -> dict[str, list[float]]:
    """Return the measured milliseconds, by arm."""
    taken: dict[str, list[float]] = {"cold": [], "warm": [], "die": [], "box": [], "recorded": []}
    for number, box in zip(numbers, BOXES, strict=True):
        phone.kill()
        phone.open()
        taken["cold"].append(open_group(phone))
        page = phone.page
        taken["warm"].append(open_card(page, number))
        slow = page.context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        taken["die"].append(page.evaluate(TAP, ["[data-dice-pad] button", ".place:first-child .die"]))
        crew.tap_dice(page, "1111")
        expect(crew.get_box_button(page, box)).to_be_visible()
        crew.get_box_button(page, box).evaluate("button => button.setAttribute('id', 'tapped')")
        start = time.perf_counter()
        taken["box"].append(page.evaluate(TAP, ["#tapped", "#tapped[data-pressed], .turn-result__box"]))
        expect(page.locator(".turn-result__box")).to_be_visible()
        taken["recorded"].append((time.perf_counter() - start) * 1000)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return taken


def main() -> int:
    if find_browser() is None:
        sys.exit("Chromium is needed; see CONTRIBUTING.md.")
    shared = open_shared_folder()
    try:
        return measure_and_print()
    finally:
        shutil.rmtree(shared)


def measure_and_print() -> int:
    expect.set_options(timeout=TIMEOUT_MS)
    with tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        with sync_playwright() as playwright:
            with serve(root / "data", find_port()) as served:
                ride = served.load_ride("parks")
                files, size = measure_app_size(served.url)
                with playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"]) as browser:
                    desk = browser.new_context(base_url=served.url, service_workers="block").new_page()
                    sign_in(desk, *served.organiser)
                    link = make_link(desk, ride.desk, "Emil").removeprefix(served.url)
                phone = Phone(playwright.chromium, served.url, root / "phone")
                phone.open()
                phone.join(link)
                phone.expect_ready()
                phone.close()  # Chromium writes cookies late, at the latest when it is closed
                phone.open()
                open_group(phone)
                numbers = phone.page.locator(".bike-row bdi").all_text_contents()[:ROUNDS]
            taken = measure(phone, numbers)
            phone.close()
    medians = {name: median(measured) for name, measured in taken.items()}
    print(f"cached        {size / 1e6:.2f} MB over the wire, {files} files")
    for name, text in {
        "cold": "start to the group's list",
        "warm": "a bike's card",
        "die": f"a tap on a die until it is visible, {SLOWER} times slower",
        "box": f"a tap on a box until it looks pressed, {SLOWER} times slower",
        "recorded": f"until the page says that the turn is saved on this phone, {SLOWER} times slower",
    }.items():
        print(f"{name:12} {medians[name]:6.0f} ms  ({min(taken[name]):.0f} to {max(taken[name]):.0f})  {text}")
    print(f"goals: cold {COLD_MS} ms, a tap {TAP_MS} ms")
    return 0 if medians["cold"] <= COLD_MS and max(medians["die"], medians["box"]) <= TAP_MS else 1


if __name__ == "__main__":
    sys.exit(main())
