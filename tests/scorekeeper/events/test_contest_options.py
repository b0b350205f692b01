"""/desk/events/<slug>/contests/new/<game>/ and …/settings/: the options of any game, of every type."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from games.core.game import Game
from scorekeeper.common.game_adapter import list_games
from scorekeeper.events.models import Contest, Event
from tests.games.toy.yard import pen
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.scorecards.card_forms import read_form

FIRST_PEN = "options.yard.pens.0"


def test_the_form_is_filled_with_the_rule_books_defaults(form_page: ContestFormPage) -> None:
    options = {name: texts for name, texts in form_page.fields.items() if name.startswith("options.")}

    assert options == {
        "options.goal": ["20"],
        "options.most_throws": [""],
        "options.yard.name": ["The yard"],
        "options.yard.ground": ["dry"],
        "options.yard.fences": ["2, 3"],
        "options.yard.pens": ["0", "1"],
        "options.yard.pens.0.name": ["Babe"],
        "options.yard.pens.0.size.width": ["3"],
        "options.yard.pens.0.size.depth": [""],
        "options.yard.pens.1.name": ["Wilbur"],
        "options.yard.pens.1.size.width": ["5"],
        "options.yard.pens.1.size.depth": ["4"],
    }


def test_labels_and_help_come_from_the_game(form_page: ContestFormPage) -> None:
    page = get_page_text(form_page.client.get(form_page.address))

    assert "<legend>Yard</legend>" in page
    assert "Where the pigs race." in page
    assert "What ends it too. Leave it empty for none." in page
    assert "Pen 2" in page


@pytest.mark.parametrize("game", list_games().values(), ids=lambda game: game.key)
def test_the_hint_about_empty_numbers_appears_once(event: Event, alice: User, sign_in: SignIn, game: Game[Any]) -> None:
    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/{game.key}/"))

    assert not re.findall(r"empty[^<]*empty for none", page)


def test_default_values_are_not_stored(form_page: ContestFormPage) -> None:
    form_page.send()

    assert Contest.objects.get().options == {}


def test_options_of_every_type_are_stored_where_they_differ(form_page: ContestFormPage) -> None:
    form_page.fields |= {
        "options.most_throws": ["7"],
        "options.yard.ground": ["mud"],
        "options.yard.fences": ["1 2, 3"],
        f"{FIRST_PEN}.size.depth": ["9"],
        f"{FIRST_PEN}.roofed": ["on"],
    }

    form_page.send()

    contest = Contest.objects.get()
    pens = [pen("Babe", 3, 9, roofed=True), pen("Wilbur", 5, 4)]
    assert contest.options == {"most_throws": 7, "yard": {"ground": "mud", "fences": [1, 2, 3], "pens": pens}}
    assert contest.ruleset.options["yard"]["name"] == "The yard"


def test_stored_options_are_in_the_form_again_and_can_be_reset(form_page: ContestFormPage, event: Event) -> None:
    form_page.fields |= {"options.most_throws": ["7"], f"{FIRST_PEN}.roofed": ["on"]}
    form_page.send()
    editing = ContestFormPage(form_page.client, f"/desk/events/{event.slug}/contests/pig-race/settings/")

    assert editing.fields["options.most_throws"] == ["7"]
    assert editing.fields[f"{FIRST_PEN}.roofed"] == ["on"]
    assert "options.yard.pens.1.roofed" not in editing.fields

    editing.fields["options.most_throws"] = [""]
    del editing.fields[f"{FIRST_PEN}.roofed"]
    editing.send()
    assert Contest.objects.get().options == {}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("options.goal", "101", "Goal: This must be a whole number from 1 to 100."),
        ("options.goal", "", "Goal: Enter a whole number."),
        ("options.most_throws", "0", "Most throws: This must be a whole number of 1 or more."),
        ("options.most_throws", "9" * 5000, "Most throws: Enter a whole number."),
        ("options.yard.name", " ", "Yard, Name: This must not be empty."),
        ("options.yard.name", "y" * 81, "Yard, Name: This must have at most 80 characters."),
        ("options.yard.fences", "1, 10", "Yard, Fences: This must be a whole number from 1 to 9."),
        ("options.yard.fences", "1 1 1 1 1 1", "Yard, Fences: This must be a list of 1 to 5 items."),
        (f"{FIRST_PEN}.name", "", "Pens, Pen 1, Name: This must not be empty."),
        (f"{FIRST_PEN}.size.width", "21", "Pens, Pen 1, Width: This must be a whole number from 1 to 20."),
        (f"{FIRST_PEN}.size.depth", "x", "Pens, Pen 1, Depth: Enter a whole number."),
    ],
)
def test_an_error_is_shown_at_its_field_however_deep(
    form_page: ContestFormPage, field: str, value: str, message: str
) -> None:
    form_page.fields[field] = [value]

    response = form_page.send()

    assert_refused(response, f"id_{field}", message)
    assert read_form(response, -1)[field] == [value]
    assert not Contest.objects.exists()


def test_all_errors_are_shown_at_once(form_page: ContestFormPage) -> None:
    wrong = {
        "name": "",
        "options.goal": "0",
        "options.yard.name": "",
        f"{FIRST_PEN}.name": "",
        f"{FIRST_PEN}.size.depth": "0",
    }
    form_page.fields |= {name: [value] for name, value in wrong.items()}

    response = form_page.send()

    for field, message in (
        ("name", "Enter the name of the contest."),
        ("options.goal", "Goal: This must be a whole number from 1 to 100."),
        ("options.yard.name", "Yard, Name: This must not be empty."),
        (f"{FIRST_PEN}.name", "Pens, Pen 1, Name: This must not be empty."),
        (f"{FIRST_PEN}.size.depth", "Pens, Pen 1, Depth: This must be a whole number from 1 to 20."),
    ):
        assert_refused(response, f"id_{field}", message)


def test_options_not_allowed_together_are_explained_where_the_game_says(form_page: ContestFormPage) -> None:
    keys = [str(key) for key in range(30)]
    form_page.fields["options.yard.pens"] = keys
    for key in keys:
        form_page.fields |= {f"options.yard.pens.{key}.name": ["Pig"], f"options.yard.pens.{key}.size.width": ["20"]}

    response = form_page.send()

    message = "Yard, Pens: The pens are 600 wide together; the yard has room for 500."
    assert_refused(response, "id_options.yard.pens", message)


@pytest.mark.parametrize(("keys", "count"), [([], 0), ([str(key) for key in range(51)], 51)])
def test_a_list_with_an_invalid_length_is_rejected(form_page: ContestFormPage, keys: list[str], count: int) -> None:
    form_page.fields["options.yard.pens"] = keys
    for key in keys:
        form_page.fields |= {f"options.yard.pens.{key}.name": ["Pig"], f"options.yard.pens.{key}.size.width": ["1"]}

    response = form_page.send()

    assert_refused(response, "id_options.yard.pens", "Yard, Pens: This must be a list of 1 to 50 items.")
    assert len(read_form(response, -1).get("options.yard.pens", [])) == count


def test_invalid_and_repeated_keys_make_no_rows(form_page: ContestFormPage) -> None:
    form_page.fields["options.yard.pens"] = ["1", "0", "1", "x", "-1", "²", "9999999", ""]

    form_page.send()

    assert Contest.objects.get().options == {"yard": {"pens": [pen("Wilbur", 5, 4), pen("Babe", 3)]}}


def test_after_the_first_entry_the_options_are_shown_as_a_summary(
    form_page: ContestFormPage, event: Event, alice: User, sign_in: SignIn
) -> None:
    form_page.fields |= {"options.most_throws": [""], f"{FIRST_PEN}.roofed": ["on"]}
    form_page.send()
    Contest.objects.update(frozen_at=event.created_at)

    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/contests/pig-race/settings/"))

    for label, value in (("Most throws", "none"), ("Yard: Ground", "Dry"), ("Yard: Fences", "2, 3")):
        assert f"<dt>{label}</dt> <dd>{value}</dd>" in page
    for label, value in (("Name", "Babe"), ("Depth", "none"), ("Roofed", "yes"), ("Roofed", "no")):
        assert f'<td data-label="{label}">{value}</td>' in page
    assert 'name="options.' not in page
