"""What every game guarantees while it is played."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from random import Random, randrange
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.game import IllegalAction, Ruleset
from games.core.problems import is_blocked
from games.core.replay import replay
from tests.faults.scale import FULL
from tests.games.all_games import list_rulesets
from tests.games.sampling import Moment, list_specs, sample, walk

every_ruleset = pytest.mark.parametrize(
    "ruleset", list(list_rulesets()), ids=lambda ruleset: f"{ruleset.game.key} {dict(ruleset.options)}"
)
every_independent_ruleset = pytest.mark.parametrize(
    "ruleset",
    [ruleset for ruleset in list_rulesets() if ruleset.game.independent],
    ids=lambda ruleset: f"{ruleset.game.key} {dict(ruleset.options)}",
)
# A short run shows everything on the same few games of each ruleset, drawn anew in every run.
GAMES_EACH = 5
BUTTON = re.compile(
    r"(Record|Enter|Accept|Choose|Lock|Spend|Roll|Move|Select|Advance|Retire|Cut)\b(?! above| accepted)"
)
seeds = st.integers(0, 2**32) if FULL else st.sampled_from([randrange(2**32) for _ in range(GAMES_EACH)])


@lru_cache(maxsize=1_000)
def play(ruleset: Ruleset, seed: int) -> tuple[Moment, ...]:
    """Return the moments of a random game. Tests share them: no test may change a moment's log."""
    low, high = ruleset.game.seat_limits
    random = Random(seed)
    return tuple(walk(ruleset, random.randint(low, min(high or 4, 4)), random))


@every_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_a_random_play_ends_with_every_seat_ranked_and_a_winner(ruleset: Ruleset, seed: int) -> None:
    game = ruleset.game
    end = play(ruleset, seed)[-1].state
    assert game.is_finished(end)
    assert game.to_act(end) is None
    groups = game.ranking(end).groups
    assert sorted(seat for group in groups for seat in group) == list(range(game.seats(end)))
    assert game.winners(end) == groups[0]


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_every_offer_is_accepted(ruleset: Ruleset, seed: int) -> None:
    random = Random(seed)
    for moment in play(ruleset, seed):
        for spec in moment.offers:
            action = ruleset.read_action(sample(spec, random), ruleset.game.seats(moment.state))
            assert ruleset.game.problems(moment.state, action) == ()


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_every_offer_has_words_for_the_history_that_are_no_button(ruleset: Ruleset, seed: int) -> None:
    for moment in play(ruleset, seed):
        for spec in moment.offers:
            assert spec.done is not None, f"“{spec.label.template}” says what to do: give the spec a `done` text"
            assert not BUTTON.match(spec.done.template), spec.done.template


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence(ruleset: Ruleset, seed: int) -> None:
    """TABLE-4: a problem always names a clause."""
    game = ruleset.game
    moments = play(ruleset, seed)
    known = {action["type"]: action for action in moments[-1].actions}
    for moment in moments:
        seats = game.seats(moment.state)
        offered = {(spec.seat, spec.type) for spec in moment.offers}
        for data in known.values():
            for seat in range(seats) if "seat" in data else [None]:
                if (seat, data["type"]) not in offered:
                    action = ruleset.read_action(data if seat is None else data | {"seat": seat}, seats)
                    found = game.problems(moment.state, action)
                    assert is_blocked(found)
                    assert all(problem.rule and problem.code and problem.message() for problem in found)


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_problems_and_play_agree_on_every_action_at_every_moment(ruleset: Ruleset, seed: int) -> None:
    moments = play(ruleset, seed)
    random = Random(seed)
    for moment in random.sample(moments, min(len(moments), 10)):
        for data in moments[-1].actions:
            action = ruleset.read_action(data, ruleset.game.seats(moment.state))
            found = ruleset.game.problems(moment.state, action)
            if is_blocked(found):
                with pytest.raises(IllegalAction) as refused:
                    ruleset.game.play(moment.state, action)
                assert refused.value.problems == found
            else:
                ruleset.game.play(moment.state, action)


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_a_replay_from_json_gives_the_live_state(ruleset: Ruleset, seed: int) -> None:
    for moment in play(ruleset, seed)[::7]:
        seats = ruleset.game.seats(moment.state)
        played = replay(ruleset, seats, json.loads(json.dumps(moment.actions)))
        assert played.failure is None
        assert played.applied == len(moment.actions)
        assert played.state == moment.state
        assert hash(played.state) == hash(moment.state)


