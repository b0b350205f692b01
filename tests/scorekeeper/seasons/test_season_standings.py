"""The standings of a season, from published results and the links that an organiser has confirmed."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_public_names
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.seasons.models import Season, SeasonRider, SeasonRound
from scorekeeper.seasons.selectors import get_season_standings, list_season_classes, propose_links
from scorekeeper.seasons.services import (
    SameRound,
    add_round,
    change_season,
    delete_season,
    link_riders,
    merge_riders,
    remove_round,
)
from scorekeeper.standings.services.class_corrections import correct_classes
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.seasons.conftest import get_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def get_rows(season: Season) -> list[tuple[str, str, int]]:
    standings = get_season_standings(season, get_public_names)
    return [(row.row.rank_label, row.name, row.row.total) for row in standings.rows]


def get_rider(season: Season, name: str) -> SeasonRider:
    standings = get_season_standings(season, get_public_names)
    return season.riders.get(pk=next(row.row.rider for row in standings.rows if name in row.name))


def link_all(season: Season, second: SeasonRound) -> None:
    """Link the second ride's Ben (bike 7) and Ann (bike 1) to those of the first; Dan is new."""
    bikes = get_entrants(second.contest)
    ann, ben = get_rider(season, "Ann").pk, get_rider(season, "Ben").pk
    link_riders(second, {bikes[7]: ben, bikes[1]: ann, bikes[3]: None})


@pytest.mark.usefixtures("first_round")
def test_a_published_result_brings_points_by_place(season: Season) -> None:
    assert get_rows(season) == [("1", "Bike 1 (Ann)", 10), ("2", "Bike 2 (Ben, Zoe)", 6), ("3", "Bike 3 (Cleo)", 3)]


@pytest.mark.usefixtures("first_round")
def test_nobody_is_linked_by_name_or_number_alone(season: Season, second_round: SeasonRound) -> None:
    assert len(get_rows(season)) == 3
    link_riders(second_round, dict.fromkeys(get_entrants(second_round.contest).values()))
    assert len(get_rows(season)) == 6


@pytest.mark.usefixtures("first_round")
def test_linked_riders_have_the_points_of_both_rides_and_the_name_of_the_later_one(
    season: Season, second_round: SeasonRound
) -> None:
    link_all(season, second_round)
    assert get_rows(season) == [
        ("1=", "Bike 1 (Ann)", 16),
        ("1=", "Bike 7 (Ben)", 16),
        ("3=", "Bike 3 (Cleo)", 3),
        ("3=", "Bike 3 (Dan)", 3),
    ]


@pytest.mark.usefixtures("first_round")
def test_only_the_best_results_count(season: Season, second_round: SeasonRound) -> None:
    link_all(season, second_round)
    change_season(season, name="S", points=[10, 6, 3], points_below=0, best_count=1, is_listed=False)
    assert {total for _rank, _name, total in get_rows(season)[:2]} == {10}
    standings = get_season_standings(season, get_public_names)
    assert [cell.result.counts for cell in standings.rows[0].results].count(False) == 1


