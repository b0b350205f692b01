"""Measures a rendered page: sizes, letters, contrast, overflow, and what axe finds."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

from tests.browser.site_walk import get_route
from tests.faults.scale import FULL

HERE = Path(__file__).parent
RULER = (HERE / "measure.js").read_text(encoding="utf-8")
MEASURE = f"([what, given]) => {{ if (!window.measure) {{ {RULER} }} return measure[what](...given); }}"
AXE = "".join(
    (HERE / name).read_text(encoding="utf-8") for name in ("vendor/axe-core-4.14.1/axe.min.js", "barriers.js")
)
PHONE: ViewportSize = {"width": 360, "height": 640}
NARROW: ViewportSize = {"width": 320, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 900}
CONTRAST_RULES = ("color-contrast", "color-contrast-enhanced")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

MIN_TARGET = 24  # CSS pixels of a target, at level AA

# The looks of texts that each rule of contrast has found right, on any page of this process.
_judged_looks: defaultdict[str, set[str]] = defaultdict(set)
_measured_routes: set[str | None] = set()


def measure(page: Page, what: str, *arguments: object) -> list[str]:
    """Return what the named measurement finds on the page, with the worst cases described."""
    # The content may be there before the style sheets are.
    page.wait_for_load_state()
    found: list[str] = page.evaluate(MEASURE, [what, list(arguments)])
    return found


def get_box(found: Locator) -> FloatRect:
    """Return where the element is on the screen, in CSS pixels; it has to be shown."""
    box = found.bounding_box()
    assert box is not None
    return box


def list_barriers(page: Page, *, with_rules: tuple[str, ...] = (), also: tuple[str, ...] = ()) -> list[str]:
    """Return the violations that axe calls serious or critical.

    Contrast is judged once for each look of a text; of a page that has only looks found right before, it is not judged
    again, except with FAULTS=full.

    Args:
        with_rules: only these rules, instead of those of level AA.
        also: rules beyond those levels.
    """
    contrast = [rule for rule in (*(with_rules or CONTRAST_RULES[:1]), *also) if rule in CONTRAST_RULES]
    looks = set(measure(page, "looks")) if contrast else set()
    known = [] if FULL else [rule for rule in contrast if looks <= _judged_looks[rule]]
    if with_rules and set(with_rules) == set(known):
        return []
    if not page.evaluate("'barriers' in window"):
        page.evaluate(AXE)
    rules = [rule for rule in with_rules if rule not in known]
    run_only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": LEVELS}
    judging = [rule for rule in contrast if rule not in known]
    found = page.evaluate("given => barriers.find(...given)", [run_only, [*rules, *also], known, judging])
    for rule, judged in found["judged"].items():
        _judged_looks[rule].update(judged)
    faults: list[str] = found["faults"]
    return faults


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
    """Return what is wrong with the page: as it is, on a phone, dark, on the narrowest phone, with letters at 200 %.

    The first page of each route is also measured on a wide screen with letters at 200 %, and every target on it is
    judged by axe. Of its other pages, except with FAULTS=full, these are not, unless a target is small.
    """
    before = page.viewport_size or PHONE
    route = get_route(urlsplit(page.url).path)
    is_first = FULL or route is None or route not in _measured_routes
    _measured_routes.add(route)
    found = list_barriers(page, with_rules=("color-contrast",)) if before != PHONE else []
    # Changing the size takes as long as a measurement, so all of a size is measured together.
    sizes = (DESK, PHONE) if before == DESK else (PHONE, DESK)
    for size in sizes if is_first else (PHONE,):
        page.set_viewport_size(size)
        if size == PHONE:
            also = ("target-size",) if is_first or measure(page, "small", MIN_TARGET) else ()
            found += [f"at 360: {what}" for what in list_barriers(page, also=also) + measure(page, "broken")]
            page.emulate_media(color_scheme="dark")
            found += [f"dark: {what}" for what in list_barriers(page, with_rules=("color-contrast",))]
            page.emulate_media(color_scheme="light")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        found += [f"200 %, {size['width']} wide: {what}" for what in measure(page, "wide") + measure(page, "cut")]
        page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(NARROW)
    found += [f"at 320: {what}" for what in measure(page, "wide")]
    page.set_viewport_size(before)
    return found
