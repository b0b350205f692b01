"""Chances to win on the public pages, in their streams, on the screens and in the API."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games.core.chances import PlaceChances
from scorekeeper.api.serializers.results import ChanceField
from scorekeeper.audience.services import freeze_standings
from scorekeeper.audience.versions import get_public_state, list_change_marks
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.live.sources import LeaderboardSource, ScreenSource
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import ClassMember
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.chances import ContestChances, ShownChances, count_places
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.outlook import Outlook
from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.wording import describe_chances, format_chance
from tests.scorekeeper.api.program import make_program, read
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.table_fixtures import AddAction, AddTable, make_contest

pytestmark = pytest.mark.django_db

NOTE = "from ended turns, if everyone plays for a high average."


@pytest.fixture
def told(ride: Ride, add_turn, update_standings) -> Ride:
    """A ride whose chances are told and computed; bikes 1 and 2 have rolled."""
    ride.contest.odds_shown = Contest.OddsShown.SCREEN
    ride.contest.save()
    add_turn(1, 1, make_paper_turn("chance", 30))
    add_turn(2, 1, make_paper_turn("chance", 10))
    update_standings()
    assert compute_chances(ride.contest.pk)
    return ride


def get_url(ride: Ride, page: str, *args: object) -> str:
    return reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, *args])


def get_text(ride: Ride, number: int) -> str:
    """Return what the pages say of a bike's chances."""
    win, among = ChancesReport.objects.get(pk=ride.contest.pk).chances[str(ride.bikes[number].pk)]
    return f"Chance to win: {format_chance(win)}, among the first three: {format_chance(among)}"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (1e-9, "<\u00a00.1%"),
        (0.001, "0.1%"),
        (0.0094, "0.9%"),
        (0.0096, "1%"),
        (0.124, "12%"),
        (0.9904, "99%"),
        (0.992, "99.2%"),
        (0.999, "99.9%"),
        (0.9999, ">\u00a099.9%"),
    ],
)
def test_a_chance_is_a_whole_per_cent_and_never_none_or_all(chance: float, text: str) -> None:
    assert format_chance(chance) == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (ShownChances(0.12, 0.31, 3), "Chance to win: 12%, among the first three: 31%"),
        (ShownChances(0.12, 0.31, 12), "Chance to win: 12%, among the first 12: 31%"),
        (ShownChances(0.12, 0.12, 1), "Chance to win: 12%"),
        (ShownChances(0.12, 1, 3), "Chance to win: 12%"),
        (ShownChances(0, 0.31, 3), "Chance to be among the first three: 31%"),
        (ShownChances(0, 0, 3), ""),
        (ShownChances(1, 1, 3), ""),
    ],
)
def test_what_is_certain_is_left_to_the_outlook(shown: ShownChances, text: str) -> None:
    assert describe_chances(shown) == text


def make_outlook(chance: Any = "", *, can_lead: bool = True) -> Outlook:
    return Outlook(200, 100, chance, True, can_lead, can_lead, 90, 80, 190)


class TestCertainty:
    """0 and 1 are shown only where the outlook says so."""

    def show(
        self, own: tuple[float, float], outlook: Outlook | None = None, *, yet_to_start: int = 0, prizes: int = 3
    ) -> ShownChances | None:
        entrant = uuid4()
        chances = ContestChances(dt.datetime.now(dt.UTC), 3, yet_to_start, {entrant: PlaceChances(*own)})
        return chances.show(entrant, "playing", outlook, prizes)

    @pytest.mark.parametrize("outlook", [None, make_outlook()])
    def test_a_chance_that_is_only_nearly_certain_stays_a_chance(self, outlook: Outlook | None) -> None:
        assert self.show((0.0, 1.0), outlook) == (0.0005, 0.9995, 3)

    def test_out_of_reach_is_0(self) -> None:
        assert self.show((0.0, 0.2), make_outlook(can_lead=False)) == (0.0, 0.2, 3)
        assert self.show((0.0, 0.0), make_outlook("prizes_gone", can_lead=False)) == (0.0, 0.0, 3)

    def test_safe_is_1_once_everybody_has_started(self) -> None:
        assert self.show((1.0, 1.0), make_outlook("first_safe")) == (1.0, 1.0, 3)
        assert self.show((0.6, 1.0), make_outlook("prize_safe")) == (0.6, 1.0, 3)
        assert self.show((0.6, 0.9), make_outlook("first_safe"), yet_to_start=4) == (0.6, 0.9, 3)
        assert self.show((0.6, 0.9), make_outlook("prize_safe"), yet_to_start=4) == (0.6, 0.9, 3)

    def test_a_safe_prize_says_nothing_of_other_places(self) -> None:
        assert self.show((0.6, 0.9), make_outlook("prize_safe"), prizes=2) == (0.6, 0.9, 3)


