"""What each screen of an event shows: its parts in order, as the audience may see them now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.services.messages import send_message
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import rename_contest
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import (
    FRAMES,
    SPONSORS_PER_PAGE,
    get_screen,
    get_screen_presenter,
    list_screen_contests,
)
from scorekeeper.live.selectors.screen_frames import ScreenBoard, ScreenPanel
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.live.services import save_screen, unpair_screen
from scorekeeper.live.sources import PairedScreenSource
from scorekeeper.live.views.television import SCREEN_COOKIE
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.page_forms import read_edit_form, save
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.statements import count_statements

__all__ = ["add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]

SECRET = "the television's secret"


@pytest.fixture
def screen(ride: Ride) -> Screen:
    """A paired screen, for which nothing was chosen yet."""
    return Screen.objects.create(event=ride.event, name="Bar", token_digest=hash_token(SECRET))


@pytest.fixture
def television(screen: Screen) -> Client:
    client = Client()
    client.cookies[SCREEN_COOKIE] = SECRET
    return client


@pytest.fixture
def second(ride: Ride) -> Contest:
    return Contest.objects.create(
        event=ride.event, name="Late run", slug="late-run", ordinal=2, game_key="rock-yahtzee", rules_version=1
    )


@pytest.fixture
def prizes(ride: Ride) -> list[Prize]:
    """A mirror of Ozweld's for the first, and a spark plug that nobody gives."""
    values = [("Mirror", "Ozweld's", 1), ("Spark plug", "", 2)]
    return [
        Prize.objects.create(
            event=ride.event, contest=ride.contest, position=n, name=name, sponsor=sponsor, place=place
        )
        for n, (name, sponsor, place) in enumerate(values, 1)
    ]


def show(screen: Screen, *parts: object, **values: Any) -> None:
    screen.parts = [str(part.pk) if isinstance(part, Contest) else str(part) for part in parts]
    for name, value in values.items():
        setattr(screen, name, value)
    save_screen(screen)


def list_shown(screen: Screen) -> list[str]:
    """Return the frames in short: contests, their groups, and the panels by their ids."""
    found = []
    for frame in get_screen_presenter(screen).frames:
        if isinstance(frame, ScreenBoard):
            name = frame.leaderboard.contest.name
            found.append(name if frame.groups is None else f"{name}: groups")
        else:
            assert isinstance(frame, ScreenPanel)
            found.append(frame.id)
    return found


def publish(ride: Ride, desk: Any, close: Any, cut: Any) -> None:
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    ride.contest.refresh_from_db()


def test_every_kind_of_part_has_its_frames() -> None:
    assert set(FRAMES) == set(PartKind)


def test_a_new_screen_shows_all_contests_and_those_added_later(ride: Ride, screen: Screen) -> None:
    assert list_shown(screen) == ["R.O.C.K. Yahtzee"]

    Contest.objects.create(
        event=ride.event, name="Late run", slug="late-run", ordinal=2, game_key="rock-yahtzee", rules_version=1
    )

    assert list_shown(screen) == ["R.O.C.K. Yahtzee", "Late run"]


@pytest.mark.usefixtures("prizes")
def test_parts_are_shown_in_their_order_and_empty_ones_take_no_time(
    ride: Ride, screen: Screen, second: Contest
) -> None:
    show(screen, "results", second, "prizes", ride.contest)
    assert list_shown(screen) == ["screen-results", "Late run", "screen-prizes", "R.O.C.K. Yahtzee"]

    Prize.objects.all().delete()
    second.delete()

    assert list_shown(screen) == ["screen-results", "R.O.C.K. Yahtzee"]


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ("with", ["R.O.C.K. Yahtzee", "R.O.C.K. Yahtzee: groups"]),
        ("without", ["R.O.C.K. Yahtzee"]),
        ("only", ["R.O.C.K. Yahtzee: groups"]),
    ],
)
def test_groups_are_shown_as_chosen(
    ride: Ride, screen: Screen, tied_bikes: None, update_standings: Any, groups: str, expected: list[str]
) -> None:
    rename_contest(ride.contest, name=ride.contest.name, groups=GroupSetting("mean", 3))
    update_standings()
    show(screen, ALL_CONTESTS, groups=groups)
    assert list_shown(screen) == expected

    start_reveal(ride.event, [ride.contest])
    assert list_shown(screen) == ["screen-announcement"], "the contest is announced, and no groups before the end"
    reveal_to_step(ride.event, 99)
    last = ["screen-announcement", "screen-podium", "R.O.C.K. Yahtzee"]
    assert list_shown(screen) == (last if groups == "without" else [*last, "R.O.C.K. Yahtzee: groups"])


