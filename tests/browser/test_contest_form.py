"""The form of a contest on an organiser's phone, with scripts and without: rows, presets, errors, the drawing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import DESK, PHONE, list_page_problems, measure
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

NewForm = Callable[..., Page]


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("setup")


@pytest.fixture
def new_form(
    new_context: Callable[..., BrowserContext], take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState
) -> NewForm:
    """Return the form of a new pig race on the organiser's phone: `new_form(java_script_enabled=False)`."""

    def make(*, java_script_enabled: bool = True) -> Page:
        if java_script_enabled:
            page = take_page(PHONE, organiser_cookies)
        else:
            page = new_context(has_touch=True, storage_state=organiser_cookies, java_script_enabled=False).new_page()
        page.goto(f"{ride.desk}contests/new/pig-race/")
        return page

    return make


def pen(page: Page, number: int) -> Locator:
    """Return a row of pens."""
    return page.get_by_role("group", name=f"Pen {number}", exact=True)


def find_drawing(page: Page) -> Locator:
    """Return the game's own picture of the options, which is the last in the preview; the rules are above it."""
    return page.get_by_role("complementary", name="Preview").get_by_role("list").last


def press(page: Page, label: str, number: int) -> None:
    """Press a button of a row."""
    page.get_by_role("button", name=f"{label}, Pen {number}", exact=True).click()


def expect_pens(page: Page, *names: str) -> None:
    """Wait until the form has these pens, in this order."""
    for number, name in enumerate(names, 1):
        expect(pen(page, number).get_by_label("Name")).to_have_value(name)
    expect(pen(page, len(names) + 1)).to_have_count(0)


@pytest.mark.parametrize("has_scripts", [True, False], ids=["with scripts", "without scripts"])
def test_rows_are_added_filled_moved_and_removed_on_a_phone(
    new_form: NewForm, ride: DemoRide, has_scripts: bool
) -> None:
    page = new_form(java_script_enabled=has_scripts)
    page.get_by_text("2 rows").click()
    expect_pens(page, "Babe", "Wilbur")

    page.get_by_role("button", name="Add a row (Pens)").click()
    expect(pen(page, 3).get_by_label("Name")).to_be_focused()
    expect(pen(page, 3).get_by_label("Name")).to_be_in_viewport()
    page.keyboard.type("Snowball")
    pen(page, 3).get_by_label("Depth").fill("7")
    pen(page, 3).get_by_label("Roofed").check()

    press(page, "Move up", 3)
    expect_pens(page, "Babe", "Snowball", "Wilbur")
    expect(page.get_by_role("button", name="Move up, Pen 2", exact=True)).to_be_focused()
    expect(pen(page, 2)).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect_pens(page, "Snowball", "Babe", "Wilbur")

    press(page, "Add a row below", 1)
    expect_pens(page, "Snowball", "", "Babe", "Wilbur")
    press(page, "Remove", 2)
    expect_pens(page, "Snowball", "Babe", "Wilbur")
    press(page, "Move down", 2)
    expect_pens(page, "Snowball", "Wilbur", "Babe")
    press(page, "Remove", 3)
    expect_pens(page, "Snowball", "Wilbur")
    expect(pen(page, 1).get_by_label("Depth")).to_have_value("7")
    expect(pen(page, 1).get_by_label("Roofed")).to_be_checked()

    page.get_by_label("Name").first.fill(f"Rows {has_scripts}")
    page.get_by_role("button", name="Add the contest").click()
    expect(page.get_by_text(f"Rows {has_scripts} has been created.")).to_be_visible()
    expect_pens(page, "Snowball", "Wilbur")
    expect(page.get_by_role("complementary").get_by_text("Snowball, 3")).to_be_visible()


@pytest.mark.parametrize("has_scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_enter_key_saves_and_an_error_is_read_first_and_links_to_its_field(
    new_form: NewForm, has_scripts: bool
) -> None:
    page = new_form(java_script_enabled=has_scripts)
    page.get_by_text("2 rows").click()
    pen(page, 2).get_by_label("Width").fill("99")
    page.get_by_label("Goal").fill("0")
    page.keyboard.press("Enter")

    summary = page.get_by_role("alert")
    fault = "Pens, Pen 2, Width: This must be a whole number from 1 to 20."
    expect(summary.get_by_role("link")).to_have_text(["Goal: This must be a whole number from 1 to 100.", fault])
    if has_scripts:
        expect(summary).to_be_focused()
    summary.get_by_role("link", name=fault).click()
    expect(pen(page, 2).get_by_label("Width")).to_be_in_viewport()
    expect(pen(page, 2).get_by_label("Width")).to_have_value("99")
    expect(pen(page, 2)).to_contain_text(fault)


