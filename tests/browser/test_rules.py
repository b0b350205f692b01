"""Rule books can be read on the narrowest phone, and opened from a message without losing the tapped dice."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import list_barriers, measure
from tests.browser.running_server import RunningServer


def test_every_rule_book_can_be_read_on_the_narrowest_phone(server: RunningServer, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/rules/")
    books = page.get_by_role("main").get_by_role("link").evaluate_all("all => all.map(one => one.pathname)")
    assert books
    for book in books:
        page.goto(book)
        found = measure(page, "wide") + measure(page, "tiny", 18)
        found += list_barriers(page, with_rules=("color-contrast-enhanced", "target-size", "link-in-text-block"))
        assert "\n".join(found) == "", book


def test_the_clause_of_a_refusal_opens_beside_the_page_and_the_dice_stay(
    server: RunningServer, new_phone: NewPhone
) -> None:
    """ROCK-4"""
    phone = new_phone(server.ride("parks"), "Emil")
    crew.show_bike(phone, "BBQ", "12")
    crew.choose_input_method(phone, "Roll by roll")
    crew.tap_dice(phone, "12346")
    expect(phone.locator(".place--toggle")).to_have_count(5)
    for place in phone.locator(".place--toggle").all():
        place.tap()
    crew.get_again_button(phone).tap()
    summary = phone.locator(".error-summary")
    expect(summary).to_contain_text("Roll at least one die again.")

    with phone.expect_popup() as opened:
        summary.get_by_role("link", name="(ROCK-4) the rule, in a new tab").tap()

    clause = opened.value.locator("li", has=opened.value.locator("#ROCK-4"))
    expect(clause).to_be_in_viewport()
    expect(clause).to_contain_text("At least one die must be rolled.")
    beside = opened.value.locator("li", has=opened.value.locator("#ROCK-5"))
    marked, plain = (one.evaluate("one => getComputedStyle(one).backgroundColor") for one in (clause, beside))
    assert marked != plain, "the clause that was asked for stands out"
    expect(phone.locator(".place--toggle :checked")).to_have_count(5)
    dice = phone.locator("[data-dice-places] input[name=dice]")
    assert dice.evaluate_all("all => all.map(one => one.value)") == [*"12346"]
