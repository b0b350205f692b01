"""Whether ties are cut or stay is an option of some games: every page asks the contest, not the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.contest_chain import InvalidCut
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.standings.conftest import close

__all__ = ["add_turn", "close", "desk"]

pytestmark = pytest.mark.database

# Two bikes that are tied after one turn each, by game.
TURNS = {
    "dice-run": ({"type": "throw", "dice": [1, 2, 3, 4, 5]}, {"type": "throw", "dice": [3, 3, 3, 3, 3]}),
    "poker-run": ({"type": "draw", "cards": ["QS"]}, {"type": "draw", "cards": ["QH"]}),
}

SetUp = Callable[[str, str], Contest]


@pytest.fixture
def set_up(ride: Ride, desk: Actor, add_turn: Any) -> SetUp:
    """Make the ride's contest one of the game with these ties, with two bikes tied for the first place and a prize."""

    def make(game: str, ties: str) -> Contest:
        options = {"turns": 5, "ties": ties}
        Contest.objects.filter(pk=ride.contest.pk).update(game_key=game, rules_version=1, options=options)
        clear_contest_rules_cache()
        ride.contest.refresh_from_db()
        vars(ride.contest).pop("ruleset", None)
        add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "Cup", "", "place", place=1))
        for number, action in enumerate(TURNS[game], 1):
            add_turn(number, 1, [action])
        refresh_standings(ride.contest.pk)
        return ride.contest

    return make


def get_text(client: Client, contest: Contest, page: str) -> str:
    return get_visible_text(client.get(reverse(f"desk:{page}", args=[contest.event.slug, contest.slug])))


@pytest.mark.parametrize("game", TURNS)
def test_where_ties_stay_nobody_is_asked_to_cut(
    game: str, ride: Ride, set_up: SetUp, alice: User, sign_in: SignIn, desk: Actor, close: Any, client: Client
) -> None:
    contest, alice_desk = set_up(game, "stay"), sign_in(alice)
    prizes = reverse("prizes:list", args=[ride.event.slug])
    assert "tie for prize places" not in get_text(alice_desk, contest, "finish")
    assert "broken" not in get_visible_text(alice_desk.get(prizes))
    close()
    refresh_standings(contest.pk)

    finish = get_text(alice_desk, contest, "finish")
    assert "cut cards" not in finish.casefold()
    assert "Everything is decided" in finish
    assert "Cut cards" not in get_text(alice_desk, contest, "reopen")
    assert alice_desk.get(reverse("desk:ties", args=[ride.event.slug, contest.slug])).status_code == 404
    with pytest.raises(InvalidCut):
        record_cut(desk, uuid4(), contest.pk, {ride.bikes[1].pk: "QS", ride.bikes[2].pk: "2H"}, "Wes")
    (award,) = preview_awards(ride.event)
    assert (award.outcome, [winner.number for winner in award.winners]) == ("shared", ["1", "2"])
    page = get_visible_text(alice_desk.get(prizes))
    assert "Tied, so it is shared" in page
    assert "Enter the cut cards" not in page

    publish_contest(desk, uuid4(), contest.pk, "")  # no reason is asked for: there is nothing left to do

    board = reverse("results:leaderboard", args=[ride.event.slug, contest.slug])
    assert "1=" in get_page_text(client.get(board))
    exported = client.get(reverse("results:export", args=[ride.event.slug, contest.slug, "export.json"])).getvalue()
    data = json.loads(exported)
    assert "cuts" not in data
    assert [row["level"] for row in data["standings"]][:2] == [True, True]
    stops = client.get(reverse("results:export", args=[ride.event.slug, contest.slug, "stops.csv"])).getvalue().decode()
    assert ("Best turn by" in stops) is contest.game.points_of_turns, "cards are no points"


@pytest.mark.parametrize("game", TURNS)
def test_where_ties_are_cut_they_are(
    game: str, ride: Ride, set_up: SetUp, alice: User, sign_in: SignIn, desk: Actor, close: Any
) -> None:
    contest, alice_desk = set_up(game, "cut"), sign_in(alice)
    assert "1 tie for prize places; cut cards after closing" in get_text(alice_desk, contest, "finish")
    close()
    refresh_standings(contest.pk)
    assert "Have the riders cut cards" in get_text(alice_desk, contest, "finish")
    (award,) = preview_awards(ride.event)
    assert award.outcome == "to_cut"

    record_cut(desk, uuid4(), contest.pk, {ride.bikes[1].pk: "2S", ride.bikes[2].pk: "KH"}, "Wes")

    (award,) = preview_awards(ride.event)
    assert (award.outcome, [winner.number for winner in award.winners]) == ("cut", ["2"])
