"""Measures a rendered page: sizes, letters, contrast, overflow, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

HERE = Path(__file__).parent
RULER = (HERE / "measure.js").read_text(encoding="utf-8")
AXE = (HERE / "vendor" / "axe-core-4.14.1" / "axe.min.js").read_text(encoding="utf-8")
PHONE: ViewportSize = {"width": 360, "height": 640}
NARROW: ViewportSize = {"width": 320, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 900}
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def measure(page: Page, what: str, *arguments: object) -> list[str]:
    """Return what the named measurement finds on the page, with the worst cases described."""
    # The content may be there before the style sheets are.
    page.wait_for_load_state()
    page.evaluate(RULER)
    found: list[str] = page.evaluate("([what, given]) => measure[what](...given)", [what, list(arguments)])
    return found


def get_box(found: Locator) -> FloatRect:
    """Return where the element is on the screen, in CSS pixels; it has to be shown."""
    box = found.bounding_box()
    assert box is not None
    return box


def list_barriers(page: Page, *, with_rules: tuple[str, ...] = (), also: tuple[str, ...] = ()) -> list[str]:
    """Return the violations that axe calls serious or critical.

    Args:
        with_rules: only these rules, instead of those of level AA.
        also: rules beyond those levels.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options: dict[str, Any] = {
        "runOnly": {"type": "rule", "values": with_rules} if with_rules else {"type": "tag", "values": LEVELS},
        "rules": {rule: {"enabled": True} for rule in (*with_rules, *also)},
        "resultTypes": ["violations"],
    }
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if rule["impact"] in ("serious", "critical")
    ]


def list_outdoor_problems(phone: Page, main: str) -> list[str]:
    """Return what cannot be pressed or read on the page in bright sun and with gloves.

    Args:
        main: a selector of the most used controls, which have to be larger than the rest.
    """
    found = measure(phone, "small", 48) + measure(phone, "faint", 4.5) + measure(phone, "wide") + measure(phone, "cut")
    # Labels beside the marks of a game's picture may be smaller than text needed to act.
    found += measure(phone, "tiny", 18, ".table-page__picture")
    found += list_barriers(phone, also=("color-contrast-enhanced",))
    found += measure(phone, "low", 64, main) + measure(phone, "broken")
    phone.emulate_media(color_scheme="dark")
    found += [f"dark: {what}" for what in measure(phone, "faint", 4.5)]
    found += [f"dark: {what}" for what in list_barriers(phone, with_rules=("color-contrast-enhanced",))]
    phone.emulate_media(color_scheme="light")
    phone.set_viewport_size(NARROW)
    found += [f"at 320: {what}" for what in measure(phone, "wide")]
    phone.set_viewport_size(PHONE)
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    found += [f"200 %: {what}" for what in measure(phone, "wide") + measure(phone, "spilled")]
    phone.evaluate("document.documentElement.style.fontSize = ''")
    return found


def list_page_problems(page: Page) -> list[str]:
    """Return what is wrong with the page: as it is, on a phone, dark, on the narrowest phone, with letters at 200 %."""
    found = []
    before = page.viewport_size or PHONE
    if before != PHONE:
        found += list_barriers(page, with_rules=("color-contrast",))
        page.set_viewport_size(PHONE)
    found += [f"at 360: {what}" for what in list_barriers(page, also=("target-size",)) + measure(page, "broken")]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {what}" for what in list_barriers(page, with_rules=("color-contrast",))]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(NARROW)
    found += [f"at 320: {what}" for what in measure(page, "wide")]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        found += [f"200 %, {size['width']} wide: {what}" for what in measure(page, "wide") + measure(page, "cut")]
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(before)
    return found
