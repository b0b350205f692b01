"""Luck: what throws brought and what choices cost, checked by hand, and what must always hold."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from games.core.actions import Action
from games.core.game import Ruleset
from games.core.luck import Luck, get_luck, round_figure
from games.core.odds import Choice, Wanted, find_best
from games.core.problems import Malformed
from games.core.registry import find_games
from games.core.replay import replay
from games.core.time_limit import TimeLimit
from games.rock_yahtzee import GAME
from games.rogue import GAME as ROGUE
from scorekeeper.desk.demo.ride_script import read_ride_script
from tests.faults.scale import scaled
from tests.games.rock_yahtzee.table import FORFEIT, RETIRE, paper, result, roll, score


def measure(*turns: list[dict[str, Any]], **options: Any) -> Luck:
    """Return the luck of one card."""
    ruleset = GAME.ruleset(options)
    luck = get_luck(ruleset, 1, 0, [[ruleset.read_action(action, 1) for action in turn] for turn in turns])
    assert luck is not None
    return luck


def add_up(luck: Luck) -> float:
    throws, losses = luck.add_up("throw"), luck.add_up("choice")
    return luck.start + throws - losses + luck.add_up("unsplit") + luck.add_up("missed")


def test_a_turn_is_split_into_throws_and_choices() -> None:
    luck = measure([roll(5, 5, 5, 4, 1), roll(5, 2, keep=(5, 5, 5)), score("three_of_a_kind")], turns=1)

    assert [step.kind for step in luck.steps] == ["throw", "choice", "throw", "choice"]
    assert [step.action_index for step in luck.steps] == [0, 1, 1, 2]
    first, kept, second, box = luck.steps
    assert first.amount == pytest.approx(first.value - luck.start)
    assert kept.best is None or kept.amount > 0
    assert second.amount == pytest.approx(second.value - kept.value)
    assert (box.value, luck.value, luck.is_finished) == (22, 22, True)
    assert luck.is_recorded
    assert math.isclose(add_up(luck), 22, abs_tol=1e-9)


def test_a_bad_choice_names_the_best_one_and_what_it_cost() -> None:
    luck = measure([roll(6, 6, 6, 6, 6), score("aces")], turns=1)

    box = luck.steps[-1]
    assert box.best == {"type": "score", "box": "yahtzee"}
    assert box.amount == pytest.approx(50)


def test_dice_count_the_same_in_any_order() -> None:
    some = measure([roll(5, 1, 5, 4, 5), roll(2, 5, keep=(5, 5, 5)), score("fives")], turns=1)
    other = measure([roll(5, 5, 5, 4, 1), roll(5, 2, keep=(5, 5, 5)), score("fives")], turns=1)

    assert [step.amount for step in some.steps] == [step.amount for step in other.steps]


def test_final_dice_without_rolls_are_not_split_but_the_box_is_a_choice() -> None:
    luck = measure([result(5, 5, 5, 2, 1), score("aces")], [roll(2, 2, 2, 2, 2), score("yahtzee")], turns=2)

    assert [step.kind for step in luck.steps if step.turn == 0] == ["unsplit", "choice"]
    assert luck.unsplit_turns == (0,)
    assert not luck.is_recorded
    assert math.isclose(add_up(luck), luck.value, abs_tol=1e-9)


def test_paper_is_not_split_and_missing_a_turn_or_retiring_is_neither_luck_nor_a_choice() -> None:
    luck = measure([paper("chance", 30)], [FORFEIT], [RETIRE], turns=5)

    assert [step.kind for step in luck.steps] == ["unsplit", "missed", "missed"]
    assert (luck.value, luck.is_finished) == (30, True)
    assert math.isclose(add_up(luck), 30, abs_tol=1e-9)


def test_a_missed_turn_does_not_hide_the_luck_of_the_others() -> None:
    assert measure([FORFEIT], [roll(2, 2, 2, 2, 2), score("yahtzee")], turns=2).is_recorded


def test_a_card_that_is_not_finished_has_no_luck_adjusted_total() -> None:
    luck = measure([roll(2, 2, 2, 2, 2), score("yahtzee")], turns=2)

    assert not luck.is_finished
    assert not luck.is_recorded
    assert math.isclose(add_up(luck), luck.value, abs_tol=1e-9)


def test_a_game_without_the_odds_of_totals_has_no_luck() -> None:
    assert get_luck(ROGUE.ruleset(), 2, 0, []) is None


def test_the_luck_of_a_seat_does_not_depend_on_the_others() -> None:
    ruleset = GAME.ruleset({"turns": 1})
    own = [roll(6, 6, 6, 6, 6), score("aces")]
    alone = get_luck(ruleset, 1, 0, [[ruleset.read_action(action, 1) for action in own]])
    actions = [{"seat": 0, **roll(1, 2, 3, 4, 5)}, *({"seat": 1, **action} for action in own)]
    beside = get_luck(ruleset, 2, 1, [[ruleset.read_action(action, 2) for action in actions]])

    assert alone is not None
    assert beside is not None
    assert [step.amount for step in alone.steps] == [step.amount for step in beside.steps]


def test_figures_that_take_too_long_are_none() -> None:
    ticks = iter(range(10**6))
    ruleset = GAME.ruleset({"turns": 5, "yahtzee_points": [49]})

    assert get_luck(ruleset, 1, 0, [], TimeLimit(1, clock=lambda: next(ticks))) is None


def test_figures_are_rounded_as_they_are_shown() -> None:
    assert [str(round_figure(figure)) for figure in (3.24, -1.36, -0.01, 1e-12)] == ["3.2", "-1.4", "0.0", "0.0"]


def list_ride_cards() -> list[list[list[dict[str, Any]]]]:
    """Return the turns of every card of the demo ride, in the order of the slots; corrected ones as corrected."""
    cards: defaultdict[str, dict[int, list[dict[str, Any]]]] = defaultdict(dict)
    for steps in read_ride_script().steps.values():
        for step in steps:
            if step.actions and step.kind in ("record", "correct"):
                cards[step.bike][step.slot] = step.actions
    return [[turns[slot] for slot in sorted(turns)] for turns in cards.values()]


class Player:
    """Plays cards by value with fair dice."""

    def __init__(self, ruleset: Ruleset, random: Random, mistakes: float = 0.0):
        self._ruleset, self._random, self._mistakes = ruleset, random, mistakes
        self._list_choices = cache(self._ask_odds)

    def play(self) -> list[list[Action]]:
        """Return the turns of a card."""
        game, state = self._ruleset.game, self._ruleset.game.start(self._ruleset, 1)
        turns: list[list[Action]] = [[]]
        while not game.is_finished(state):
            action = self._choose(state)
            before = len(game.turns(state, 0))
            state = game.apply(state, action)
            turns[-1].append(action)
            if len(game.turns(state, 0)) > before:
                turns.append([])
        return turns[:-1]

    def _choose(self, state: Any) -> Action:
        choices = self._list_choices(state)
        values = [choice.value for choice in choices if choice.value is not None]
        is_mistaken = self._random.random() < self._mistakes
        chosen = self._random.randrange(len(values)) if is_mistaken else find_best(values)
        action = dict(choices[chosen].action)
        if action["type"] == "roll":
            # In one order, so that cards meet the same states again.
            action["dice"] = sorted(self._random.randint(1, 6) for _ in range(5 - len(action.get("keep", ()))))
        return self._ruleset.read_action(action, 1)

    def _ask_odds(self, state: Any) -> Sequence[Choice]:
        odds = GAME.odds(state, 0, Wanted())
        assert odds is not None
        return odds.choices


def simulate(cards: int, turns: int, mistakes: float = 0.0) -> list[Luck]:
    ruleset = GAME.ruleset({"turns": turns})
    player = Player(ruleset, Random(cards + turns), mistakes)
    found = [get_luck(ruleset, 1, 0, player.play()) for _ in range(cards)]
    return [luck for luck in found if luck is not None]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mistakes", [0.0, 0.5])
@pytest.mark.slow
def test_luck_is_zero_on_average_however_one_plays(mistakes: float) -> None:
    cards = scaled(2_000, 250)
    found = simulate(cards, scaled(5, 1), mistakes)
    amounts = [luck.add_up("throw") for luck in found]

    assert len(found) == cards
    assert abs(mean(amounts)) <= 4 * stdev(amounts) / math.sqrt(len(amounts))
    if mistakes:
        assert mean(luck.add_up("choice") for luck in found) > 1
    else:
        assert max(luck.add_up("choice") for luck in found) <= 1e-8


def test_the_figures_of_every_simulated_card_add_up_to_the_last_digit() -> None:
    for luck in simulate(30, 2, mistakes=0.5):
        check_sums(luck)
        assert luck.is_recorded


def check_sums(luck: Luck) -> None:
    """Check that the figures add up, unrounded and as they are shown."""
    assert math.isclose(add_up(luck), luck.value, abs_tol=1e-9)
    shown = luck.balance()
    assert shown.total == shown.start + shown.luck - shown.loss + shown.unsplit + shown.missed
    assert shown.adjusted == shown.total - shown.luck
    assert abs(shown.luck - Decimal(luck.add_up("throw"))) <= Decimal("0.3")
    assert all(step.amount >= 0 for step in luck.steps if step.kind == "choice")


@pytest.mark.timeout(300)
def test_every_card_of_the_demo_ride_adds_up_to_its_total() -> None:
    cards = list_ride_cards()
    assert len(cards) > 20
    for turns in cards:
        luck = measure(*turns)
        check_sums(luck)
        state = play_turns(turns)
        assert not luck.is_finished or math.isclose(luck.value, GAME.standing(state, 0).total, abs_tol=1e-9)


def list_playthroughs() -> list[Path]:
    """Return the recorded plays of the other games that measure totals, of Grand Prix those that are solved quickly."""
    folder = Path(__file__).parents[1]
    grand_prix = ("finished_driving_and_retired", "damage_that_just_fills_the_track")[: scaled(2, 1)]
    names = [folder / "grand_prix" / "playthroughs" / f"{name}.json" for name in grand_prix]
    return [*sorted((folder / "go_500" / "playthroughs").glob("*.json")), *names]


@pytest.mark.parametrize("path", list_playthroughs(), ids=lambda path: path.stem)
@pytest.mark.slow
def test_every_recorded_play_of_the_other_games_adds_up(path: Path) -> None:
    transcript = json.loads(path.read_text())
    transcript = transcript.get("transcript", transcript)
    try:
        ruleset = find_games()[transcript["ruleset"]].ruleset(transcript.get("options"))
        seats = len(transcript["seats"])
    except (Malformed, KeyError):
        return  # the play shows a mistake in its head
    played = replay(ruleset, seats, transcript["actions"])
    actions = [ruleset.read_action(action, seats) for action in transcript["actions"][: played.applied]]
    for seat in range(seats):
        luck = get_luck(ruleset, seats, seat, [actions])
        if luck is None:
            assert "loop" in path.stem or "circled" in path.stem, "only a kit without end has no odds"
            continue
        sign = 1 if luck.aim == "high" else -1
        assert math.isclose(luck.start + sign * (add_up(luck) - luck.start), luck.value, abs_tol=1e-9)
        if luck.is_finished:
            assert math.isclose(luck.value, ruleset.game.standing(played.state, seat).total, abs_tol=1e-9)
        assert luck.unsplit_turns == (), "every action of these games is a throw, a choice or both"


def play_turns(turns: Sequence[Sequence[dict[str, Any]]]) -> Any:
    ruleset = GAME.ruleset()
    state = GAME.start(ruleset, 1)
    for action in (action for turn in turns for action in turn):
        state = GAME.play(state, ruleset.read_action(action, 1))
    return state