@pytest.mark.usefixtures("tied_bikes", "prizes")
def test_winners_are_shown_only_while_the_result_is_public(
    ride: Ride, screen: Screen, television: Client, desk: Any, close: Any, cut: Any, update_standings: Any
) -> None:
    show(screen, "prizes")

    def read() -> str:
        return get_page_text(television.get("/screen"))

    update_standings()
    assert "Mirror" in read()
    assert "Ozweld" in read()
    assert "Winner" not in read()
    close()
    assert "Winner" not in read()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    assert "Bike 2 (Ben, Zoe)" in read()
    freeze_standings(ride.event)
    assert "Bike 2" not in read()
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 99)
    assert "Bike 2" not in read(), "the reveal announces places, not prizes"
    assert "Mirror" in read()
    lift_freeze(ride.event)
    assert "Bike 2 (Ben, Zoe)" in read()


@pytest.mark.parametrize(
    ("parts", "follows"),
    [
        ([], False),
        (["prizes"], False),
        (["sponsors", "results"], False),
        ([ALL_CONTESTS], True),
        (["sponsors", ALL_CONTESTS], True),
    ],
)
@pytest.mark.usefixtures("tied_bikes", "prizes")
def test_screens_with_standings_follow_a_freeze_and_the_reveal_and_others_stay_as_they_are(
    ride: Ride, screen: Screen, update_standings: Any, parts: list[str], follows: bool
) -> None:
    update_standings()
    show(screen, *parts)
    source = PairedScreenSource(screen)
    ids = [source.take_snapshot().id]
    phases = [get_screen_presenter(screen).phase]

    def note() -> None:
        ids.append(source.take_snapshot().id)
        phases.append(get_screen_presenter(screen).phase)

    freeze_standings(ride.event)
    note()
    start_reveal(ride.event, [ride.contest])
    note()
    reveal_to_step(ride.event, 1)
    note()

    if follows:
        assert phases == ["live", "frozen", "revealing", "revealing"]
        assert len(set(ids)) == 4
        shown = ["screen-announcement", "R.O.C.K. Yahtzee"]
        assert list_shown(screen) == shown, "nothing else distracts from the reveal"
    else:
        assert set(phases) == {"live"}
        assert len(set(ids)) == 1
    lift_freeze(ride.event)
    assert source.take_snapshot().id == ids[0]


@pytest.mark.usefixtures("tied_bikes")
def test_a_frozen_paired_screen_shows_nothing_newer(
    ride: Ride, screen: Screen, television: Client, add_turn: Any, update_standings: Any
) -> None:
    update_standings()
    freeze_standings(ride.event)
    before = get_page_text(television.get("/screen"))
    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()

    assert "the result is announced at the finale" in before
    assert ">50<" not in get_page_text(television.get("/screen"))
    lift_freeze(ride.event)
    assert ">50<" in get_page_text(television.get("/screen"))


def test_a_screen_without_parts_is_filled_by_messages(ride: Ride, screen: Screen, television: Client) -> None:
    show(screen)
    assert "The organiser’s messages will appear here." in get_page_text(television.get("/screen"))
    source = PairedScreenSource(screen)
    before = source.take_snapshot()

    send_message(CrewMessage(event=ride.event, text="Soup is ready", is_for_crew=False, is_for_screen=True))

    told = source.take_snapshot().diff_from(before)
    assert "screen__messages--alone" in told
    assert "Soup is ready" in told
    assert "will appear here" not in told
    show(screen, "results", has_messages=False)
    assert "Soup is ready" not in get_page_text(television.get("/screen"))


def test_sponsors_are_shown_once_with_their_pictures_six_at_a_time(
    ride: Ride, screen: Screen, television: Client
) -> None:
    logo = PrizeLogo.objects.create(event=ride.event, media_type="image/png", content=b"png")
    names = ["Ozweld's", "ozweld's", *(f"Sponsor {n}" for n in range(SPONSORS_PER_PAGE)), "", ""]
    for position, name in enumerate(names, 1):
        has_logo = position in (2, len(names))
        Prize.objects.create(
            event=ride.event,
            contest=ride.contest,
            position=position,
            place=position,
            sponsor=name,
            logo=logo if has_logo else None,
        )
    show(screen, "sponsors")

    assert list_shown(screen) == ["screen-sponsors-1", "screen-sponsors-2"]
    page = get_page_text(television.get("/screen"))
    assert page.count("<span>Ozweld's</span>") == 1
    assert page.count('class="screen__giver"') == SPONSORS_PER_PAGE + 2
    assert page.count(reverse("prizes:logo", args=[ride.event.slug, logo.pk])) == 2
    assert 'alt="Logo of a sponsor"' in page


