"""The printed crew sheet: no card is cut in half by the end of a page."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.browser.running_server import RunningServer

MIN_MODULES = 300  # dark modules of a QR code with a link; nothing else on the sheet has so many shapes
LONG_NAME = "Maximilian Wolfeschlegelsteinhausenbergerdorff the Third of Upper Cochrane"
STREAM = re.compile(rb"/Filter\s*/FlateDecode.*?stream\r?\n(.*?)endstream", re.DOTALL)
FILL = re.compile(rb"^f\*?$", re.MULTILINE)  # the end of a filled path
START = re.compile(rb" (?:m|re)$", re.MULTILINE)  # the start of a shape in it
PAPERS = {"A4": 210, "Letter": 216}  # millimetres wide
MARGIN, PIXELS = 14, 96 / 25.4  # the margin of a page in millimetres, and pixels per millimetre


def count_codes(pdf: bytes) -> list[int]:
    """Return how many QR codes, whole or in part, each page of a PDF has."""
    return [count for count in map(_count_codes_in, _list_contents(pdf)) if count]


def _list_contents(pdf: bytes) -> Iterator[bytes]:
    for packed in STREAM.findall(pdf):
        try:
            yield zlib.decompressobj().decompress(packed)
        except zlib.error:
            continue


def _count_codes_in(content: bytes) -> int:
    return sum(len(START.findall(path)) >= MIN_MODULES for path in FILL.split(content))


def test_24_cards_are_printed_whole_on_three_sheets(desk: Page, server: RunningServer) -> None:
    ride = server.load_ride("setup")
    lines = [f"Wing {n // 6},Helper {n},{('captain', 'sweep', 'third')[n % 3]},Finale" for n in range(23)]
    desk.goto(f"{ride.desk}crew/import/")
    desk.get_by_label("Or paste it here").fill(
        "\n".join(["group,name,role,any bike at", *lines, f"Wing 9,{LONG_NAME},rc,"])
    )
    desk.get_by_role("button", name="Check the import").click()
    desk.get_by_role("button", name="Import", exact=True).click()

    desk.goto(f"{ride.desk}crew/sheet/")
    desk.get_by_role("button", name="Print links for all who have no phone yet").click()

    cards = desk.locator(".crew-card")
    expect(cards).to_have_count(24)
    expect(desk.get_by_role("button", name="Print", exact=True)).to_be_visible()
    for paper, width in PAPERS.items():
        counts = count_codes(desk.pdf(format=paper))
        assert sum(counts) == 24, (paper, counts)  # a code that is cut in half is on two pages
        assert len(counts) <= 3, (paper, counts)
        desk.set_viewport_size({"width": int((width - 2 * MARGIN) * PIXELS), "height": 1000})
        desk.emulate_media(media="print")
        assert cards.evaluate_all("cards => cards.every(card => getComputedStyle(card).breakInside === 'avoid')")
        assert cards.evaluate_all("cards => cards.every(card => card.scrollWidth <= card.clientWidth)")
        desk.emulate_media(media="null")


def test_reloading_a_printed_sheet_replaces_no_link(desk: Page, server: RunningServer) -> None:
    ride = server.load_ride("setup")
    desk.goto(f"{ride.desk}crew/sheet/")
    desk.get_by_role("button", name="Replace all links", exact=True).click()
    link = desk.locator(".crew-card__link").first.inner_text().split()[0]

    desk.reload()

    expect(desk.get_by_text("This sheet was already created, and its links still work.")).to_be_visible()
    expect(desk.locator(".crew-card")).to_have_count(0)
    desk.goto(link)
    expect(desk.get_by_role("button", name="This is my phone")).to_be_visible()
