"""A turn that is being entered, and its form: plain data, made only from action specs."""

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
from scorekeeper.scorecards.turn_form_presenter import present_draft, present_sheet, present_whole_turn

RULES = GAME.ruleset()
FRESH = make_initial_state(RULES)
FACES = st.integers(1, 6)


def _show(draft: TurnDraft, state: Any = FRESH) -> dict[str, Any]:
    return present_draft(GAME, evaluate_draft(RULES, state, draft), lambda spec, choice: None)


def test_final_dice_are_the_default_mode() -> None:
    modes = _show(TurnDraft())["modes"]

    assert [(mode["type"], mode["current"]) for mode in modes] == [("result", True), ("roll", False)]


def test_an_unavailable_mode_is_replaced_by_the_default() -> None:
    assert evaluate_draft(RULES, FRESH, TurnDraft("nonsense")).draft.mode == "result"


@given(st.lists(FACES, min_size=5, max_size=5))
def test_every_open_box_offered_is_accepted_with_the_points_shown(dice: list[int]) -> None:
    evaluation = evaluate_draft(RULES, FRESH, TurnDraft(dice=tuple(dice)))

    boxes = present_draft(GAME, evaluation, lambda spec, choice: None)["boxes"]

    assert len(boxes) == 13
    assert [box["points"] for box in boxes] == sorted((box["points"] for box in boxes), reverse=True)
    for box in boxes:
        kind, word = box["value"].split(":")
        replayed = replay(RULES, 1, [*evaluation.actions, {"type": kind, "box": word}])
        assert replayed.failure is None
        assert GAME.turns(replayed.state, 0)[0].points == box["points"]


@given(st.lists(FACES, min_size=5, max_size=5), st.sets(st.integers(0, 4), max_size=4), st.data())
def test_stepping_back_undoes_rolling_again(dice: list[int], pinned: set[int], data: st.DataObject) -> None:
    first = evaluate_draft(RULES, FRESH, TurnDraft("roll", dice=tuple(dice), pinned=frozenset(pinned)))
    again = evaluate_draft(RULES, FRESH, first.start_next_roll())
    assert again.dice_needed == 5 - len(pinned)
    rolled = data.draw(st.lists(FACES, min_size=again.dice_needed, max_size=again.dice_needed))
    draft = again.draft
    for face in rolled:
        draft = draft.with_die(face)
    assert evaluate_draft(RULES, FRESH, draft).is_complete

    for _tap in range(again.dice_needed + 1):
        draft = undo_last_tap(RULES, FRESH, draft)

    assert replace(draft, pinned=None) == replace(first.draft, pinned=None)
    kept = [[one.visible_dice[place] for place in one.pinned or ()] for one in (draft, first.draft)]
    assert sorted(kept[0]) == sorted(kept[1]), "the same faces are marked"


@given(st.text(max_size=30))
def test_any_text_in_a_hidden_field_is_read_or_refused(text: str) -> None:
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


def test_actions_survive_the_hidden_field() -> None:
    actions = ({"type": "roll", "dice": [3, 1, 1, 5, 5]}, {"type": "roll", "keep": [5, 5], "dice": [3, 4, 1]})

    assert parse_actions_field(dump_actions_field(actions)) == actions


def test_more_actions_than_a_turn_can_have_are_not_read() -> None:
    with pytest.raises(Malformed):
        parse_actions_field(dump_actions_field([{}] * (MAX_ACTIONS + 1)))


@pytest.mark.parametrize(("text", "face"), [("3", 3), ("C", "C"), ("", ""), ("²", "²"), ("0003", "0003")])
def test_a_face_is_a_number_if_it_can_be(text: str, face: int | str) -> None:
    assert parse_face(text) == face


def test_a_missed_turn_and_a_paper_card_are_the_other_input_methods() -> None:
    offers = evaluate_draft(RULES, FRESH, TurnDraft()).whole_turn_offers
    methods = {offer.key: present_whole_turn(offer, {"points": "22"}) for offer in offers}

    assert set(methods) == {"paper", "forfeit"}
    box, points = methods["paper"]["fields"]
    assert len(box["choices"]) == 13
    assert points["value"] == "22"


def test_a_complete_card_says_so() -> None:
    turns = [{"type": "paper", "box": box, "points": 0} for box in ("aces", "twos", "threes", "fours", "fives")]
    replayed = replay_from(RULES, FRESH, turns)
    assert replayed.failure is None

    data = _show(TurnDraft(dice=(1, 2, 3, 4, 5)), replayed.state)

    assert data["hint"] == "Nothing more can be recorded on this scorecard."
    assert not data["boxes"]


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
def test_the_form_needs_only_plain_data(draft: TurnDraft) -> None:
    """The template needs only what JSON can represent: no database rows, no request."""
    data = _show(draft)
    from_json = json.loads(json.dumps(data))

    html = render_to_string("scorecards/_turn_draft.html", {"draft": from_json})

    assert html == render_to_string("scorecards/_turn_draft.html", {"draft": data})
    assert html.partition("</ul>")[0].count("<li>") == 5 + bool(from_json["again"]), (
        "five places, and a button to go back"
    )
    assert "<form" not in html


def test_the_sheet_needs_only_plain_data() -> None:
    state = replay_from(RULES, FRESH, [{"type": "paper", "box": "chance", "points": 22}]).state
    sheet = json.loads(json.dumps(present_sheet(GAME.key, GAME.sheet(state), [1])))

    html = render_to_string("scorecards/_sheet.html", {"sheet": sheet})

    assert "Chance" in html
    assert "Grand total" in html


def test_a_turn_that_the_rules_leave_out_is_labelled() -> None:
    assert "does not count" in format_result(GAME, None)