@pytest.mark.parametrize(
    ("prizes", "entrants", "places"), [(1, 20, 3), (2, 20, 2), (10, 20, 10), (1, 3, 2), (1, 2, 1), (1, 0, 1)]
)
def test_the_places_are_those_with_a_prize_or_three_but_fewer_than_take_part(
    prizes: int, entrants: int, places: int
) -> None:
    assert count_places(prizes, entrants) == places


@pytest.mark.slow
def test_the_board_has_the_chances_of_those_who_have_started(told: Ride, client: Client) -> None:
    page = get_visible_text(client.get(get_url(told, "leaderboard")))

    assert get_text(told, 1) in page
    assert get_text(told, 2) in page
    assert page.count("Chance to win") == 2
    assert NOTE in page


def test_the_page_of_a_bike_has_them_once_it_has_started(told: Ride, client: Client) -> None:
    started = get_visible_text(client.get(get_url(told, "bike", told.bikes[1].pk)))
    waiting = get_visible_text(client.get(get_url(told, "bike", told.bikes[5].pk)))

    assert f"{get_text(told, 1)}." in started
    assert NOTE in started
    assert "Chance to win" not in waiting
    assert "Chances as of" not in waiting


def test_pages_and_streams_change_when_only_the_chances_do(told: Ride, client: Client) -> None:
    source, screen = LeaderboardSource(told.contest), ScreenSource(told.event)
    snapshots = [source.take_snapshot(), screen.take_snapshot()]
    version = get_versions([told.contest.pk])
    page = get_url(told, "leaderboard")
    etag = client.get(page, headers={"HX-Request": "true"}).content

    report = ChancesReport.objects.get()
    report.chances[str(told.bikes[1].pk)] = [0.123, 0.3]
    report.version += 1
    report.save()

    for before, after in zip(snapshots, [source.take_snapshot(), screen.take_snapshot()], strict=True):
        assert before is not None
        assert after is not None
        assert before.id != after.id
        assert "Chance to win: 12%, among the first three: 30%" in after.render_swap()
        changed = [name for name, part in after.parts.items() if part.html != before.parts[name].html]
        assert len(changed) == 1, "only the row of the bike is sent"
    assert get_versions([told.contest.pk]) != version
    assert client.get(page, headers={"HX-Request": "true"}).content != etag


def test_webhooks_are_not_told(told: Ride) -> None:
    contest = Contest.objects.select_related("event").get(pk=told.contest.pk)
    before = get_public_state(contest), list_change_marks([contest.event_id])

    ChancesReport.objects.update(version=9, chances={})

    assert (get_public_state(contest), list_change_marks([contest.event_id])) == before


def test_one_who_has_retired_has_none_even_before_they_are_computed_again(
    told: Ride, client: Client, desk, update_standings
) -> None:
    retire_bike(desk, uuid4(), told.contest.pk, told.bikes[1].pk, "flat tyre")
    update_standings()

    page = get_visible_text(client.get(get_url(told, "leaderboard")))

    assert page.count("Chance to win") == 1


def test_rules_that_are_too_large_are_named_as_such(told: Ride, client: Client) -> None:
    ChancesReport.objects.update(unknown_rules="a digest", chances={})

    page = get_visible_text(client.get(get_url(told, "leaderboard")))

    assert "The chances to win are not known for these rules." in page
    assert "Chance to win" not in page
    assert "chances" not in read(Client(), "standings", told.event.slug, told.contest.slug)


def test_before_anything_is_computed_there_is_nothing(ride: Ride, client: Client) -> None:
    ride.contest.odds_shown = Contest.OddsShown.SCREEN
    ride.contest.save()

    page = get_visible_text(client.get(get_url(ride, "leaderboard")))
    assert "Chance to win" not in page
    assert "Chances as of" not in page
    assert "chances" not in read(Client(), "standings", ride.event.slug, ride.contest.slug)


@pytest.mark.parametrize(
    ("chance", "written"),
    [(0.0, 0.0), (1e-9, 0.000001), (0.1234564, 0.123456), (1 - 1e-9, 0.999999), (1.0, 1.0)],
)
def test_programs_read_0_or_1_only_where_that_is_certain(chance: float, written: float) -> None:
    assert ChanceField().to_representation(chance) == written