def test_the_code_leads_to_the_page_of_the_ride(
    ride: Ride, screen: Screen, television: Client, settings: Settings
) -> None:
    settings.BASE_URL = "https://rides.example.org"
    show(screen, "results")

    assert f"rides.example.org/events/{ride.event.slug}/" in get_page_text(television.get("/screen"))


@pytest.mark.parametrize(("theme", "attribute"), [("system", None), ("day", "day"), ("night", "night")])
def test_the_colours_are_those_that_were_chosen(
    screen: Screen, television: Client, theme: str, attribute: str | None
) -> None:
    show(screen, ALL_CONTESTS, theme=theme)

    page = get_page_text(television.get("/screen"))

    assert (f'data-theme="{attribute}"' in page) == (attribute is not None)
    assert ("data-theme" in page) == (attribute is not None)


def test_the_organiser_chooses_for_each_screen(
    ride: Ride, screen: Screen, second: Contest, sign_in: SignIn, alice: User
) -> None:
    page = reverse("live:edit_screen", args=[ride.event.slug, screen.pk])
    data = {"name": "Long bar", "seconds": 8, "theme": "night", "sponsor": "Ozweld's"}

    def send(*parts: str) -> list[str]:
        response = save(sign_in(alice), page, {**data, "parts": parts})
        assert response.status_code == 302
        stored: list[str] = Screen.objects.get().parts
        return stored

    one, two = str(ride.contest.pk), str(second.pk)
    assert send(two, "sponsors") == [two, "sponsors"]
    assert send(two, "sponsors", one) == [two, "sponsors", one]
    assert send(one, two, "sponsors") == [ALL_CONTESTS, "sponsors"], "all of them, with those added later"
    assert send("sponsors", two, "sponsors", "gone") == ["sponsors", two], "each once, and only what there is"
    stored = Screen.objects.get()
    assert (stored.name, stored.seconds, stored.theme, stored.has_messages) == ("Long bar", 8, "night", False)
    assert stored.token_digest == hash_token(SECRET)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"parts": [], "parts-order": "sponsors"}, "Tick at least one contest or other part."),
        ({"name": ""}, "Enter a name, such as “Bar”."),
        ({"name": "STAGE"}, "There is a screen with this name already."),
        ({"seconds": "60"}, "Enter from 8 to 12 seconds."),
        ({"theme": "pink"}, "Select a valid choice."),
    ],
)
def test_a_refusal_says_what_is_wrong_and_changes_nothing(
    ride: Ride, screen: Screen, sign_in: SignIn, alice: User, wrong: dict[str, str], said: str
) -> None:
    Screen.objects.create(event=ride.event, name="Stage", token_digest="x")
    data = {"name": "Long bar", "seconds": "9", "theme": "night", "sponsor": "Ozweld’s", "parts": "sponsors"}

    response = save(sign_in(alice), reverse("live:edit_screen", args=[ride.event.slug, screen.pk]), {**data, **wrong})

    assert response.status_code == 422
    page = get_page_text(response)
    assert said in page
    assert 'value="Ozweld’s"' in page
    assert "<h1>Screen “Bar”</h1>" in page
    assert Screen.objects.get(pk=screen.pk).name == "Bar"


def test_the_public_screen_is_one_of_them_and_says_what_is_revealed(
    ride: Ride, screen: Screen, second: Contest
) -> None:
    public = get_screen(ride.event)
    assert (public.is_public, public.parts) == (True, [ALL_CONTESTS])
    show(public, second)
    show(screen, ride.contest)

    assert [contest.pk for contest in list_screen_contests(get_screen(ride.event))] == [second.pk]
    assert list_shown(screen) == ["R.O.C.K. Yahtzee"]
    show(get_screen(ride.event), "sponsors")
    assert len(list_screen_contests(get_screen(ride.event))) == 2
    assert Screen.objects.filter(is_public=True).count() == 1


def test_a_change_of_a_paired_screen_concerns_no_other(ride: Ride, screen: Screen) -> None:
    other = Screen.objects.create(event=ride.event, name="Stage", token_digest="x")
    subjects = [ride.event.pk, screen.pk, other.pk]
    before = get_versions(subjects)

    show(screen, "results")
    after = get_versions(subjects)
    assert {subject for subject in subjects if before.get(subject) != after.get(subject)} == {screen.pk}
    show(get_screen(ride.event), "results")
    assert get_versions(subjects)[ride.event.pk] == before.get(ride.event.pk, 0) + 1
    unpair_screen(screen)
    assert screen.pk not in get_versions(subjects)


def test_settings_of_an_unpaired_screen_are_not_saved(ride: Ride, screen: Screen) -> None:
    """The organiser who still has its page open cannot bring it back."""
    stale = Screen.objects.get(pk=screen.pk)
    unpair_screen(screen)

    show(stale, "results")

    assert not Screen.objects.exists()


