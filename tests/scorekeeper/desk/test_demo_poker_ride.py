"""The demo's poker run, with a dice run beside it, is as its file says, and what `make run` prints of it opens."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.demo.poker_ride import load_poker_ride, parse_turns
from scorekeeper.desk.selectors.worth_a_look import compute_warnings
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.models import StandingsRow
from tests.scorekeeper.page_checks import get_page_text

pytestmark = pytest.mark.django_db

KING, QUEEN, JACK, ACE = 13, 12, 11, 14
HIGH_CARD, PAIR = 0, 1

# Worked out by hand from the entries in poker_ride.toml: the category of each hand and its ranks (POKER-9, POKER-11,
# POKER-15), and what was thrown at the first stop and at the second one.
HANDS = {
    "9/2": (PAIR, ACE, ACE),
    "5": (PAIR, KING, KING),
    "36": (PAIR, JACK, JACK),
    "40": (PAIR, 3, 3),
    "45": (HIGH_CARD, ACE, 8),
    "36/2": (HIGH_CARD, QUEEN, 4),
    "14": (HIGH_CARD, QUEEN),
    "23": (HIGH_CARD, 10),
    "33": (HIGH_CARD, 9, 6),
    "9": (HIGH_CARD, 8, 7),
    "28/2": (HIGH_CARD, 7),
    "28": (HIGH_CARD, 2),
}
THROWS = {
    "33": (23, 23),
    "45": (15, 24),
    "9": (22, 15),
    "36": (14, 22),
    "40": (20, 15),
    "5": (18, 16),
    "23": (24,),
    "14": (13, 0),
    "28": (12,),
}


@pytest.fixture
def event(db: None) -> Event:
    """The poker run."""
    return load_poker_ride(User.objects.create_user("alice"))


def get_results(event: Event, game: str) -> list[tuple[str, int]]:
    """Return the entrants of a contest and their totals, the best first."""
    rows = StandingsRow.objects.filter(contest__event=event, contest__game_key=game).select_related("bike")
    return [(row.bike.label, row.total) for row in rows.order_by("-order_key") if row.bike]


def make_hand_number(category: int, *ranks: int) -> int:
    """Return a hand as one number, as the rule book says under “Score”."""
    number = category
    for place in range(5):
        number = number * 16 + (ranks[place] if place < len(ranks) else 0)
    return number


def test_the_hands_and_totals_are_those_worked_out_by_hand(event: Event) -> None:
    assert get_results(event, "poker-run") == [(bike, make_hand_number(*hand)) for bike, hand in HANDS.items()]
    assert get_results(event, "dice-run") == [(bike, sum(sums)) for bike, sums in THROWS.items()]


def test_the_ride_is_at_its_second_stop_without_anything_to_decide(event: Event) -> None:
    """One bike missed the stop, and two are still expected there. Three of the bikes have a second hand."""
    recorded = {"poker-run": [12, 9, 0], "dice-run": [9, 7, 0]}
    for contest in event.contests.all():
        turns = Turn.objects.filter(card__contest=contest)
        counts = [turns.filter(slot__ordinal=ordinal).count() for ordinal in (1, 2, 3)]
        assert counts == recorded[contest.game_key]
        assert turns.get(how="missed").slot.stop.name == "Fish Market"
    assert not ReviewItem.objects.exists()
    assert compute_warnings(event) == []


def test_the_prizes_are_those_of_such_rides(event: Event) -> None:
    """While others can still end lower, nobody has the lowest total or the worst hand."""
    bikes = {bike.pk: bike.label for bike in Bike.entrants.filter(event=event)}

    assert [(award.what_for, [bikes[winner.id] for winner in award.winners]) for award in preview_awards(event)] == [
        ("Best roll at Fish Market", ["45"]),
        ("Lowest total", []),
        ("Highest total", ["33"]),
        ("Worst hand", []),
        ("Best hand", ["9/2"]),
    ]


def test_the_first_start_prints_links_to_it_that_open(client: Client) -> None:
    out = StringIO()
    call_command("demo", if_empty=True, stdout=out)
    links = dict(re.findall(r"^(.+?) +https?://[^/]+(\S+)$", out.getvalue(), re.MULTILINE))

    front_page = get_page_text(client.get("/"))
    assert 0 < front_page.index("Tail Light Run") < front_page.index("Tidewater Poker Run")
    assert client.get("/api/v1/events").json()["results"][0]["name"] == "Tail Light Run"
    assert "Tidewater Poker Run" in get_page_text(client.get(links["Poker run"]))
    phone = Client()
    phone.post(links["Poker crew"])
    assert "Harbour Pilots at Fish Market" in get_page_text(phone.get("/crew/"))
    client.force_login(User.objects.get(username="organiser"))
    for theme in ("day", "night"):
        screen = client.get(links[f"{theme.capitalize()} screen"]).content.decode()
        assert f'data-theme="{theme}"' in screen
        assert "Ruth B." in screen


def test_a_later_start_prints_the_same_rides() -> None:
    first, second = StringIO(), StringIO()
    call_command("demo", if_empty=True, stdout=first)
    call_command("demo", if_empty=True, stdout=second)

    without_tokens = [re.sub(r"/join/\S+", "/join/", out.getvalue()) for out in (first, second)]
    assert without_tokens[0] == without_tokens[1]


def test_a_line_is_parsed_by_the_games_of_the_contests() -> None:
    games = ("poker-run", "dice-run", "dice-run", "dice-run")

    assert parse_turns("7 Ann 10H 41625 missed -", games) == (
        "7",
        "Ann",
        [
            [{"type": "draw", "cards": ["10H"]}],
            [{"type": "throw", "dice": [4, 1, 6, 2, 5]}],
            [{"type": "forfeit"}],
            None,
        ],
    )


def test_a_line_without_a_turn_for_each_contest_is_rejected() -> None:
    with pytest.raises(ValueError, match="a turn for each contest: '7 Ann 10H'"):
        parse_turns("7 Ann 10H", ("poker-run", "dice-run"))