@every_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_an_action_written_and_read_again_is_the_same_action(ruleset: Ruleset, seed: int) -> None:
    end = play(ruleset, seed)[-1]
    seats = ruleset.game.seats(end.state)
    for data in end.actions:
        action = ruleset.read_action(data, seats)
        written = json.loads(json.dumps(ruleset.write_action(action)))
        assert ruleset.read_action(written, seats) == action
        assert hash(ruleset.read_action(written, seats)) == hash(action)


@every_independent_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_independent_seats_may_be_interleaved_in_any_order(ruleset: Ruleset, seed: int) -> None:
    """TABLE-1 sets no order for seats that never affect each other."""
    random = Random(seed)
    end = play(ruleset, seed)[-1]
    seats = ruleset.game.seats(end.state)
    by_seat: dict[int, list[dict[str, Any]]] = {}
    for action in end.actions:
        if "seat" in action:
            by_seat.setdefault(action["seat"], []).append(action)
    shuffled = []
    while any(by_seat.values()):
        seat = random.choice([seat for seat, waiting in by_seat.items() if waiting])
        shuffled.append(by_seat[seat].pop(0))
    shuffled += [action for action in end.actions if "seat" not in action]
    assert replay(ruleset, seats, shuffled).state == end.state


@every_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_in_turn_order_only_the_seat_to_act_is_offered_anything_but_retiring(ruleset: Ruleset, seed: int) -> None:
    """TABLE-1"""
    game = ruleset.game
    for moment in play(ruleset, seed):
        to_act = game.to_act(moment.state)
        if game.independent:
            assert to_act is None
        elif to_act is not None:
            acting = {spec.seat for spec in moment.offers if spec.type != "retire"}
            assert acting == {to_act}


@every_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more(ruleset: Ruleset, seed: int) -> None:
    """TABLE-2, TABLE-3: the score is kept, the seat ranks below all that stayed, and nothing is offered to it."""
    game = ruleset.game
    for moment in play(ruleset, seed)[::5]:
        seats = game.seats(moment.state)
        for seat in range(seats):
            if game.standing(moment.state, seat).status != "playing":
                continue
            retire = ruleset.read_action({"seat": seat, "type": "retire"}, seats)
            after = game.play(moment.state, retire)
            # If seats act in turn, a running turn ends with its points so far, which may add to the score.
            if game.independent or seat != game.to_act(moment.state):
                assert game.standing(after, seat).total == game.standing(moment.state, seat).total
            assert game.standing(after, seat).status == "retired"
            assert game.legal_actions(after, seat) == ()
            is_over = game.independent or game.is_finished(after)
            assert [problem.rule for problem in game.problems(after, retire)] == ["TABLE-2" if is_over else "TABLE-3"]
            stayed = [n for n in range(seats) if game.standing(after, n).status != "retired"]
            assert all(game.standing(after, n).order > game.standing(after, seat).order for n in stayed)


@every_ruleset
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_the_sheet_has_the_same_lines_all_the_way_and_a_cell_for_each_seat(ruleset: Ruleset, seed: int) -> None:
    moments = play(ruleset, seed)
    keys = [line.key for line in ruleset.game.sheet(moments[0].state).lines]
    assert len(keys) == len(set(keys))
    for moment in moments:
        sheet = ruleset.game.sheet(moment.state)
        assert [line.key for line in sheet.lines] == keys
        seats = ruleset.game.seats(moment.state)
        assert all(len(line.cells) == seats for line in sheet.lines)
        totals = [ruleset.game.standing(moment.state, seat).total for seat in range(seats)]
        assert len(sheet.totals) == seats
        assert list(sheet.totals) == totals


@every_ruleset
def test_keys_have_one_length_and_all_seats_are_tied_at_the_start(ruleset: Ruleset) -> None:
    game = ruleset.game
    state = game.start(ruleset, max(2, game.seat_limits[0]))
    orders = [game.standing(state, seat).order for seat in range(game.seats(state))]
    assert len(set(orders)) == 1
    assert list_specs(ruleset, state)
