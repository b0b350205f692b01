"""Soon after its entries were settled, every open page is right, and says what became of them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser import rogue, table_game
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import NEVER_STARTED, Phone
from tests.browser.phone.site import Site

CONTEST = "Rogue by torchlight"
OPTIONS: dict[str, Any] = {"options.target": 200, "options.war_at": 1000}
SOON = 5_000  # milliseconds after the entries were settled
MINE, THEIRS = [2, 2, 2, 3, 4, 5], [2, 2, 2, 3, 4, 6]


def test_a_table_page_shows_what_another_phone_recorded_first(
    site: Site, phone: Phone, new_link: MakeLink, organiser: Organiser
) -> None:
    organiser.open("contests/new/rogue/")
    organiser.submit("Add the contest", name=CONTEST, **OPTIONS)
    organiser.create_table(CONTEST, "Pam H. (bike 3)", "Quin W. (bike 8)")
    other = site.join_elsewhere(new_link("Fay"))
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride(CONTEST)
    table_game.open_table(phone.page, CONTEST, "Pam H.")
    site.refuse_connections()
    rogue.roll(phone.page, "222345")
    [lost] = phone.read("operations")
    roll = {**lost["body"], "id": str(uuid4()), "actions": [{**lost["body"]["actions"][0], "dice": THEIRS}]}
    answer = other.post_json("/api/v1/operations", {"operations": [roll]})
    assert '"recorded"' in answer.text, answer.text

    site.go_online()
    phone.go_online()

    phone.wait_for_states(attention=1)
    expect(phone.page.locator("#last")).to_contain_text("Rolled 2 2 2 3 4 6", timeout=SOON)
    bar = phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("Rolled 2 2 2 3 4 5")
    expect(bar).to_contain_text("The organiser will decide.")
    expect(bar).not_to_contain_text("All sent")


def test_a_scorecard_shows_what_another_phone_recorded_first(site: Site, phone: Phone, new_link: MakeLink) -> None:
    other = site.join_elsewhere(new_link("Fay"))
    turn_entry.open_group(phone.page, "BBQ")
    site.refuse_connections()
    turn_entry.record_turn_offline(phone, "8", "66612", "Sixes")
    turn = site.make_scored_turn("8", "55533", "Full house")
    assert '"recorded"' in other.post_json("/api/v1/operations", {"operations": [turn]}).text

    site.go_online()
    phone.go_online()

    phone.wait_for_states(attention=1)
    expect(phone.page.locator("main")).to_contain_text("Full house", timeout=SOON)
    bar = phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("Bike 8, Quin W.: Sixes, 18 points")
    expect(bar).to_contain_text("Another entry for this turn arrived first, with a different result.")


def test_a_walk_up_that_was_not_recorded_is_named_and_its_form_comes_back_filled_in(site: Site, phone: Phone) -> None:
    waiting = phone.page
    turn_entry.open_group(waiting)
    waiting.add_init_script(NEVER_STARTED)
    waiting.get_by_role("link", name="Add a walk-up bike").last.click()
    expect(waiting.get_by_role("heading", name="Add a walk-up bike")).to_be_visible()
    waiting.reload()
    expect(waiting.get_by_role("heading", name="Add a walk-up bike")).to_be_visible()
    site.go_offline()
    waiting.get_by_label("Number").fill("8")
    waiting.get_by_label("Rider").fill("Ida")
    waiting.get_by_role("button", name="Add the bike").click()
    phone.wait_for_count("taps", 1)

    phone.page = waiting.context.new_page()
    waiting.close()
    turn_entry.open_group(phone.page)

    phone.wait_for_states(attention=1)
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text("Add a walk-up bike")
    expect(item).to_contain_text("Number 8")
    expect(item).to_contain_text("Ida")
    expect(item).to_contain_text("Bike 8 is Quin W.")
    item.get_by_role("link", name="Enter it again").click()
    expect(phone.page.get_by_role("heading", name="Add a walk-up bike")).to_be_visible()
    expect(phone.page.get_by_label("Number")).to_have_value("8")
    expect(phone.page.get_by_label("Rider")).to_have_value("Ida")
