"""/desk/events/<slug>/contests/new/<game>/: presets fill options in."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.games.toy.yard import pen
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import SettingUp
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.pages import list_buttons


def test_the_presets_of_the_game_are_offered_after_the_rule_book(setting_up: SettingUp) -> None:
    response = setting_up.client.get(setting_up.address)

    assert list_buttons(response, "preset") == ["rule_book", "short", "mud", "herd"]
    assert "Muddy yard" in text_of(response)
    assert "A pen to wallow in." in text_of(response)


def test_a_preset_fills_in_its_own_options_and_leaves_the_others_as_they_were_typed(setting_up: SettingUp) -> None:
    setting_up.typed |= {"options.goal": ["x"], "options.yard.name": ["Animal Farm"], "name": ["Race day"]}

    response = setting_up.press(preset="mud")

    assert response.status_code == 200
    assert (setting_up.typed["options.yard.ground"], setting_up.read_pens()) == (["mud"], ["Napoleon"])
    assert setting_up.typed["options.yard.name"] == ["The yard"]
    assert (setting_up.typed["options.goal"], setting_up.typed["name"]) == (["x"], ["Race day"])
    assert not Contest.objects.exists()


def test_presets_add_up_and_the_person_goes_on_editing(setting_up: SettingUp) -> None:
    setting_up.press(preset="mud")
    setting_up.press(preset="short")
    setting_up.typed["options.yard.pens.0.size.width"] = ["8"]

    setting_up.send()

    assert Contest.objects.get().options == {"goal": 5, "yard": {"ground": "mud", "pens": [pen("Napoleon", 8)]}}


def test_the_rule_book_fills_everything_in_as_it_says(setting_up: SettingUp) -> None:
    before = {**setting_up.typed}
    setting_up.typed |= {"options.goal": ["x"], "options.yard.pens.0.roofed": ["on"], "options.yard.pens": ["1"]}

    setting_up.press(preset="rule_book")

    before.pop("csrfmiddlewaretoken"), setting_up.typed.pop("csrfmiddlewaretoken")
    assert setting_up.typed == before


def test_a_preset_nobody_has_changes_nothing(setting_up: SettingUp) -> None:
    setting_up.typed["options.goal"] = ["x"]

    assert setting_up.press(preset="sunshine").status_code == 200
    assert setting_up.typed["options.goal"] == ["x"]


def test_filling_in_leaves_the_turns_that_follow_from_the_stops(
    contest: Contest, event: Event, alice: User, sign_in: SignIn
) -> None:
    Contest.objects.update(options={"turns": 6, "yahtzee_points": [7]})
    editing = SettingUp(sign_in(alice), f"/desk/events/{event.slug}/contests/{contest.slug}/settings/")

    editing.press(preset="rule_book")
    editing.send()

    assert Contest.objects.get().options == {"turns": 6}
