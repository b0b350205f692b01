"""What is said about a player's chances, against every way in which the last turn of a round can go on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.rogue import GAME
from games.rogue.prospects import find_sure_winner
from games.rogue.scoring import KEEPS
from games.rogue.state import NEW_TURN, Table, Turn, list_playing
from tests.games.exhaustive import list_next
from tests.games.rogue.table import Log, play, turn
from tests.games.sampling import walk

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"target": 60, "war_at": 30}, {"target": 60, "war_at": 10**6})
MOST_STATES = 300


def list_texts(*parts: Log, seats: int = 2, **options: Any) -> list[list[str]]:
    """Return the sentences about each seat."""
    table = play(*parts, seats=seats, **options)
    return [[said.text.fill(said.params) for said in GAME.prospects(table, seat)] for seat in range(seats)]


def make_table(ruleset: Ruleset, random: Random) -> Table:
    """Return a table with three seats in the middle of the last turn of a round, with any scores and dice."""
    target = ruleset.options["target"]
    retired = frozenset(seat for seat in (0, 1) if random.random() < 0.15)
    scores = tuple(random.choice((0, target - 20, target - 10, target, target + 10)) for _ in range(3))
    left = random.randint(1, 3)
    showing = (
        random.choice([roll for roll in KEEPS if len(roll) == left and KEEPS[roll]]) if random.random() < 0.5 else ()
    )
    rogues = random.randint(0, 6 - left)
    points = 0 if rogues == 6 - left else random.randrange(0, 30)
    retired = frozenset() if len(retired) == 2 else retired
    return Table(ruleset, scores, 2, Turn(points, left, showing, rogues), retired)


def list_endings(table: Table) -> set[int | None] | None:
    """Return who can win in this round, with None if it may go on; None instead if there are too many states."""
    endings: set[int | None] = set()
    seen, stack = {table}, [table]
    while stack:
        for after in list_next(table.ruleset, stack.pop()):
            if after.winner is not None:
                endings.add(after.winner)
            elif after.turn == NEW_TURN:
                endings.add(_judge_next_turn(table, after))
            elif after not in seen:
                seen.add(after)
                stack.append(after)
        if len(seen) > MOST_STATES:
            return None
    return endings


def _judge_next_turn(before: Table, after: Table) -> int | None:
    """Return the winner if an additional turn cannot change it: points can only be added (ROGUE-3, ROGUE-12)."""
    others = [after.scores[seat] for seat in list_playing(after) if seat != before.seat]
    has_won = after.scores[before.seat] > max(others) and max(after.scores) >= before.ruleset.setup.target
    return before.seat if after.seat == before.seat and has_won else None


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_sure_winner_wins_in_every_continuation_and_only_then(options: dict[str, Any]) -> None:
    """ROGUE-3, ROGUE-7, ROGUE-8, ROGUE-12 to ROGUE-15, ROGUE-24, ROGUE-25"""
    random, ruleset = Random(13), GAME.ruleset(options)
    found: list[int | None] = []
    while len(found) < 400:
        table = make_table(ruleset, random)
        endings = list_endings(table)
        if endings is not None:
            sure = find_sure_winner(table)
            assert sure == (next(iter(endings)) if len(endings) == 1 else None), table
            found.append(sure)
    assert set(found) == {None, 0, 1, 2}


@pytest.mark.parametrize("options", OPTIONS[1:], ids=str)
def test_what_is_said_holds_at_the_end(options: dict[str, Any]) -> None:
    """ROGUE-13, TABLE-3: unless the player leaves, or, for those who can win no more, another one does."""
    ruleset, said = GAME.ruleset(options), {"safe": 0, "gone": 0}
    for seed in range(300):
        moments = list(walk(ruleset, 3, Random(seed)))
        end = moments[-1].state
        for moment in moments:
            for seat in range(3):
                for prospect in GAME.prospects(moment.state, seat):
                    if prospect.kind == "safe":
                        assert end.winner == seat or seat in end.retired
                    elif prospect.kind == "gone":
                        assert end.winner != seat or end.retired != moment.state.retired
                    if prospect.kind != "need":
                        said[prospect.kind] += 1
        assert all(GAME.prospects(end, seat) == () for seat in range(3))
    assert min(said.values()) > 20


def test_a_player_needs_the_target_and_points_set_aside_count() -> None:
    """ROGUE-3, ROGUE-13"""
    assert list_texts() == [["Needs 2000 more to reach 2000."]] * 2
    assert list_texts(turn(0, "C23456 C23456"), target=500, war_at=500) == [
        ["Needs 250 more to reach 500."],
        ["Needs 500 more to reach 500."],
    ]
    assert list_texts(turn(0, "666223 666"), target=500)[0] == ["Needs 440 more to reach 500."]


def test_in_the_last_round_a_player_needs_the_lead() -> None:
    """ROGUE-13: those who have had their turn can only wait."""
    reached = turn(0, "C23456 C23456")
    assert list_texts(reached, seats=3, target=250) == [
        [],
        *[["Needs 251 more in this last turn to take the lead."]] * 2,
    ]
    assert list_texts(reached, turn(1, "666223 666"), seats=3, target=250)[1:] == [
        ["Needs 191 more in this last turn to take the lead."],
        ["Needs 251 more in this last turn to take the lead."],
    ]


def test_whoever_has_a_turn_left_can_win_by_rogue_out() -> None:
    """ROGUE-15"""
    reached = turn(0, "C23456 C23456")
    for entries in ((), ("C22345 C",), ("C22345 C", "C3456 C")):
        log = [*reached, *turn(1, *entries)]
        assert not any(said.kind != "need" for seat in (0, 1) for said in GAME.prospects(play(log, target=250), seat))


def test_the_last_player_with_too_few_dice_left_cannot_win_any_more() -> None:
    """ROGUE-8, ROGUE-12: a rogue set aside alone spoils additional turns, and two dice score 15 at most."""
    log = [*turn(0, "C23456 C23456"), *turn(1, "C22345 C22", "C66 C")]
    lost = "Cannot win any more unless another player retires."
    assert list_texts(log, target=250) == [["Cannot be caught."], [lost]]
    assert list_texts(log, turn(1, "bank"), target=250) == [[], []]


def test_the_last_player_in_the_lead_cannot_be_caught() -> None:
    """ROGUE-3, ROGUE-13"""
    log = [*turn(0, "C23456 C23456"), *turn(1, "666652 6666")]
    lost = "Cannot win any more unless another player retires."
    assert list_texts(log, target=250) == [[lost], ["Cannot be caught."]]
    assert list_texts(log, target=500)[0] == ["Needs 250 more to reach 500."]
