"""The odds of a card: known results, a plain calculation without shortcuts, and what must always hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import pytest

from games.core.odds import Wanted
from games.core.odds_question import MAX_SECONDS, answer
from games.core.registry import find_games
from games.core.time_limit import TimeLimit
from games.rock_yahtzee import GAME
from games.rock_yahtzee.state import get_total
from tests.faults.scale import FULL, GIVE_UP_SECONDS, scaled
from tests.games.rock_yahtzee.plain_odds import PlainOdds, PlainPlay, throw
from tests.games.rock_yahtzee.table import FORFEIT, RETIRE, paper, play, result, roll, score

GAMES = find_games()
EXACT = 1e-9
TARGETS = [10, 25, 40, 60, 90] if FULL else [10, 40, 90]

# Cards with one or two turns left, so that the plain calculation takes seconds.
LOW_BONUS = {"upper_bonus": {"threshold": 12, "points": 35}}
# With two turns left, a short run closes all boxes but twos, sixes and Yahtzee.
CLOSED = [
    paper(box, 0)
    for box in (
        "aces",
        "threes",
        "fours",
        "fives",
        "three_of_a_kind",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "chance",
    )
    if not FULL
]
MOMENTS: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"turns": 1}, []),
    ({"turns": 1, "yahtzee_points": [7]}, [roll(5, 5, 3, 4, 1)]),
    ({"turns": 2}, [paper("yahtzee", 50), roll(5, 5, 5, 4, 1), roll(5, 2, keep=(5, 5, 5))]),
    ({"turns": 3, **LOW_BONUS}, [paper("fours", 8), FORFEIT, roll(6, 6, 2, 2, 1)]),
    ({"turns": len(CLOSED) + 2, **LOW_BONUS}, [*CLOSED, result(2, 2, 2, 6, 6)]),
    ({"turns": 3}, [paper("chance", 20), paper("three_of_a_kind", 0), roll(1, 1, 3, 4, 6)]),
]


def ask(
    actions: list[dict[str, Any]], options: dict[str, Any], most_seconds: float = MAX_SECONDS, **question: Any
) -> dict[str, Any]:
    """Return the answer about one card."""
    transcript = {"ruleset": "rock-yahtzee", "options": options, "seats": ["12"], "actions": actions}
    odds = answer({"transcript": transcript, **question}, GAMES, most_seconds=most_seconds)
    assert odds["ok"], odds
    return odds


def is_near(figure: float) -> Any:
    return pytest.approx(figure, abs=EXACT)


@pytest.mark.parametrize(
    ("turns", "value"), [(1, 28.463477), (2, 54.955570), (3, 79.506020), (4, 102.259969), (5, 123.329118)]
)
def test_a_fresh_card_is_worth_the_known_number_of_points(turns: int, value: float) -> None:
    odds = ask([], {"turns": turns})

    assert odds["value"] == pytest.approx(value, abs=1e-6)
    assert (odds["node"], odds["method"], odds["best"]) == ("chance", "exact", [0])
    assert odds["options"] == [{"action": {"type": "roll"}, "value": odds["value"], "loss": 0.0}]


@pytest.mark.parametrize(("options", "actions"), MOMENTS)
@pytest.mark.slow
def test_every_figure_is_that_of_the_plain_calculation(options: dict[str, Any], actions: list[dict[str, Any]]) -> None:
    odds = ask(actions, options, targets=TARGETS, distribution=True)
    state = play(*actions, **options)
    setup, card = state.ruleset.setup, state.seats[0]
    card = card._replace(dice=tuple(sorted(card.dice)))
    values = PlainOdds(setup, float)
    plain = PlainPlay(values)
    reaching = [PlainOdds(setup, partial(is_reached, target)) for target in TARGETS]

    assert odds["value"] == is_near(values.get_worth(card))
    totals = plain.get_totals(card)
    shown = odds["distribution"]
    assert dict(enumerate(shown["chances"], start=shown["from"])) == pytest.approx(
        {total: totals[total] for total in range(min(totals), max(totals) + 1)}, abs=EXACT
    )
    if not card.dice:
        assert [target["reach"] for target in odds["targets"]] == is_near_all([r.get_worth(card) for r in reaching])
        return
    choices = values.list_choices(card)
    assert [option["value"] for option in odds["options"]] == is_near_all([worth for worth, _ in choices])
    for index, (_, choice) in enumerate(choices):
        option = odds["options"][index]
        name = {"type": "score", "box": choice} if isinstance(choice, str) else {"type": "roll", "keep": list(choice)}
        assert option["action"] == name
        assert option["reach"] == is_near_all([r.list_choices(card)[index][0] for r in reaching])
        own = plain.follow(card, choice)
        by_value = [sum(chance for total, chance in own.items() if total >= target) for target in TARGETS]
        assert option["reach_by_value"] == is_near_all(by_value)


def draw_last_turns(count: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return random cards in their last turn with one throw left, many of them near an upper bonus."""
    random = Random(count)
    moments = []
    for _ in range(count):
        entries: list[dict[str, Any]] = []
        for box in random.sample(["twos", "threes", "fours", "fives", "sixes"], random.randint(1, 4)):
            number = ["twos", "threes", "fours", "fives", "sixes"].index(box) + 2
            entries.append(paper(box, number * random.randint(0, 5)))
        yahtzees = random.choice([[], [50], [0], [50, 50]])
        entries += [paper("yahtzee", points) for points in yahtzees]
        entries += [paper(box, 0) for box in random.sample(["chance", "full_house", "large_straight"], 2)]
        dice = [random.randint(1, 6) for _ in range(5)]
        kept = dice[: random.randint(0, 4)]
        rolls = [roll(*dice), roll(*(random.randint(1, 6) for _ in range(5 - len(kept))), keep=tuple(kept))]
        bonus = {"threshold": random.randint(8, 70), "points": 35}
        moments.append(({"turns": len(entries) + 1, "upper_bonus": bonus}, [*entries, *rolls]))
    return moments


