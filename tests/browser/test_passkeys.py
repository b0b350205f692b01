"""Passkeys in Chromium, with an authenticator that Chromium simulates: added, asked for at sign-in, refused, removed.

The program is served at `localhost`, the only host at which browsers use passkeys without HTTPS. Every page on the way
is measured as in `test_every_page`.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from itertools import count
from urllib.parse import urlsplit

import pytest
from fido2.utils import websafe_encode
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.browser.measure import DESK, list_page_problems
from tests.browser.running_server import RunningServer, serve
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.cluster.ports import find_port

PASSWORD = "gravel, dust and chrome"
LIST = "/account/passkeys/"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The program at `localhost`, without any event."""
    port = find_port()
    with serve(tmp_path_factory.mktemp("passkeys"), port, BASE_URL=f"http://localhost:{port}") as running:
        yield running


NUMBERS = count(1)


@pytest.fixture
def account(server: RunningServer) -> str:
    """The name of an organiser that no other test uses."""
    name = f"alice{next(NUMBERS)}"
    server.add_organiser(name, PASSWORD)
    return name


@pytest.fixture
def desk(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of a new browser, which is not signed in."""
    return new_context(viewport=DESK).new_page()


class Authenticator:
    """An authenticator that Chromium simulates, which agrees to whatever it is asked."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        self._id = ""
        self.replace()

    def replace(self) -> None:
        """Take another one, which has no passkeys."""
        if self._id:
            self._session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._id})
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        self._id = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def list_ids(self) -> set[str]:
        """Return the ids of its passkeys, as pages write them."""
        found = self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]
        return {websafe_encode(b64decode(one["credentialId"])) for one in found}


def enter_password(page: Page, name: str) -> None:
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def open_creation(page: Page, name: str) -> None:
    """Go to the page that creates a passkey with this name."""
    page.goto(LIST)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def add_passkey(page: Page, name: str) -> None:
    open_creation(page, name)
    page.get_by_role("button", name="Create the passkey").click()
    expect(page.get_by_text(f"“{name}” has been added.")).to_be_visible()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def expect_signed_out(page: Page) -> None:
    page.goto("/desk/")
    expect(page).to_have_url("/sign-in/?next=/desk/")


def test_from_the_first_passkey_to_the_last(desk: Page, account: str) -> None:
    problems: list[str] = []
    measured: set[str | None] = set()

    def look(name: str) -> None:
        measured.add(get_route(urlsplit(desk.url).path))
        problems.extend(f"{name}: {problem}" for problem in list_page_problems(desk))

    Authenticator(desk)
    enter_password(desk, account)
    desk.get_by_role("link", name="Account").click()
    desk.get_by_role("link", name="Passkeys").click()
    look("none yet")
    desk.get_by_role("link", name="Add a passkey").click()
    desk.get_by_role("button", name="Continue").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    look("refused")
    open_creation(desk, "Work laptop of the Thunderbird Riders Motorcycle Club")
    look("to be created")
    desk.get_by_role("button", name="Create the passkey").click()
    expect(desk.get_by_text("You are signed out in all other browsers.")).to_be_visible()
    expect(desk.get_by_role("row").last).to_contain_text("localhost")
    look("added")

    sign_out(desk)
    desk.goto("/account/")  # where signing in leads back to
    desk.get_by_label("Name").fill(account)
    desk.get_by_label("Password").fill(PASSWORD)
    desk.get_by_role("button", name="Sign in").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Confirm that it is you")
    expect(desk.get_by_role("link", name="Sign in")).to_be_visible()  # nobody is signed in yet
    look("asked for")
    desk.get_by_role("button", name="Use my passkey").click()
    expect(desk).to_have_url("/account/")

    desk.goto(LIST)
    expect(desk.get_by_role("row").last).not_to_contain_text("Not yet")
    desk.get_by_role("link", name="Rename").click()
    look("to be renamed")
    desk.get_by_label("Name").fill("Old laptop")
    desk.get_by_role("button", name="Rename").click()
    desk.get_by_role("link", name="Remove").click()
    desk.get_by_label("Your password").fill("a guess")
    desk.get_by_role("button", name="Remove the passkey").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    look("not removed")
    desk.get_by_label("Your password").fill(PASSWORD)
    desk.get_by_role("button", name="Remove the passkey").click()
    expect(desk.get_by_text("“Old laptop” has been removed.")).to_be_visible()

    sign_out(desk)
    enter_password(desk, account)
    expect(desk).to_have_url("/desk/")
    assert "\n".join(problems) == ""
    assert MEASURED_BY["test_passkeys.py"] - measured == set()


