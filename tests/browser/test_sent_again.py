"""A form that creates something is sent, and sent again from the page that Back shows."""

from __future__ import annotations

from playwright.sync_api import StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import PHONE


def test_a_form_sent_again_after_back_creates_one_event_and_a_changed_one_another(
    take_page: TakePage, organiser_cookies: StorageState
) -> None:
    page = take_page(PHONE, organiser_cookies)
    page.goto("/desk/events/new/")
    name = page.get_by_role("textbox", name="Name")
    name.fill("Back Road Run")
    create = page.get_by_role("button", name="Create the event")
    create.click()
    expect(page.get_by_text("Back Road Run has been created")).to_be_visible()

    page.go_back()
    expect(name).to_have_value("Back Road Run")
    create.click()
    page.wait_for_url("**/desk/events/back-road-run-*/**")
    page.go_back()
    name.fill("Back Road Run again")
    create.click()
    expect(page.get_by_text("Back Road Run again has been created")).to_be_visible()

    page.goto("/desk/")
    expect(page.get_by_role("link", name="Back Road Run", exact=True)).to_have_count(1)
    expect(page.get_by_role("link", name="Back Road Run again", exact=True)).to_have_count(1)