@pytest.mark.parametrize(("options", "actions"), draw_last_turns(scaled(40, 10)))
def test_the_last_throw_has_the_figures_of_the_plain_calculation(
    options: dict[str, Any], actions: list[dict[str, Any]]
) -> None:
    state = play(*actions, **options)
    setup, card = state.ruleset.setup, state.seats[0]
    card = card._replace(dice=tuple(sorted(card.dice)))
    targets = [get_total(setup, card) + more for more in (1, 15, 26, 50, 60)]
    odds = ask(actions, options, targets=targets)
    values = PlainOdds(setup, float)
    plain = PlainPlay(values)
    reaching = [PlainOdds(setup, partial(is_reached, target)).list_choices(card) for target in targets]

    choices = values.list_choices(card)
    assert [option["value"] for option in odds["options"]] == is_near_all([worth for worth, _ in choices])
    for index, (_, choice) in enumerate(choices):
        option, own = odds["options"][index], plain.follow(card, choice)
        assert option["reach"] == is_near_all([found[index][0] for found in reaching])
        by_value = [sum(chance for total, chance in own.items() if total >= target) for target in targets]
        assert option["reach_by_value"] == is_near_all(by_value)


def is_reached(target: int, total: int) -> float:
    return float(total >= target)


def is_near_all(figures: Sequence[float]) -> Any:
    return pytest.approx(figures, abs=EXACT)


def draw_moments(count: int) -> list[list[dict[str, Any]]]:
    """Return random games of three turns, each cut off at some moment of the last two turns."""
    random = Random(count)
    moments = []
    for _ in range(count):
        boxes = random.sample(["fives", "sixes", "chance", "full_house", "yahtzee", "small_straight"], 2)
        actions = [paper(boxes[0], 0)]
        dice = [random.randint(1, 6) for _ in range(5)]
        actions.append(roll(*dice))
        for _ in range(random.randint(0, 2)):
            kept = dice[: random.randint(0, 4)]
            thrown = [random.randint(1, 6) for _ in range(5 - len(kept))]
            actions.append(roll(*thrown, keep=tuple(kept)))
            dice = kept + thrown
        if random.random() < 0.5:
            actions.append(score(boxes[1]))
        moments.append(actions)
    return moments


@pytest.mark.parametrize("actions", draw_moments(6 if not FULL else 60))
def test_what_must_hold_at_every_moment(actions: list[dict[str, Any]]) -> None:
    options = {"turns": 3}
    targets = [10, 30, 50, 80, 120, 500]
    odds = ask(actions, options, targets=targets, distribution=True)
    reach = GAME.reach(play(*actions, **options), 0)
    assert reach is not None
    assert reach.best is not None
    assert reach.worst is not None

    assert reach.worst.total <= odds["value"] <= reach.best.total
    assert odds["value"] == max(option["value"] for option in odds["options"])
    assert all(option["loss"] == is_near(odds["value"] - option["value"]) for option in odds["options"])
    assert all(odds["options"][index]["loss"] <= EXACT for index in odds["best"])
    shown = odds["distribution"]
    assert sum(shown["chances"]) == is_near(1)
    mean = sum(total * chance for total, chance in enumerate(shown["chances"], shown["from"]))
    assert mean == pytest.approx(odds["value"], abs=1e-7)  # each chance is printed with ten decimals
    assert reach.worst.total <= shown["from"]
    assert shown["from"] + len(shown["chances"]) - 1 <= reach.best.total
    for option in [*odds["options"], {"reach": [t["reach"] for t in odds["targets"]], "reach_by_value": [
        t["reach_by_value"] for t in odds["targets"]]}]:  # fmt: skip
        for chances in (option["reach"], option["reach_by_value"]):
            assert chances == sorted(chances, reverse=True)
            assert all(0 <= chance <= 1 for chance in chances)
        assert all(best >= own - EXACT for best, own in zip(option["reach"], option["reach_by_value"], strict=True))
    assert odds["targets"][-1] == {"target": 500, "reach": 0, "reach_by_value": 0}


