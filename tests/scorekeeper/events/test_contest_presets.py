"""/desk/events/<slug>/contests/new/<game>/: presets fill in options."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.games.toy.yard import pen
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import list_buttons


def test_the_games_presets_are_listed_after_the_rule_book(form_page: ContestFormPage) -> None:
    response = form_page.client.get(form_page.address)

    assert list_buttons(response, "preset") == ["rule_book", "short", "mud", "herd"]
    assert "Muddy yard" in get_page_text(response)
    assert "A pen to wallow in." in get_page_text(response)


def test_a_preset_fills_in_its_own_options_and_keeps_other_input(form_page: ContestFormPage) -> None:
    form_page.fields |= {"options.goal": ["x"], "options.yard.name": ["Animal Farm"], "name": ["Race day"]}

    response = form_page.press(preset="mud")

    assert response.status_code == 200
    assert (form_page.fields["options.yard.ground"], form_page.read_pens()) == (["mud"], ["Napoleon"])
    assert form_page.fields["options.yard.name"] == ["The yard"]
    assert (form_page.fields["options.goal"], form_page.fields["name"]) == (["x"], ["Race day"])
    assert not Contest.objects.exists()


def test_presets_can_be_combined_and_edited(form_page: ContestFormPage) -> None:
    form_page.press(preset="mud")
    form_page.press(preset="short")
    form_page.fields["options.yard.pens.0.size.width"] = ["8"]

    form_page.send()

    assert Contest.objects.get().options == {"goal": 5, "yard": {"ground": "mud", "pens": [pen("Napoleon", 8)]}}


def test_the_rule_book_preset_resets_everything(form_page: ContestFormPage) -> None:
    before = {**form_page.fields}
    form_page.fields |= {"options.goal": ["x"], "options.yard.pens.0.roofed": ["on"], "options.yard.pens": ["1"]}

    form_page.press(preset="rule_book")

    before.pop("csrfmiddlewaretoken"), form_page.fields.pop("csrfmiddlewaretoken")
    assert form_page.fields == before


def test_an_unknown_preset_changes_nothing(form_page: ContestFormPage) -> None:
    form_page.fields["options.goal"] = ["x"]

    assert form_page.press(preset="sunshine").status_code == 200
    assert form_page.fields["options.goal"] == ["x"]


def test_presets_keep_the_turns_derived_from_the_stops(
    contest: Contest, event: Event, alice: User, sign_in: SignIn
) -> None:
    Contest.objects.update(options={"turns": 6, "yahtzee_points": [7]})
    editing = ContestFormPage(sign_in(alice), f"/desk/events/{event.slug}/contests/{contest.slug}/settings/")

    editing.press(preset="rock")
    editing.send()

    assert Contest.objects.get().options == {"turns": 6}
