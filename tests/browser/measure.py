"""Measures a page as it is drawn: sizes, letters, contrast, what sticks out, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

HERE = Path(__file__).parent
RULER = (HERE / "measure.js").read_text(encoding="utf-8")
AXE = (HERE / "vendor" / "axe-core-4.14.1" / "axe.min.js").read_text(encoding="utf-8")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def measure(page: Page, what: str, *arguments: object) -> list[str]:
    """Return what the measure of that name finds on the page, worst cases in words."""
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