def test_the_api_has_the_same_figures(told: Ride, alice) -> None:
    args = [told.event.slug, told.contest.slug]
    answer = read(Client(), "standings", *args)
    stored = ChancesReport.objects.get()

    assert answer["chances"]["places"] == 3
    assert dt.datetime.fromisoformat(answer["chances"]["as_of"]) == stored.as_of
    by_number = {row["number"]: row.get("chances") for row in answer["standings"]}
    for number in (1, 2):
        win, among = stored.chances[str(told.bikes[number].pk)]
        assert by_number[str(number)] == {"win": round(win, 6), "among_first": round(among, 6)}
    assert by_number["5"] is None, "only those who have started"
    only = read(Client(), "standings", *args, holder=str(told.bikes[2].pk))
    assert [row["chances"] for row in only["standings"]] == [by_number["2"]]
    freeze_standings(told.event)
    frozen = read(Client(), "standings", *args)
    assert "chances" not in frozen
    assert not any("chances" in row for row in frozen["standings"])
    assert read(make_program(alice), "standings", *args)["chances"] == answer["chances"], "an organiser's program"


def test_the_etag_of_the_api_changes_with_them(told: Ride) -> None:
    url = reverse("api:standings", args=[told.event.slug, told.contest.slug])
    first = Client().get(url)
    assert Client().get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304

    ChancesReport.objects.update(version=9)

    assert Client().get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_page_takes_one_statement_more_where_they_are_told_and_none_elsewhere(told: Ride, client: Client) -> None:
    urls = [
        get_url(told, "leaderboard"),
        get_url(told, "bike", told.bikes[1].pk),
        reverse("live:screen", args=[told.event.slug]),
        reverse("api:standings", args=[told.event.slug, told.contest.slug]),
    ]
    for url in urls:
        client.get(url)
    told_counts = [count_statements(client, url) for url in urls]
    Contest.objects.update(odds_shown=Contest.OddsShown.OFF)

    off_counts = [count_statements(client, url) for url in urls]

    assert [told - off for told, off in zip(told_counts, off_counts, strict=True)] == [1, 1, 1, 1]


def test_the_page_of_a_player_at_a_table_has_them(
    event: Event, people: Any, add_table: AddTable, add_action: AddAction, client: Client
) -> None:
    options = {"course": {"name": "One lap", "segments": [{"name": "Straight", "limit": None}]}, "rerolls": 0}
    contest = make_contest(event, "go-500", "The oval", 2, odds_shown="screen", options=options)
    ann, _ben = (add_table(name, contest=contest) for name in ("Ann", "Ben"))
    for action in (
        {"type": "start", "black": 1, "green": 0},
        {"type": "roll", "black": [30], "flag": "green"},
        {"type": "lock", "black": [30]},
    ):
        add_action(ann, action)
    refresh_standings(contest.pk)
    assert compute_chances(contest.pk)

    page = client.get(reverse("results:seats", args=[event.slug, contest.slug, people["Ann"].pk]))

    assert "Chance to win: " in get_visible_text(page)
    assert "among" not in get_page_text(page), "of two, that is the same"


def test_the_chances_in_a_class_are_those_among_its_members(told: Ride, add_turn: Any, client: Client) -> None:
    Event.objects.filter(pk=told.event.pk).update(state=Event.State.OPEN)
    ChancesReport.objects.all().delete()  # they are computed once a minute at most
    ladies, alone = add_class(told.event, "Ladies"), add_class(told.event, "Alone")
    ClassMember.objects.bulk_create(
        [
            *(ClassMember(event_class=ladies, bike=told.bikes[number]) for number in (2, 3)),
            ClassMember(event_class=alone, bike=told.bikes[1]),
        ]
    )
    add_turn(3, 1, make_paper_turn("chance", 10))
    refresh_standings(told.contest.pk)
    assert compute_chances(told.contest.pk)

    url = reverse("api:standings", args=[told.event.slug, told.contest.slug])
    everyone = {row["number"]: row["chances"]["win"] for row in client.get(url).json()["standings"] if row["rank"]}
    narrowed = client.get(url, {"class": str(ladies.pk)}).json()["standings"]
    in_class = {row["number"]: row["chances"]["win"] for row in narrowed if row["rank"]}

    assert set(in_class) == {"2", "3"}
    assert everyone["2"] < in_class["2"]
    assert in_class["2"] == pytest.approx(in_class["3"], abs=0.02), "both have the same to come"
    assert sum(in_class.values()) == pytest.approx(1, abs=0.02)
    # In a class of one there is nothing to win.
    of_one = client.get(url, {"class": str(alone.pk)}).json()["standings"]
    assert [row["number"] for row in of_one] == ["1"]
    assert "chances" not in of_one[0]
