"""Actions checked and played per second, against published engines: ``python benchmarks/playing_actions.py``.

Every arm plays games from start to end through its public interface, which checks whether each action is legal and
returns the next state: `Game.play` here, `take_action` in pyhtzee, `choose_score` and rolls in yahtzee_api, `push_uci`
in python-chess, and dealing, checking and calling a hand in PokerKit. Our games are played at random beforehand, with a
fixed seed. The measured actions are either read from plain JSON values ("read too") or, as in pyhtzee, are the engine's
own objects from the start.

The arms take turns within a round, and the medians of five rounds of processor time are compared. The script exits with
status 1 if a game is less than four times as fast as pyhtzee, or slower than python-chess.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from games.core.game import Ruleset  # noqa: E402 - the path is set above
from games.core.registry import find_games  # noqa: E402
from tests.games.sampling import walk  # noqa: E402

try:
    import chess
    from pokerkit import Automation, NoLimitTexasHoldem
    from pyhtzee import Pyhtzee
    from pyhtzee.utils import CATEGORY_ACTION_OFFSET
    from yahtzee_api.player import Player
except ImportError as error:
    sys.exit(f"{error.name} is missing. Run: pip install -r requirements/bench.in")

Arm = Callable[[], int]  # plays some games and returns how many actions that took

ROUNDS = 5
GAMES = 20  # of each kind, played beforehand
SECONDS = 0.25  # the minimum time of an arm per round
GOAL = 4.0


def play_beforehand(ruleset: Ruleset) -> list[tuple[int, list[dict[str, Any]]]]:
    """Return random games: for each, the number of seats and the actions as plain values."""
    random = Random(1)
    low = ruleset.game.seat_limits[0]
    played = []
    for _ in range(GAMES):
        *_, last = walk(ruleset, low, random)
        played.append((low, last.actions))
    return played


def make_ours(ruleset: Ruleset, *, reads_too: bool) -> Arm:
    game = ruleset.game
    written = play_beforehand(ruleset)
    typed = [(seats, [ruleset.read_action(action, seats) for action in actions]) for seats, actions in written]

    def play() -> int:
        for seats, actions in typed:
            state = game.start(ruleset, seats)
            for action in actions:
                state = game.play(state, action)
        return sum(len(actions) for _, actions in typed)

    def read_and_play() -> int:
        for seats, actions in written:
            state = game.start(ruleset, seats)
            for action in actions:
                state = game.play(state, ruleset.read_action(action, seats))
        return sum(len(actions) for _, actions in written)

    return read_and_play if reads_too else play


def list_pyhtzee_actions() -> list[int]:
    """Return a game that is legal with any dice: each turn rolls twice more, and takes the last open box."""
    random, game, actions = Random(1), Pyhtzee(), []
    while not game.is_finished():
        possible = game.get_possible_actions()
        rolls = [action for action in possible if action < CATEGORY_ACTION_OFFSET]
        actions.append(random.choice(rolls) if rolls else max(possible))
        game.take_action(actions[-1])
    return actions


def make_pyhtzee() -> Arm:
    actions = list_pyhtzee_actions()

    def play() -> int:
        game = Pyhtzee()
        for action in actions:
            game.take_action(action)
        return len(actions)

    return play


def play_yahtzee_api() -> int:
    player, done = Player("bench"), 0
    for box in range(13):
        player.roll([0, 0, 0, 0, 0])
        player.roll([1, 1, 0, 0, 0])
        player.end_turn(box)
        done += 3
    return done


def make_chess() -> Arm:
    random, board, moves = Random(1), chess.Board(), []
    while not board.is_game_over() and len(moves) < 120:
        moves.append(random.choice(list(board.legal_moves)).uci())
        board.push_uci(moves[-1])

    def play() -> int:
        fresh = chess.Board()
        for move in moves:
            fresh.push_uci(move)
        return len(moves)

    return play


def play_pokerkit() -> int:
    state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, (200, 200), 2)
    done = 0
    while state.status:
        state.check_or_call()
        done += 1
    return done


def actions_a_second(arm: Arm) -> float:
    """Let an arm play repeatedly for a while; return its speed."""
    played, start = 0, process_time()
    while (taken := process_time() - start) < SECONDS:
        played += arm()
    return played / taken


def list_arms() -> Iterator[tuple[str, Arm]]:
    for key, game in find_games().items():
        yield key, make_ours(game.ruleset(), reads_too=False)
        yield f"{key}, read too", make_ours(game.ruleset(), reads_too=True)
    yield "pyhtzee", make_pyhtzee()
    yield "yahtzee_api", play_yahtzee_api
    yield "python-chess", make_chess()
    yield "PokerKit", play_pokerkit


def main() -> int:
    arms = dict(list_arms())
    speeds: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(ROUNDS):
        for name, arm in arms.items():
            speeds[name].append(actions_a_second(arm))
    pyhtzee, chess_speed = median(speeds["pyhtzee"]), median(speeds["python-chess"])
    missed = []
    for name, measured in speeds.items():
        speed = median(measured)
        ratios = f"{speed / pyhtzee:5.1f} x pyhtzee {speed / chess_speed:5.1f} x python-chess"
        print(f"{name:26} {speed:10,.0f} actions/s  ({min(measured):,.0f} to {max(measured):,.0f})  {ratios}")
        if name in find_games() and (speed < GOAL * pyhtzee or speed < chess_speed):
            missed.append(name)
    print(f"goal: each game {GOAL:.0f} x pyhtzee or more, and faster than python-chess")
    print(f"missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