def test_without_the_authenticator_nobody_is_signed_in(desk: Page, account: str) -> None:
    authenticator = Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")
    sign_out(desk)
    authenticator.replace()

    enter_password(desk, account)
    desk.get_by_role("button", name="Use my passkey").click()

    expect(desk.get_by_text("there is no passkey of your account on that device")).to_be_visible()
    expect(desk.get_by_role("button", name="Use my passkey")).to_be_enabled()
    expect_signed_out(desk)


def test_a_passkey_of_another_account_is_refused(desk: Page, account: str, server: RunningServer) -> None:
    """The browser is made to offer it, as that of an attacker who knows the password would."""
    authenticator = Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")
    (own,) = authenticator.list_ids()
    sign_out(desk)
    server.add_organiser(f"{account}.2", PASSWORD)
    enter_password(desk, f"{account}.2")
    add_passkey(desk, "The attacker’s phone")
    (others,) = authenticator.list_ids() - {own}
    sign_out(desk)

    enter_password(desk, account)
    expect(desk.get_by_role("button", name="Use my passkey")).to_be_visible()
    desk.evaluate(
        """([own, others]) => {
          const form = document.querySelector("[data-passkey]");
          form.dataset.options = form.dataset.options.replace(own, others);
        }""",
        [own, others],
    )
    desk.get_by_role("button", name="Use my passkey").click()

    expect(desk.get_by_role("alert").first).to_contain_text("This is not a passkey of your account at this site.")
    expect_signed_out(desk)


def test_an_authenticator_holds_one_passkey_of_an_account(desk: Page, account: str) -> None:
    authenticator = Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")
    open_creation(desk, "My phone again")

    desk.get_by_role("button", name="Create the passkey").click()
    expect(desk.get_by_text("already has a passkey for your account. Use another one.")).to_be_visible()

    authenticator.replace()
    desk.get_by_role("button", name="Create the passkey").click()
    expect(desk.get_by_text("“My phone again” has been added.")).to_be_visible()


def test_a_browser_without_passkeys_says_so(desk: Page, account: str) -> None:
    desk.add_init_script("delete window.PublicKeyCredential")
    enter_password(desk, account)

    open_creation(desk, "My phone")

    expect(desk.get_by_text("This browser cannot use passkeys.")).to_be_visible()
    expect(desk.get_by_role("button", name="Create the passkey")).to_be_hidden()


def test_at_another_address_of_the_site_the_page_names_the_right_one(
    desk: Page, browser: Browser, account: str, server: RunningServer
) -> None:
    Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")
    # Not watched: the monitor takes every other host for a fault.
    with browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport=DESK) as other:
        page = other.new_page()
        enter_password(page, account)

        expect(page.get_by_text(f"work only at {server.url}. Open that address instead.")).to_be_visible()
        expect(page.get_by_role("button", name="Use my passkey")).to_be_hidden()
        expect_signed_out(page)


def test_a_passkey_of_another_host_name_is_named(desk: Page, account: str, server: RunningServer) -> None:
    """As after a change of BASE_URL, or on a laptop with a copy of the data."""
    Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")
    sign_out(desk)
    own = "user_id IN (SELECT id FROM auth_user WHERE username = ?)"
    server.change(f"UPDATE events_passkey SET host = 'rides.example.org' WHERE {own}", account)

    enter_password(desk, account)

    expect(desk.get_by_role("heading", level=1)).to_have_text("Your passkey does not work here")
    expect(desk.get_by_text("works only at rides.example.org.")).to_be_visible()
    assert list_page_problems(desk) == []
    expect_signed_out(desk)


def test_without_javascript_the_page_says_that_the_passkey_needs_it(
    desk: Page, account: str, new_context: Callable[..., BrowserContext]
) -> None:
    Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "My phone")

    plain = new_context(java_script_enabled=False).new_page()
    enter_password(plain, account)

    # Playwright finds nothing in a `noscript`, but reads it as it is shown.
    assert "Passkeys need JavaScript. Switch it on in your browser" in plain.inner_text("main")
    expect_signed_out(plain)


def test_the_operator_removes_a_lost_passkey(desk: Page, account: str, server: RunningServer) -> None:
    Authenticator(desk)
    enter_password(desk, account)
    add_passkey(desk, "Lost phone")
    sign_out(desk)

    server.manage("organiser", account, "--remove-passkeys")

    enter_password(desk, account)
    expect(desk).to_have_url("/desk/")
