"""Prints of a game in which cards are drawn: columns for cards instead of dice, and no points, which it has none of."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import create_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.prints.conftest import get_pages

pytestmark = pytest.mark.django_db

OF_DICE = re.compile(r"\b(dice|die|points?|scored in)\b", re.IGNORECASE)


@pytest.fixture
def poker(ride: Ride, add_turn: Any) -> Ride:
    """Bike 1 has a pair of kings, missed the fourth stop and bought a card; bike 2 has one card."""
    ride.contest.game_key, ride.contest.options = "poker-run", {"extra": 2}
    ride.contest.name = "Poker run"
    ride.contest.save()
    for number, slot, *cards in ((1, 1, "KS"), (1, 2, "KH"), (1, 3, "10D"), (2, 1, "AC")):
        add_turn(number, slot, [{"type": "draw", "cards": cards}])
    add_turn(1, 4, [{"type": "forfeit"}])
    add_turn(1, 5, [{"type": "draw", "cards": ["2S"]}, {"type": "extra", "card": "10S"}])
    return ride


def get_file(ride: Ride, kind: str) -> str:
    return reverse("prints:contest_file", args=[ride.event.slug, ride.contest.slug, kind])


def test_a_scorecard_has_the_cards_of_each_stop_and_the_hand_so_far(poker: Ride, organiser: Client) -> None:
    page = next(page for page in get_pages(organiser.get(get_file(poker, "scorecards"))) if "Ann" in page)

    assert "Turn Stop Card Hand so far" in page
    assert "1 Ozweld's K♠ High card, K" in page
    assert "2 Parks K♥ Pair, K-K" in page
    assert "Missed Pair, K-K-10" in page
    assert "2♠ 10♠ Two pairs, K-K-10-10-2" in page
    assert not OF_DICE.search(page)


def test_a_blank_scorecard_has_room_for_the_cards_of_each_stop_and_for_those_on_sale(
    poker: Ride, organiser: Client
) -> None:
    pages = get_pages(organiser.get(get_file(poker, "blank-cards")))

    assert len(pages) == 8
    for page in pages:
        assert "Turn Stop Card: rank and suit" in page
        assert "Extra card 1 of 2 Extra card 2 of 2" in page
        assert "so far" not in page
        assert not OF_DICE.search(page)


def test_a_stop_sheet_has_a_box_for_the_cards_of_a_turn(poker: Ride, organiser: Client) -> None:
    url = reverse("prints:event_file", args=[poker.event.slug, "stop-sheets"])
    poker.contest.options = {"cards": 2}
    poker.contest.save()

    pages = get_pages(organiser.get(url))

    assert pages
    for page in pages:
        assert "Cards: rank and suit" in page
        assert not OF_DICE.search(page)


def test_a_stop_sheet_of_dice_and_cards_has_the_columns_of_each(poker: Ride, organiser: Client) -> None:
    dice = create_contest(poker.event, get_game("dice-run"), name="Dice run", seats_are="bikes", options={})
    dice.slots.create(stop=poker.stops[0], ordinal=1)

    page = get_pages(organiser.get(reverse("prints:event_file", args=[poker.event.slug, "stop-sheets"])))[0]

    assert "Poker run, turn 1" in page
    assert "Dice run, turn 1" in page
    assert "Card: rank and suit" in page
    assert "Scored in" in page


def test_the_summary_of_the_rules_is_for_the_riders_and_not_for_tables(
    poker: Ride, rogue_contest: Contest, organiser: Client
) -> None:
    page = get_page_text(organiser.get(reverse("prints:list", args=[poker.event.slug])))

    card = page.index("Poker run in short")
    assert "A sheet for the stops and for riders." in page[card : card + 200]
    assert rogue_contest.slug in page[: page.index("A sheet for the tables.")]
