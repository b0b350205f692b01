"""A turn that ends with its dice or when the player stops: nothing is chosen, and no die is set aside."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from games.core.replay import fold_turns
from games.dice_run import GAME
from scorekeeper.scorecards.forms.input_methods import InputMethodForm, list_input_methods
from scorekeeper.scorecards.forms.turn_fields import apply_tap, parse_whole_turn
from scorekeeper.scorecards.turn_draft import TurnDraft, TurnDraftEvaluation, evaluate_draft, make_initial_state
from scorekeeper.scorecards.turn_form_presenter import present_draft

FIVE = (3, 1, 4, 6, 5)


def evaluate(draft: TurnDraft, **options: Any) -> TurnDraftEvaluation:
    ruleset = GAME.ruleset(options)
    return evaluate_draft(ruleset, make_initial_state(ruleset), draft)


def show(evaluation: TurnDraftEvaluation) -> dict[str, Any]:
    return present_draft(GAME, evaluation, lambda spec, choice: None)


def count_points(actions: Any, **options: Any) -> int:
    ruleset = GAME.ruleset(options)
    folded = fold_turns(ruleset, [[ruleset.read_action(dict(action), 1) for action in actions]])
    assert not folded.failures
    return GAME.standing(folded.state, 0).total


def test_the_only_throw_is_a_whole_turn_and_one_button_records_it() -> None:
    evaluation = evaluate(TurnDraft(dice=FIVE))
    shown = show(evaluation)

    (box,) = shown["boxes"]
    assert (box["label"], box["points"]) == ("Record turn", 19)
    assert shown["again"] is None
    assert [place["kind"] for place in shown["places"]] == ["change"] * 5
    actions, problems = parse_whole_turn(evaluation, QueryDict(f"choose={box['value']}"))
    assert problems == ()
    assert count_points(actions) == 19


def test_before_all_dice_are_in_there_is_nothing_to_record() -> None:
    evaluation = evaluate(TurnDraft(dice=FIVE[:4]))

    assert show(evaluation)["boxes"] == []
    assert evaluation.ends == ()


def test_before_the_last_throw_a_player_stops_or_throws_all_dice_again() -> None:
    ruleset = GAME.ruleset({"throws": 2})
    state = make_initial_state(ruleset)
    evaluation = evaluate(TurnDraft(dice=FIVE), throws=2)
    shown = show(evaluation)

    (box,) = shown["boxes"]
    assert (box["label"], box["points"], box["value"]) == ("Stop here", 19, "stop:")
    assert shown["again"] == {"text": "Throw all dice again", "labels": [], "nth": "Roll 1 of 2"}
    actions, _problems = parse_whole_turn(evaluation, QueryDict("choose=stop:"))
    assert [action["type"] for action in actions] == ["throw", "stop"]
    assert count_points(actions, throws=2) == 19

    after = evaluate_draft(ruleset, state, apply_tap(ruleset, state, evaluation, QueryDict("again=1")))
    assert (after.draft.visible_dice, len(after.draft.actions)) == ((), 1)
    last = evaluate_draft(ruleset, state, TurnDraft("throw", after.draft.actions, (), (6, 6, 6, 6, 6)))
    assert [box["label"] for box in show(last)["boxes"]] == ["Record turn"]
    assert show(last)["again"] is None
    assert count_points(last.actions, throws=2) == 30


@pytest.mark.parametrize(
    ("options", "typed", "total"),
    [
        ({}, {"way": "throw", "dice": "31465"}, 19),
        ({"throws": 3}, {"way": "throw", "dice": "3 1 4 6 5"}, 19),
        ({"dice": 3, "faces": 20}, {"way": "throw", "dice": "17, 3 20"}, 40),
        ({}, {"way": "paper", "points": "22"}, 22),
        ({}, {"way": "forfeit"}, 0),
    ],
    ids=str,
)
def test_a_whole_turn_is_entered_without_a_choice(options: dict[str, Any], typed: dict[str, str], total: int) -> None:
    methods = list_input_methods(GAME.ruleset(options))
    form = InputMethodForm(methods, [(methods.dice[0], "Dice")], typed)

    assert "choice" not in form.fields
    assert form.is_valid(), form.errors
    assert count_points(form.actions, **options) == total


def test_what_the_method_does_not_use_is_an_error() -> None:
    methods = list_input_methods(GAME.ruleset())
    form = InputMethodForm(methods, [(methods.dice[0], "Dice")], {"way": "paper", "points": "22", "dice": "12345"})

    assert list(form.errors) == ["dice"]
    assert list(InputMethodForm(methods, [("throw", "Dice")], {"way": "throw"}).errors) == ["dice"]
