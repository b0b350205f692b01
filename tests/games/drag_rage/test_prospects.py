"""What is said about a race and its running heat, against every way in which the heat can go on."""

from __future__ import annotations

from random import Random

import pytest

from games.core.prospects import ProspectKind
from games.drag_rage import GAME
from games.drag_rage.prospects import find_results
from games.drag_rage.state import Heat, Race
from tests.faults.scale import scaled
from tests.games.drag_rage.random_races import RULESET, Step, drive
from tests.games.drag_rage.table import (
    BLOWN,
    BROKEN,
    BROKEN_AND_BLOWN,
    CROSSED,
    LAST_COUNTER,
    Action,
    challenge,
    decline,
    lose_challenge,
    move,
    play,
    retire,
    roll,
    start,
    win_quickly,
)
from tests.games.exhaustive import list_next

MOST_MOMENTS = 50
EVEN = [start(), move(0, 12), move(1, 11)]


def list_texts(*actions: Action) -> list[list[str]]:
    """Return the sentences about each seat."""
    return [[said.text.fill(said.params) for said in GAME.prospects(play(*actions), seat)] for seat in (0, 1)]


def list_kinds(race: Race, seat: int) -> list[ProspectKind]:
    return [said.kind for said in GAME.prospects(race, seat)]


def try_everything(race: Race) -> set[int | None] | None:
    """Return every result that the running heat can have; None if that takes too long."""
    results: set[int | None] = set()
    seen, stack = {race.heat}, [race]
    while stack:
        for after in list_next(RULESET, stack.pop()):
            if after.heat is None:
                results.add(after.heats[-1].winner)
            elif after.heat not in seen:
                seen.add(after.heat)
                stack.append(after)
        if len(seen) > MOST_MOMENTS:
            return None
    return results


@pytest.mark.slow
def test_the_results_that_a_heat_can_still_have_match_every_continuation() -> None:
    """DRAG-3 to DRAG-8, DRAG-10 to DRAG-15, DRAG-18 to DRAG-21, DRAG-23 to DRAG-27"""
    random = Random(15)
    tried: dict[Heat, set[int | None]] = {}
    while len(tried) < scaled(120, 50):
        for step in reversed(list(drive(random))):
            heat = step.before.heat
            if heat is None or heat in tried:
                continue
            everything = try_everything(Race(heat=heat))
            if everything is None:
                continue
            tried[heat] = everything
            found = find_results(heat)
            if everything >= {0, 1}:
                assert found >= {0, 1}
            else:
                assert found == everything, heat
    kinds = {(frozenset(results) & {0, 1}, None in results) for results in tried.values()}
    assert len(kinds) == 7, "all combinations of winners and a dead heat, except for none of them"


def list_heats(random: Random) -> list[list[Step]]:
    """Return the steps of a race, heat by heat."""
    heats: list[list[Step]] = [[]]
    for step in drive(random):
        heats[-1].append(step)
        if step.after.heat is None:
            heats.append([])
    return heats[:-1]


def test_what_is_said_about_a_heat_holds_at_its_end() -> None:
    """DRAG-10 to DRAG-15"""
    random, said = Random(16), {"safe": 0, "gone": 0}
    for _ in range(scaled(80, 25)):
        for steps in list_heats(random):
            winner = steps[-1].after.heats[-1].winner
            for step in steps[:-1]:
                for seat in (0, 1):
                    kinds = list_kinds(step.after, seat)
                    assert "safe" not in kinds or winner == seat
                    assert "gone" not in kinds or winner != seat
                    for kind in kinds[1:]:
                        said[kind] += 1
    assert min(said.values()) > 20


def test_a_player_needs_two_heats() -> None:
    """DRAG-16, DRAG-29"""
    both = ["Needs 2 more heats to win the race."]
    assert list_texts() == list_texts(start()) == list_texts(*EVEN) == [both, both]
    assert list_texts(*win_quickly(0)) == [["Needs 1 more heat to win the race."], both]
    assert list_texts(*win_quickly(0), *win_quickly(0)) == [[], []]
    assert list_texts(*win_quickly(0), retire(0)) == [[], []]


def test_a_blown_engine_cannot_win_the_heat() -> None:
    """DRAG-15, DRAG-23: and the other may still be beaten to a dead heat, or not."""
    gone = "Cannot win this heat any more."
    assert list_texts(*BLOWN)[1][1:] == [gone]
    assert list_texts(*BROKEN_AND_BLOWN) == [
        ["Needs 2 more heats to win the race."],
        ["Needs 2 more heats to win the race.", gone],
    ]
    assert list_texts(*BROKEN_AND_BLOWN, challenge(1))[0][1:] == []


def test_a_crossing_that_cannot_be_matched_any_more_is_safe() -> None:
    """DRAG-12, DRAG-25"""
    held = [start(), move(0, 12), move(1, 2), move(0, 10), challenge(1), roll(0, 5, 5), decline(1)]
    safe = "Cannot be caught in this heat"
    assert list_texts(*held) == [
        ["Needs 2 more heats to win the race.", f"{safe}."],
        ["Needs 2 more heats to win the race.", "Cannot win this heat any more."],
    ]
    assert list_texts(*win_quickly(0), *held)[0] == [
        "Needs 1 more heat to win the race.",
        f"{safe}, which wins the race.",
    ]


def test_a_crossing_that_can_be_challenged_or_matched_decides_nothing() -> None:
    """DRAG-19, DRAG-24"""
    for actions in (CROSSED, BROKEN, LAST_COUNTER):
        assert list_kinds(play(*actions), 0)[1:] in ([], ["safe"])
        assert "gone" not in list_kinds(play(*actions), 1) or actions is LAST_COUNTER


def test_a_search_that_is_too_long_says_nothing() -> None:
    """DRAG-6: two cars that are spun out again and again."""
    spun_out = [start(), *lose_challenge(0, 12), *lose_challenge(1, 11)]
    assert list_texts(*spun_out) == [["Needs 2 more heats to win the race."]] * 2
