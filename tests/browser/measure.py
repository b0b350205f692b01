"""Measures a page as it is drawn: sizes, letters, contrast, what sticks out, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize

HERE = Path(__file__).parent
RULER = (HERE / "measure.js").read_text(encoding="utf-8")
AXE = (HERE / "vendor" / "axe-core-4.14.1" / "axe.min.js").read_text(encoding="utf-8")
PHONE: ViewportSize = {"width": 360, "height": 640}
NARROW: ViewportSize = {"width": 320, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 900}
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def measure(page: Page, what: str, *arguments: object) -> list[str]:
    """Return what the measure of that name finds on the page, worst cases in words."""
    # What is to be seen may be there before the style sheets are.
    page.wait_for_load_state()
    page.evaluate(RULER)
    found: list[str] = page.evaluate("([what, given]) => measure[what](...given)", [what, list(arguments)])
    return found


def list_barriers(page: Page, *, with_rules: tuple[str, ...] = ()) -> list[str]:
    """Return what axe calls serious or critical; rules beyond the levels AA can be asked for."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options: dict[str, Any] = {
        "runOnly": {"type": "tag", "values": LEVELS},
        "rules": {rule: {"enabled": True} for rule in with_rules},
        "resultTypes": ["violations"],
    }
    if with_rules:
        options["runOnly"] = {"type": "rule", "values": list(with_rules)}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if rule["impact"] in ("serious", "critical")
    ]


def audit(page: Page) -> list[str]:
    """Return what is wrong with the page: as it is, on the narrowest phone, in letters of 200 %."""
    found = list_barriers(page)
    page.set_viewport_size(NARROW)
    found += [f"at 320: {what}" for what in measure(page, "wide")]
    page.set_viewport_size(PHONE)
    found += [f"at 360: {what}" for what in list_barriers(page, with_rules=("color-contrast", "target-size"))]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        found += [f"200 %, {size['width']} wide: {what}" for what in measure(page, "wide") + measure(page, "cut")]
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found
