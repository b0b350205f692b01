"""A new installation: from the link that `serve` prints to the first event, a second organiser and a new password.

Every page on the way is measured as in `test_every_page`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.measure import PHONE, list_page_problems
from tests.browser.new_installation import NewInstallation
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.demo_data import DemoRide

FIRST_PASSWORD, SECOND_PASSWORD, NEW_PASSWORD = "gravel, dust and chrome", "the scenic route", "two lanes at dusk"


@pytest.fixture(scope="module")
def server(new_installation: NewInstallation) -> RunningServer:
    """An installation on which nobody has an account."""
    return new_installation.restore()


def fill_in_password(page: Page, label: str, password: str) -> None:
    page.get_by_label(label, exact=True).fill(password)
    page.get_by_label("Password again").fill(password)


def create_account(page: Page, name: str, password: str) -> None:
    """Fill in and send the form of a new account."""
    page.get_by_label("Name", exact=True).fill(name)
    fill_in_password(page, "Password", password)
    page.get_by_role("button", name="Create my account").click()


def create_event(page: Page, name: str) -> None:
    """Fill in and send the form of a new event."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text(f"{name} has been created")).to_be_visible()


def open_organisers(page: Page) -> None:
    """Go from a page of the event to its organisers, by the menu of a phone."""
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("navigation").get_by_role("link", name="Organisers").click()


def read_account_link(page: Page) -> str:
    return page.get_by_label("One-time link").input_value()


def test_from_an_empty_installation_to_a_ride_with_two_organisers(
    new_installation: NewInstallation, new_context: Callable[..., BrowserContext]
) -> None:
    first, second = (new_context(has_touch=True, viewport=PHONE).new_page() for _each in range(2))
    problems: list[str] = []
    measured: set[str | None] = set()

    def look(page: Page, name: str) -> None:
        measured.add(get_route(urlsplit(page.url).path))
        problems.extend(f"{name}: {problem}" for problem in list_page_problems(page))

    for page in ("/", "/sign-in/"):
        first.goto(page)
        expect(first.get_by_text("Nobody has an account here yet")).to_be_visible()
        look(first, f"new_{page.strip('/')}")

    first.goto(new_installation.setup_link)
    create_account(first, "al ice", "12345678")
    expect(first.get_by_role("alert")).to_be_focused()
    look(first, "welcome_refused")
    create_account(first, "alice", FIRST_PASSWORD)
    expect(first.get_by_text("Welcome, alice. Create your first event.")).to_be_visible()
    look(first, "first_event")
    create_event(first, "Rock the Roll")
    look(first, "overview")

    open_organisers(first)
    first.locator("#id_link_own_password").fill(FIRST_PASSWORD)
    first.get_by_role("button", name="Create a link").click()
    invitation = read_account_link(first)
    look(first, "invitation")
    first.get_by_role("main").get_by_role("link", name="Organisers").click()
    expect(first.get_by_role("button", name="Withdraw")).to_be_visible()
    look(first, "organisers_invited")

    second.goto(invitation)
    look(second, "invited")
    second.get_by_role("link", name="Sign in").click()
    look(second, "invited_sign_in")
    second.goto(invitation)
    create_account(second, "bob", SECOND_PASSWORD)
    expect(second.get_by_text("You are now an organiser of Rock the Roll.")).to_be_visible()
    second.goto(invitation)
    expect(second).to_have_url(re.compile(r"/desk/events/rock-the-roll-"))

    first.reload()
    first.get_by_role("link", name="New password bob").click()
    look(first, "reset_password")
    first.get_by_label("Your password").fill(FIRST_PASSWORD)
    first.get_by_role("button", name="Create the link").click()
    reset = read_account_link(first)
    look(first, "reset_link")
    second.goto(reset)
    look(second, "new_password")
    fill_in_password(second, "New password", NEW_PASSWORD)
    second.get_by_role("button", name="Change the password").click()
    second.get_by_label("Name").fill("bob")
    second.get_by_label("Password").fill(NEW_PASSWORD)
    look(second, "sign_in")
    second.get_by_role("button", name="Sign in", exact=True).click()
    expect(second.get_by_text("alice created a link for a new password for you")).to_be_visible()
    look(second, "signed_in")
    second.get_by_role("link", name="Account").click()
    look(second, "account")
    second.goto(reset)
    expect(second.get_by_role("heading", name="This link has been used")).to_be_visible()
    look(second, "used")

    assert "\n".join(problems) == ""
    assert MEASURED_BY["test_first_run.py"] - measured == set()


def test_an_account_and_an_event_are_created_without_javascript(server: RunningServer, plain_page: Page) -> None:
    """Organises the event by an invitation, since the set-up link works once."""
    server.add_organiser("olive", FIRST_PASSWORD)
    client = Organiser.sign_in(server.url, "olive", FIRST_PASSWORD)
    created = client.press(client.get("/desk/events/new/"), form=1, name="Dust Run")
    organiser = Organiser(client, DemoRide(urlsplit(created.url).path, ""))
    organiser.open("organisers/")
    organiser.submit("Create a link", own_password=FIRST_PASSWORD)
    invitation = re.search(r'value="(http\S+)"', organiser.page.text)
    assert invitation

    plain_page.goto(invitation[1])
    create_account(plain_page, "petra", "123")
    expect(plain_page.get_by_role("alert")).to_contain_text("This password is too short.")
    create_account(plain_page, "petra", SECOND_PASSWORD)

    expect(plain_page.get_by_text("You are now an organiser of Dust Run.")).to_be_visible()
    plain_page.get_by_role("link", name="My events").click()
    plain_page.get_by_role("link", name="New event").click()
    create_event(plain_page, "Petra's own")
