"""What a tap on the turn form costs on the server: statements and folds of the card.

The limits are promises (see `docs/performance.md`). Statements are counted as everywhere in the tests: one for each
table written, without those that begin and end transactions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import Device
from scorekeeper.crew.session_choices import DICE_SET_KEY
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.request_trace import RequestTrace
from tests.scorekeeper.scorecards.card_forms import HTMX, card_url, list_buttons, read_form
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn

# The contest's rules are cached once they are committed, as on every server that has recorded a turn.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

MAX_STATEMENTS, MAX_FOLDS, MAX_API_STATEMENTS = 12, 3, 8
RECORDING = [
    "SELECT scorecards_seat",  # with the bike and the chain, which it locks
    "INSERT scorecards_operation",
    "INSERT scorecards_entry",
    "INSERT scorecards_chain",  # it exists, so its row is updated
    "INSERT scorecards_turn",
    "INSERT scorecards_outdated",
]
OPENING = [
    "SELECT crew_device",  # with the crew member, the group and the event
    "SELECT stops_slot",  # with the contest and the stops
    "SELECT bikes_bike",  # with its group
    "SELECT scorecards_entry",  # with the chain
]

MESSAGES = "SELECT crew_crewmessage"  # for a whole page: the organiser's messages that are unread


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient, add_turn) -> Client:
    """Rita's phone, on a ride where every bike of her group has rolled at the first stop, bike 2 also at the second."""
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("aces", 3))
    add_turn(2, 2, make_final_turn([3, 4, 5, 5, 2], "small_straight"))
    phone = crew_client(ride.rita)
    phone.get(reverse("scorecards:group"))  # the time at which it was last seen is written once a minute
    assert Device.objects.filter(last_seen_at__isnull=False).exists()
    return phone


def trace(
    phone: Client, url: str, data: Mapping[str, Any] | None = None, htmx: bool = True
) -> tuple[Any, RequestTrace]:
    """Return the response to a tap, or to opening a page, and what it cost."""
    headers = HTMX if htmx else {}
    with RequestTrace(url) as traced:
        response: Any = phone.get(url, headers=headers) if data is None else phone.post(url, data, headers=headers)
    return response, traced


def tap_dice(phone: Client, page: Any, faces: str) -> Any:
    """Tap dice as htmx and the page's script do, and return the form with the boxes."""
    return phone.post(get_path(page), {**read_form(page), "dice": list(faces[:-1]), "face": faces[-1]}, headers=HTMX)


def get_path(page: Any) -> str:
    return str(page.wsgi_request.path)


def tap_box(phone: Client, page: Any, htmx: bool = True, box: str = "score:full_house") -> Any:
    assert box in list_buttons(page, "choose")
    return trace(phone, get_path(page), {**read_form(page), "choose": box}, htmx)


def test_a_tap_on_a_box_takes_eleven_statements_and_three_folds(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "22255")

    response, tap = tap_box(phone, page)

    assert response.status_code == 200
    assert "Full house, 25 points" in response.content.decode()
    assert "Next bike: 3 Cleo" in response.content.decode()
    assert list_bike_turns(ride, 1) == [(1, "aces", 3), (2, "full_house", 25)]
    assert tap.statement_names == [*OPENING, *RECORDING, "SELECT bikes_bike"], str(tap)
    assert len(tap.statements) <= MAX_STATEMENTS
    # Opening the card, judging the turn for the page, and judging it once more while the card is locked.
    assert tap.folds == MAX_FOLDS, str(tap)


def test_the_path_of_a_tap_is_the_one_in_the_documentation(ride: Ride, phone: Client) -> None:
    page = (settings.BASE_DIR / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition("### One roll, traced\n")[2].partition("\n#")[0]
    documented = re.findall(r"^\| `(.+?)` \| `(.+?)` \|", section, re.MULTILINE)

    _response, tap = tap_box(phone, tap_dice(phone, phone.get(card_url(ride, 1, 2)), "22255"))

    assert documented
    assert [call for call in tap.calls if call in documented] == documented


def test_with_a_dice_set_it_takes_one_statement_more(ride: Ride, phone: Client) -> None:
    phone.post(reverse("scorecards:dice_set"), {"set": ride.group_one.dice_sets.get(name="Third").pk})
    assert phone.session[DICE_SET_KEY]
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "22255")

    _response, tap = tap_box(phone, page)

    assert tap.statement_names == [*OPENING, "SELECT crew_diceset", *RECORDING, "SELECT bikes_bike"], str(tap)
    assert len(tap.statements) <= MAX_STATEMENTS


