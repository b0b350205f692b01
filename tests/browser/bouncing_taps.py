"""Taps that bounce: the finger hits the same place of the screen again, whatever is there by then."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.measure import get_box

# The pause is what these tests are about, so they wait for a time and not for an event.
PAUSES_MS = (200, 450, 700, 1000)

RIGHT = 0.85  # of the width of a control: where the thumb of a right hand is


def tap_twice(phone: Page, control: Locator, pause: int) -> None:
    """Tap the right side of a control, and the same place of the screen again after a pause in milliseconds."""
    expect(control).to_be_enabled()
    expect(control).not_to_have_attribute("data-guarded", "")  # by the tap before: it takes taps a moment later
    box = get_box(control)
    place = (box["x"] + box["width"] * RIGHT, box["y"] + box["height"] / 2)
    phone.touchscreen.tap(*place)
    phone.wait_for_timeout(pause)
    phone.touchscreen.tap(*place)
    phone.wait_for_timeout(300)  # for what the second tap would do


def find_box_at(phone: Page, height: float) -> Locator:
    """Return the box in the right column that is nearest to this height of the screen, in CSS pixels."""
    boxes = phone.locator("button.box").all()
    right = [box for box in boxes if get_box(box)["x"] > 100]
    return min(right, key=lambda box: abs(get_box(box)["y"] + get_box(box)["height"] / 2 - height))


def overlaps(one: Locator, others: Sequence[FloatRect]) -> bool:
    """Return whether an element covers any of these places on the screen."""
    box = get_box(one)
    return any(
        box["x"] < other["x"] + other["width"]
        and other["x"] < box["x"] + box["width"]
        and box["y"] < other["y"] + other["height"]
        and other["y"] < box["y"] + box["height"]
        for other in others
    )
