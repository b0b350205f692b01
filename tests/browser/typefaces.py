"""The typefaces in which pages are measured: the bundled one, and three that devices show without it.

No layout may depend on the metrics of one typeface: the bundled one may load late or not at all, and lacks some
letters. Lines are 1.15 em high in Liberation Sans, which has the metrics of Arial, 1.16 em in DejaVu Sans, the widest,
1.3 em in the bundled one and 1.36 em in Noto Sans.
"""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.services import DEVICE_TYPEFACES, find_fonts

BUNDLED = "Atkinson Hyperlegible Next"
# If they are not installed, `python -m tests.services` says so.
TYPEFACES = (BUNDLED, *(DEVICE_TYPEFACES if find_fonts() else ()))

# The content security policy allows scripts to set styles. Loading the page again would take ten times as long.
SHOW_IN = """async (family) => {
  document.documentElement.style.setProperty("--font", `"${family}"`);
  await document.fonts.ready;
}"""
SHOW_AS_BEFORE = "() => document.documentElement.style.removeProperty('--font')"


def show_in_each_typeface(page: Page) -> Iterator[str]:
    """Show the page in one typeface after the other, and return the name of each; at the end, show it as before."""
    page.wait_for_load_state("domcontentloaded")  # without JavaScript a form may just have been sent
    for family in TYPEFACES:
        page.evaluate(SHOW_IN, family)
        yield family
    page.evaluate(SHOW_AS_BEFORE)