@pytest.mark.usefixtures("prizes")
def test_the_number_of_queries_does_not_depend_on_bikes_and_prizes(
    ride: Ride, screen: Screen, television: Client
) -> None:
    show(screen, ALL_CONTESTS, *PartKind)
    television.get("/screen")  # only the first request stores that it was seen
    few = count_statements(television, "/screen")
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + number) for number in range(40)])
    Prize.objects.bulk_create(
        Prize(event=ride.event, contest=ride.contest, position=10 + n, place=n, sponsor=f"S{n}") for n in range(1, 20)
    )

    assert count_statements(television, "/screen") == few


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_the_only_screen_of_before_becomes_the_public_one(ride: Ride, other_event: Event) -> None:
    """An empty list of contests meant all of them. The migration can be reversed, but for paired screens."""
    chosen = [str(ride.contest.pk)]
    last = MigrationExecutor(connection).loader.graph.leaf_nodes("live")
    before = [("live", "0003_freeze_leaves_the_screen")]
    try:
        old = migrate(before).get_model("live", "Screen")
        old.objects.create(event_id=ride.event.pk, contests=chosen, seconds=9, sponsor="Ozweld's", version=4)
        old.objects.create(event_id=other_event.pk)
        migrate(last)
        copied, other = (Screen.objects.get(event=event) for event in (ride.event, other_event))
        assert (copied.parts, other.parts) == (chosen, [ALL_CONTESTS])
        assert (copied.is_public, copied.seconds, copied.sponsor, copied.version) == (True, 9, "Ozweld's", 4)
        assert (copied.has_messages, copied.groups, copied.theme, copied.token_digest) == (True, "with", "system", None)

        Screen.objects.create(event=ride.event, name="Bar", token_digest="x")
        old = migrate(before).get_model("live", "Screen")
        assert [row.contests for row in old.objects.order_by("-version")] == [chosen, []]
    finally:
        migrate(last)


def migrate(targets: Sequence[tuple[str, str]]) -> Any:
    """Migrate to these migrations, and return the models as they are then."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


def test_a_row_is_moved_without_saving_anything(
    ride: Ride, screen: Screen, second: Contest, sign_in: SignIn, alice: User
) -> None:
    page, desk = reverse("live:edit_screen", args=[ride.event.slug, screen.pk]), sign_in(alice)
    one, two = str(ride.contest.pk), str(second.pk)
    order: list[str] = [one, two, *PartKind.values]
    form = {**read_edit_form(desk.get(page)), "name": "Long bar", "parts": [one, two, "draws"], "parts-order": order}
    before = list(Screen.objects.values())

    def list_rows(move: str) -> tuple[list[str], list[str]]:
        response = desk.post(page, {**form, "move": move})
        assert response.status_code == 200
        shown = read_edit_form(response)
        assert shown["name"] == "Long bar"
        return shown["parts-order"], shown["parts"]

    assert list_rows(f"down:{one}") == ([two, one, *PartKind.values], [two, one, "draws"])
    assert list_rows("up:draws")[0] == [one, two, "prizes", "sponsors", "draws", "results"]
    for nothing in (f"up:{one}", "down:draws", "sideways", "up:gone"):
        assert list_rows(nothing) == (order, [one, two, "draws"])
    assert list(Screen.objects.values()) == before


def test_the_preview_is_the_screen_that_would_be_saved(
    ride: Ride, screen: Screen, second: Contest, sign_in: SignIn, alice: User, charlie: User
) -> None:
    desk, preview = sign_in(alice), reverse("live:preview", args=[ride.event.slug])
    [address] = re.findall(
        r'<iframe src="([^"]*)"',
        desk.get(reverse("live:edit_screen", args=[ride.event.slug, screen.pk])).content.decode(),
    )
    assert address.startswith(f"{preview}?")
    before = list(Screen.objects.values())

    response = desk.get(preview, {"parts": str(second.pk), "seconds": "9", "theme": "night", "sponsor": "Ozweld's"})

    page = get_page_text(response)
    assert f"{second}</h1>" in page
    assert "R.O.C.K. Yahtzee</h1>" not in page
    assert 'data-theme="night"' in page
    assert "Ozweld's" in page
    assert "sse-connect" not in page, "the streams are those of the stored screens"
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "private, no-store"
    assert list(Screen.objects.values()) == before
    assert get_page_text(desk.get(preview, {"parts": "gone", "seconds": "x", "theme": "pink"}))
    assert sign_in(charlie).get(preview).status_code == 404


def test_no_other_page_can_be_framed(ride: Ride, sign_in: SignIn, alice: User) -> None:
    page = sign_in(alice).get(reverse("live:settings", args=[ride.event.slug]))

    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
