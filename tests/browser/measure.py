"""Measures a rendered page: sizes, letters, contrast, overflow, and what axe finds."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

from tests.browser.plain_words import list_misnamed_events, list_technical_words
from tests.browser.site_walk import get_route
from tests.browser.typefaces import show_in_each_typeface
from tests.faults.scale import FULL

HERE = Path(__file__).parent
RULER = (HERE / "measure.js").read_text(encoding="utf-8")
MEASURE = f"""all => {{
  if (!window.measure) {{ {RULER} }}
  return all.map(([what, given]) => measure[what](...given));
}}"""
AXE = "".join(
    (HERE / name).read_text(encoding="utf-8") for name in ("vendor/axe-core-4.14.1/axe.min.js", "barriers.js")
)
PHONE: ViewportSize = {"width": 360, "height": 640}
NARROW: ViewportSize = {"width": 320, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 900}
LOCALE = "en-GB"  # times in 24 hours
CONTRAST_RULES = ("color-contrast", "color-contrast-enhanced")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

MIN_TARGET = 24  # CSS pixels of a target, at level AA
UNUSED = 0.4  # share of the width that an organiser's form may leave empty on a laptop
NARROW_PAGES = {
    "desk:merge": "a question and its answer, which are read as one",
    "events:sign_in": "a name and a password, one below the other as everywhere",
    "events:add_passkey": "the same for a passkey",
    "events:welcome": "the same for a new account",
}

# The looks of texts with which each rule of contrast has found nothing wrong on any page of this process, and the kinds
# of elements with which the other rules have not.
_judged_looks: defaultdict[str, set[str]] = defaultdict(set)
_judged_kinds: set[str] = set()
# The looks that texts had in the light on pages on which the dark ones were right as well.
_looks_seen_dark: set[str] = set()
_measured_routes: set[str | None] = set()


def measure_all(page: Page, *measurements: tuple[object, ...]) -> list[list[str]]:
    """Return what each of the measurements finds: each is a name with its arguments."""
    # The content may be there before the style sheets are.
    page.wait_for_load_state()
    found: list[list[str]] = page.evaluate(MEASURE, [[what, arguments] for what, *arguments in measurements])
    return found


def measure(page: Page, what: str, *arguments: object) -> list[str]:
    """Return what the named measurement finds on the page, with the worst cases described."""
    (found,) = measure_all(page, (what, *arguments))
    return found


def get_box(found: Locator) -> FloatRect:
    """Return where the element is on the screen, in CSS pixels; it has to be shown."""
    box = found.bounding_box()
    assert box is not None
    return box


def list_barriers(
    page: Page, *, with_rules: tuple[str, ...] = (), also: tuple[str, ...] = (), if_new: tuple[str, ...] = ()
) -> list[str]:
    """Return the violations that axe calls serious or critical.

    Contrast is judged once for each look of a text, and everything else once for each kind of element: a page that has
    only looks and kinds found right before is not judged again, except with FAULTS=full.

    Args:
        with_rules: only these rules, instead of those of level AA.
        also: rules beyond those levels.
        if_new: more of them, unless all kinds are known.
    """
    looks, kinds = measure_all(page, ("looks",), ("kinds",))
    return _judge(page, set(looks), set(kinds), with_rules=with_rules, also=also, if_new=if_new)


def _judge(
    page: Page,
    looks: set[str],
    kinds: set[str],
    *,
    with_rules: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    if_new: tuple[str, ...] = (),
) -> list[str]:
    is_known = not FULL and not with_rules and kinds <= _judged_kinds
    rules = [*with_rules, *also, *(() if is_known else if_new)]
    contrast = [rule for rule in (*([] if with_rules else CONTRAST_RULES[:1]), *rules) if rule in CONTRAST_RULES]
    known = [] if FULL else [rule for rule in contrast if looks <= _judged_looks[rule]]
    judging = [rule for rule in contrast if rule not in known]
    if with_rules or is_known:
        rules = list(dict.fromkeys(rule for rule in (*judging, *rules) if rule not in known))
        if not rules:
            return []
        run_only = {"type": "rule", "values": rules}
    else:
        run_only = {"type": "tag", "values": LEVELS}
    if not page.evaluate("'barriers' in window"):
        page.evaluate(AXE)
    # Where only the contrast of new looks is judged, axe need not look at the other texts.
    new = {look for rule in judging for look in looks - _judged_looks[rule]}
    is_contrast_only = not FULL and run_only["type"] == "rule" and set(rules) <= set(CONTRAST_RULES)
    given = [run_only, rules, known, judging, sorted(new) if is_contrast_only else None]
    found = page.evaluate("given => barriers.find(...given)", given)
    for rule, judged in found["judged"]:
        _judged_looks[rule].update(judged)
    faults: list[str] = found["faults"]
    if not with_rules and not faults:
        _judged_kinds.update(kinds)
    return faults


def list_outdoor_problems(phone: Page, main: str) -> list[str]:
    """Return what cannot be pressed or read on the page in bright sun and with gloves.

    Args:
        main: a selector of the most used controls, which have to be larger than the rest.
    """
    # Labels beside the marks of a game's picture may be smaller than text needed to act.
    tiny = ("tiny", 18, ".table-page__picture")
    plain = (("small", 48), ("wide",), ("cut",), ("low", 64, main), ("broken",))
    found = []
    for typeface in show_in_each_typeface(phone):
        # One call for all: each takes as long as a measurement.
        enlarged, *others = measure_all(phone, ("enlarged", "wide", "spilled"), *plain)
        found += [f"{typeface}: {what}" for of_one in others for what in of_one]
        found += [f"200 %, {typeface}: {what}" for what in enlarged]
    looks, kinds, *others = measure_all(phone, ("looks",), ("kinds",), ("faint", 4.5), tiny)
    found += [what for of_one in others for what in of_one]
    found += _judge(phone, set(looks), set(kinds), also=("color-contrast-enhanced",))
    phone.emulate_media(color_scheme="dark")
    looks, kinds, faint = measure_all(phone, ("looks",), ("kinds",), ("faint", 4.5))
    dark = [*faint, *_judge(phone, set(looks), set(kinds), with_rules=("color-contrast-enhanced",))]
    found += [f"dark: {what}" for what in dark]
    phone.emulate_media(color_scheme="light")
    phone.set_viewport_size(NARROW)
    found += [f"at 320: {what}" for what in measure(phone, "wide")]
    phone.set_viewport_size(PHONE)
    return found


def list_page_problems(page: Page) -> list[str]:
    """Return what is wrong with the page: as it is, on a phone, dark, on the narrowest phone, with letters at 200 %.

    Words that only technicians understand are wrong outside of what is for them, and so is “ride” for an event.

    The first page of each route is also measured in all typefaces, with longer words, from right to left, and on a wide
    screen with letters at 200 %, and every target on it is judged by axe if it has elements of a new kind. Of its other
    pages, except with FAULTS=full, these are not, unless a target is small. Only a page with a look that no page had
    before is measured in the dark, except with FAULTS=full.
    """
    before = page.viewport_size or PHONE
    route = get_route(urlsplit(page.url).path)
    is_first = FULL or route is None or route not in _measured_routes
    _measured_routes.add(route)
    page.wait_for_load_state("domcontentloaded")
    found = [*list_technical_words(page), *list_misnamed_events(page)]
    enlarged = ("enlarged", "wide", "cut")
    # Changing the size takes as long as a measurement, so all of a size is measured together.
    if before != PHONE:
        looks, unused, *others = measure_all(
            page, ("looks",), ("unused", UNUSED), *([enlarged] if is_first and before == DESK else [])
        )
        found += _judge(page, set(looks), set(), with_rules=("color-contrast",))
        found += [] if route in NARROW_PAGES else [f"1280 wide: {what}" for what in unused]
        found += [f"200 %, 1280 wide: {what}" for of_one in others for what in of_one]
        page.set_viewport_size(PHONE)
    looks, kinds, small, broken, cut = measure_all(
        page, ("looks",), ("kinds",), ("small", MIN_TARGET), ("broken",), enlarged
    )
    target_size = ("target-size",)
    barriers = _judge(
        page,
        set(looks),
        set(kinds),
        also=target_size if small else (),
        if_new=target_size if is_first else (),
    )
    found += [f"at 360: {what}" for what in (*barriers, *broken)]
    found += [f"200 %, 360 wide: {what}" for what in cut]
    for typeface in show_in_each_typeface(page) if is_first else ():
        broken, cut = measure_all(page, ("broken",), enlarged)
        found += [f"at 360, {typeface}: {what}" for what in broken]
        found += [f"200 %, 360 wide, {typeface}: {what}" for what in cut]
    if FULL or not set(looks) <= _looks_seen_dark:
        page.emulate_media(color_scheme="dark")
        dark = list_barriers(page, with_rules=("color-contrast",))
        found += [f"dark: {what}" for what in dark]
        page.emulate_media(color_scheme="light")
        if not dark:
            _looks_seen_dark.update(looks)
    page.set_viewport_size(NARROW)
    other_languages = (("stretched", "wide", "cut"), ("mirrored", "wide")) if is_first else ()
    wide, *others = measure_all(page, ("wide",), *other_languages)
    found += [f"at 320: {what}" for what in wide]
    for language, faults in zip(("longer words", "right to left"), others, strict=False):
        found += [f"at 320, {language}: {what}" for what in faults]
    if is_first and before != DESK:
        page.set_viewport_size(DESK)
        found += [f"200 %, 1280 wide: {what}" for what in measure(page, *enlarged)]
    page.set_viewport_size(before)
    return found
