"""The menu above an event's organiser pages: its phases and pages, and where the reader is."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.navigation import PAGES, PHASE_OF_PAGE, Phase, get_phase, get_phase_page
from scorekeeper.events.services.contests import create_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.sheet_rides import make_dice_run

LINK = re.compile(r'<a href="([^"]+)"([^>]*)>\s*([^<]+?)\s*</a>')
MARK = re.compile(r'aria-current="([a-z]+)"')


def read_menu(client: Client, address: str) -> list[tuple[str, str, str]]:
    """Return the address, the mark ("page", "true" or none) and the label of each link of a page's menu."""
    text = get_page_text(client.get(address))
    menu = text.split('<nav class="desk-menu', 1)[1].split("</nav>")[0]
    return [(href, "".join(MARK.findall(rest)), label) for href, rest, label in LINK.findall(menu)]


def test_every_page_of_the_menu_marks_itself_and_its_phase(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for phase, pages in PAGES.items():
        for page in pages:
            if page.route == "desk:event":
                continue  # the overview of its phase
            address = reverse(page.route, args=[ride.event.slug])
            marks = {label: mark for _href, mark, label in read_menu(client, address) if mark}
            assert marks == {str(phase.label): "true", str(page.text): "page"}, page.key


@pytest.mark.parametrize(
    ("page", "label"),
    [
        ("bikes/import/", "Bikes and riders"),
        ("contests/new/rock-yahtzee/", "Contests"),
        ("webhooks/", "Settings"),
        ("check-in/items/", "Check-in"),
        ("finish/rock/", "Close and publish"),
        ("finish/rock/reopen/", "Close and publish"),
        ("prints/certificate/", "Print"),
    ],
)
def test_a_page_below_one_of_the_menu_marks_that_one(
    ride: Ride, alice: User, sign_in: SignIn, page: str, label: str
) -> None:
    page = page.replace("/rock/", f"/{ride.contest.slug}/")
    menu = read_menu(sign_in(alice), f"/desk/events/{ride.event.slug}/{page}")

    assert [text for _href, mark, text in menu if mark == "page"] == [label]


def test_the_overview_marks_itself_or_the_phase_that_was_asked_for(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, start = sign_in(alice), reverse("desk:event", args=[ride.event.slug])

    assert [(href, text) for href, mark, text in read_menu(client, start) if mark] == [(start, "Overview")]
    for phase in Phase:
        address = get_phase_page(ride.event, phase)
        marked = [(href, text) for href, mark, text in read_menu(client, address) if mark]
        assert address in dict(marked)
        assert start not in dict(marked)


def test_the_menu_leads_to_every_page_from_everywhere(ride: Ride, alice: User, sign_in: SignIn) -> None:
    make_dice_run(ride, most=2)
    client = sign_in(alice)
    menu = read_menu(client, reverse("crew:messages", args=[ride.event.slug]))

    assert len(menu) == 1 + len(Phase) + len(PHASE_OF_PAGE)
    assert {client.get(href).status_code for href, _mark, _label in menu} == {200}


def test_the_menu_asks_about_dice_only_where_a_contest_has_any(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, start = sign_in(alice), reverse("desk:event", args=[ride.event.slug])
    question = (reverse("dice:audit", args=[ride.event.slug]), "", "Are the dice fair?")
    assert question in read_menu(client, start)

    ride.contest.game_key, ride.contest.options = "poker-run", {}
    ride.contest.save()
    assert question not in read_menu(client, start)
    # A bookmark of the page still leads to it, and it has its mark.
    assert (question[0], "page", question[2]) in read_menu(client, question[0])

    create_contest(ride.event, get_game("dice-run"), name="Dice run", seats_are="bikes", options={})
    assert question in read_menu(client, start)


def test_further_sheets_are_in_the_menu_where_a_bike_can_have_them(ride: Ride, alice: User, sign_in: SignIn) -> None:
    def is_listed(page: str) -> bool:
        menu = read_menu(sign_in(alice), reverse(page, args=[ride.event.slug]))
        return "Further sheets" in [text for _href, _mark, text in menu]

    assert not is_listed("crew:messages")
    assert is_listed("desk:sheets"), "the page itself is marked for who has opened it"
    make_dice_run(ride, most=1, each=Contest.SheetsFor.RIDER)
    assert is_listed("crew:messages")
    make_dice_run(ride, most=1)
    assert not is_listed("crew:messages")


@pytest.mark.parametrize(
    ("state", "statuses", "phase"),
    [
        ("draft", ["open"], Phase.PREPARE),
        ("draft", [], Phase.PREPARE),
        ("open", [], Phase.RIDE_DAY),
        ("open", ["open"], Phase.RIDE_DAY),
        ("open", ["closed", "open"], Phase.RIDE_DAY),
        ("open", ["closed", "official"], Phase.PRIZE_GIVING),
        ("open", ["closed"], Phase.PRIZE_GIVING),
        ("open", ["official", "official"], Phase.AFTERWARDS),
        # Tables, which people may play at after the ride, are in capitals.
        ("open", ["open", "CLOSED"], Phase.RIDE_DAY),
        ("open", ["closed", "OPEN"], Phase.PRIZE_GIVING),
        ("open", ["official", "OPEN"], Phase.PRIZE_GIVING),
        ("open", ["OPEN", "CLOSED"], Phase.RIDE_DAY),
        ("open", ["CLOSED", "OFFICIAL"], Phase.PRIZE_GIVING),
    ],
)
def test_the_phase_follows_from_the_event_and_its_contests(state: str, statuses: list[str], phase: Phase) -> None:
    contests = [
        Contest(status=status.lower(), game_key="rogue" if status.isupper() else "rock-yahtzee") for status in statuses
    ]

    assert get_phase(Event(state=state), contests) is phase
