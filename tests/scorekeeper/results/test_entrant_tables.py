"""`/events/<slug>/<contest>/seats/<entrant>/`: the tables of a bike or player."""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.tables import list_tables_by_entrant
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, strip_times
from tests.scorekeeper.results.conftest import RUN
from tests.scorekeeper.results.test_leaderboard_at_tables import board_of
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, make_contest, make_throw


def seats_of(contest: Contest, entrant: UUID) -> str:
    return reverse("results:seats", args=[contest.event.slug, contest.slug, entrant])


@pytest.mark.usefixtures("rogue_tables")
def test_all_seats_of_the_table_are_side_by_side(
    client: Client, rogue_contest: Contest, people: Mapping[str, Player]
) -> None:
    page = get_page_text(client.get(seats_of(rogue_contest, people["Ann"].pk)))

    assert "Table 1</h2>" in page
    assert '<th scope="col" class="num">Ann</th><th scope="col" class="num">Ben</th>' in page
    assert '<th scope="row">Points</th> <td class="num">250</td><td class="num">300</td>' in page
    assert "<dt>Place</dt> <dd>2=</dd>" in page
    assert "<dt>Points</dt> <dd>250</dd>" in page
    assert "Unofficial, " in page
    assert "Finished" in page
    assert "Cleo" not in page


@pytest.mark.usefixtures("rogue_tables")
def test_a_table_in_play_or_not_started_is_shown_too(
    client: Client, rogue_contest: Contest, people: Mapping[str, Player]
) -> None:
    page = get_page_text(client.get(seats_of(rogue_contest, people["Dan"].pk)))
    assert "Table 2</h2>" in page
    assert "In play" in page
    assert '<td class="num">250</td><td class="num">0</td><td class="num">0</td>' in page

    page = get_page_text(client.get(seats_of(rogue_contest, people["Gail"].pk)))
    assert "Table 3</h2>" in page
    assert "Nothing recorded yet" in page
    assert "In play" not in page
    assert "Place</dt>" not in page


def test_a_round_after_a_shared_lead_is_not_called_the_last(
    client: Client, rogue_contest: Contest, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    """ROGUE-14"""
    card = add_table("Ann", "Ben", contest=rogue_contest)
    for seat in (0, 1):
        add_action(card, {"seat": seat, "type": "roll", "dice": RUN})
        add_action(card, {"seat": seat, "type": "keep", "dice": RUN})

    page = get_page_text(client.get(seats_of(rogue_contest, people["Ann"].pk)))

    assert "Ann to play" in page, "one more round"
    assert "Ann and Ben have reached 250: the outright leader after this round wins." in page
    assert "Target reached" in page
    assert "Last round" not in page


def test_the_sections_of_a_sheet_have_their_headings(
    event: Event, client: Client, add_table: AddTable, people: Mapping[str, Player]
) -> None:
    race = Contest.objects.create(
        event=event, name="Race", slug="race", game_key="grand-prix", rules_version=1, seats_are="players"
    )
    add_table("Ann", contest=race)

    page = get_page_text(client.get(seats_of(race, people["Ann"].pk)))

    assert 'colspan="2">On the track</th>' in page
    assert "Sum of the places" in page
    assert "Sum of places" not in page


@pytest.mark.usefixtures("rogue_tables")
def test_an_official_table_is_the_published_one(
    client: Client,
    rogue_contest: Contest,
    desk: Actor,
    add_action: AddAction,
    rogue_tables: list[UUID],
    people: Mapping[str, Player],
) -> None:
    close_contest(desk, uuid4(), rogue_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), rogue_contest.pk, "they fell asleep")
    add_action(rogue_tables[1], {"seat": 1, "type": "retire"})

    page = get_page_text(client.get(seats_of(rogue_contest, people["Cleo"].pk)))
    assert "Official, revision 1, " in page
    assert '<th scope="col" class="num">Dan</th>' in page
    assert "In play" not in page

    page = get_page_text(client.get(seats_of(rogue_contest, people["Finn"].pk)))
    assert "Nothing was recorded at this table" in page


@pytest.mark.usefixtures("rogue_tables")
@pytest.mark.parametrize(("shown", "name"), [("initials", "A."), ("numbers", "Rider of bike 1")])
def test_names_follow_the_events_settings(
    client: Client, rogue_contest: Contest, people: Mapping[str, Player], shown: str, name: str
) -> None:
    Event.objects.update(people_shown=shown)

    page = get_page_text(client.get(seats_of(rogue_contest, people["Ann"].pk)))

    assert f'class="num">{name}</th>' in page
    assert "Ann" not in page
    assert "Ben" not in page


