"""A turn being noted, and what the entry page shows of it: plain data, made of action specs alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from games.core.problems import Malformed
from games.core.replay import replay, replay_from
from games.rock_yahtzee import GAME
from scorekeeper.scorecards.display_names import format_result
from scorekeeper.scorecards.turn_draft import (
    MAX_ACTIONS,
    TurnDraft,
    dump_actions_field,
    evaluate_draft,
    make_initial_state,
    parse_actions_field,
    parse_face,
    undo_last_tap,
)
from scorekeeper.scorecards.turn_form_presenter import present_draft, present_other_input_methods, present_sheet

RULES = GAME.ruleset()
FRESH = make_initial_state(RULES)
FACES = st.integers(1, 6)


def _show(draft: TurnDraft, state: Any = FRESH) -> dict[str, Any]:
    return present_draft(GAME.key, evaluate_draft(RULES, state, draft), lambda spec, choice: None)


def test_the_final_dice_are_asked_for_unless_another_mode_is_chosen() -> None:
    modes = _show(TurnDraft())["modes"]

    assert [(mode["type"], mode["current"]) for mode in modes] == [("result", True), ("roll", False)]


def test_a_mode_the_moment_does_not_offer_gives_way_to_the_usual_one() -> None:
    assert evaluate_draft(RULES, FRESH, TurnDraft("nonsense")).draft.mode == "result"


@given(st.lists(FACES, min_size=5, max_size=5))
def test_every_open_box_offered_is_accepted_with_the_points_shown(dice: list[int]) -> None:
    opened = evaluate_draft(RULES, FRESH, TurnDraft(dice=tuple(dice)))

    boxes = present_draft(GAME.key, opened, lambda spec, choice: None)["boxes"]

    assert len(boxes) == 13
    assert [box["points"] for box in boxes] == sorted((box["points"] for box in boxes), reverse=True)
    for box in boxes:
        kind, word = box["value"].split(":")
        played = replay(RULES, 1, [*opened.actions, {"type": kind, "box": word}])
        assert played.failure is None
        assert GAME.turns(played.state, 0)[0].points == box["points"]


@given(st.lists(FACES, min_size=5, max_size=5), st.sets(st.integers(0, 4), max_size=4), st.data())
def test_rolling_again_and_stepping_back_are_each_others_inverse(
    dice: list[int], kept: set[int], data: st.DataObject
) -> None:
    first = evaluate_draft(RULES, FRESH, TurnDraft("roll", dice=tuple(dice), pinned=frozenset(kept)))
    again = evaluate_draft(RULES, FRESH, first.start_next_roll())
    assert again.dice_needed == 5 - len(kept)
    rolled = data.draw(st.lists(FACES, min_size=again.dice_needed, max_size=again.dice_needed))
    draft = again.draft
    for face in rolled:
        draft = draft.with_die(face)
    assert evaluate_draft(RULES, FRESH, draft).is_complete

    for _tap in range(again.dice_needed + 1):
        draft = undo_last_tap(RULES, FRESH, draft)

    assert draft == replace(first.draft, pinned=None)


@given(st.text(max_size=30))
def test_a_hidden_field_of_any_text_is_read_or_refused(text: str) -> None:
    try:
        actions = parse_actions_field(text)
    except Malformed:
        return
    evaluate_draft(RULES, FRESH, TurnDraft(actions=actions))


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_actions_of_any_shape_are_problems_and_never_an_exception(value: object) -> None:
    actions = ({"type": value}, {"type": "roll", "dice": value}, {"type": "roll", "keep": value, "dice": [1]})

    for action in actions:
        assert evaluate_draft(RULES, FRESH, TurnDraft(actions=(action,))).problems


def test_actions_come_back_from_the_hidden_field_as_they_went_in() -> None:
    actions = ({"type": "roll", "dice": [3, 1, 1, 5, 5]}, {"type": "roll", "keep": [5, 5], "dice": [3, 4, 1]})

    assert parse_actions_field(dump_actions_field(actions)) == actions


def test_more_actions_than_a_turn_can_have_are_not_read() -> None:
    with pytest.raises(Malformed):
        parse_actions_field(dump_actions_field([{}] * (MAX_ACTIONS + 1)))


@pytest.mark.parametrize(("text", "face"), [("3", 3), ("C", "C"), ("", ""), ("²", "²"), ("0003", "0003")])
def test_a_face_is_a_number_where_it_is_one(text: str, face: int | str) -> None:
    assert parse_face(text) == face


def test_a_missed_turn_and_a_paper_card_are_the_other_ways() -> None:
    ways = {
        way["type"]: way
        for way in present_other_input_methods(evaluate_draft(RULES, FRESH, TurnDraft()), {"points": "22"})
    }

    assert set(ways) == {"paper", "forfeit"}
    box, points = ways["paper"]["fields"]
    assert len(box["choices"]) == 13
    assert points["value"] == "22"


def test_a_card_that_is_done_says_so() -> None:
    turns = [{"type": "paper", "box": box, "points": 0} for box in ("aces", "twos", "threes", "fours", "fives")]
    played = replay_from(RULES, FRESH, turns)
    assert played.failure is None

    shown = _show(TurnDraft(dice=(1, 2, 3, 4, 5)), played.state)

    assert shown["hint"] == "Nothing more can be recorded on this scorecard."
    assert not shown["boxes"]


@pytest.mark.parametrize(
    "draft",
    [
        TurnDraft(),
        TurnDraft("roll", (), (), (3, 1, 1, 5, 5)),
        TurnDraft("roll", ({"type": "roll", "dice": [3, 1, 1, 5, 5]},), (5, 5), (3,)),
        TurnDraft("result", (), (), (3, 4, 5, 5, 2)),
        TurnDraft("result", (), (), (3, 4, 9)),
    ],
)
def test_the_card_is_made_of_plain_data_alone(draft: TurnDraft) -> None:
    """What JSON can carry is enough for the template: no rows of a database, no request."""
    shown = _show(draft)
    carried = json.loads(json.dumps(shown))

    html = render_to_string("scorecards/_turn_draft.html", {"entry": carried})

    assert html == render_to_string("scorecards/_turn_draft.html", {"entry": shown})
    assert html.partition("</ul>")[0].count("<li>") == 5 + carried["can_go_on"], "five places, and the way back"
    assert "<form" not in html


def test_the_sheet_is_made_of_plain_data_alone() -> None:
    state = replay_from(RULES, FRESH, [{"type": "paper", "box": "chance", "points": 22}]).state
    sheet = json.loads(json.dumps(present_sheet(GAME.key, GAME.sheet(state))))

    html = render_to_string("scorecards/_sheet.html", {"sheet": sheet})

    assert "Chance" in html
    assert "Grand total" in html


def test_a_turn_the_rules_leave_out_is_told_as_such() -> None:
    assert "does not count" in format_result(None)
