"""/desk/events/<slug>/contests/…: house rules without code. Presets by name, and what the options lead to, in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import list_buttons

OpenForm = Callable[[str], ContestFormPage]
FACES = {"options.faces": ["6"]}  # a list to choose from, which the reader of forms leaves out


@pytest.fixture
def open_form(event: Event, alice: User, sign_in: SignIn) -> OpenForm:
    """Open the form of a new contest of a game in Alice's browser."""
    client = sign_in(alice)

    def make(game: str) -> ContestFormPage:
        form = ContestFormPage(client, f"/desk/events/{event.slug}/contests/new/{game}/")
        if game == "dice-run":
            form.fields |= FACES
        return form

    return make


def test_presets_have_the_names_that_clubs_use(open_form: OpenForm) -> None:
    form = open_form("dice-run")
    page = get_visible_text(form.client.get(form.address))
    for name in ("Five dice, five stops", "Three dice, best four of five", "Lowest total", "Closest to 100"):
        assert name in page
    assert "For 5 turns at the stops." in page
    assert "As in the rule book" not in page, "the game's own first preset is that"
    form = open_form("rock-yahtzee")
    assert list_buttons(form.client.get(form.address), "preset") == ["rock", "bonus_at_63"]


def test_a_preset_leaves_nothing_of_the_one_before_it(open_form: OpenForm) -> None:
    form = open_form("dice-run")
    form.fields["options.ties"] = ["stay"]
    for preset in ("closest", "best_four", "lowest"):
        form.press(preset=preset)
        form.fields |= FACES
    form.send()
    contest = Contest.objects.get()
    assert contest.options == {"turns": 5, "goal": "low", "ties": "stay"}


def test_the_bonus_as_on_boxed_cards(open_form: OpenForm) -> None:
    form = open_form("rock-yahtzee")
    assert "63" in get_visible_text(form.press(preset="bonus_at_63"))
    form.send()
    assert Contest.objects.get().ruleset.setup.threshold == 63


def test_a_new_contest_is_for_as_many_turns_as_its_preset(open_form: OpenForm, event: Event) -> None:
    form = open_form("poker-run")
    page = get_visible_text(form.press(preset="seven_cards"))
    assert "For 7 turns at the stops." in page
    assert "7 stops" in page, "the rules in words"
    form.send()
    contest = Contest.objects.get()
    assert contest.options == {"turns": 7, "jokers": 2}
    slots = reverse("stops:slots", args=[event.slug, contest.slug])
    assert get_page_text(form.client.get(slots)).count('type="number"') == event.stops.count()


@pytest.mark.parametrize("planned", ["x", "0", "99", "5000", "٧"])
def test_a_number_of_turns_that_no_preset_has_is_ignored(open_form: OpenForm, planned: str) -> None:
    form = open_form("dice-run")
    form.fields["planned_turns"] = [planned]
    form.send()
    assert Contest.objects.get().options == {}


def test_a_preset_says_how_many_turns_it_needs_where_the_stops_have_others(
    ride: Ride, alice: User, sign_in: SignIn
) -> None:
    Contest.objects.update(game_key="dice-run", options={"turns": 4})
    Slot.objects.filter(contest=ride.contest, ordinal=5).delete()
    address = f"/desk/events/{ride.event.slug}/contests/{ride.contest.slug}/settings/"
    form = ContestFormPage(sign_in(alice), address)
    page = get_visible_text(form.client.get(address))
    assert "For 5 turns at the stops. They have 4 now; change that under “Turns at the stops”." in page
    form.fields |= FACES
    form.press(preset="lowest")
    form.fields |= FACES
    form.send()
    assert Contest.objects.get().options == {"turns": 4, "goal": "low"}


def test_the_form_shows_the_rules_in_words_the_sheet_and_an_example_that_is_scored(open_form: OpenForm) -> None:
    form = open_form("dice-run")
    page = get_visible_text(form.client.get(form.address))
    assert "Throw all 5 dice once. The turn is worth their sum." in page
    assert "The score sheet" in page
    assert "Turn 1 19 Turn 2 12 Turn 3 22 Turn 4 17 Turn 5 0 Total 70" in page, "the example of DICE-24"
    assert "3 1 4 6 5. Sum of the dice: 19" in page

    form.fields["options.goal"] = ["low"]
    page = get_visible_text(form.request_preview())
    assert "A stop that you miss is worth 30, the most that the dice can show." in page
    assert "Turn 5 30 Total 100" in page
    assert "Missed: 30" in page

    form.fields |= {"options.goal": ["high"], "options.counts": ["3"], "options.throws": ["2"]}
    page = get_visible_text(form.request_preview())
    assert "The total is the sum of your 3 best turns." in page
    assert "3 1 4 6 5, then 2 1 3 5 1. Sum of the dice: 12" in page


def test_options_that_contradict_each_other_are_refused_at_the_field(open_form: OpenForm) -> None:
    form = open_form("dice-run")
    form.fields |= {"options.counts": ["7"], "options.dice": ["4"]}

    response = form.send()

    text = (
        "Turns that count: Only the best 7 turns count, so at least 7 turns are needed, and a scorecard has 5. Choose "
        "fewer that count first, or add turns at the stops."
    )
    assert_refused(response, "id_options.counts", text)
    page = get_page_text(response)
    assert 'name="options.counts" value="7"' in page
    assert 'name="options.dice" value="4"' in page
    form.fields |= {"options.counts": [""], "options.target": ["80"]}
    assert 'id="id_options.target_error"' in get_page_text(form.send())