def test_proposals_go_by_the_name_of_the_rider_then_by_the_number(
    season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    riders = {name: get_rider(season, name).pk for name in ("Ann", "Ben", "Cleo")}
    proposals = {one.label: one for one in propose_links(second_round)}

    assert proposals["Bike 7 (Ben)"].likely == riders["Ben"], "his passenger is not with him"
    assert proposals["Bike 1 (Ann)"].likely == riders["Ann"]
    assert proposals["Bike 3 (Dan)"].likely is None, "the same number is not the same rider"
    assert [rider.id for rider in proposals["Bike 3 (Dan)"].possible] == [riders["Cleo"]]
    assert not any(one.linked for one in proposals.values())


@pytest.mark.usefixtures("first_round")
def test_two_of_one_ride_cannot_be_one_rider(season: Season, second_round: SeasonRound) -> None:
    ann, bikes = get_rider(season, "Ann"), get_entrants(second_round.contest)
    with pytest.raises(SameRound):
        link_riders(second_round, {bikes[1]: ann.pk, bikes[3]: ann.pk})
    with pytest.raises(SameRound):
        merge_riders(ann, get_rider(season, "Cleo"))
    assert len(get_rows(season)) == 3


@pytest.mark.usefixtures("first_round")
def test_riders_of_different_rides_can_be_made_one(season: Season, second_round: SeasonRound) -> None:
    link_riders(second_round, {get_entrants(second_round.contest)[3]: None})
    merge_riders(get_rider(season, "Dan"), get_rider(season, "Cleo"))
    assert ("3=", "Bike 3 (Dan)", 6) not in get_rows(season)
    assert get_rows(season)[1:] == [("2", "Bike 2 (Ben, Zoe)", 6), ("3", "Bike 3 (Dan)", 6)]
    assert season.riders.count() == 3


@pytest.mark.usefixtures("first_round")
def test_a_rider_of_another_season_is_taken_for_a_new_one(
    season: Season, second_round: SeasonRound, alice, first_ride: Contest
) -> None:
    foreign = SeasonRider.objects.create(season=Season.objects.create(name="Other", slug="other", points=[1]))
    link_riders(second_round, {get_entrants(second_round.contest)[7]: foreign.pk})
    assert not foreign.links.exists()
    assert len(get_rows(season)) == 4


def test_removing_a_round_removes_who_is_in_no_other(season: Season, first_round: SeasonRound) -> None:
    remove_round(first_round)
    remove_round(first_round)
    assert get_rows(season) == []
    assert not season.riders.exists()


@pytest.mark.usefixtures("first_round")
def test_a_frozen_result_does_not_count_until_the_freeze_ends(season: Season, first_ride: Contest) -> None:
    freeze_standings(first_ride.event)
    assert get_rows(season) == []
    lift_freeze(first_ride.event)
    assert len(get_rows(season)) == 3


@pytest.mark.usefixtures("first_round")
def test_a_draft_does_not_count(season: Season) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    assert get_rows(season) == []


@pytest.mark.usefixtures("first_round")
def test_names_are_shown_as_each_ride_shows_them_and_erased_with_them(season: Season, first_ride: Contest) -> None:
    erase_name(first_ride.event, "Ann")
    assert get_rows(season)[0] in [("1", "Bike 1 (—)", 10), ("1", "Bike 1", 10)]
    Event.objects.update(people_shown="numbers")
    assert [name for _rank, name, _total in get_rows(season)] == ["Bike 1", "Bike 2", "Bike 3"]


@pytest.mark.usefixtures("first_round")
def test_deleting_a_season_leaves_the_rides(season: Season, first_ride: Contest) -> None:
    delete_season(season)
    assert Contest.objects.filter(pk=first_ride.pk).exists()
    assert Player.objects.filter(name="Ann").exists()


def test_adding_a_contest_twice_is_one_round(season: Season, first_round: SeasonRound) -> None:
    assert add_round(season, first_round.contest).pk == first_round.pk
    assert get_rows(season)[0][2] == 10


def test_the_number_of_statements_does_not_depend_on_the_number_of_riders(
    season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            get_rows(season)
        return len(queries)

    bikes = get_entrants(second_round.contest)
    link_riders(second_round, {bikes[3]: None})
    count()  # reads the results, which are then cached
    few = count()
    link_riders(second_round, dict.fromkeys(bikes.values()))
    assert len(get_rows(season)) == first_round.links.count() + 3
    assert count() == few


def publish_with_classes(contest: Contest, name: str, numbers: list[int]) -> None:
    """Publish a revision in which these bikes are in a class."""
    event = contest.event
    own = add_class(event, name)
    bikes = get_entrants(contest)
    actor = Actor.from_organiser(event.organisers.get())
    changes = [ClassChange("bike", bikes[number], frozenset(), frozenset([own.pk])) for number in numbers]
    correct_classes(actor, uuid4(), changes, "they asked at the start")
    publish_contest(actor, uuid4(), contest.pk, "classes were missing")
    contest.refresh_from_db()


@pytest.mark.usefixtures("first_round")
def test_the_points_of_a_class_are_those_of_the_places_in_it_over_rides_that_spell_it_differently(
    season: Season, second_round: SeasonRound
) -> None:
    link_all(season, second_round)
    assert list_season_classes(season) == []
    publish_with_classes(season.rounds.exclude(pk=second_round.pk).get().contest, "Novices", [2, 3])
    publish_with_classes(second_round.contest, "NOVICES", [1, 3])

    (novices,) = list_season_classes(season)

    assert novices.name == "NOVICES"
    standings = get_season_standings(season, get_public_names, novices.key)
    # Ben and Cleo at the first ride, Ann and Dan at the second.
    assert [(row.row.rank_label, row.name, row.row.total) for row in standings.rows] == [
        ("1=", "Bike 1 (Ann)", 10),
        ("1=", "Bike 2 (Ben, Zoe)", 10),
        ("3=", "Bike 3 (Cleo)", 6),
        ("3=", "Bike 3 (Dan)", 6),
    ]
    assert get_rows(season)[0] == ("1=", "Bike 1 (Ann)", 16), "places of everyone are as before"


@pytest.mark.usefixtures("first_round")
def test_a_class_of_a_result_that_is_frozen_is_not_in_the_season(season: Season, first_ride: Contest) -> None:
    freeze_standings(first_ride.event)
    publish_with_classes(first_ride, "Novices", [2, 3])
    assert list_season_classes(season) == []
    lift_freeze(first_ride.event)
    assert [one.name for one in list_season_classes(season)] == ["Novices"]
