"""A crew phone in another language than English, with signal and without."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

MENU = "form.languages"
# Whether the only version of the app that is stored is in a language, and no other is on its way.
HAS_ONLY = """async (language) => {
  const names = (await caches.keys()).filter((name) => name.startsWith("tailgunner-"));
  const files = await Promise.all(names.map(async (name) => (await caches.open(name)).match("/crew/language.json")));
  const { installing, waiting } = await navigator.serviceWorker.getRegistration("/");
  if (names.length !== 1 || !files[0] || installing || waiting) return false;
  return (await files[0].json()).language === language;
}"""


def choose(phone: Phone, language: str) -> None:
    phone.page.locator(MENU).get_by_role("button", name=language).click()


def expect_language(phone: Phone, code: str) -> None:
    expect(phone.page.locator(f"html[lang={code}]")).to_be_attached()


def test_a_phone_joins_in_german_rolls_without_signal_and_changes_to_spanish_with_signal(
    site: Site, phone: Phone, ready_ride: ReadyRide
) -> None:
    phone.page.goto(Organiser(ready_ride.signed_in, ready_ride.ride).make_link("Emil"))
    choose(phone, "Deutsch")
    expect_language(phone, "de")
    phone.page.get_by_role("button", name="Das ist mein Handy").click()
    phone.expect_ready()
    expect_language(phone, "de")

    site.go_offline()

    phone.page.goto("/crew/")
    expect_language(phone, "de")
    crew.open_bike(phone.page, "12")
    expect(phone.page.get_by_role("button", name="Leeren")).to_be_attached()
    phone.page.goto("/rules/rock-yahtzee/")
    expect(phone.page.get_by_role("heading", name="Regeln").first).to_be_attached()

    phone.page.goto("/crew/ready/")
    expect_language(phone, "de")
    choose(phone, "Español")
    expect(phone.page.locator("[data-language-failed]")).to_be_visible()
    expect_language(phone, "de")

    site.go_online()
    choose(phone, "Español")
    expect_language(phone, "es")
    phone.expect_ready()
    phone.page.wait_for_function(HAS_ONLY, arg="es")
