"""Joining inside an app that was installed on an iPhone, which has its own storage and opens no tapped links."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.measure import list_page_problems
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
IPAD = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15"
)
# Chromium has no installed apps in tests.
INSTALLED = """const matches = window.matchMedia;
window.matchMedia = (query) => (query === "(display-mode: standalone)" ? { matches: true } : matches(query));"""
INSTALL_FIRST = "On an iPhone or iPad, install the app first"

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A ride before its first stop."""
    return server.ride("setup")


@pytest.fixture
def link(server: RunningServer, organiser_client: HttpClient, ride: DemoRide) -> str:
    """A crew link for Emil."""
    return server.url + Organiser(organiser_client, ride).make_link("Emil")


def open_phone(new_context: NewContext, agent: str, *, is_installed: bool = False) -> Page:
    context = new_context(has_touch=True, user_agent=agent)
    if is_installed:
        context.add_init_script(INSTALLED)
    return context.new_page()


def test_an_installed_app_is_joined_by_a_pasted_link(new_context: NewContext, link: str) -> None:
    app = open_phone(new_context, IPHONE, is_installed=True)
    app.goto("/crew/")
    assert list_page_problems(app) == []
    assert app.request.get("/manifest.webmanifest").json()["start_url"] == "/crew/"

    field, button = app.get_by_label("Crew link"), app.get_by_role("button", name="Open the link")
    field.fill("https://elsewhere.example/crew/join/abc/")
    button.click()
    expect(app.get_by_role("alert")).to_contain_text("This link is for another site, elsewhere.example")
    expect(field).to_have_value("https://elsewhere.example/crew/join/abc/")
    assert list_page_problems(app) == []

    field.fill(f"Hello Emil,\nyour link is {link}\nSee you!")
    button.click()
    expect(app.get_by_role("heading", name="Hello Emil")).to_be_visible()
    expect(app.get_by_role("heading", name=INSTALL_FIRST)).to_be_hidden()
    app.get_by_role("button", name="This is my phone").click()

    expect(app).to_have_url("/crew/ready/")
    expect(app.locator("[data-check='install']")).to_be_hidden()
    app.goto("/crew/")
    expect(app.get_by_role("heading", name="This phone is not signed in")).to_be_hidden()


def test_a_link_is_pasted_without_javascript(plain_page: Page, link: str) -> None:
    plain_page.goto("/crew/")
    plain_page.get_by_label("Crew link").fill("not a link")
    plain_page.get_by_role("button", name="Open the link").click()
    expect(plain_page.get_by_role("alert")).to_contain_text("There is no crew link in this text.")
    expect(plain_page.get_by_label("Crew link")).to_have_value("not a link")

    plain_page.get_by_label("Crew link").fill(link)
    plain_page.get_by_role("button", name="Open the link").click()
    plain_page.get_by_role("button", name="This is my phone").click()

    expect(plain_page).to_have_url("/crew/ready/")


@pytest.mark.parametrize("agent", [IPHONE, IPAD])
def test_a_browser_on_an_iphone_says_to_install_first(new_context: NewContext, link: str, agent: str) -> None:
    safari = open_phone(new_context, agent)
    safari.goto(link)
    expect(safari.get_by_role("heading", name=INSTALL_FIRST)).to_be_visible()
    expect(safari.get_by_label("Your crew link")).to_have_value(link)
    assert list_page_problems(safari) == []

    safari.goto("/crew/ready/")

    check = safari.locator("[data-check='install']")
    expect(check).to_contain_text("Tap Share, then “Add to Home Screen”.")
    expect(check.locator("[data-check-word]")).to_have_text("no")
    assert list_page_problems(safari) == []


def test_other_phones_are_not_told_to_install_first(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_role("heading", name="Hello Emil")).to_be_visible()
    expect(page.get_by_role("heading", name=INSTALL_FIRST)).to_be_hidden()
    page.goto("/crew/ready/")
    expect(page.locator("[data-check='app']")).to_be_visible()
    expect(page.locator("[data-check='install']")).to_be_hidden()
