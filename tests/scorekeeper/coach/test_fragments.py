"""The part of a page that shows the values: for each game, for the crew, for organisers and for everyone."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.coach import views
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.common.rate_limits import RateLimit
from scorekeeper.events.models import Contest
from scorekeeper.results.views import odds
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.games.drag_rage.table import CROSSED, start, win_quickly
from tests.games.rogue.table import turn as rogue_turn
from tests.scorekeeper.coach.conftest import Work
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.table_fixtures import AddAction, AddTable

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 16
HTMX = {"HX-Request": "true"}


def get_part(phone: Client, ride: Ride, page: Any, number: int = 1) -> Any:
    """Return the part, as the entry page loads it: with the fields of its form."""
    fields = {name: values for name, values in read_form(page).items() if name != "csrfmiddlewaretoken"}
    url = reverse("coach:bike", args=[ride.bikes[number].pk])
    return phone.get(f"{url}?{urlencode(fields, doseq=True)}", headers=HTMX)


def add_four_turns(add_turn: Any) -> None:
    """Leave bike 1, which has 34 points, its last turn."""
    for slot, (box, points) in enumerate((("aces", 2), ("twos", 6), ("threes", 6), ("chance", 20)), 1):
        assert add_turn(1, slot, make_paper_turn(box, points)).is_applied


def get_public_url(ride: Ride, entrant: Any, contest: Contest | None = None) -> str:
    return reverse("results:odds", args=[ride.event.slug, (contest or ride.contest).slug, entrant.pk])


def coach(key: str) -> Contest:
    """Set the contest of a game to coach."""
    Contest.objects.filter(game_key=key).update(odds_shown=Contest.OddsShown.COACH)
    return Contest.objects.select_related("event").get(game_key=key)


class TestLimit:
    """Every tap may be a new question, which takes the worker seconds."""

    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views, "PER_PHONE", RateLimit("odds by phone", 2, 60))
        monkeypatch.setattr(odds, "PER_ADDRESS", RateLimit("odds by address", 2, 60))

    def ask(self, phone: Client, ride: Ride, dice: str) -> Any:
        page = press(phone, phone.get(card_url(ride, 1, 1)), switch="roll")
        return get_part(phone, ride, tap_dice(phone, page, dice))

    def test_too_many_new_questions_from_a_phone_wait_and_the_page_says_how_long(
        self, coached: Ride, phone: Client, work: Work
    ) -> None:
        for dice in ("11111", "22222", "11111"):
            assert "Working it out" in get_visible_text(self.ask(phone, coached, dice))

        refused = self.ask(phone, coached, "33333")
        said = re.search(r"Try again in (\d+) seconds\. You can go on recording\.", get_visible_text(refused))
        assert said is not None
        assert 50 <= int(said[1]) <= 60
        assert f'hx-trigger="load delay:{said[1]}s"' in get_page_text(refused)
        assert OddsAnswer.objects.count() == 2
        work()
        assert "With best play" in get_visible_text(self.ask(phone, coached, "11111")), (
            "an answer that is there is shown"
        )

        with time_machine.travel(time.time() + int(said[1]) + 1):
            assert "Working it out" in get_visible_text(self.ask(phone, coached, "33333"))

    def test_each_phone_is_counted_by_itself(self, coached: Ride, phone: Client, crew_client: CrewClient) -> None:
        for dice in ("11111", "22222", "33333"):
            self.ask(phone, coached, dice)
        assert "Working it out" in get_visible_text(self.ask(crew_client(coached.tom), coached, "44444"))

    def test_a_table_and_a_public_page_are_limited_too(
        self, coached: Ride, add_turn, phone: Client, client: Client, add_game_table: AddTable
    ) -> None:
        for number in (2, 3, 4):
            add_turn(number, 1, make_paper_turn("chance", 10 + number))
        pages = [
            get_visible_text(client.get(get_public_url(coached, coached.bikes[number]), headers=HTMX))
            for number in (2, 3, 4)
        ]
        assert ["Try again" in page for page in pages] == [False, False, True]

        for dice in ("11111", "22222"):
            self.ask(phone, coached, dice)
        table = add_game_table("go-500", "Ann")
        coach("go-500")
        url = reverse("coach:table", args=[table])
        assert "Try again in" in get_visible_text(phone.get(url, headers=HTMX))


class TestTurns:
    def test_the_page_has_the_part_loaded_and_the_part_asks_until_it_is_there(
        self, coached: Ride, phone: Client, work: Work
    ) -> None:
        page = phone.get(card_url(coached, 1, 1))
        url = reverse("coach:bike", args=[coached.bikes[1].pk])
        assert f'hx-get="{url}" hx-trigger="load delay:300ms"' in get_page_text(page)

        waiting = get_part(phone, coached, page)
        assert "Working it out" in get_visible_text(waiting)
        assert f'hx-get="{url}" hx-trigger="load delay:1s"' in get_page_text(waiting)

        assert work() == 1
        there = get_part(phone, coached, page)
        assert "With best play, the expected final total is 123.3." in get_visible_text(there)
        assert "hx-get" not in get_page_text(there)
        assert "no-store" in there.headers["Cache-Control"]

    def test_the_values_follow_the_dice_of_the_form(self, coached: Ride, phone: Client, work: Work) -> None:
        page = press(phone, phone.get(card_url(coached, 1, 1)), switch="roll")
        page = tap_dice(phone, page, "5534")
        assert "hx-get" in get_page_text(get_part(phone, coached, page))
        work()
        assert "total is 123.3" in get_visible_text(get_part(phone, coached, page)), "not before all dice are in"

        page = tap_dice(phone, page, "1")
        get_part(phone, coached, page)
        assert work() == 1
        text = get_visible_text(get_part(phone, coached, page))
        assert "Dice set aside 3 4 5 123.1 0.0 Dice set aside 1 3 4 5 122.2 −0.9 Dice set aside 5 5 121.8 −1.3" in text
        assert "31 more choices" in text

        page = press(phone, page, keep=["0", "1"], again="1")
        get_part(phone, coached, page)
        assert work() == 0, "the choice that was made is known already"
        held = get_visible_text(get_part(phone, coached, page))
        assert "With best play, the expected final total is 121.8." in held
        assert "Dice set aside" not in held

    def test_each_choice_has_its_cost_best_first(self, coached: Ride, add_turn, phone: Client, work: Work) -> None:
        add_four_turns(add_turn)
        page = tap_dice(phone, phone.get(card_url(coached, 1, 5)), "66622")
        get_part(phone, coached, page)
        work()
        text = get_visible_text(get_part(phone, coached, page))

        order = [text.index(words) for words in ("Full house 59.0 0.0", "Three of a kind 56.0 −3.0", "Sixes 52.0 −7.0")]
        assert order == sorted(order)

    def test_the_chance_to_overtake_comes_in_a_second_step(
        self, coached: Ride, add_turn, phone: Client, work: Work
    ) -> None:
        add_four_turns(add_turn)
        add_turn(2, 1, make_paper_turn("sixes", 30))
        add_turn(2, 2, make_paper_turn("chance", 30))
        refresh_standings(coached.contest.pk)
        page = phone.get(card_url(coached, 1, 5))

        get_part(phone, coached, page)
        assert work() == 1
        values = get_visible_text(get_part(phone, coached, page))
        assert "With best play" in values
        assert "Working out the chance to overtake" in values
        assert work() == 1
        part = get_part(phone, coached, page)
        assert "Chance of 61 or more, one more than the next place ahead has now:" in get_visible_text(part)
        assert "hx-get" not in get_page_text(part)

    def test_it_takes_few_statements_and_the_page_as_many_as_without(
        self, ride: Ride, add_turn, phone: Client, work: Work
    ) -> None:
        add_turn(1, 1, make_paper_turn("chance", 20))
        add_turn(2, 1, make_paper_turn("sixes", 30))
        refresh_standings(ride.contest.pk)
        phone.get(card_url(ride, 1, 2))

        def count(url: str) -> int:
            with CaptureQueriesContext(connection) as queries:
                assert phone.get(url, headers=HTMX).status_code == 200
            return len(list_statements(queries))

        without = count(card_url(ride, 1, 2))
        coach("rock-yahtzee")
        ride.contest.refresh_from_db()
        assert count(card_url(ride, 1, 2)) == without

        url = f"{reverse('coach:bike', args=[ride.bikes[1].pk])}?slot={ride.slots[1].pk}&contest={ride.contest.pk}"
        asking = count(url)
        OddsAnswer.objects.update(answer=ANSWER, made_at="2026-06-20T00:00:00Z")
        counts = [asking, count(url), count(url)]  # then it asks for the chance, too
        assert max(counts) <= MOST_STATEMENTS, counts

    def test_nothing_is_said_of_a_damaged_or_finished_card(self, coached: Ride, add_turn, phone: Client) -> None:
        add_four_turns(add_turn)
        part = Client().get(get_public_url(coached, coached.bikes[1]))
        assert "Working it out" in get_visible_text(part)
        OddsAnswer.objects.update(answer={**ANSWER, "node": "done"}, made_at="2026-06-20T00:00:00Z")
        assert get_visible_text(Client().get(get_public_url(coached, coached.bikes[1]))) == ""

    def test_a_phone_that_may_not_enter_the_turn_gets_nothing(self, coached: Ride, crew_client: CrewClient) -> None:
        url = f"{reverse('coach:bike', args=[coached.bikes[5].pk])}?slot={coached.slots[0].pk}"
        assert crew_client(coached.tom).get(url).status_code == 404
        assert crew_client(coached.rita).get(url).status_code == 404
        assert crew_client(coached.rita).get(f"{url}&takes_over=1").status_code == 200
        assert crew_client(coached.gus).get(url).status_code == 200
        assert Client().get(url).status_code == 401


ANSWER = {
    "ok": True,
    "node": "chance",
    "measure": "total",
    "aim": "high",
    "method": "exact",
    "options": [{"action": {"type": "roll"}, "value": 100.0, "loss": 0.0}],
    "value": 100.0,
    "best": [0],
}


class TestTables:
    @pytest.mark.parametrize(
        ("key", "names", "actions", "said"),
        [
            (
                "rogue",
                ("Ben", "Cleo"),
                [{"seat": 0, "type": "roll", "dice": ["C", 2, 3, 4, 5, 6]}],
                ["Ben", "With best play, the expected points of this turn are 250.0.", "250.0 0.0", "34.1 −215.9"],
            ),
            (
                "go-500",
                ("Ann",),
                [],
                ["With best play, the expected final total is 528.9.", "528.9 0.0", "515.7 −13.2"],
            ),
            ("grand-prix", ("Ann",), [], ["There are too many possibilities at this point to work out the values."]),
            ("drag-rage", ("Ben", "Cleo"), CROSSED, ["With best play from here, the chance to win this heat is", "%"]),
        ],
    )
    def test_the_values_of_each_game_are_shown(
        self,
        coached: Ride,
        add_game_table: AddTable,
        add_action: AddAction,
        phone: Client,
        organiser: Client,
        work: Work,
        people: Any,
        key: str,
        names: Any,
        actions: Any,
        said: list[str],
    ) -> None:
        table = add_game_table(key, *names)
        for action in actions:
            assert add_action(table, action).is_applied, action
        contest = coach(key)
        crew_page, desk_page = reverse("tables:table", args=[table]), [coached.event.slug, table]
        desk_url, crew_part = reverse("tables:desk_table", args=desk_page), reverse("coach:table", args=[table])
        assert f'hx-get="{crew_part}"' in get_page_text(phone.get(crew_page))
        desk_part = reverse("coach:desk_table", args=desk_page)
        assert f'hx-get="{desk_part}"' in get_page_text(organiser.get(desk_url))

        assert "Working it out" in get_visible_text(phone.get(crew_part))
        assert work() == 1
        public_part = get_public_url(coached, people[names[0]], contest)
        for response in (phone.get(crew_part), organiser.get(desk_part), Client().get(public_part)):
            for words in said:
                assert words in get_visible_text(response)

    def test_the_public_page_loads_the_part(self, coached: Ride, add_game_table: AddTable, people: Any) -> None:
        add_game_table("go-500", "Ann")
        contest = coach("go-500")
        page = Client().get(reverse("results:seats", args=[coached.event.slug, contest.slug, people["Ann"].pk]))
        assert f'hx-get="{get_public_url(coached, people["Ann"], contest)}"' in get_page_text(page)
        bike_page = reverse("results:bike", args=[coached.event.slug, coached.contest.slug, coached.bikes[1].pk])
        assert get_public_url(coached, coached.bikes[1]) in get_page_text(Client().get(bike_page))


class TestWinning:
    """The chance to win the game or the race, per choice."""

    def ask(self, add_game_table: AddTable, add_action: AddAction, key: str, actions: Any, options: Any = None) -> str:
        table = add_game_table(key, "Ben", "Cleo")
        Contest.objects.filter(game_key=key).update(options=options or {})
        coach(key)
        clear_contest_rules_cache()
        for action in actions:
            assert add_action(table, action).is_applied, action
        return reverse("coach:table", args=[table])

    def test_in_rogue_each_choice_has_its_chance_and_the_page_says_what_wins_most(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, phone: Client, work: Work
    ) -> None:
        actions = [*rogue_turn(0, "CCC333 333", "bank"), *rogue_turn(1, "C33445")]
        url = self.ask(add_game_table, add_action, "rogue", actions, {"target": 60, "war_at": 50})
        phone.get(url)
        work()
        text = get_visible_text(phone.get(url))

        assert "If this turn is played to win, the chance to win the game is 57.0%." in text
        told = "The choice with the most points wins the game less often (52.4%) than “Set aside 3 3 4 4 C” (57.0%)."
        assert told in text
        assert "Choice Points Cost Win game Set aside C 34.1 0.0 52.4% Set aside 3 3 4 4 C 32.7 −1.4 57.0%" in text

    def test_far_from_the_end_of_a_game_there_is_no_such_chance(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, phone: Client, work: Work
    ) -> None:
        url = self.ask(add_game_table, add_action, "rogue", rogue_turn(0, "C33445"))
        phone.get(url)
        work()
        text = get_visible_text(phone.get(url))

        assert "Choice Points Cost Set aside C 34.1 0.0 Set aside" in text
        assert "win" not in text.lower()

    def test_in_drag_rage_each_choice_has_the_chance_to_win_the_race(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, phone: Client, work: Work
    ) -> None:
        url = self.ask(add_game_table, add_action, "drag-rage", [*win_quickly(0), *CROSSED])
        phone.get(url)
        work()
        text = get_visible_text(phone.get(url))

        assert "the chance to win this heat is 100.0%. The chance to win the race is 50.0%, if later heats" in text
        assert "Choice Win heat Cost Win race Advance 7 100.0% 0.0 50.0%" in text
        assert "less often" not in text

    @pytest.mark.parametrize("actions", [rogue_turn(0, "C33445 33"), rogue_turn(0, "C33445")])
    def test_no_choice_is_blank(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, phone: Client, work: Work, actions: Any
    ) -> None:
        url = self.ask(add_game_table, add_action, "rogue", actions)
        phone.get(url)
        work()
        names = re.findall(r'<th scope="row">(.*?)</th>', get_page_text(phone.get(url)))
        assert names
        assert all(names)


class TestWhenItIsTold:
    def test_a_freeze_hides_it_from_the_audience_and_not_from_the_crew(self, coached: Ride, phone: Client) -> None:
        freeze_standings(coached.event)
        bike = coached.bikes[1]
        assert Client().get(get_public_url(coached, bike)).status_code == 404
        page = Client().get(reverse("results:bike", args=[coached.event.slug, coached.contest.slug, bike.pk]))
        assert "odds" not in get_page_text(page)
        assert get_part(phone, coached, phone.get(card_url(coached, 1, 1))).status_code == 200

    @pytest.mark.parametrize("shown", ["off", "screen"])
    def test_it_is_not_there_where_the_contest_is_not_coached(self, coached: Ride, phone: Client, shown: str) -> None:
        coached_page = phone.get(card_url(coached, 1, 1))
        Contest.objects.update(odds_shown=shown)
        page = phone.get(card_url(coached, 1, 1))
        assert "odds" not in get_page_text(page)
        assert get_part(phone, coached, coached_page).status_code == 404
        assert Client().get(get_public_url(coached, coached.bikes[1])).status_code == 404
        assert not OddsAnswer.objects.exists()

    def test_closing_ends_it(self, coached: Ride, phone: Client, desk: Any) -> None:
        page = phone.get(card_url(coached, 1, 1))
        close_contest(desk, uuid4(), coached.contest.pk, "the ride is over")
        assert get_part(phone, coached, page).status_code == 404
        assert "odds" not in get_page_text(phone.get(card_url(coached, 1, 1)))

    @pytest.mark.parametrize(
        ("key", "actions", "is_asked"),
        [
            ("drag-rage", [], False),
            ("drag-rage", [start()], True),
            ("drag-rage", win_quickly(0), False),
            ("drag-rage", [*win_quickly(0), *win_quickly(0)], False),
            ("rogue", [], True),
            ("rogue", [{"seat": 0, "type": "retire"}], False),
        ],
        ids=["before the first heat", "a heat", "between two heats", "after the race", "a game", "after the game"],
    )
    def test_pages_of_a_table_ask_only_while_a_seat_is_to_act(
        self,
        coached: Ride,
        add_game_table: AddTable,
        add_action: AddAction,
        phone: Client,
        organiser: Client,
        people: Any,
        key: str,
        actions: Any,
        is_asked: bool,
    ) -> None:
        table = add_game_table(key, "Ben", "Cleo")
        contest = coach(key)
        for action in actions:
            assert add_action(table, action).is_applied, action
        pages = [
            phone.get(reverse("tables:table", args=[table])),
            organiser.get(reverse("tables:desk_table", args=[coached.event.slug, table])),
            Client().get(reverse("results:seats", args=[coached.event.slug, contest.slug, people["Ben"].pk])),
        ]
        assert ["/odds/" in get_page_text(page) for page in pages] == [is_asked] * 3

    def test_the_page_of_a_bike_does_not_ask_once_all_its_turns_are_recorded(
        self, coached: Ride, add_turn: Any
    ) -> None:
        url = reverse("results:bike", args=[coached.event.slug, coached.contest.slug, coached.bikes[1].pk])
        add_four_turns(add_turn)
        assert "/odds/" in get_page_text(Client().get(url))
        add_turn(1, 5, make_paper_turn("sixes", 30))
        assert "/odds/" not in get_page_text(Client().get(url))

    def test_nobody_else_is_found(self, coached: Ride) -> None:
        assert Client().get(get_public_url(coached, coached.contest)).status_code == 404
