"""Pages have the bundled typeface on every machine, the device's own without it, and fit in both."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.measure import PHONE, measure
from tests.browser.running_server import RunningServer
from tests.browser.typefaces import BUNDLED, TYPEFACES, show_in_each_typeface

# Letters with marks that the typeface has as one glyph or joins from two: of Croatian, Polish, Turkish, Welsh, Māori.
NAMES = "Đorđević Wałęsa İşığ Ŵyn Tōtara Łódź 1lI 0O 68"


def list_typefaces(found: Locator) -> set[str]:
    """Return the families of the letters that Chromium has drawn, with a star for those of a page's own files."""
    found.evaluate("it => it.setAttribute('data-judged', '')")
    page = found.page
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": "[data-judged]"})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    session.detach()
    return {f"{font['familyName']}{'*' if font['isCustomFont'] else ''}" for font in fonts}


def test_names_are_drawn_in_the_bundled_typeface(page: Page, server: RunningServer) -> None:
    page.goto(server.ride("published").board)
    heading = page.locator("h1")
    heading.evaluate("(it, names) => { it.textContent = names; }", NAMES)

    assert list_typefaces(heading) == {f"{BUNDLED}*"}


def test_letters_of_other_scripts_come_from_the_device(page: Page, server: RunningServer) -> None:
    page.goto(server.ride("published").board)
    heading = page.locator("h1")
    heading.evaluate("it => { it.textContent = 'Ελένη'; }")

    (family,) = list_typefaces(heading)
    assert not family.endswith("*")


def test_a_letter_that_no_typeface_has_is_a_box_and_not_a_gap(page: Page, server: RunningServer) -> None:
    page.goto(server.ride("published").board)
    heading = page.locator("h1")
    heading.evaluate("it => { it.textContent = String.fromCodePoint(0x10fffd); }")
    shown = heading.screenshot()
    heading.evaluate("it => { it.style.color = 'transparent'; }")

    assert shown != heading.screenshot()


def test_digits_have_one_width(page: Page, server: RunningServer) -> None:
    page.goto(server.ride("published").board)
    heading = page.locator("h1")
    for typeface in show_in_each_typeface(page):
        widths = heading.evaluate("""it => [..."0123456789"].map((digit) => {
          it.innerHTML = "<span></span>";
          it.firstChild.textContent = digit.repeat(10);
          return Math.round(it.firstChild.getBoundingClientRect().width);
        })""")
        assert len(set(widths)) == 1, typeface


@pytest.mark.skipif(len(TYPEFACES) == 1, reason="the typefaces of devices are not installed")
def test_a_page_can_be_shown_in_each_typeface(page: Page, server: RunningServer) -> None:
    page.goto(server.ride("published").board)

    shown = [list_typefaces(page.locator("h1")) for _typeface in show_in_each_typeface(page)]

    assert shown == [{f"{BUNDLED}*"}, *({family} for family in TYPEFACES[1:])]


def test_without_the_file_the_device_draws_all_letters(browser: Browser, server: RunningServer) -> None:
    context = browser.new_context(base_url=server.url, viewport=PHONE, service_workers="block")
    context.route("**/*.woff2", lambda route: route.abort())
    page = context.new_page()
    page.goto(server.ride("published").board)
    expect(page.locator("h1")).to_be_visible()

    assert all(not family.endswith("*") for family in list_typefaces(page.locator("h1")))
    assert [*measure(page, "wide"), *measure(page, "cut")] == []
    context.close()
