"""What a page says of a hand: the chance of each kind of hand in the end, and of beating the hands ahead."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.services.retirement import retire_bike
from tests.scorekeeper.coach.conftest import Work
from tests.scorekeeper.conftest import Ride, change_game
from tests.scorekeeper.page_checks import get_visible_text

HANDS = {1: "KS KH KD 9C", 2: "AS AH", 3: "QS QH", 4: "2S 3H"}


@pytest.fixture
def contest(contest: Contest) -> Contest:
    contest.odds_shown = Contest.OddsShown.COACH
    return change_game(contest, "poker-run")


@pytest.fixture
def drawn(ride: Ride, add_turn: Any, update_standings: Any) -> Ride:
    """Bikes 1 to 4 have drawn cards; bike 4 has the worst hand."""
    for number, cards in HANDS.items():
        for slot, card in enumerate(cards.split(), 1):
            add_turn(number, slot, [{"type": "draw", "cards": [card]}])
    update_standings()
    return ride


def read_odds(ride: Ride, client: Client, number: int, work: Work) -> str:
    """The part of the public page of a bike, once the worker has answered."""
    url = reverse("results:odds", args=[ride.event.slug, ride.contest.slug, ride.bikes[number].pk])
    client.get(url)
    work()
    return get_visible_text(client.get(url))


def test_the_page_of_a_bike_says_what_its_hand_may_become_and_whom_it_may_beat(
    drawn: Ride, client: Client, work: Work
) -> None:
    text = read_odds(drawn, client, 4, work)

    assert "The final hand, if all its cards are drawn: Four of a kind" in text
    assert "Five of a kind" not in text, "it is impossible"
    ahead = re.findall(r"place (\d) \((.*?)\) (<?\s?[\d.]+)%", text.split("that are ahead now:")[1])
    assert [(place, hand) for place, hand, _share in ahead] == [
        ("1", "Three of a kind, K-K-K-9"),
        ("2", "Pair, A-A"),
        ("3", "Pair, Q-Q"),
    ]
    first, second, third = (float(share.strip("<\u00a0 ")) for _place, _hand, share in ahead)
    assert 0 < first < second < third < 50


def test_only_hands_ahead_are_to_be_beaten(drawn: Ride, client: Client, work: Work) -> None:
    assert "ahead now" not in read_odds(drawn, client, 1, work)
    assert "ahead now: place 1 (Three of a kind, K-K-K-9)" in read_odds(drawn, client, 2, work)


def test_a_bike_that_has_retired_is_not_ahead(
    drawn: Ride, client: Client, work: Work, desk: Any, update_standings: Any
) -> None:
    retire_bike(desk, uuid4(), drawn.contest.pk, drawn.bikes[1].pk, "broke down")
    update_standings()
    assert "ahead now: place 1 (Pair, A-A)" in read_odds(drawn, client, 3, work)


def test_the_crew_sees_the_same_on_the_pad(drawn: Ride, phone: Client, work: Work) -> None:
    """Without signal the phone has no standings, and says the chances of the hand alone."""
    url = reverse("coach:bike", args=[drawn.bikes[2].pk])
    phone.get(url, {"slot": str(drawn.slots[2].pk)})
    work()
    text = get_visible_text(phone.get(url, {"slot": str(drawn.slots[2].pk)}))
    assert "The final hand" in text
    assert "place 1 (Three of a kind, K-K-K-9)" in text


def test_in_a_freeze_the_crew_is_told_nothing_of_others(drawn: Ride, phone: Client, work: Work) -> None:
    freeze_standings(drawn.event)
    url = reverse("coach:bike", args=[drawn.bikes[2].pk])
    phone.get(url, {"slot": str(drawn.slots[2].pk)})
    work()
    text = get_visible_text(phone.get(url, {"slot": str(drawn.slots[2].pk)}))
    assert "The final hand" in text
    assert "ahead" not in text


def test_one_question_asks_for_all_of_it(drawn: Ride, client: Client, work: Work) -> None:
    read_odds(drawn, client, 4, work)
    assert OddsAnswer.objects.count() == 1


def test_the_setting_is_called_what_it_shows(drawn: Ride) -> None:
    assert drawn.contest.odds_label == "Chances to win, and of each hand"


def test_no_page_leads_to_luck_which_a_hand_does_not_have(drawn: Ride, client: Client, close: Any) -> None:
    close()
    for url in (
        reverse("results:leaderboard", args=[drawn.event.slug, drawn.contest.slug]),
        reverse("results:bike", args=[drawn.event.slug, drawn.contest.slug, drawn.bikes[1].pk]),
    ):
        page = client.get(url)
        assert page.status_code == 200
        assert "luck" not in get_visible_text(page).lower()
        assert "/luck/" not in page.content.decode()
    page = client.get(reverse("results:luck", args=[drawn.event.slug, drawn.contest.slug]), follow=True)
    assert "luck" not in get_visible_text(page).lower()