def test_the_value_before_a_throw_is_the_mean_of_the_values_after_it() -> None:
    before = ask([paper("chance", 20), roll(5, 5, 3, 4, 1)], {"turns": 3})
    kept = next(option for option in before["options"] if option["action"].get("keep") == [3, 5, 5])
    after = 0.0
    for dice, chance in throw(2):
        actions = [paper("chance", 20), roll(5, 5, 3, 4, 1), roll(*dice, keep=(5, 5, 3))]
        after += chance * ask(actions, {"turns": 3})["value"]

    assert kept["value"] == is_near(after)


def test_the_value_before_a_turn_is_the_mean_of_the_values_after_its_first_throw() -> None:
    options = {"turns": 3, "upper_bonus": {"threshold": 20, "points": 35}}
    before = [paper("sixes", 12)]
    after = sum(chance * ask([*before, roll(*dice)], options)["value"] for dice, chance in throw(5))

    assert ask(before, options)["value"] == is_near(after)


def test_the_choices_are_every_open_box_and_every_set_of_dice_to_keep() -> None:
    odds = ask([paper("aces", 3), roll(5, 5, 3, 4, 1)], {})
    names = [option["action"] for option in odds["options"]]
    kept = {tuple(sorted(dice)) for size in range(5) for dice in combinations((5, 5, 3, 4, 1), size)}

    assert [name["box"] for name in names if name["type"] == "score"][:2] == ["twos", "threes"]
    assert len([name for name in names if name["type"] == "score"]) == 12
    assert sorted(tuple(name["keep"]) for name in names if name["type"] == "roll") == sorted(kept)
    for name in names:
        more = {"dice": [1] * (5 - len(name["keep"]))} if name["type"] == "roll" else {}
        play(paper("aces", 3), roll(5, 5, 3, 4, 1), name | more)


def test_after_the_last_throw_and_after_final_dice_only_boxes_are_left() -> None:
    rolls = [roll(5, 5, 3, 4, 1), roll(3, 3, keep=(5, 5, 3)), roll(3, 3, keep=(5, 5, 3))]
    for actions in (rolls, [roll(5, 5, 3, 4, 1), result(5, 5, 3, 3, 3)]):
        odds = ask(actions, {"turns": 2})
        assert {option["action"]["type"] for option in odds["options"]} == {"score"}
        assert odds["options"][odds["best"][0]]["action"]["box"] == "full_house"


def test_a_card_that_is_done_or_retired_has_its_total() -> None:
    for actions in ([paper("chance", 20)], [RETIRE]):
        odds = ask(actions, {"turns": 1}, targets=[20, 21], distribution=True)
        total = 20.0 if len(actions[0]) > 1 else 0.0
        assert (odds["node"], odds["value"], odds["options"], odds["best"]) == ("done", total, [], [])
        assert odds["distribution"] == {"from": total, "chances": [1.0]}
        assert odds["targets"][1]["reach"] == 0


def test_other_seats_change_nothing() -> None:
    alone = ask([roll(5, 5, 3, 4, 1)], {"turns": 2})
    transcript = {
        "ruleset": "rock-yahtzee", "options": {"turns": 2}, "seats": ["12", "14"],
        "actions": [{"seat": 0, **paper("chance", 9)}, {"seat": 1, **roll(5, 5, 3, 4, 1)}],
    }  # fmt: skip

    assert answer({"transcript": transcript, "seat": 1}, GAMES) == alone | {"seat": 1}


def test_an_answer_that_takes_too_long_has_choices_and_no_figures() -> None:
    # A recorded question is given up after the second that it allows.
    odds = ask([roll(5, 5, 3, 4, 1)], {"turns": 15}, most_seconds=GIVE_UP_SECONDS)

    assert (odds["method"], odds["why"], odds["value"], odds["best"]) == ("none", "seconds", None, [])
    assert {"action": {"type": "score", "box": "aces"}} in odds["options"]


def test_without_time_for_targets_not_even_the_known_values_are_told() -> None:
    """An answer has all that was asked for, or no figures."""
    state = play(roll(5, 5, 3, 4, 1), turns=2, yahtzee_points=[48, 53])
    values = GAME.odds(state, 0, Wanted())
    targets = GAME.odds(state, 0, Wanted(targets=(50,), limit=TimeLimit(-1)))
    again = GAME.odds(state, 0, Wanted(limit=TimeLimit(-1)))

    assert values is not None
    assert targets is not None
    assert (values.method, targets.method, targets.why) == ("exact", "none", "seconds")
    assert (targets.value, targets.targets, targets.best) == (None, None, ())
    assert [choice.action for choice in targets.choices] == [choice.action for choice in values.choices]
    assert all(choice.value is None and not choice.reach for choice in targets.choices)
    assert again == values


def test_a_limit_that_is_over_stops_a_card_that_nobody_has_asked_about() -> None:
    state = play(roll(5, 5, 3, 4, 1), yahtzee_points=[49, 51])

    odds = GAME.odds(state, 0, Wanted(limit=TimeLimit(-1)))

    assert odds is not None
    assert (odds.method, odds.why) == ("none", "seconds")