@pytest.mark.usefixtures("pig_tables")
def test_a_player_without_a_seat_is_not_found(
    ride: Ride, client: Client, pig_contest: Contest, people: Mapping[str, Player], other_event: Event
) -> None:
    stranger = Player.objects.create(event=other_event, name="Olga")
    for entrant in (people["Hal"].pk, ride.bikes[1].pk, stranger.pk, uuid4()):
        assert client.get(seats_of(pig_contest, entrant)).status_code == 404
    assert client.get(seats_of(ride.contest, ride.bikes[1].pk)).status_code == 404


def test_the_refreshed_part_matches_the_page_and_is_sent_only_when_it_has_changed(
    client: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    card, htmx = add_table("Ann"), {"HX-Request": "true"}
    page = get_page_text(client.get(seats_of(pig_contest, people["Ann"].pk)))
    part = client.get(seats_of(pig_contest, people["Ann"].pk), headers=htmx)
    assert "<html" not in get_page_text(part)
    assert strip_times(get_page_text(part)) in strip_times(page)
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page

    asks = {**htmx, "If-None-Match": part.headers["ETag"]}
    assert client.get(seats_of(pig_contest, people["Ann"].pk), headers=asks).status_code == 304
    add_action(card, make_throw(3))
    changed = client.get(seats_of(pig_contest, people["Ann"].pk), headers=asks)
    assert changed.status_code == 200
    people["Ann"].name = "Anna"
    people["Ann"].save()
    asks["If-None-Match"] = changed.headers["ETag"]
    assert client.get(seats_of(pig_contest, people["Ann"].pk), headers=asks).status_code == 200


def test_a_table_keeps_its_number_when_an_earlier_one_is_withdrawn(
    client: Client,
    pig_contest: Contest,
    desk: Actor,
    add_table: AddTable,
    add_action: AddAction,
    people: Mapping[str, Player],
) -> None:
    first, second = add_table("Ann"), add_table("Ben")
    withdraw_table(desk, uuid4(), first, "went home")
    add_table("Cleo")
    add_action(second, make_throw(6))

    def shown(name: str) -> list[str]:
        return re.findall(r"Table \d", get_page_text(client.get(seats_of(pig_contest, people[name].pk))))

    assert (shown("Ben"), shown("Cleo")) == (["Table 2"], ["Table 3"])
    assert {entrant: number for entrant, [(number, _card)] in list_tables_by_entrant(pig_contest.pk).items()} == {
        people["Ben"].pk: 2,
        people["Cleo"].pk: 3,
    }
    assert [table.number for table in get_checklist(pig_contest).unfinished] == [2, 3]
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), pig_contest.pk, "they fell asleep")
    assert shown("Ben") == ["Table 2"]
    assert not list(list_damage(pig_contest.event))


def test_a_withdrawn_table_has_no_page(
    client: Client, pig_contest: Contest, desk: Actor, add_table: AddTable, people: Mapping[str, Player]
) -> None:
    withdraw_table(desk, uuid4(), add_table("Ann"), "went home")
    assert client.get(seats_of(pig_contest, people["Ann"].pk)).status_code == 404


@pytest.mark.usefixtures("pig_tables")
def test_a_draft_is_not_found(client: Client, pig_contest: Contest, people: Mapping[str, Player]) -> None:
    Event.objects.update(state="draft")
    assert client.get(seats_of(pig_contest, people["Ann"].pk)).status_code == 404


def test_a_bikes_old_urls_lead_to_its_tables(ride: Ride, client: Client, rogue_contest: Contest, desk: Actor) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    create_tables(desk, uuid4(), rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])
    as_card = reverse("results:bike", args=[ride.event.slug, rogue_contest.slug, ride.bikes[2].pk])

    page = client.get(as_card, follow=True)
    assert '<th scope="col" class="num">Bike 2 (Ben, Zoe)</th>' in get_page_text(page)
    assert page.redirect_chain == [(seats_of(rogue_contest, ride.bikes[2].pk), 302)]

    Bike.objects.filter(pk=ride.bikes[3].pk).update(merged_into=ride.bikes[2])
    assert client.get(seats_of(rogue_contest, ride.bikes[3].pk)).headers["Location"] == seats_of(
        rogue_contest, ride.bikes[2].pk
    )


