"""/desk/events/<slug>/contests/…"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from games.core.problems import Malformed
from scorekeeper.common.game_adapter import get_game, list_games
from scorekeeper.events.group_setting import NOT_COMPARED
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.services.contests import (
    RESERVED_SLUGS,
    ContestFrozen,
    StandingsFrozen,
    create_contest,
    delete_contest,
    update_contest,
)
from scorekeeper.results.exports.writers import PUBLIC_FILES
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database

GOOD = {
    "name": "The ride's Yahtzee",
    "options.upper_bonus.threshold": "83",
    "options.upper_bonus.points": "35",
    "options.yahtzee_points": "50, 50, 100",
}


def test_a_contest_with_default_options_stores_none(event: Event, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/", GOOD)

    contest = Contest.objects.get()
    assert response["Location"] == f"/desk/events/{event.slug}/contests/the-rides-yahtzee/turns/"
    assert (contest.name, contest.game_key, contest.rules_version) == ("The ride's Yahtzee", "rock-yahtzee", 1)
    assert (contest.prizes, contest.seats_are, contest.options) == (1, "bikes", {})


def test_options_that_differ_from_the_rule_book_are_stored(event: Event, alice: User, sign_in: SignIn) -> None:
    data = {**GOOD, "options.upper_bonus.threshold": "63", "options.yahtzee_points": "50 60"}

    sign_in(alice).post(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/", data)

    options = Contest.objects.get().options
    assert options == {"upper_bonus": {"threshold": 63, "points": 35}, "yahtzee_points": [50, 60]}


def test_contest_names_are_unique_within_an_event(
    event: Event, other_event: Event, alice: User, sign_in: SignIn
) -> None:
    url = f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"
    desk = sign_in(alice)
    game = {"game_key": "rock-yahtzee", "rules_version": 1}
    Contest.objects.create(event=other_event, name="Night ride", slug="night-ride", **game)
    assert desk.post(url, {**GOOD, "name": "Night ride"}).status_code == 302, "another event's name"
    Contest.objects.create(event=event, name="R.O.C.K. Yahtzee", slug="rock-yahtzee", **game)
    second = Contest.objects.create(event=event, name="Second", slug="second", frozen_at=timezone.now(), **game)

    message = "Another contest in this event is called “night ride”. “night ride 2” is available."
    assert_refused(desk.post(url, {**GOOD, "name": "night ride"}), "id_name", message)
    edit = f"/desk/events/{event.slug}/contests/second/settings/"
    assert_refused(save(desk, edit, {"name": "night ride"}), "id_name", message)
    assert save(desk, edit, {"name": "SECOND"}).status_code == 302, "the contest's own name"
    second.refresh_from_db()
    assert second.name == "SECOND"
    assert 'value="R.O.C.K. Yahtzee 2"' in get_page_text(desk.get(url)), "a name that is free"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "Enter the name of the contest."),
        ("group_best", "0", "Enter how many totals count for a group, from 1 to 50."),
        ("group_best", "51", "Enter how many totals count for a group, from 1 to 50."),
        ("options.upper_bonus.threshold", "0", "Upper bonus, Points needed: This must be a whole number of 1 or more."),
        ("options.upper_bonus.points", "x", "Upper bonus, Points: Enter a whole number."),
        (
            "options.yahtzee_points",
            "50, x",
            "Points for each Yahtzee: Enter whole numbers with commas between them, such as 50, 50, 100.",
        ),
        ("options.yahtzee_points", "0", "Points for each Yahtzee: This must be a whole number of 1 or more."),
        (
            "options.yahtzee_points",
            "1" + ",1" * 15,
            "Points for each Yahtzee: This must be a list of 1 to 15 items.",
        ),
    ],
)
def test_an_error_is_shown_at_its_field_in_the_rule_books_words(
    event: Event, alice: User, sign_in: SignIn, field: str, value: str, message: str
) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/", {**GOOD, field: value})

    assert_refused(response, f"id_{field}", message)
    assert not value or f'value="{value}"' in get_page_text(response)
    assert not Contest.objects.exists()


def test_the_number_of_turns_cannot_be_edited(event: Event, alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"))

    assert 'name="options.upper_bonus.threshold" value="83"' in page
    assert "options.turns" not in page


def test_an_unknown_game_is_not_found(event: Event, alice: User, sign_in: SignIn) -> None:
    assert sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/chess/").status_code == 404


def test_every_game_can_be_chosen(event: Event, alice: User, sign_in: SignIn, settings) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/contests/new/"
    settings.EXTRA_GAMES = ["tests.games.toy"]

    page = get_page_text(client.get(address))

    assert f"{address}rock-yahtzee/" in page
    assert f"{address}pig-race/" in page


def test_the_games_at_stops_come_before_those_at_tables(event: Event, alice: User, sign_in: SignIn) -> None:
    address = f"/desk/events/{event.slug}/contests/new/"

    page = get_page_text(sign_in(alice).get(address))

    at_stops, at_tables = page.index("<h2>At the stops</h2>"), page.index("<h2>At tables</h2>")
    assert at_stops < page.index(f"{address}rock-yahtzee/") < at_tables
    assert all(at_tables < page.index(f"{address}{key}/") for key in ("drag-rage", "go-500", "grand-prix", "rogue"))


def test_a_game_says_where_it_is_chosen_who_plays_and_how_long(
    event: Event, alice: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.EXTRA_GAMES = ["tests.games.toy"]
    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/"))
    for key, game in list_games().items():
        [section] = [part for part in page.split("<section ") if f'id="game-{key}"' in part]
        for text in (game.summary, game.who_plays, game.takes):
            assert text.template, f"{key} says nothing"
            assert text.template in section
        assert f'href="/rules/{key}/"' in section
        assert ('class="die ' in section) == (key != "pig-race")  # the toy game has no picture of its own


def test_contests_with_the_same_name_get_different_slugs(contest: Contest, event: Event) -> None:
    game = get_game("rock-yahtzee")
    contests = [
        create_contest(event, game, name=name, seats_are="bikes", options={})
        for name in ("Rock Yahtzee", "rock yahtzee", "走れ")
    ]

    assert [each.slug for each in contests] == ["rock-yahtzee-2", "rock-yahtzee-3", "contest"]
    assert [each.ordinal for each in contests] == [2, 3, 4]


def test_the_service_rejects_options_outside_the_rule_book(event: Event) -> None:
    with pytest.raises(Malformed):
        create_contest(event, get_game("rock-yahtzee"), name="X", seats_are="bikes", options={"turns": 16})

    assert not Contest.objects.exists()


def test_a_contest_is_changed_and_keeps_its_turns(
    slots: list[Slot], contest: Contest, alice: User, sign_in: SignIn
) -> None:
    Contest.objects.update(options={"turns": 6})
    data = {**GOOD, "options.upper_bonus.points": "40"}

    response = save(sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/", data)

    contest.refresh_from_db()
    assert response.status_code == 302
    assert (contest.name, contest.slug) == ("The ride's Yahtzee", "rock-yahtzee")
    assert contest.options == {"turns": 6, "upper_bonus": {"threshold": 83, "points": 40}}


def test_after_the_first_entry_only_the_name_can_change(contest: Contest, alice: User, sign_in: SignIn) -> None:
    Contest.objects.update(frozen_at=timezone.now(), options={"upper_bonus": {"threshold": 63, "points": 35}})
    client, address = sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/"

    page = get_page_text(client.get(address))
    assert "Entries have been recorded or the contest was closed, so the options can no longer be changed." in page
    assert "<dd>63</dd>" in "".join(page.split())
    assert 'name="options.' not in page
    assert 'name="seats_are"' not in page

    assert save(client, address, {"name": "The ride's Yahtzee"}).status_code == 302
    contest.refresh_from_db()
    assert (contest.name, contest.seats_are) == ("The ride's Yahtzee", "bikes")
    assert contest.options == {"upper_bonus": {"threshold": 63, "points": 35}}


@pytest.mark.parametrize("is_frozen", [False, True])
def test_groups_are_compared_if_the_organiser_says_so(
    contest: Contest, alice: User, sign_in: SignIn, is_frozen: bool
) -> None:
    Contest.objects.update(frozen_at=timezone.now() if is_frozen else None)
    client, address = sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/"
    data = {"name": "X", "prizes": "3"} if is_frozen else GOOD

    def save_groups(**groups: str) -> tuple[str, int]:
        response = save(client, address, {**data, **groups})
        assert response.status_code == 302
        contest.refresh_from_db()
        return contest.groups_by, contest.group_best

    assert (contest.groups_by, contest.group_best) == ("", 3), "off by default"
    assert save_groups(groups_by="mean", group_best="") == ("mean", 3)
    assert save_groups(groups_by="best", group_best="5") == ("best", 5)
    message = "Enter how many totals count for a group, from 1 to 50."
    refused = save(client, address, {**data, "groups_by": "best", "group_best": ""})
    assert_refused(refused, "id_group_best", message)
    assert save_groups(groups_by="", group_best="") == ("", 5)


def test_a_page_opened_before_the_first_entry_changes_nothing(contest: Contest, alice: User, sign_in: SignIn) -> None:
    stale = Contest.objects.get()
    Contest.objects.update(frozen_at=timezone.now())

    with pytest.raises(ContestFrozen):
        update_contest(stale, name="X", seats_are="players", options={}, groups=NOT_COMPARED)
    response = sign_in(alice).post(f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/", GOOD)

    assert response.status_code == 409
    page = get_page_text(response)
    assert "The first entries were recorded, or the contest was closed, while this page was open" in page
    assert 'value="The ride\'s Yahtzee"' in page
    assert 'name="seats_are"' not in page
    contest.refresh_from_db()
    assert (contest.name, contest.seats_are) == ("R.O.C.K. Yahtzee", "bikes")


def test_an_unplayed_contest_is_deleted_with_its_turns(
    contest: Contest, slots: list[Slot], alice: User, sign_in: SignIn
) -> None:
    client, address = sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/delete/"

    assert "Delete R.O.C.K. Yahtzee?" in get_page_text(client.get(address))
    assert Contest.objects.exists()

    assert client.post(address).status_code == 302
    assert not Contest.objects.exists()
    assert not Slot.objects.exists()


def test_a_contest_that_was_played_cannot_be_deleted(contest: Contest, alice: User, sign_in: SignIn) -> None:
    Contest.objects.update(frozen_at=timezone.now())

    with pytest.raises(ContestFrozen):
        delete_contest(contest)
    response = sign_in(alice).post(f"/desk/events/{contest.event.slug}/contests/{contest.slug}/delete/", follow=True)

    assert "has been played or closed, so it cannot be deleted" in get_page_text(response)
    assert Contest.objects.exists()


def test_a_contest_cannot_be_deleted_while_the_standings_are_frozen(
    contest: Contest, alice: User, sign_in: SignIn
) -> None:
    """The announcements of a prize giving count the steps of every contest, so the others would come too early."""
    Freeze.objects.create(event=contest.event, at=timezone.now())

    with pytest.raises(StandingsFrozen):
        delete_contest(contest)
    response = sign_in(alice).post(f"/desk/events/{contest.event.slug}/contests/{contest.slug}/delete/", follow=True)

    assert "so no contest can be deleted now" in get_page_text(response)
    assert Contest.objects.exists()


def test_a_contest_of_another_event_is_not_found(
    contest: Contest, other_event: Event, alice: User, charlie: User, sign_in: SignIn
) -> None:
    response = sign_in(charlie).get(f"/desk/events/{other_event.slug}/contests/{contest.slug}/settings/")

    assert response.status_code == 404


def test_the_number_of_queries_does_not_grow_with_contests(
    contest: Contest, event: Event, alice: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(alice)
    for number in range(10):
        create_contest(event, get_game("rock-yahtzee"), name=f"C{number}", seats_are="bikes", options={})

    with django_assert_num_queries(6):  # the session, its last use, the user, the event, its contests, for the menu too
        page = get_page_text(client.get(f"/desk/events/{event.slug}/contests/"))

    assert "C9" in page


def test_a_contest_called_new_can_be_opened(event: Event, alice: User, sign_in: SignIn) -> None:
    desk, contests = sign_in(alice), f"/desk/events/{event.slug}/contests/"

    response = desk.post(f"{contests}new/rock-yahtzee/", {**GOOD, "name": "New"}, follow=True)

    assert response.status_code == 200
    slug = Contest.objects.get().slug
    for page in ("settings", "turns", "delete"):
        assert desk.get(f"{contests}{slug}/{page}/").status_code == 200


@pytest.mark.slow
def test_no_contest_gets_a_slug_that_another_page_uses() -> None:
    """A contest has its slug where the URLs of other pages can have a fixed word."""
    routes = [str(pattern.pattern) for pattern in _list_patterns(get_resolver().url_patterns)]
    words = {word for route in routes for word in route.split("/") if re.fullmatch(r"[\w-]+", word)}
    assert "new" in words

    for route in routes:
        for word in sorted(words - RESERVED_SLUGS) if "<slug:contest_slug>" in route else ():
            address = "/" + _fill(route, contest_slug=word)
            assert resolve(address).route == route, address
            if address.endswith("/"):
                with pytest.raises(Resolver404):
                    resolve(address.removesuffix("/"))


def _list_patterns(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _list_patterns(pattern.url_patterns)
        else:
            yield pattern


def _fill(route: str, **words: str) -> str:
    values = {"slug": "ride-abcd1234", "file": PUBLIC_FILES[0], "uuid": str(uuid4()), "int": "1", **words}

    def choose(match: re.Match[str]) -> str:
        return values.get(match[2]) or values[match[1]]

    return re.sub(r"<(\w+):(\w+)>", choose, route)
