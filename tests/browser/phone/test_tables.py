"""A game at a table, recorded without signal from the first roll to the last, is the same on the server."""

from __future__ import annotations

from typing import Any, Literal

from django.utils.text import slugify
from playwright.sync_api import expect

from tests.browser import rogue, table_game
from tests.browser.measure import list_barriers
from tests.browser.organiser import Organiser
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.servers import wait_until

CONTEST = "Rogue till dawn"
OPTIONS: dict[str, Any] = {"options.target": 20, "options.war_at": 1000}
COLOUR_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def test_a_game_of_rogue_recorded_without_signal_is_the_same_on_the_server(
    site: Site, phone: Phone, organiser: Organiser, ready_ride: ReadyRide
) -> None:
    organiser.open("contests/new/rogue/")
    organiser.submit("Add the contest", name=CONTEST, **OPTIONS)
    organiser.create_table(CONTEST, "Pam H. (bike 3)", "Quin W. (bike 8)")
    table = organiser.page.url
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride(CONTEST)
    site.go_offline()

    page = phone.page
    table_game.open_table(page, CONTEST, "Pam H.")
    rogue.roll(page, "222345")
    rogue.set_aside(page, 20)
    rogue.end_turn(page)
    rogue.roll(page, "C22456")
    rogue.set_aside(page, 8)
    table_game.undo(page, "Set aside")
    rogue.set_aside(page, 4)
    rogue.roll(page, "2345")
    expect(page.get_by_role("heading", name="Pam H. has won.")).to_be_visible()
    table_game.expect_totals(page, Pam=20, Quin=4)
    recorded = len(phone.read("operations"))
    assert phone.count() == {"waiting": recorded}

    site.go_online()
    phone.go_online()

    phone.wait_for_states(sent=recorded)
    expect(page.locator(".last .sync-line--sent")).to_be_visible()
    for scheme in COLOUR_SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert list_barriers(page, with_rules=("color-contrast",)) == []
    assert "Pam H. has won." in organiser.read(table)
    board = f"{ready_ride.ride.board.rpartition('rock-yahtzee')[0]}{slugify(CONTEST)}/"
    wait_until(lambda: site.read_board(board) == {"Pam H.": 20, "Quin W.": 4}, "the game is on the leaderboard")
    assert list(site.read_board(board)) == ["Pam H.", "Quin W."]
