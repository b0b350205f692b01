"""A crew phone in another language than English, with signal and without."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.organiser import Organiser
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

MENU = "form.languages"
# In which languages versions of the app are stored, and whether another one is on its way.
STORED = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("tailgunner-"));
  const files = await Promise.all(names.map(async (name) => (await caches.open(name)).match("/crew/language.json")));
  const packs = await Promise.all(files.map((file) => file?.json()));
  const { installing, waiting } = await navigator.serviceWorker.getRegistration("/");
  return [packs.map((pack) => pack?.language), Boolean(installing || waiting)];
}"""


def choose(phone: Phone, language: str) -> None:
    phone.page.locator(MENU).get_by_role("button", name=language).click()


def change(phone: Phone, language: str, code: str) -> None:
    """Choose a language, and wait until the phone says that it is ready: everything on it is in the language then."""
    choose(phone, language)
    expect_language(phone, code)
    phone.expect_ready()
    assert phone.page.evaluate(STORED) == [[code], False]


def expect_language(phone: Phone, code: str) -> None:
    expect(phone.page.locator(f"html[lang={code}]")).to_be_attached()


def expect_spanish_pages(phone: Phone) -> None:
    """Open pages that the phone answers itself: all are in Spanish."""
    phone.page.goto("/crew/")
    expect_language(phone, "es")
    crew.open_bike(phone.page, "12")
    expect_language(phone, "es")
    expect(phone.page.get_by_role("button", name="Borrar", exact=True)).to_be_attached()
    phone.page.goto("/rules/rock-yahtzee/")
    expect(phone.page.get_by_role("heading", name="Reglas").first).to_be_attached()
    expect_language(phone, "es")
    phone.page.goto("/crew/ready/")
    expect_language(phone, "es")


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
    change(phone, "Español", "es")

    site.go_offline()
    expect_spanish_pages(phone)


def test_a_page_that_was_open_before_the_change_answers_in_the_new_language(
    site: Site, phone: Phone, ready_ride: ReadyRide
) -> None:
    """It keeps its engine, which answers for every page of the phone."""
    phone.page.goto("/crew/ready/")
    change(phone, "Deutsch", "de")
    site.go_offline()
    phone.page.goto("/crew/")
    expect(phone.page.get_by_role("link", name=re.compile("BBQ")).first).to_be_attached()
    expect_language(phone, "de")
    before = phone.page
    expect(before.locator("#phone-bar")).to_contain_text("Kein Empfang")
    site.go_online()
    phone.page = before.context.new_page()
    phone.page.goto("/crew/ready/")
    change(phone, "Español", "es")
    phone.page.goto("/healthz")  # so that no other page has an engine

    site.go_offline()
    expect_spanish_pages(phone)

    phone.page = before
    phone.page.get_by_role("link", name=re.compile("BBQ")).first.click()
    expect_language(phone, "es")
    expect(phone.page.locator("#phone-bar")).to_contain_text("Sin cobertura")
