"""What a contest tells of the odds during play: chosen before its first entry, then fixed, shown with the results."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.forms.options.presets import list_presets
from scorekeeper.events.group_setting import NOT_COMPARED
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import ContestFrozen, create_contest, update_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import save

GOOD = {"options.upper_bonus.threshold": "83", "options.upper_bonus.points": "35", "options.yahtzee_points": "50"}


def get_settings_url(contest: Contest) -> str:
    return f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/"


def list_choices(page: str) -> list[str]:
    return [value for value in Contest.OddsShown.values if f'name="odds_shown" value="{value}"' in page]


@pytest.mark.parametrize(
    ("game", "choices"),
    [
        ("rock-yahtzee", ["off", "screen", "coach"]),
        ("go-500", ["off", "screen", "coach"]),
        ("dice-run", ["off", "screen", "coach"]),
        ("poker-run", ["off", "screen", "coach"]),
        ("grand-prix", ["off", "coach"]),
        ("rogue", ["off", "coach"]),
        ("drag-rage", ["off", "coach"]),
    ],
)
def test_a_contest_can_tell_what_its_game_knows(event: Event, organiser: Client, game: str, choices: list[str]) -> None:
    page = organiser.get(f"/desk/events/{event.slug}/contests/new/{game}/").content.decode()
    assert list_choices(page) == choices
    assert 'value="off" id="id_odds_shown_0" checked' in " ".join(page.split())
    legend = page[page.index("Odds during play") :].split("</legend>")[0]
    assert "(optional)" not in legend, "one of them is always chosen"


LUCK_HINT = "everyone can see what each throw brought"


@pytest.mark.parametrize(
    ("game", "label", "tells_luck"),
    [
        ("rock-yahtzee", "Chances to win, and what each choice is worth", True),
        ("go-500", "Chances to win, and what each choice is worth", True),
        ("dice-run", "Chances to win, and what each choice is worth", True),
        ("poker-run", "Chances to win, and of each hand", False),
        ("grand-prix", "What each choice is worth", True),
        ("rogue", "What each choice is worth", False),
        ("drag-rage", "What each choice is worth", False),
    ],
)
def test_chances_and_luck_are_promised_only_where_the_game_has_them(
    event: Event, organiser: Client, game: str, label: str, tells_luck: bool
) -> None:
    page = get_visible_text(organiser.get(f"/desk/events/{event.slug}/contests/new/{game}/"))
    assert label in page
    assert ("Chances to win" in page) == label.startswith("Chances")
    assert (LUCK_HINT in page) == tells_luck
    contest = create_contest(event, get_game(game), name="One", seats_are="bikes", options={}, odds_shown="coach")
    Contest.objects.update(frozen_at=timezone.now())
    fixed = get_visible_text(organiser.get(get_settings_url(contest)))
    assert f"Odds during play {label}" in fixed


def test_a_setting_that_the_game_does_not_know_is_called_nothing(event: Event, organiser: Client) -> None:
    """Such as one from a file of another server."""
    contest = create_contest(event, get_game("rogue"), name="One", seats_are="players", options={}, odds_shown="screen")
    Contest.objects.update(frozen_at=timezone.now())
    assert "Odds during play Nothing" in get_visible_text(organiser.get(get_settings_url(contest)))


def test_nothing_is_told_unless_the_organiser_says_so(event: Event, organiser: Client) -> None:
    url = f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"
    assert organiser.post(url, {**GOOD, "name": "One"}).status_code == 302
    assert organiser.post(url, {**GOOD, "name": "Two", "odds_shown": "coach"}).status_code == 302
    assert list(Contest.objects.order_by("name").values_list("name", "odds_shown")) == [
        ("One", "off"),
        ("Two", "coach"),
    ]
    contest = Contest.objects.get(name="Two")
    settings = get_settings_url(contest)
    assert save(organiser, settings, {**GOOD, "name": "Two", "odds_shown": "screen"}).status_code == 302
    assert save(organiser, settings, {**GOOD, "name": "Three"}).status_code == 302
    contest.refresh_from_db()
    assert (contest.name, contest.odds_shown) == ("Three", "screen")


def test_another_word_is_refused(event: Event, organiser: Client) -> None:
    for game, word in (("rock-yahtzee", "everything"), ("rogue", "screen")):
        data = {"name": "One", "odds_shown": word}
        assert organiser.post(f"/desk/events/{event.slug}/contests/new/{game}/", data).status_code == 422
    assert not Contest.objects.exists()


def test_a_button_that_changes_options_keeps_what_was_chosen(contest: Contest, organiser: Client) -> None:
    data = {**GOOD, "name": "One", "odds_shown": "coach", "preset": list_presets(contest.game)[0].key}
    answer = save(organiser, get_settings_url(contest), data)
    assert 'value="coach" id="id_odds_shown_2" checked' in " ".join(answer.content.decode().split())


def test_it_is_fixed_with_the_first_entry(contest: Contest, organiser: Client) -> None:
    stale = Contest.objects.get()
    Contest.objects.update(frozen_at=timezone.now(), odds_shown="screen")
    page = organiser.get(get_settings_url(contest))
    assert 'name="odds_shown"' not in page.content.decode()
    assert "Odds during play Chances to win" in get_visible_text(page)
    with pytest.raises(ContestFrozen):
        update_contest(stale, name="X", seats_are="bikes", options={}, groups=NOT_COMPARED, odds_shown="coach")
    answer = organiser.post(get_settings_url(contest), {"name": "X", "odds_shown": "coach"})
    assert answer.status_code == 409
    assert "while this page was open" in get_visible_text(answer)
    contest.refresh_from_db()
    assert contest.odds_shown == "screen"


@pytest.mark.parametrize(
    ("shown", "status", "sentence"),
    [
        ("off", "open", ""),
        ("screen", "open", "Chances to win are shown during play."),
        ("screen", "closed", "Chances to win were shown during play."),
        ("coach", "open", "During play, everyone can see what each choice is worth."),
        ("coach", "closed", "During play, everyone could see what each choice was worth."),
    ],
)
def test_the_results_say_what_was_told(ride: Ride, client: Client, shown: str, status: str, sentence: str) -> None:
    Contest.objects.update(odds_shown=shown, status=status)
    page = get_visible_text(client.get(f"/events/{ride.event.slug}/{ride.contest.slug}/"))
    assert sentence in page
    assert ("during play" in page.lower()) == bool(sentence)
    file = client.get(f"/events/{ride.event.slug}/{ride.contest.slug}/export.json")
    data = json.loads(b"".join(file))
    assert data["contest"].get("odds") == (None if shown == "off" else shown)


def test_programs_read_it(ride: Ride, client: Client) -> None:
    Contest.objects.update(odds_shown="screen")
    found = client.get(f"/api/v1/events/{ride.event.slug}/contests").json()["results"]
    assert [contest["odds_shown"] for contest in found] == ["screen"]


def test_a_game_that_does_not_know_tells_nothing(event: Event) -> None:
    contest = create_contest(
        event, get_game("rogue"), name="Rogue", seats_are="players", options={}, odds_shown="screen"
    )
    assert not contest.shows_chances
    assert not contest.shows_values


@pytest.fixture
def organiser(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)