@pytest.mark.usefixtures("pig_tables")
def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(
    client: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    def statements() -> int:
        refresh_standings(pig_contest.pk)
        return count_statements(client, seats_of(pig_contest, people["Ann"].pk))

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        card = add_table(name)
        add_action(card, make_throw(3))
        add_action(card, BANK)

    assert statements() == few


def test_a_race_against_the_clock_says_what_can_still_be_reached(
    event: Event, client: Client, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    """GO-7, GO-20: with all six dice to choose there is no limit; one black die scores 30 at most."""
    course = {"name": "Sprint", "segments": [{"name": "Straight", "limit": None}]}
    race = make_contest(event, "go-500", "Race", 2, options={"course": course, "rerolls": 0})
    ann, ben = add_table("Ann", contest=race), add_table("Ben", contest=race)
    for action in ({"type": "start", "black": 2, "green": 0}, {"type": "roll", "black": [30, 5], "flag": "green"}):
        add_action(ann, action)
    add_action(ann, {"type": "lock", "black": [30, 5]})
    refresh_standings(race.pk)
    assert "What is still possible" not in get_page_text(client.get(seats_of(race, people["Ann"].pk)))

    add_action(ben, {"type": "start", "black": 5, "green": 1})
    refresh_standings(race.pk)
    page = get_page_text(client.get(seats_of(race, people["Ben"].pk)))
    assert "At worst: -15. There is no limit to the best." in page
    assert "To lead alone, it takes something better than 35." in page
    assert "In the lead. There is no limit to what others can still reach." in get_page_text(
        client.get(seats_of(race, people["Ann"].pk))
    )

    cleo = add_table("Cleo", contest=race)
    add_action(cleo, {"type": "start", "black": 1, "green": 0})
    refresh_standings(race.pk)
    page = get_page_text(client.get(seats_of(race, people["Cleo"].pk)))
    assert "At best: 30. At worst: -35." in page
    assert "First place is out of reach: someone else is certain of 35." in page
    assert "Can no longer win" in get_page_text(client.get(board_of(race)))


def test_only_finished_drives_are_compared(
    event: Event, client: Client, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    """GP-1, GP-8: Ann ends eight spaces from the flag. Ben stands ten from it and has one turn left."""
    circuit = {"name": "Ring", "time": 2, "damage": 9, "sections": [6, 12]}
    race = make_contest(event, "grand-prix", "Ring", 2, options={"sheet": {"circuits": [circuit]}})
    ann, ben = add_table("Ann", contest=race), add_table("Ben", contest=race)
    for card, gears, dice in ((ann, (4, 5), (5, 6)), (ben, (4,), (9,))):
        for gear, count in zip(gears, dice, strict=True):
            add_action(card, {"type": "gear", "gear": gear})
            spaces = min(count, 6)
            add_action(card, {"type": "roll", "dice": [1] * spaces + [6] * (6 - spaces)})
            add_action(card, {"type": "move"})
    refresh_standings(race.pk)

    page = get_page_text(client.get(seats_of(race, people["Ben"].pk)))
    assert "At best: 7. At worst: 13." in page
    assert "To lead alone, it takes something better than 8." in page
    assert "In the lead. Nobody else can do better than 7." in get_page_text(
        client.get(seats_of(race, people["Ann"].pk))
    )


@pytest.mark.usefixtures("rogue_tables")
def test_a_table_says_what_its_players_need(
    client: Client,
    rogue_contest: Contest,
    people: Mapping[str, Player],
    rogue_tables: list[UUID],
    add_action: AddAction,
) -> None:
    """ROGUE-13: Cleo has reached 250, so Dan and Eve have their last turns. Then Eve can no longer get there."""
    address = seats_of(rogue_contest, people["Dan"].pk)
    needs = "Needs 251 more in this last turn to take the lead."
    assert f"<p><b>Dan:</b> {needs}</p>" in get_page_text(client.get(address))
    assert f"<p><b>Eve:</b> {needs}</p>" in get_page_text(client.get(address))
    tag = client.get(address, headers={"HX-Request": "true"}).headers["ETag"]

    for seat in (1, 2):
        add_action(rogue_tables[1], {"seat": seat, "type": "roll", "dice": ["C", 2, 2, 3, 4, 5]})
        add_action(rogue_tables[1], {"seat": seat, "type": "keep", "dice": ["C"]})
        if seat == 1:
            add_action(rogue_tables[1], {"seat": seat, "type": "bank"})
    add_action(rogue_tables[1], {"seat": 2, "type": "roll", "dice": [2, 2, 3, 4, 5]})
    add_action(rogue_tables[1], {"seat": 2, "type": "keep", "dice": [2, 2]})

    page = client.get(address, headers={"HX-Request": "true", "If-None-Match": tag})
    assert "<p><b>Cleo:</b> Cannot be caught.</p>" in get_page_text(page)
    assert "<p><b>Eve:</b> Cannot win any more unless another player retires.</p>" in get_page_text(page)


def test_a_race_says_how_many_heats_each_driver_needs_while_the_contest_is_open(
    client: Client, drag_contest: Contest, drag_tables: list[UUID], people: Mapping[str, Player], desk: Actor
) -> None:
    """DRAG-16"""
    address = seats_of(drag_contest, people["Cleo"].pk)
    page = get_page_text(client.get(address))
    assert "<p><b>Ann:</b> Needs 1 more heat to win the race.</p>" in page
    assert page.count("</b> Needs 2 more heats to win the race.</p>") == 1, "nothing about the table without a heat"

    close_contest(desk, uuid4(), drag_contest.pk, "bedtime")
    assert "more heat" not in get_page_text(client.get(address))