@pytest.mark.parametrize("recorded_later", [(3,), (3, 4)])
def test_a_turn_before_others_takes_no_more(ride: Ride, phone: Client, add_turn, recorded_later: list[int]) -> None:
    """Phones send what they have recorded in any order, so a card may have later turns than the one entered."""
    for slot in recorded_later:
        add_turn(1, slot, make_paper_turn(("twos", "threes")[slot - 3], 6))
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "22255")

    response, tap = tap_box(phone, page)

    assert response.status_code == 200
    assert (2, "full_house", 25) in list_bike_turns(ride, 1)
    assert len(tap.statements) <= MAX_STATEMENTS, str(tap)
    assert tap.folds <= MAX_FOLDS, str(tap)


def test_without_htmx_the_tap_and_the_page_it_leads_to_open_the_card_once_each(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "22255")

    response, tap = tap_box(phone, page, htmx=False)
    result, shown = trace(phone, response.url, htmx=False)

    assert "Full house, 25 points" in result.content.decode()
    assert tap.statement_names == [*OPENING, *RECORDING], str(tap)
    assert shown.statement_names == [*OPENING, "SELECT bikes_bike", MESSAGES], str(shown)
    assert (tap.folds, shown.folds) == (3, 1)


def test_the_first_turn_of_a_bike_also_creates_its_card(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 5, 1, takes_over=1)), "22255")

    response, tap = tap_box(phone, page)

    assert response.status_code == 200
    *before, exists = tap.statement_names[:9]
    assert "scorecards_scorecard" in exists
    assert [*before, *tap.statement_names[9:]] == [
        *OPENING,
        "SELECT crew_crewmember_any_bike_at",  # another group's bike: does Rita record any bike at this stop?
        "SELECT scorecards_seat",
        "SELECT events_contest",  # locked, so that it is not closed meanwhile
        "SELECT bikes_bike",
        "SELECT events_event",  # what it is: the first entry of a chain says so
        "INSERT scorecards_operation",
        "INSERT scorecards_entry",
        "INSERT scorecards_chain",
        "INSERT scorecards_scorecard",
        "INSERT scorecards_seat",
        "INSERT scorecards_turn",
        "INSERT scorecards_outdated",
        "SELECT bikes_bike",
    ], str(tap)
    assert tap.folds <= MAX_FOLDS


def test_a_tap_on_a_die_only_opens_the_card(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "2225")

    _response, tap = trace(phone, get_path(page), {**read_form(page), "face": "5"})

    assert tap.statement_names == OPENING, str(tap)
    assert tap.folds == 1


def test_the_form_also_reads_who_rides_the_bike(ride: Ride, phone: Client) -> None:
    _page, opened = trace(phone, card_url(ride, 1, 2, contest=ride.contest.pk), htmx=False)

    assert opened.statement_names == [*OPENING, "SELECT players_player", MESSAGES], str(opened)
    assert opened.folds == 1


def test_a_turn_sent_to_the_api_takes_seven_statements_and_one_fold(ride: Ride, phone: Client, add_turn) -> None:
    url = reverse("api:operations")
    turn = {
        "contest": str(ride.contest.pk),
        "bike": str(ride.bikes[1].pk),
        "slot": str(ride.slots[1].pk),
        "actions": make_final_turn([2, 2, 2, 5, 5], "full_house"),
    }
    operation = {"id": "0d5bb6a5-6b0d-4c39-8f5a-5f6d2f7a1c11", "kind": "turn", **turn}

    with RequestTrace(url) as sent:
        response = phone.post(url, {"operations": [operation]}, content_type="application/json")

    assert [receipt["outcome"] for receipt in response.json()["receipts"]] == ["recorded"]
    assert sent.statement_names == [OPENING[0], *RECORDING], str(sent)
    assert len(sent.statements) <= MAX_API_STATEMENTS
    assert sent.folds == 1


def test_two_phones_get_what_both_recorded(ride: Ride, phone: Client, add_turn) -> None:
    """The page is made of the card as it was locked, not as it was opened."""
    page = tap_dice(phone, phone.get(card_url(ride, 1, 4)), "22255")
    add_turn(1, 5, make_paper_turn("chance", 20), by=make_actor(ride.tom))

    response, tap = tap_box(phone, page)

    assert response.status_code == 200
    assert "Next turn at Finale" not in response.content.decode()
    assert tap.folds <= MAX_FOLDS
