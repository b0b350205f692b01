"""The page "Ready for the ride?" while the browser asks the user something."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.phone.phone import Phone

# Firefox asks the user, and answers once the user has.
UNANSWERED = """navigator.storage.persisted = async () => false;
navigator.storage.persist = () => new Promise(() => {});"""


def test_a_phone_is_ready_while_the_browser_asks_about_its_storage(phone: Phone) -> None:
    phone.page.add_init_script(UNANSWERED)

    phone.page.goto("/crew/ready/")

    check = phone.page.locator("[data-check='storage']")
    expect(check).to_contain_text("The browser is asking whether this site may store data on this phone for good.")
    phone.expect_ready()
