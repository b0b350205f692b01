"""What organisers do in a browser, step by step."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in and arrive at the organiser's events."""
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url("/desk/")


def make_link(page: Page, ride_desk: str, name: str) -> str:
    """Make a link for a crew member and return it as the page shows it."""
    page.goto(f"{ride_desk}groups/")
    page.get_by_role("link", name=name, exact=True).click()
    page.get_by_role("button", name="Create a link").click()
    return page.get_by_label("One-time link").input_value()