def test_the_drawing_follows_what_is_typed_and_stays_while_it_cannot(new_form: NewForm) -> None:
    page = new_form()
    drawing = find_drawing(page)
    page.get_by_role("button", name="Muddy yard").click()
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 9"])

    pen(page, 1).get_by_label("Width").fill("11")
    page.keyboard.press("Tab")
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 11"])

    page.get_by_role("button", name="Add a row (Pens)").click()
    expect(pen(page, 2).get_by_label("Name")).to_be_focused()
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 11"])

    page.keyboard.type("Squealer")
    page.keyboard.press("Tab")
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 11", "Squealer, 3"])


# Type as soon as the form has been replaced, before the browser does anything else.
TYPE_AT_ONCE = """() => new MutationObserver((_, observer) => {
  const width = document.querySelector("input[name$='width']");
  if (!width) return;
  observer.disconnect();
  width.value = "11";
  width.dispatchEvent(new Event("change", { bubbles: true }));
}).observe(document.querySelector("main"), { childList: true, subtree: true })"""


def test_what_is_typed_as_soon_as_the_form_is_replaced_is_drawn(new_form: NewForm) -> None:
    page = new_form()
    page.evaluate(TYPE_AT_ONCE)

    page.get_by_role("button", name="Muddy yard").click()

    drawing = find_drawing(page)
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 11"])


def test_without_scripts_the_drawing_comes_with_the_page(new_form: NewForm) -> None:
    page = new_form(java_script_enabled=False)
    drawing = find_drawing(page)
    page.get_by_role("button", name="Muddy yard").click()
    expect(drawing.get_by_role("listitem")).to_have_text(["Napoleon, 9"])
    expect(page.get_by_role("button", name="Muddy yard")).to_be_focused()

    page.get_by_role("button", name="Add a row (Pens)").click()
    preview = page.get_by_role("complementary", name="Preview")
    expect(preview).to_contain_text("The preview appears here as soon as every option is valid.")


def test_the_form_is_accessible_with_rows_and_with_errors(new_form: NewForm) -> None:
    page = new_form()
    found = list_page_problems(page)
    page.get_by_text("2 rows").click()
    page.get_by_role("button", name="Add a row (Pens)").click()
    expect(pen(page, 3)).to_be_visible()
    found += list_page_problems(page)
    page.get_by_label("Goal").fill("")
    page.get_by_role("button", name="Add the contest").click()
    expect(page.get_by_role("alert")).to_be_visible()
    found += list_page_problems(page)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        found += measure(page, "small", 48) + measure(page, "tiny", 18)
    assert "\n".join(found) == ""


def test_the_error_of_a_short_number_in_a_row_has_space(new_form: NewForm, ride: DemoRide) -> None:
    page = new_form()
    page.goto(f"{ride.desk}contests/new/grand-prix/")
    page.get_by_text("4 rows").click()
    for name in ("Time", "Damage"):
        page.get_by_role("group", name="Circuit 2").get_by_label(name).fill("999")
    page.get_by_role("button", name="Add the contest").click()
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(2)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert measure(page, "wide") == []
        assert measure(page, "spilled") == []


def test_fifty_rows_are_still_usable_on_a_phone_and_at_a_desk(new_form: NewForm) -> None:
    page = new_form()
    page.get_by_role("button", name="Herd").click()
    expect(pen(page, 50)).to_be_visible()
    expect(page.get_by_role("button", name="Add a row (Pens)")).to_have_count(0)
    for size, most in ((PHONE, PHONE["height"] / 2), (DESK, 80)):
        page.set_viewport_size(size)
        assert measure(page, "wide") == []
        row = pen(page, 30).bounding_box()
        assert row is not None
        assert row["height"] < most

    page.set_viewport_size(PHONE)
    press(page, "Move up", 50)
    expect(pen(page, 49).get_by_label("Name")).to_have_value("Pig 50")
    expect(pen(page, 49)).to_be_in_viewport()
    press(page, "Remove", 1)
    expect(pen(page, 1).get_by_label("Name")).to_have_value("Pig 2")
    press(page, "Add a row below", 1)
    expect(pen(page, 2).get_by_label("Name")).to_be_focused()
    page.keyboard.type("Snowball")
    page.get_by_label("Name").first.fill("Fifty pigs")
    page.get_by_role("button", name="Add the contest").click()
    expect(page.get_by_text("Fifty pigs has been created.")).to_be_visible()
    expect(pen(page, 2).get_by_label("Name")).to_have_value("Snowball")
    expect(pen(page, 49).get_by_label("Name")).to_have_value("Pig 50")
